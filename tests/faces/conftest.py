"""Fixtures of the faces."""

from pathlib import Path

import pytest
from cli_shell import PAGES, Shell, write_pages


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    """A folder with five files, and no index yet."""
    folder = tmp_path / "garden"
    write_pages(folder, PAGES)
    return Shell(folder, tmp_path / "home")


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Shell:
    """A folder with five files that is indexed; tests that use it change neither."""
    base = tmp_path_factory.mktemp("indexed")
    write_pages(base / "garden", PAGES)
    shell = Shell(base / "garden", base / "home")
    assert 0 == shell.run("index", ".").status
    return shell
