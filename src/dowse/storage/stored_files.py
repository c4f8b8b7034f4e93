"""What the files of a tree were like when they were read last, and which of them gave no document."""

from typing import NamedTuple

from dowse.storage.catalog import Catalog
from dowse.storage.catalog_parts import CatalogView, find_tree_part


class StoredFile(NamedTuple):
    """A file that was read.

    Attributes:
        doc_id: Of the document it gave; 0 when it gave none.
        content_hash: Empty when it gave none.
    """

    doc_key: str
    doc_id: int
    size: int
    mtime_ns: int
    content_hash: str


def list_files(view: CatalogView, tree_id: int) -> list[StoredFile]:
    """Returns the files of a tree; those that gave no document come first."""
    documents = (
        "SELECT doc_key, doc_id + ?, file_size, mtime_ns, content_hash FROM documents"
        " WHERE tree_id = ? AND is_live"
    )
    refused = "SELECT path, 0, file_size, mtime_ns, '' FROM refused_files WHERE tree_id = ?"
    part, own_id = find_tree_part(view, tree_id)
    rows = part.catalog.fetch(refused, (own_id,)) + part.catalog.fetch(documents, (part.doc_base, own_id))
    return [StoredFile(*row) for row in rows]


def list_file_paths(view: CatalogView, tree_id: int) -> dict[str, str | None]:
    """Returns the paths of the live documents' files, by document key; None for a pushed text."""
    part, own_id = find_tree_part(view, tree_id)
    sql = "SELECT doc_key, file FROM documents WHERE tree_id = ? AND is_live"
    return {key: part.resolve_file(file) for key, file in part.catalog.fetch(sql, (own_id,))}


def put_refused_file(catalog: Catalog, tree_id: int, path: str, size: int, mtime_ns: int) -> None:
    """Notes that a file gave no document, so that it is not read again until it changes."""
    sql = "INSERT OR REPLACE INTO refused_files VALUES (?, ?, ?, ?)"
    catalog.connection.execute(sql, (tree_id, path, size, mtime_ns))


def forget_refused_file(catalog: Catalog, tree_id: int, path: str) -> None:
    """Forgets that a file gave no document."""
    sql = "DELETE FROM refused_files WHERE tree_id = ? AND path = ?"
    catalog.connection.execute(sql, (tree_id, path))
