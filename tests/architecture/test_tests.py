"""What tests may not do."""

import ast
from pathlib import Path

import pytest

UNIT = Path(__file__).parents[1] / "unit"
FILES = sorted(UNIT.rglob("*.py"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(UNIT)))
def test_no_unit_test_sleeps(file: Path):
    """It is told the time, or waits for an event; what needs real time belongs to `faults`."""
    calls = [node.func for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Call)]
    assert [] == [ast.unparse(call) for call in calls if ast.unparse(call) in ("time.sleep", "sleep")]
