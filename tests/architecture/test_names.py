"""Names, sizes and package pages, as the house rules ask for them."""

import ast
import re

import pytest
from source_tree import Module, imports_of, modules

BANNED = {
    "util", "utils", "helper", "helpers", "common", "misc", "core", "base", "manager", "handler",
    "processor", "data", "new", "old", "v2", "legacy",
}  # fmt: skip
MAX_FILE_LINES = 500
MAX_FUNCTION_LINES = 60
# path → why it is longer. Keep it short and visible.
LARGE_FILES: dict[str, str] = {}
LARGE_FUNCTIONS: dict[str, str] = {}
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


def test_files_stay_readable():
    """A file over the limit is split, or stands on the list with a reason."""
    large = {
        str(module.name): module.line_count
        for module in MODULES
        if module.line_count > MAX_FILE_LINES
    }
    assert set(LARGE_FILES) == set(large), large


def test_functions_stay_readable():
    """A function over the limit is split, or stands on the list with a reason."""
    large = {
        f"{module.name}.{node.name}": node.end_lineno - node.lineno + 1
        for module in MODULES
        for node in ast.walk(module.tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno - node.lineno + 1 > MAX_FUNCTION_LINES
    }
    assert set(LARGE_FUNCTIONS) == set(large), large
