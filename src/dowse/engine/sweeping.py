"""Removes what an index keeps without use: documents of files that are gone, the document cache, vectors of
texts that are gone, empty space."""

import os
from collections.abc import Iterable
from pathlib import Path

from dowse.engine.health import OpenWriter
from dowse.indexing.passages import read_passages
from dowse.indexing.source_sync import known_items
from dowse.indexing.vector_writer import VectorWriter
from dowse.indexing.writer import IndexWriter
from dowse.storage.document_cache import clear_document_cache, count_cached_documents
from dowse.storage.live_vectors import open_live_vectors
from dowse.storage.snapshot import Snapshot
from dowse.storage.store import Store
from dowse.storage.stored_documents import list_live_chunk_keys
from dowse.storage.stored_files import forget_refused_file, list_file_paths
from dowse.storage.stored_models import StoredModel, delete_model, list_models
from dowse.storage.stored_problems import forget_problems
from dowse.storage.stored_trees import Tree

PASSAGES_AT_ONCE = 4096


def remove_gone_documents(writer: IndexWriter, trees: Iterable[Tree]) -> int:
    """Removes the documents whose files are gone, in trees whose folders are there; returns how many.

    A folder that cannot be reached keeps its documents: not to be seen is not to be gone.
    """
    removed = 0
    for tree in trees:
        if tree.root is None or not os.access(tree.root, os.R_OK | os.X_OK):
            continue
        paths = list_file_paths(writer.catalog, tree.tree_id)
        for key, known in known_items(writer.catalog, tree.tree_id).items():
            if not _is_gone(paths.get(key) or str(Path(tree.root) / key)):
                continue
            if known.doc_id:
                removed += writer.delete(tree.tree_id, key)
            with writer.change() as catalog:
                forget_refused_file(catalog, tree.tree_id, key)
                forget_problems(catalog, tree.tree_id, key)
    return removed


def empty_document_cache(writer: IndexWriter) -> int:
    """Forgets the documents that were kept for the return of their files; returns how many."""
    count = count_cached_documents(writer.catalog)
    if count:
        with writer.change() as catalog:
            clear_document_cache(catalog)
    return count


def list_text_hashes(snapshot: Snapshot) -> set[bytes]:
    """Returns the hashes of the texts of all live chunks."""
    keys = list_live_chunk_keys(snapshot)
    used: set[bytes] = set()
    for start in range(0, len(keys), PASSAGES_AT_ONCE):
        found = read_passages(snapshot, keys[start : start + PASSAGES_AT_ONCE])
        used.update(passage.text_hash for passage in found)
    return used


def find_other_models(snapshot: Snapshot, chosen: StoredModel | None) -> list[StoredModel]:
    """Returns the models that the index has met, without the chosen one."""
    return [
        model for model in list_models(snapshot) if chosen is None or model.model_id != chosen.model_id
    ]


def forget_models(writer: IndexWriter, models: Iterable[StoredModel]) -> int:
    """Forgets models with all vectors they made; returns how many those were."""
    forgotten = 0
    for model in models:
        with writer.change() as catalog:
            forgotten += delete_model(catalog, model.model_id)
    return forgotten


def merge_vectors(store: Store, snapshot: Snapshot, open_writer: OpenWriter) -> None:
    """Takes vectors that no longer count off the disk: those of chunks that are gone, or replaced."""
    for model in list_models(snapshot):
        vectors = open_live_vectors(store, snapshot, model)
        VectorWriter(store, open_writer).merge(vectors, into_one=True)


def _is_gone(path: str) -> bool:
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        pass
    return False
