"""Names, sizes and package pages, as the house rules ask for them."""

import ast
import re
from collections.abc import Iterator

import pytest
from source_tree import LEFT_BY_BUILDS, ROOT, Module, imports_of, modules

BANNED = {
    "util", "utils", "helper", "helpers", "common", "misc", "core", "base", "manager", "handler",
    "processor", "data", "new", "old", "v2", "legacy",
}  # fmt: skip
MAX_FILE_LINES = 500
MAX_FUNCTION_LINES = 60
# path → why it is longer. Keep it short and visible.
LARGE_FILES: dict[str, str] = {
    "src/dowse/engine/index.py": "the facade: a method with its page for all that can be asked, and no more",
    "src/dowse/kernels/_postings.pyx": "one class: a method per question; the algorithms are in .pxd files",
    "src/dowse/kernels/_tokenising.pyx": "one automaton over characters, whose states share all they know",
    "src/dowse/kernels/_vocabulary.pyx": "one class: four walks over one dictionary",
    "tests/faces/test_cli_meaning.py": "one story told in order through the command line",
    "tests/properties/test_kernels.py": "one suite for one kernel, with one way to draw postings",
    "tests/unit/engine/test_embeddings.py": "one suite for one tier, with one fixture",
}
LARGE_FUNCTIONS: dict[str, str] = {
    "src/dowse/kernels/_inversion.pyx:invert": "counting, placing and encoding share twenty arrays",
    "src/dowse/kernels/disjunction.pxd:add_several": "the innermost loop: three passes share what they load",
}
MIN_PAGE_LINES = 10
# Packages that are one family: their page is the page of the package around them.
FAMILIES = {
    "": "the library's page is for users; it imports lazily",
    "kernels.reference": "the twins; `kernels` is their page",
    "ingest.extractors": "the extractors; `ingest` is their page",
    "cli.commands": "the commands; `cli` is their page",
    "results": "one module so far",
}

MODULES = modules()
PACKAGES = [module for module in MODULES if module.path.name == "__init__.py"]


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.name or "dowse")
def test_no_module_or_class_has_a_banned_name(module: Module):
    """Names say what a thing is; these say nothing."""
    words = set(module.name.rsplit(".", 1)[-1].split("_"))
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ClassDef):
            words |= {word.lower() for word in re.findall(r"[A-Z]+[a-z0-9]*", node.name)}
    assert set() == words & BANNED


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.name or "dowse")
def test_every_module_says_what_it_is(module: Module):
    """The first line of a module is a sentence about it."""
    assert module.docstring.strip()


@pytest.mark.parametrize("package", PACKAGES, ids=lambda module: module.name or "dowse")
def test_every_package_has_a_page(package: Module):
    """A package's docstring is its page: long enough to say something, and what it may import."""
    if package.name in FAMILIES:
        pytest.skip(FAMILIES[package.name])
    assert MIN_PAGE_LINES <= len(package.docstring.splitlines())
    assert "May import:" in package.docstring


@pytest.mark.parametrize("package", PACKAGES, ids=lambda module: module.name or "dowse")
def test_a_page_names_all_that_the_package_imports(package: Module):
    """What a page allows is what the code uses; a page that has fallen behind misleads."""
    found = re.search(r"May import: (.*?)(?:\n\n|\Z)", package.docstring, re.DOTALL)
    if package.name in FAMILIES or "." in package.name or found is None:
        pytest.skip("no page of its own")
    if "everything below" in found[1]:
        return
    used = {
        entry.target.split(".")[1]
        for module in MODULES
        if module.package == package.package
        for entry in imports_of(module)
        if entry.target.startswith("dowse.")
    }
    named = set(re.findall(r"`(?:dowse\.)?(\w+)`", found[1]))
    assert set() == used - named - {package.package, "__version__"}


def _iter_texts() -> Iterator[tuple[str, str]]:
    """Yields path and text of whatever people read: Python, Cython, C, and the tests."""
    top = ROOT.parents[1]
    for folder, patterns in (("src", ("*.py", "*.pyx", "*.pxd", "*.h")), ("tests", ("*.py", "*.c"))):
        for pattern in patterns:
            for path in sorted((top / folder).rglob(pattern)):
                if LEFT_BY_BUILDS not in path.parts:
                    yield path.relative_to(top).as_posix(), path.read_text(encoding="utf-8")


def test_files_stay_readable():
    """A file over the limit is split, or stands on the list with a reason."""
    lines = {path: text.count("\n") for path, text in _iter_texts()}
    assert set(LARGE_FILES) == {path for path, count in lines.items() if count > MAX_FILE_LINES}, lines


def _iter_cython_functions(text: str) -> Iterator[tuple[str, int]]:
    """Yields each function of Cython code with its number of lines: it ends where lines are no deeper."""
    lines = text.split("\n")
    for at, line in enumerate(lines):
        found = re.match(r"( *)(?:cp?def|def) .*?(\w+)\(", line)
        if found is None or "=" in line.split("(")[0]:
            continue
        end = at
        for later in range(at + 1, len(lines)):
            if lines[later].strip() and not re.match(rf" {{{len(found[1]) + 1}}}|\)", lines[later]):
                break
            end = later if lines[later].strip() else end
        yield found[2], end - at + 1


def _iter_functions(path: str, text: str) -> Iterator[tuple[str, int]]:
    if path.endswith((".pyx", ".pxd")):
        yield from _iter_cython_functions(text)
    elif path.endswith(".py"):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield node.name, (node.end_lineno or node.lineno) - node.lineno + 1


def test_functions_stay_readable():
    """A function over the limit is split, or stands on the list with a reason."""
    lines = {
        f"{path}:{name}": count
        for path, text in _iter_texts()
        for name, count in _iter_functions(path, text)
    }
    assert set(LARGE_FUNCTIONS) == {name for name, count in lines.items() if count > MAX_FUNCTION_LINES}
