"""Documents by the keys people call them by, and by their names."""

from typing import NamedTuple

from dowse.storage.catalog_parts import CatalogView
from dowse.storage.snapshot import Snapshot


class NamedDocument(NamedTuple):
    """A document as the catalogue names it.

    Attributes:
        tree: Its tree's name.
        first_key: The key of its first chunk; the others follow.
    """

    doc_id: int
    tree: str
    doc_key: str
    title: str
    first_key: int
    chunk_count: int

    @property
    def chunk_keys(self) -> range:
        """The keys of its chunks."""
        return range(self.first_key, self.first_key + self.chunk_count)


def find_documents(snapshot: Snapshot, doc_key: str) -> list[NamedDocument]:
    """Returns the live documents with this key, at most one per tree, by tree id."""
    # Naming the trees lets SQLite look the key up instead of reading all of them.
    sql = (
        "SELECT doc_id, tree_id, doc_key, title, first_key, chunk_count FROM documents"
        " WHERE tree_id IN (SELECT tree_id FROM trees) AND doc_key = ? AND is_live ORDER BY tree_id"
    )
    trees = snapshot.trees
    return [
        NamedDocument(
            doc_id + part.doc_base,
            trees[tree_id + part.tree_base].name,
            key,
            title,
            first_key + part.key_base,
            chunks,
        )
        for part in snapshot.parts
        for doc_id, tree_id, key, title, first_key, chunks in part.catalog.fetch(sql, (doc_key,))
    ]


def was_indexed(view: CatalogView, doc_key: str) -> bool:
    """Says whether a document with this key is in the catalogue, live or deleted but not yet purged."""
    sql = "SELECT 1 FROM documents WHERE doc_key = ? LIMIT 1"
    return any(part.catalog.fetch_one(sql, (doc_key,)) for part in view.parts)


def list_doc_keys(view: CatalogView) -> list[str]:
    """Returns the keys of all live documents."""
    sql = "SELECT doc_key FROM documents WHERE is_live"
    return [row[0] for part in view.parts for row in part.catalog.fetch(sql)]


def list_titles(view: CatalogView) -> list[str]:
    """Returns the titles of all live documents, as often as they occur."""
    # In the order of the table: by the index of live documents it takes many times as long.
    sql = "SELECT title FROM documents NOT INDEXED WHERE is_live"
    return [row[0] for part in view.parts for row in part.catalog.fetch(sql)]


def list_document_names(view: CatalogView) -> list[tuple[int, str, str]]:
    """Returns first chunk key, title and document key of all live documents."""
    sql = "SELECT first_key, title, doc_key FROM documents WHERE is_live"
    return [
        (first_key + part.key_base, title, doc_key)
        for part in view.parts
        for first_key, title, doc_key in part.catalog.fetch(sql)
    ]


def list_changed(view: CatalogView) -> list[tuple[int, int | None]]:
    """Returns first chunk key and modification time of the live documents that have chunks, by key.

    The time is in nanoseconds since 1970; None for pushed texts.
    """
    sql = "SELECT first_key, mtime_ns FROM documents WHERE is_live AND chunk_count ORDER BY first_key"
    return [
        (first_key + part.key_base, mtime_ns)
        for part in view.parts
        for first_key, mtime_ns in part.catalog.fetch(sql)
    ]


def list_live_chunk_keys(view: CatalogView) -> list[int]:
    """Returns the keys of the chunks of all live documents."""
    sql = "SELECT first_key, chunk_count FROM documents WHERE is_live ORDER BY first_key"
    return [
        key + part.key_base
        for part in view.parts
        for first_key, count in part.catalog.fetch(sql)
        for key in range(first_key, first_key + count)
    ]
