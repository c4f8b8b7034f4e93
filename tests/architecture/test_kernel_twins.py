"""Compiled kernels, their plain twins and their stubs have the same names and parameters."""

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import dowse.kernels
from dowse.kernels.table import HEADERS, KERNEL_TABLE

FOLDER = Path(dowse.kernels.__file__).parent
TWINS = tuple(KERNEL_TABLE)

Signature = tuple[str, ...]


def signatures(path: Path) -> dict[str, Signature]:
    """Returns the parameters of every public function and method, by dotted name."""
    found = {}
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            found[node.name] = _parameters(node)
        elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            for method in node.body:
                if isinstance(method, ast.FunctionDef) and _is_public(method.name):
                    found[f"{node.name}.{method.name}"] = _parameters(method)
    return found


def _is_public(name: str) -> bool:
    return name == "__init__" or not name.startswith("_")


def _parameters(node: ast.FunctionDef) -> Signature:
    return tuple(argument.arg for argument in node.args.args)


def properties(path: Path) -> set[str]:
    """Returns the names of the stub's properties: attributes in the twins."""
    return {
        f"{kind.name}.{method.name}"
        for kind in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(kind, ast.ClassDef)
        for method in kind.body
        if isinstance(method, ast.FunctionDef) and method.decorator_list
    }


@pytest.mark.parametrize("twin", TWINS)
def test_stubs_say_what_the_reference_says(twin: str):
    """Every function of a stub is in the plain twin, with the same parameter names."""
    stub = FOLDER / f"_{twin}.pyi"
    expected = signatures(FOLDER / "reference" / f"{twin}.py")
    declared = signatures(stub)
    methods = {name: declared[name] for name in declared.keys() - properties(stub)}
    assert {name: expected.get(name) for name in methods} == methods


@pytest.mark.parametrize("twin", TWINS)
def test_compiled_twins_have_all_that_their_stubs_say(twin: str):
    """Every name of a stub is there, and what Python can see of its parameters agrees."""
    module = pytest.importorskip(f"dowse.kernels._{twin}")
    for name, parameters in signatures(FOLDER / f"_{twin}.pyi").items():
        member = module
        for part in name.split("."):
            member = getattr(member, part)
        code = getattr(member, "__code__", None)
        if code is not None and code.co_varnames:
            assert (name, parameters) == (name, code.co_varnames[: code.co_argcount])


@pytest.mark.parametrize("twin", TWINS)
def test_every_kernel_has_a_plain_twin(twin: str):
    """Whatever the table lists stands in the module of `reference/` that it says, and is offered."""
    home = importlib.import_module(f"dowse.kernels.reference.{twin}")
    for name in KERNEL_TABLE[twin]:
        assert (name, home.__name__) == (name, getattr(home, name).__module__)
        assert hasattr(dowse.kernels, name)


def test_the_table_lists_every_compiled_module():
    """A file that no row builds would be forgotten, and so would a header."""
    assert {path.stem for path in FOLDER.glob("_[a-z]*.pyx")} == {f"_{twin}" for twin in TWINS}
    listed = {name for names in HEADERS.values() for name in names}
    assert {path.name for path in FOLDER.glob("*.h")} == listed


def test_type_checkers_see_the_names_of_the_table():
    """The one list beside the table is what type checkers read; it says the same."""
    tree = ast.parse((FOLDER / "__init__.py").read_text(encoding="utf-8"))
    start = "dowse.kernels.reference."
    seen = {
        str(node.module).removeprefix(start): tuple(alias.name for alias in node.names)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith(start)
    }
    assert KERNEL_TABLE == seen


def test_a_kernel_that_cannot_be_loaded_falls_back_alone():
    """One broken file costs its own speed, not that of the others, and the reason is kept."""
    code = (
        "import sys; sys.modules['dowse.kernels._spans'] = None\n"
        "import dowse.kernels as k\n"
        "print(k.KERNELS, k.near_spans.__module__, k.union.__module__)\n"
        "print({name: bool(reason) for name, reason in k.FALLBACKS.items()})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    expected = ["partly compiled dowse.kernels.reference.spans dowse.kernels._sorted_sets", "{'spans': True}"]
    assert expected == done.stdout.splitlines()


CONSTANTS = (
    "SKIP_EVERY", "RESTART_EVERY", "MAX_TERM_FREQ", "FIELD_SLOTS", "SIGNATURE_BITS", "BLOCK_ROWS", "DROPPED",
    "MAX_LOOSE_WORDS", "MAX_UNORDERED", "VECTOR_LANES", "MAX_VECTOR_WIDTH", "MAX_QUERY_LEVEL",
)  # fmt: skip


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.p[yx][xd]")), ids=lambda path: path.name)
def test_constants_of_compiled_code_are_those_of_the_layout(path: Path):
    """Numbers written twice, because C needs them, are written alike."""
    layout = importlib.import_module("dowse.kernels.layout")
    for line in path.read_text(encoding="utf-8").splitlines():
        name, is_set, value = line.partition(" = ")
        if is_set and name.strip() in CONSTANTS:
            assert getattr(layout, name.strip()) == int(value.split("#")[0], 0)
