"""Splits a home in which all trees shared one catalogue into trees, once, when it is opened.

Documents are taken over as they were read, so that texts somebody pushed are not lost and files need not be
read again; their terms are made anew. What models made of texts goes into the cache, from where the trees get
their vectors. All of it is written beside the old index and becomes true by one renaming; until then the old
index is as it was, and a process that dies on the way leaves only what the next one removes.
"""

import shutil
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from dowse.engine.home import TREES
from dowse.engine.registry import choose_folder
from dowse.planning import Analyzers
from dowse.storage.catalog import Catalog
from dowse.storage.home import Home
from dowse.storage.lock import WriterLock
from dowse.storage.store import Store
from dowse.storage.tree_entry import TreeEntry
from dowse.storage.versions.single_catalog import FILE_NAME, CatalogTree, SingleCatalog

if TYPE_CHECKING:
    from dowse.kernels.layout import F32

MAKING = ".migrating"
OLD_FILES = (FILE_NAME, f"{FILE_NAME}-wal", f"{FILE_NAME}-shm", "commits", "shown")
OLD_FOLDERS = ("segments", "vectors")
COMMIT_DOCUMENTS = 20_000


def needs_migration(path: Path) -> bool:
    """Says whether a home has an index of the old layout."""
    return (path / FILE_NAME).exists()


def migrate_home(path: Path, home: Home, lock_timeout_s: float) -> None:
    """Makes trees of a home's single catalogue; waits for another process that does, or that writes.

    Raises:
        IndexLockedError: It does not finish in time.
        DamageError: The old catalogue cannot be read; it stays as it is.
    """
    lock = WriterLock(path)
    lock.acquire(lock_timeout_s)
    try:
        if not needs_migration(path):
            return
        if not (path / TREES).exists():
            shutil.rmtree(path / MAKING, ignore_errors=True)
            _build(path, home)
            (path / MAKING).rename(path / TREES)
        _remove_old(path)
    finally:
        lock.release()


def _build(path: Path, home: Home) -> None:
    old = SingleCatalog(path)
    try:
        (path / MAKING).mkdir()
        _keep_vectors(old, home)
        analyzers = Analyzers()
        for tree in old.trees():
            _build_tree(old, tree, path / MAKING / choose_folder(tree.name), home, analyzers)
    finally:
        old.close()


def _build_tree(
    old: SingleCatalog, tree: CatalogTree, folder: Path, home: Home, analyzers: Analyzers
) -> None:
    from dowse.indexing import IndexWriter
    from dowse.storage.catalog_writer import FileStat
    from dowse.storage.stored_problems import replace_problems
    from dowse.storage.stored_trees import insert_tree, list_trees, set_tree_synced, set_tree_watched

    entry = TreeEntry(choose_folder(tree.name), tree.name, tree.root)
    store = Store(folder, create=True, shared=home, tree=entry)
    with IndexWriter(store, lock_timeout_s=0.0) as writer:
        with writer.change() as catalog:
            insert_tree(catalog, tree.name, tree.root, tree.analysis, tree.fingerprint)
            (made,) = list_trees(catalog)
            if tree.last_sync is not None:
                set_tree_synced(catalog, made.tree_id, tree.fingerprint, tree.last_sync)
            set_tree_watched(catalog, made.tree_id, tree.is_watched)
            _insert_models(catalog, old)
        analyzer = analyzers.get(tree.analysis)
        for number, (document, file) in enumerate(old.iter_documents(tree.tree_id), 1):
            stat = None if file is None else FileStat(file.file, file.size, file.mtime_ns)
            writer.add(made.tree_id, document, analyzer, stat)
            if number % COMMIT_DOCUMENTS == 0:
                writer.commit()
        with writer.change() as catalog:
            replace_problems(catalog, made.tree_id, old.problems(tree.tree_id))
        writer.commit()
        writer.merge()
    _restore_vectors(store)
    store.fold_log()


def _restore_vectors(store: Store) -> None:
    """Gives chunks the vectors of their texts from the cache: a home with vectors stays one with vectors."""
    from dowse.indexing import IndexWriter
    from dowse.indexing.vector_indexing import VectorIndexer
    from dowse.indexing.vector_writer import VectorWriter
    from dowse.storage.live_vectors import LiveVectors, open_live_vectors
    from dowse.storage.snapshot import Snapshot, open_snapshot
    from dowse.storage.stored_models import StoredModel, list_models

    def open_newest() -> Snapshot:
        return open_snapshot(store.open_reader(), store.directory)

    def open_vectors(model: StoredModel) -> LiveVectors:
        return open_live_vectors(store, open_newest(), model)

    for model in list_models(open_newest()):
        writer = VectorWriter(store, partial(IndexWriter, store, lock_timeout_s=0.0))
        VectorIndexer(store, model, writer).restore(partial(open_vectors, model), open_newest)


def _insert_models(catalog: Catalog, old: SingleCatalog) -> None:
    """Makes the models known whose vectors are in the cache; what made static vectors is of use as well."""
    from dowse.storage.stored_models import FittedModel, insert_model
    from dowse.storage.vectors import VectorSpace

    for fingerprint, name, dimensions, mean, seed, weights, correction, pairs, _ in old.models():
        space = VectorSpace(dimensions, np.frombuffer(mean, np.float32), seed)
        token_weights = None if weights is None else np.frombuffer(weights, np.float32)
        fitted = FittedModel(token_weights, bytes(correction or b""), pairs)
        insert_model(catalog, fingerprint, name, space, fitted)


def _keep_vectors(old: SingleCatalog, home: Home) -> None:
    """Puts what models made of texts into the cache that all trees share."""
    batch: dict[str, list[tuple[bytes, F32]]] = {}
    for fingerprint, text_hash, vector in _iter_vectors(old):
        own = batch.setdefault(fingerprint, [])
        own.append((text_hash, vector))
        if len(own) >= COMMIT_DOCUMENTS:
            home.vectors.add(fingerprint, batch.pop(fingerprint))
    for fingerprint, rest in batch.items():
        home.vectors.add(fingerprint, rest)


def _iter_vectors(old: SingleCatalog) -> "Iterator[tuple[str, bytes, F32]]":
    for fingerprint, text_hash, vector in old.iter_vectors():
        yield fingerprint, bytes(text_hash), np.frombuffer(vector, np.float16).astype(np.float32)


def _remove_old(path: Path) -> None:
    """Removes what the trees replace; the catalogue last, for it says that there is something to remove."""
    for name in OLD_FOLDERS:
        shutil.rmtree(path / name, ignore_errors=True)
    for name in reversed(OLD_FILES):
        with suppress(FileNotFoundError):
            (path / name).unlink()
