"""Compiled kernels, their plain twins and their stubs have the same names and parameters."""

import ast
import importlib
from pathlib import Path

import pytest

import dowse.kernels

FOLDER = Path(dowse.kernels.__file__).parent
TWINS = (
    "folding",
    "form_merging",
    "inversion",
    "measuring",
    "piece_cutting",
    "postings",
    "row_names",
    "signatures",
    "sorted_sets",
    "sounds",
    "spans",
    "tokenising",
    "transformer",
    "vectors",
    "vocabulary",
    "word_merging",
)

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


@pytest.mark.parametrize("name", [name for name in dowse.kernels.__all__ if name != "KERNELS"])
def test_every_kernel_has_a_plain_twin(name: str):
    """Whatever `kernels` offers exists in `reference/`."""
    homes = [importlib.import_module(f"dowse.kernels.reference.{twin}") for twin in TWINS]
    assert 1 == sum(hasattr(home, name) and getattr(home, name).__module__ == home.__name__
                    for home in homes)  # fmt: skip


@pytest.mark.parametrize("twin", TWINS)
def test_constants_of_compiled_code_are_those_of_the_layout(twin: str):
    """Numbers written twice, because C needs them, are written alike."""
    layout = importlib.import_module("dowse.kernels.layout")
    source = (FOLDER / f"_{twin}.pyx").read_text(encoding="utf-8")
    names = ("SKIP_EVERY", "MAX_TERM_FREQ", "FIELD_SLOTS", "SIGNATURE_BITS", "BLOCK_ROWS", "DROPPED")
    for name in (*names, "MAX_LOOSE_WORDS", "MAX_UNORDERED", "VECTOR_LANES", "MAX_VECTOR_WIDTH",
                 "MAX_QUERY_LEVEL"):  # fmt: skip
        for line in source.splitlines():
            if line.strip().startswith(f"{name} ="):
                assert getattr(layout, name) == int(line.split("=")[1], 0)
