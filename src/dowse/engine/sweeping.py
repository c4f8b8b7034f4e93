"""Removes what an index keeps without use: documents of files that are gone, the shelf, empty space."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from dowse.indexing.folder_sync import known_files
from dowse.storage.catalog import decode_path
from dowse.storage.snapshot import Tree

if TYPE_CHECKING:
    from dowse.indexing import IndexWriter

VACUUM_FROM_SHARE = 0.1


def remove_gone_documents(writer: "IndexWriter", trees: Iterable[Tree]) -> int:
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


def empty_shelf(writer: "IndexWriter") -> int:
    """Forgets the documents that were kept for the return of their files; returns how many."""
    row = writer.catalog.fetch_one("SELECT count(*) FROM shelf")
    count = int(row[0]) if row else 0
    if count:
        writer.execute("DELETE FROM shelf")
    return count


def give_space_back(writer: "IndexWriter") -> None:
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
