"""A tree as one file: written from one generation, read back as a tree of another home."""

import os
import shutil
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from dowse.engine.open_trees import OpenTrees
from dowse.engine.registry import choose_folder, identity_of
from dowse.errors import CorruptFileError, InvalidParameterError
from dowse.storage.catalog import FILE_NAME, open_catalog
from dowse.storage.failures import storage_failures
from dowse.storage.store import Store
from dowse.storage.stored_segments import list_segments
from dowse.storage.stored_vector_segments import list_vector_segments
from dowse.storage.tree_entry import TreeEntry
from dowse.storage.tree_folder import find_name_and_root

_FOLDERS = ("segments", "vectors")


def export_tree(trees: OpenTrees, name: str, file: Path) -> int:
    """Writes a tree into a tar file; other processes may search it meanwhile, and writers wait.

    The file is there when it is complete, and not before.

    Returns:
        Its size in bytes.
    """
    tree = trees.open(trees.registry.get(name))
    store = tree.store
    if store.is_memory:
        legal = "an index in memory has no files to export"
        raise InvalidParameterError(name="tree", value=name, legal=legal)
    unfinished = file.with_name(f"{file.name}.unfinished")
    with storage_failures(file.parent):
        if store.is_read_only:
            _write_archive(store, unfinished)
        else:
            with tree.writing.transaction():
                _write_archive(store, unfinished)
        unfinished.replace(file)
        return file.stat().st_size


def _write_archive(store: Store, file: Path) -> None:
    """Writes the catalogue of the newest generation, and the segments that it names."""
    with tempfile.TemporaryDirectory() as place, tarfile.open(file, "w") as archive:
        copy = Path(place) / FILE_NAME
        catalog = store.open_reader()
        try:
            catalog.copy_to(copy)
            segments = [row.folder for row in list_segments(catalog)]
            vectors = [row.folder for row in list_vector_segments(catalog)]
        finally:
            store.close_connection(catalog)
        archive.add(copy, FILE_NAME)
        for kind, folders in zip(_FOLDERS, (segments, vectors), strict=True):
            for folder in folders:
                archive.add(store.path / kind / folder, f"{kind}/{folder}")


def import_tree(trees: OpenTrees, file: Path, name: str | None) -> TreeEntry:
    """Makes a tree of a file that `export_tree` wrote.

    Args:
        name: What to call it; as it was called when not given.

    Raises:
        InvalidParameterError: There is no such file, or a tree of that name already.
        CorruptFileError: The file holds no tree.
    """
    registry = trees.registry
    if not file.is_file():
        raise InvalidParameterError(name="file", value=str(file), legal="there is no such file")
    if registry.folder is None:
        legal = "a tree is imported into a home on disk"
        raise InvalidParameterError(name="home", value=":memory:", legal=legal)
    with storage_failures(registry.folder.parent):
        registry.folder.mkdir(exist_ok=True)
        place = Path(tempfile.mkdtemp(prefix=".import-", dir=registry.folder))
        try:
            _extract(file, place)
            found = find_name_and_root(place)
            if found is None:
                raise CorruptFileError(path=str(file), expectation="it holds no tree")
            entry = _choose_entry(trees, found[0] if name is None else name, found[1])
            open_catalog(place).close()  # has a log from now on, as one that is written to needs
            os.replace(place, registry.folder / entry.folder)  # noqa: PTH105
        except BaseException:
            shutil.rmtree(place, ignore_errors=True)
            raise
    registry.register(entry)
    return entry


def mount_tree(trees: OpenTrees, folder: Path, name: str | None) -> TreeEntry:
    """Lets a tree outside of the home be searched where it is; nothing is written there.

    Raises:
        InvalidParameterError: There is no tree in that folder, or one of that name already.
    """
    path = folder.expanduser().resolve()
    found = find_name_and_root(path)
    if found is None:
        raise InvalidParameterError(name="folder", value=str(folder), legal="it is not the folder of a tree")
    entry = _choose_entry(trees, found[0] if name is None else name, found[1])
    entry = replace(entry, folder=str(path), is_mounted=True)
    trees.registry.register(entry)
    return entry


def _choose_entry(trees: OpenTrees, name: str, root: str | None) -> TreeEntry:
    """Returns what a tree from elsewhere is here: without a folder, unless that is here and nobody's."""
    if name in trees.entries:
        legal = "there is a tree of this name already; choose another name"
        raise InvalidParameterError(name="name", value=name, legal=legal)
    is_here = root is not None and Path(root).is_dir()
    if not is_here or root in {entry.root for entry in trees.entries.values()}:
        root = None
    return TreeEntry(choose_folder(name), name, root, identity_of(root))


def _extract(file: Path, place: Path) -> None:
    try:
        with tarfile.open(file) as archive:
            archive.extractall(place, _iter_members(archive, file), filter="data")
    except tarfile.TarError as error:
        raise CorruptFileError(path=str(file), expectation=str(error)) from error


def _iter_members(archive: tarfile.TarFile, file: Path) -> Iterator[tarfile.TarInfo]:
    """Yields the files of a tree; anything else is refused."""
    for member in archive:
        parts = Path(member.name).parts
        is_known = parts == (FILE_NAME,) or (parts[:1] and parts[0] in _FOLDERS and 2 <= len(parts) <= 3)
        if not is_known or not (member.isfile() or member.isdir()):
            expectation = f"it holds {member.name}, which is no part of a tree"
            raise CorruptFileError(path=str(file), expectation=expectation)
        yield member
