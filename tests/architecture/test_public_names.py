"""What users may rely on, and what importing it costs."""

import importlib
import subprocess
import sys

import pytest

import dowse

HEAVY = ("numpy", "rich", "sqlite3", "markdown_it", "yaml", "Stemmer", "platformdirs")


def test_public_names_are_sorted():
    """`__all__` is in order, so that a new name shows up as one line."""
    assert sorted(dowse.__all__) == dowse.__all__


@pytest.mark.parametrize("name", dowse.__all__)
def test_every_public_name_can_be_imported(name: str):
    """What `__all__` promises is there."""
    assert getattr(dowse, name) is not None


def test_unknown_names_are_refused():
    """A mistyped name is an AttributeError, as for any module."""
    with pytest.raises(AttributeError, match="Indx"):
        _ = dowse.Indx


@pytest.mark.parametrize(
    "package",
    ["analysis", "cli", "engine", "indexing", "ingest", "kernels", "matching", "planning", "query",
     "results", "schema", "scoring", "suggest"],
)  # fmt: skip
def test_packages_list_what_they_have(package: str):
    """Every name in a package's `__all__` exists; the list is sorted as ruff sorts it."""
    module = importlib.import_module(f"dowse.{package}")
    missing = [name for name in module.__all__ if not hasattr(module, name)]
    assert [] == missing


@pytest.mark.parametrize("module", ["dowse", "dowse.cli", "dowse.errors", "dowse.schema"])
def test_importing_costs_nothing(module: str):
    """Faces and library start without numpy, rich or SQLite; they load when first used."""
    code = f"import sys, {module}; print([n for n in {HEAVY!r} if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "[]" == done.stdout.strip()


def test_the_reference_kernels_can_be_chosen():
    """DOWSE_KERNELS=reference runs the plain twins, and `KERNELS` says so."""
    code = "import dowse.kernels as k; print(k.KERNELS, k.Postings.__module__)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True, text=True, check=True, env={"DOWSE_KERNELS": "reference"},
    )  # fmt: skip
    assert "numpy dowse.kernels.reference.postings" == done.stdout.strip()
