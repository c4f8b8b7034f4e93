"""Indexes that an older Dowse made open with nothing lost.

`homes/` has one real index per combination of formats, written by the code of its time: a folder of notes,
two pushed texts, one that was deleted again, and in the newest the vectors of the default model. The folder
they were made of is beside each.
"""

import os
import sqlite3
import tarfile
from pathlib import Path

import pytest

import dowse
from dowse import SearchRequest
from dowse.engine import migration

HOMES = sorted((Path(__file__).parent / "homes").glob("*.tar.xz"))
OLD_ROOT = "/old"


@pytest.fixture(params=HOMES, ids=lambda file: file.name.removesuffix(".tar.xz"))
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A folder with `home` and `notes`, where the index believes its notes to be there."""
    with tarfile.open(request.param) as archive:
        archive.extractall(tmp_path, filter="data")
    catalog = sqlite3.connect(tmp_path / "home" / "catalog.db")
    with catalog:
        for table, column in (("trees", "root"), ("documents", "file")):
            sql = f"UPDATE {table} SET {column} = replace({column}, ?, ?)"
            catalog.execute(sql, (OLD_ROOT, str(tmp_path)))
        for file, mtime_ns in catalog.execute("SELECT file, mtime_ns FROM documents WHERE file IS NOT NULL"):
            os.utime(file, ns=(mtime_ns, mtime_ns))
    catalog.close()
    return tmp_path


def find(index: dowse.Index, query: str) -> list[str]:
    """Returns the documents that a query by words finds."""
    response = index.search(SearchRequest(query, mode="bm25f", fuzzy="never"))
    return list(dict.fromkeys(hit.doc_key for hit in response.hits))


def test_what_it_held_is_found(place: Path) -> None:
    """Files and pushed texts are found; what was deleted stays deleted."""
    with dowse.open(place / "home") as index:
        assert ["tea.md"] == find(index, "steeped")
        assert ["pushed-1"] == find(index, "tomatoes")
        assert ["pushed-2"] == find(index, "carrots")
        assert [] == find(index, "deleted")
        assert index.check().is_healthy


def test_it_is_synced_and_added_to(place: Path) -> None:
    """It goes on as if nothing had been: new files come in, pushed texts stay, nothing comes twice."""
    (place / "notes" / "milk.txt").write_text("Milk is poured last.")
    with dowse.open(place / "home") as index:
        index.sync_folder(place / "notes")
        index.add("pushed-4", "A text about peas.")
        index.commit()
        for query, key in {"poured": "milk.txt", "steeped": "tea.md", "peas": "pushed-4"}.items():
            assert [key] == find(index, query)
        assert ["coffee.txt"] == find(index, "brewed")
        assert ["pushed-1"] == find(index, "tomatoes")
    with dowse.open(place / "home") as index:
        assert 7 == index.status().documents
        assert index.check().is_healthy


def test_two_may_open_it_at_once(place: Path) -> None:
    """The second finds it up to date already."""
    with dowse.open(place / "home") as first, dowse.open(place / "home") as second:
        assert find(first, "tomatoes") == find(second, "tomatoes") == ["pushed-1"]
        assert first.status().documents == second.status().documents


def test_its_vectors_are_kept(place: Path) -> None:
    """What the model has read is not read again: making vectors anew takes hours."""
    catalog = sqlite3.connect(place / "home" / "catalog.db")
    tables = {name for (name,) in catalog.execute("SELECT name FROM sqlite_master")}
    sql = "SELECT coalesce(sum(rows), 0) FROM vector_segments"
    kept = catalog.execute(sql).fetchone()[0] if "vector_segments" in tables else 0
    catalog.close()
    with dowse.open(place / "home") as index:
        coverage = index.coverage()
        assert kept == (coverage.model if coverage else 0)


def test_a_split_that_is_cut_off_leaves_the_old_index(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that dies half way, or before the old files are gone, loses nothing; the next one goes on."""
    real = migration._build_tree
    built: list[str] = []

    def die_at_the_second(old, tree, *rest) -> None:
        built.append(tree.name)
        if len(built) == 2:
            raise KeyboardInterrupt
        real(old, tree, *rest)

    monkeypatch.setattr(migration, "_build_tree", die_at_the_second)
    with pytest.raises(KeyboardInterrupt):
        dowse.open(place / "home")
    assert (place / "home" / "catalog.db").exists()
    assert not (place / "home" / "trees").exists()
    monkeypatch.setattr(migration, "_build_tree", real)
    monkeypatch.setattr(migration, "_remove_old", lambda path: None)
    with dowse.open(place / "home") as index:
        assert ["pushed-1"] == find(index, "tomatoes")
    monkeypatch.undo()
    with dowse.open(place / "home") as index:
        assert (["tea.md"], ["pushed-1"]) == (find(index, "steeped"), find(index, "tomatoes"))
    left = {file.name for file in (place / "home").iterdir()}
    assert {"home.db", "lock", "trees"} == {name for name in left if not name.startswith("home.db-")}


def test_files_are_found_below_the_root_of_their_tree(place: Path) -> None:
    """So the folder may move afterwards."""
    with dowse.open(place / "home") as index:
        assert [str(place / "notes" / "tea.md")] == [hit.file for hit in index.search("steeped").hits][:1]
        (place / "notes").rename(place / "moved")
        assert "notes" == index.sync_folder(place / "moved").tree
        assert [str(place / "moved" / "tea.md")] == [hit.file for hit in index.search("steeped").hits][:1]
