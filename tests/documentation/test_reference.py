"""The generated pages are fresh and complete."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from dowse.cli.arguments import build_parser
from dowse.cli.commands import COMMANDS
from dowse.errors import ERRORS
from dowse.fusion import FUSIONS
from dowse.scoring.dfr import DFR
from dowse.scoring.registry import DFR_NAMES, MODELS
from dowse.search.modes import MODES

ROOT = Path(__file__).resolve().parents[2]


def load_generator() -> ModuleType:
    """Imports tools/make_reference.py, which is no package."""
    spec = importlib.util.spec_from_file_location(
        "make_reference", ROOT / "tools" / "make_reference.py"
    )
    assert spec is not None, "tools/make_reference.py is there"
    assert spec.loader is not None, "and is a Python file"
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


GENERATOR = load_generator()


def read_page(name: str) -> str:
    """Returns a page as it is in the repository."""
    return (ROOT / "docs" / "reference" / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", GENERATOR.PAGES)
def test_reference_is_fresh(name: str) -> None:
    """What is written is what tools/make_reference.py would write now."""
    expected: str = GENERATOR.PAGES[name]()
    assert expected == read_page(name), "run: .venv/bin/python tools/make_reference.py"


def test_every_command_and_flag_is_in_the_reference() -> None:
    """Nothing can be typed that is not explained."""
    page = read_page("commands.md")
    wanted = [f"## dowse {command.name}\n" for command in COMMANDS]
    wanted += [f"`{flag}" for command in COMMANDS for flag in build_parser(command).flags]
    assert [] == [text for text in wanted if text not in page]


def test_every_error_is_in_the_reference() -> None:
    """Nothing can go wrong that is not explained."""
    page = read_page("errors.md")
    assert [] == [error.code for error in ERRORS if f"## {error.code}\n" not in page]


def test_every_mode_and_model_is_in_the_reference() -> None:
    """What --mode and --model take is explained; the DFRs by their pattern."""
    page = read_page("modes.md")
    wanted = [f"| `{mode.name}` |" for mode in MODES]
    wanted += [f"`{row.name}`" for row in MODELS if row.kind is not DFR] + [f"`{DFR_NAMES}`"]
    assert [] == [text for text in wanted if text not in page]


def test_every_fusion_and_its_numbers_are_in_the_reference() -> None:
    """What --fusion takes is explained, each with its own numbers; the flag itself has all names."""
    rows = {row.split("`")[1]: row for row in read_page("modes.md").splitlines() if row.startswith("| `")}
    missing = [
        (kind.name, one.name)
        for kind in FUSIONS
        for one in kind.parameters
        if f"`{one.name}` {one.low:g} to {one.high:g}, default {one.default:g}: " not in rows[kind.name]
    ]
    assert [] == missing
    flags = [row for row in read_page("commands.md").splitlines() if row.startswith("| `--fusion NAME`")]
    assert flags
    assert [] == [kind.name for row in flags for kind in FUSIONS if kind.name not in row]


def test_every_argument_has_a_help_text() -> None:
    """A flag without a word of help is half a flag."""
    actions = [action for command in COMMANDS for action in build_parser(command)._actions]
    assert [] == [action.dest for action in actions if not action.help]
