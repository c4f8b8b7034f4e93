"""Removes what an index keeps without use: documents of files that are gone, the shelf, vectors of texts that
are gone, empty space."""

import os
from collections.abc import Iterable
from pathlib import Path

from dowse.engine.health import OpenWriter
from dowse.indexing.folder_sync import known_files
from dowse.indexing.passages import read_passages
from dowse.indexing.vector_writer import VectorWriter
from dowse.indexing.writer import IndexWriter
from dowse.storage.catalog import decode_path
from dowse.storage.live_vectors import StoredModel, list_models, open_live_vectors
from dowse.storage.snapshot import Snapshot, Tree
from dowse.storage.store import Store
from dowse.storage.vector_cache import VectorCache

VACUUM_FROM_SHARE = 0.1
PASSAGES_AT_ONCE = 4096


def remove_gone_documents(writer: IndexWriter, trees: Iterable[Tree]) -> int:
    """Removes the documents whose files are gone, in trees whose folders are there; returns how many.

    A folder that cannot be reached keeps its documents: not to be seen is not to be gone.
    """
    removed = 0
    for tree in trees:
        if tree.root is None or not os.access(tree.root, os.R_OK | os.X_OK):
            continue
        sql = "SELECT doc_key, file FROM documents WHERE tree_id = ? AND is_live"
        files: dict[str, str | bytes] = dict(writer.catalog.fetch(sql, (tree.tree_id,)))
        for key, known in known_files(writer.catalog, tree.tree_id).items():
            path = decode_path(files[key]) if known.doc_id else str(Path(tree.root) / key)
            if not _is_gone(path):
                continue
            if known.doc_id:
                removed += writer.delete(tree.tree_id, key)
            else:
                sql = "DELETE FROM refused_files WHERE tree_id = ? AND path = ?"
                writer.execute(sql, (tree.tree_id, key))
            sql = "DELETE FROM problems WHERE tree_id = ? AND location = ?"
            writer.execute(sql, (tree.tree_id, key))
    return removed


def empty_shelf(writer: IndexWriter) -> int:
    """Forgets the documents that were kept for the return of their files; returns how many."""
    row = writer.catalog.fetch_one("SELECT count(*) FROM shelf")
    count = int(row[0]) if row else 0
    if count:
        writer.execute("DELETE FROM shelf")
    return count


def forget_gone_texts(writer: IndexWriter, cache: VectorCache) -> int:
    """Forgets the vectors that models made of texts which no chunk has any more; returns how many."""
    catalog = writer.catalog
    sql = "SELECT c.chunk_key FROM chunks c JOIN documents d ON d.doc_id = c.doc_id WHERE d.is_live"
    keys = [row[0] for row in catalog.fetch(sql)]
    used: set[bytes] = set()
    for start in range(0, len(keys), PASSAGES_AT_ONCE):
        found = read_passages(catalog, keys[start : start + PASSAGES_AT_ONCE])
        used.update(passage.text_hash for passage in found)
    return cache.keep_only(used)


def find_other_models(snapshot: Snapshot, chosen: StoredModel | None) -> list[StoredModel]:
    """Returns the models that the index has met, without the chosen one."""
    return [
        model for model in list_models(snapshot) if chosen is None or model.model_id != chosen.model_id
    ]


def forget_models(writer: IndexWriter, cache: VectorCache, models: Iterable[StoredModel]) -> int:
    """Forgets models with all vectors they made; returns how many those were."""
    forgotten = 0
    for model in models:
        sql = "SELECT coalesce(sum(rows), 0) FROM vector_segments WHERE model_id = ?"
        row = writer.catalog.fetch_one(sql, (model.model_id,))
        forgotten += int(row[0]) if row else 0
        for table in ("vector_segments", "models"):
            writer.execute(f"DELETE FROM {table} WHERE model_id = ?", (model.model_id,))
        cache.forget_model(model.fingerprint)
    return forgotten


def merge_vectors(store: Store, snapshot: Snapshot, open_writer: OpenWriter) -> None:
    """Takes vectors that no longer count off the disk: those of chunks that are gone, or replaced."""
    for model in list_models(snapshot):
        vectors = open_live_vectors(store, snapshot, model)
        VectorWriter(store, open_writer).merge(vectors, into_one=True)


def give_space_back(writer: IndexWriter) -> None:
    """Shrinks the catalogue when a good part of it is empty; call it between transactions."""
    connection = writer.catalog.connection
    empty = connection.execute("PRAGMA freelist_count").fetchone()[0]
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    if empty > pages * VACUUM_FROM_SHARE:
        connection.execute("VACUUM")


def _is_gone(path: str) -> bool:
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        pass
    return False
