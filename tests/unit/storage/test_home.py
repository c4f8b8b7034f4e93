"""What the trees of a home share: the registry and the cache of vectors."""

import sqlite3
from pathlib import Path

import numpy as np
import pytest

from dowse.storage.home import FILE_NAME, Home
from dowse.storage.tree_entry import TreeEntry
from dowse.storage.vector_cache import rounded

NOTES = TreeEntry("notes", "notes", "/home/ann/notes", "1:2")
PUSHED = TreeEntry("default", "default", None)


@pytest.fixture(params=["disk", "memory"])
def home(request, tmp_path: Path):
    """A home on disk, and one in memory."""
    opened = Home(tmp_path if request.param == "disk" else None)
    yield opened
    opened.close()


def test_trees_are_registered_changed_and_forgotten(home: Home):
    """By their folder, listed by name; a root that is no UTF-8 is kept as well."""
    odd = TreeEntry("odd", "odd", "/tmp/\udcff", "3:4", is_mounted=True)
    home.put_trees([NOTES, PUSHED, odd])
    assert [PUSHED, NOTES, odd] == home.list_trees()
    moved = TreeEntry("notes", "notes", "/home/ann/moved", "1:2")
    home.put_trees([moved], gone=["odd"])
    assert [PUSHED, moved] == home.list_trees()


def test_a_vector_comes_back_as_it_was_rounded(home: Home):
    """By model and text; what a model has not read is left out."""
    vectors = np.random.default_rng(1).standard_normal((2, 8)).astype(np.float32)
    home.vectors.add("model 1", [(b"a", vectors[0]), (b"b", vectors[1])])
    home.vectors.add("model 2", [(b"a", vectors[1])])
    found = home.vectors.find("model 1", [b"a", b"b", b"c"])
    assert {b"a", b"b"} == set(found)
    assert np.array_equal(rounded(vectors)[0], found[b"a"])
    assert [b"a"] == list(home.vectors.find("model 2", [b"a", b"b"]))
    assert {} == home.vectors.find("model 3", [b"a"])


def test_many_vectors_are_found_at_once(home: Home):
    """More than fit into one statement."""
    home.vectors.add("m", [(bytes(str(i), "ascii"), np.ones(2, np.float32)) for i in range(2000)])
    assert 2000 == len(home.vectors.find("m", [bytes(str(i), "ascii") for i in range(3000)]))


def test_vectors_of_gone_texts_and_models_are_forgotten(home: Home):
    """And all others stay."""
    one = np.ones(2, np.float32)
    home.vectors.add("m", [(b"a", one), (b"b", one)])
    home.vectors.add("n", [(b"b", one)])
    assert 2 == home.vectors.keep_only({b"a"})
    assert (True, False) == (home.vectors.has_any("m"), home.vectors.has_any("n"))
    home.vectors.forget_model("m")
    assert not home.vectors.has_any("m")


def test_two_homes_see_each_others_changes(tmp_path: Path):
    """As two processes do."""
    first, second = Home(tmp_path), Home(tmp_path)
    first.put_trees([NOTES])
    assert [NOTES] == second.list_trees()
    first.close()
    second.close()


def test_a_damaged_home_is_put_aside(tmp_path: Path):
    """It can be made again, so nothing stops; the bytes are kept."""
    Home(tmp_path).close()
    (tmp_path / FILE_NAME).write_bytes(b"no database at all" * 100)
    home = Home(tmp_path)
    assert [] == home.list_trees()
    home.close()
    assert b"no database" in (tmp_path / f"{FILE_NAME}.damaged").read_bytes()


def test_a_home_that_cannot_be_written_to_is_read(tmp_path: Path, monkeypatch):
    """Its registry is copied into memory; what is registered there is forgotten at the end."""
    home = Home(tmp_path)
    home.put_trees([NOTES])
    home.close()

    real = sqlite3.connect

    def refuse(database, *args, **rest):
        if not rest.get("uri") and database != ":memory:":
            error = sqlite3.OperationalError("attempt to write a readonly database")
            error.sqlite_errorname = "SQLITE_READONLY"
            raise error
        return real(database, *args, **rest)

    monkeypatch.setattr(sqlite3, "connect", refuse)
    home = Home(tmp_path)
    home.put_trees([PUSHED])
    assert [PUSHED, NOTES] == home.list_trees()
    home.close()
    monkeypatch.undo()
    assert [NOTES] == Home(tmp_path).list_trees()
