"""An I/O error, or the end of the process, at every call that changes a file (S1)."""

import json
from pathlib import Path

import pytest
from support.fault_shim import run_shimmed

OPERATIONS = ("commit", "sync", "create", "rebuild")


def step_through(shim: Path, folder: Path, operation: str, step: int, offset: int = 0) -> None:
    report = json.loads(run_shimmed(shim, "crash_points.py", folder, operation, step, offset))
    wrong = report.pop("wrong")
    print(operation, report)
    assert [] == wrong, f"{operation}: {report}\n" + "\n".join(wrong)
    assert report["points"] > 20, f"the faults were not injected: {report}"
    assert report["kills"], f"nothing was killed: {report}"
    assert report["errors"], f"nothing failed: {report}"


@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_fault_at_some_calls_leaves_the_state_before_or_after(
    shim: Path, fast_folder: Path, operation: str
) -> None:
    """Every so many calls, each with another fault, leave one of two states and a working index."""
    step_through(shim, fast_folder, operation, {"create": 5}.get(operation, 13))


@pytest.mark.slow
@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_fault_at_any_call_leaves_the_state_before_or_after(
    shim: Path, fast_folder: Path, operation: str
) -> None:
    """Each call, failing or being the last in eight ways, leaves one of two states."""
    step_through(shim, fast_folder, operation, 1)
