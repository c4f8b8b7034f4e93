"""Which trees a home has, and which folder belongs to which."""

import os
import shutil
from pathlib import Path

import pytest

from dowse.engine.registry import Registry, choose_folder, identity_of
from dowse.errors import UnknownTreeError
from dowse.storage.catalog import open_catalog
from dowse.storage.home import Home
from dowse.storage.tree_entry import TreeEntry


@pytest.fixture
def registry(tmp_path: Path):
    """The registry of a home without trees."""
    home = Home(tmp_path)
    (tmp_path / "trees").mkdir()
    yield Registry(home, tmp_path)
    home.close()


def make_tree(registry: Registry, folder: str, name: str, root: Path | None = None) -> None:
    """Makes the folder of a tree, as a copy from elsewhere would, with one file of its own."""
    path = registry.folder / folder
    path.mkdir()
    catalog = open_catalog(path, create=True)
    sql = "INSERT INTO trees (name, root, analysis, fingerprint) VALUES (?, ?, '{}', '')"
    catalog.connection.execute(sql, (name, root and str(root)))
    if root is not None:
        file = root / "a.txt"
        file.write_text("one")
        status = file.stat()
        catalog.connection.execute(
            "INSERT INTO documents (doc_id, tree_id, doc_key, title, path, file, file_size, mtime_ns,"
            " content_hash, format, tags, metadata, first_key, chunk_count, is_live)"
            " VALUES (1, 1, 'a.txt', '', 'a.txt', 'a.txt', ?, ?, '', 'text', '[]', '{}', 1, 0, 1)",
            (status.st_size, status.st_mtime_ns),
        )
    catalog.close()


def test_folders_that_come_and_go_are_noticed(registry):
    """Without a word to the registry."""
    assert {} == registry.entries
    make_tree(registry, "one", "One")
    assert {"One": TreeEntry("one", "One", None)} == registry.entries
    shutil.rmtree(registry.folder / "one")
    assert {} == registry.entries
    with pytest.raises(UnknownTreeError, match="One"):
        registry.get("One")


def test_a_tree_that_is_being_made_is_no_tree_yet(registry):
    """Its folder is there, and its catalogue says nothing."""
    (registry.folder / "half").mkdir()
    assert {} == registry.entries


def test_a_copy_beside_its_original_is_called_as_its_folder(registry, tmp_path):
    """It indexes nothing: the files belong to the original."""
    root = tmp_path / "notes"
    root.mkdir()
    make_tree(registry, "a", "notes", root)
    assert root == Path(registry.get("notes").root)
    shutil.copytree(registry.folder / "a", registry.folder / "b")
    assert {"notes": str(root), "b": None} == {
        name: entry.root for name, entry in registry.entries.items()
    }


def test_the_registry_is_made_again_from_the_folders(registry, tmp_path):
    """When home.db is gone, nothing is."""
    make_tree(registry, "one", "One")
    before = dict(registry.entries)
    (tmp_path / "fresh").mkdir()
    shutil.copytree(registry.folder, tmp_path / "fresh" / "trees")
    home = Home(tmp_path / "fresh")
    assert before == Registry(home, tmp_path / "fresh").entries
    home.close()


def test_a_folder_that_moved_is_known_again(registry, tmp_path):
    """And so is a folder inside it; another folder with the same inode is not."""
    root = tmp_path / "notes"
    root.mkdir()
    make_tree(registry, "notes", "notes", root)
    registry.register(TreeEntry("notes", "notes", str(root), identity_of(str(root))))
    assert registry.find_moved(root) is None
    moved = tmp_path / "elsewhere" / "renamed"
    moved.parent.mkdir()
    root.rename(moved)
    (moved / "sub").mkdir()
    for place in (moved, moved / "sub"):
        assert ("notes", str(moved)) == (registry.find_moved(place).name, registry.find_moved(place).root)
    (moved / "a.txt").write_text("another")
    assert registry.find_moved(moved) is None


def test_inner_roots_are_those_below(registry, tmp_path):
    """Not the root itself, nor one that only begins alike."""
    for name in ("a", "a/b", "ab"):
        path = tmp_path / name
        path.mkdir()
        registry.register(TreeEntry(choose_folder(name), name, str(path), identity_of(str(path))))
        (registry.folder / choose_folder(name)).mkdir()
    assert (str(tmp_path / "a" / "b"),) == registry.inner_roots(str(tmp_path / "a"))
    assert () == registry.inner_roots(str(tmp_path / "ab"))


def test_every_name_has_a_folder_of_its_own():
    """Plain names are taken as they are; others never meet on a file system without case."""
    assert "notes-2" == choose_folder("notes-2")
    names = ["Notes", "notes", "NOTES", "Ärger", "a/b", "a b", "..", "", "x" * 300]
    folders = [choose_folder(name) for name in names]
    assert len(names) == len({folder.lower() for folder in folders})
    assert all(os.sep not in folder and not folder.startswith(".") for folder in folders)
