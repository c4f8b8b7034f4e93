"""Indexes that an older Dowse made open as they are, with nothing lost."""

import sqlite3
from pathlib import Path

import pytest

import dowse

# What version 2 added to the catalogue; taking it away makes one of version 1.
TABLES = ("anchors", "refused_files", "shelf", "models", "vector_segments", "embeddings")
COLUMNS = (("trees", "is_watched"), ("documents", "keeps_lines"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one note."""
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "tea.md").write_text("# Tea\n\nsteeped\n")
    return folder


@pytest.fixture
def home(tmp_path: Path, folder: Path) -> Path:
    """An index with a catalogue of version 1."""
    home = tmp_path / "home"
    with dowse.open(home) as index:
        index.sync_folder(folder)
    with sqlite3.connect(home / "catalog.db") as catalog:
        for table in TABLES:
            catalog.execute(f"DROP TABLE {table}")
        for table, column in COLUMNS:
            catalog.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
        catalog.execute("UPDATE meta SET value = 1 WHERE key = 'catalog_version'")
    catalog.close()
    return home


def test_a_catalogue_of_version_1_is_brought_up_to_date(home: Path, folder: Path) -> None:
    """It is searched, synced and added to as if nothing had been."""
    with dowse.open(home) as index:
        assert ["tea.md"] == [hit.doc_key for hit in index.search("steeped").hits]
        (folder / "coffee.md").write_text("brewed")
        assert 1 == index.sync_folder(folder).added
        assert ["coffee.md"] == [hit.doc_key for hit in index.search("brewed").hits]
        assert index.check().is_healthy


def test_two_may_open_it_at_once(home: Path) -> None:
    """The second finds it up to date already."""
    with dowse.open(home) as first, dowse.open(home) as second:
        assert first.status().documents == second.status().documents == 1
