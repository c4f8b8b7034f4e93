"""Writes documents into the catalogue: buffered rows, flushed many at a time."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field

from dowse.schema import Chunk, Document
from dowse.storage.catalog import Catalog, Row, encode_path

_INSERTS = {
    "documents": "INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)",
    "texts": "INSERT INTO texts VALUES (?, ?)",
    "sections": "INSERT INTO sections VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    "chunks": "INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    "links": "INSERT INTO links VALUES (?, ?, ?, ?, ?, ?)",
}
PURGED = ("texts", "sections", "links", "documents")
BUFFER_BYTES = 1 << 18
NO_TAGS, NO_METADATA, NO_SPANS = "[]", "{}", ""
NO_FILE = None, None, None


@dataclass(frozen=True, slots=True)
class FileStat:
    """What a file looked like when it was read; decides whether it must be read again."""

    file: str
    size: int
    mtime_ns: int


@dataclass(slots=True)
class CatalogWriter:
    """Adds and removes documents inside the caller's transaction."""

    catalog: Catalog
    buffer: dict[str, list[Row]] = field(default_factory=lambda: {name: [] for name in _INSERTS})
    buffered_bytes: int = 0

    def insert(
        self, doc_id: int, tree_id: int, document: Document, stat: FileStat | None, first_key: int
    ) -> None:
        """Buffers a document with all that belongs to it."""
        rows = self.buffer
        rows["documents"].append(_document_row(doc_id, tree_id, document, stat, first_key))
        rows["texts"].append((doc_id, document.text))
        # A document without headings has only section 0, which can be made again from the rest.
        if len(document.sections) > 1:
            rows["sections"] += [(doc_id, *section) for section in document.sections]
        for key, chunk in enumerate(document.chunks, first_key):
            rows["chunks"].append(_chunk_row(key, doc_id, chunk))
        for ordinal, link in enumerate(document.links):
            rows["links"].append((doc_id, ordinal, link.target, link.text, link.kind, link.line))
        self.buffered_bytes += len(document.text) + 500
        if self.buffered_bytes > BUFFER_BYTES:
            self.flush()

    def flush(self) -> None:
        """Hands the buffered rows to SQLite."""
        for name, sql in _INSERTS.items():
            if self.buffer[name]:
                self.catalog.connection.executemany(sql, self.buffer[name])
                self.buffer[name] = []
        self.buffered_bytes = 0

    def find_live(self, tree_id: int, doc_key: str) -> int | None:
        """Returns the id of the live document with this key; buffered ones are not seen."""
        row = self.catalog.fetch_one(
            "SELECT doc_id FROM documents WHERE tree_id = ? AND doc_key = ? AND is_live",
            (tree_id, doc_key),
        )
        return None if row is None else int(row[0])

    def has_documents(self, tree_id: int) -> bool:
        """Says whether a tree has live documents; buffered ones do not count."""
        self.flush()
        sql = "SELECT 1 FROM documents WHERE tree_id = ? AND is_live LIMIT 1"
        return self.catalog.fetch_one(sql, (tree_id,)) is not None

    def mark_dead(self, doc_id: int) -> list[int]:
        """Marks a document as deleted and returns its chunk keys."""
        sql = "UPDATE documents SET is_live = 0 WHERE doc_id = ?"
        self.catalog.connection.execute(sql, (doc_id,))
        row = self.catalog.fetch_one(
            "SELECT first_key, chunk_count FROM documents WHERE doc_id = ?", (doc_id,)
        )
        return [] if row is None else list(range(row[0], row[0] + row[1]))

    def purge_dead(self) -> None:
        """Removes the rows of deleted documents for good."""
        dead = self.catalog.fetch(
            "SELECT doc_id, first_key, first_key + chunk_count FROM documents WHERE NOT is_live"
        )
        connection = self.catalog.connection
        connection.executemany(
            "DELETE FROM chunks WHERE chunk_key >= ? AND chunk_key < ?", [row[1:] for row in dead]
        )
        for table in PURGED:
            connection.executemany(
                f"DELETE FROM {table} WHERE doc_id = ?", [(row[0],) for row in dead]
            )

    def set_counters(self, counters: Iterable[tuple[str, int]]) -> None:
        """Stores counters of `meta`."""
        self.catalog.connection.executemany(
            "UPDATE meta SET value = ? WHERE key = ?", [(value, key) for key, value in counters]
        )


def _document_row(
    doc_id: int, tree_id: int, document: Document, stat: FileStat | None, first_key: int
) -> Row:
    file, size, mtime_ns = (encode_path(stat.file), stat.size, stat.mtime_ns) if stat else NO_FILE
    tags = json.dumps(document.tags, ensure_ascii=False) if document.tags else NO_TAGS
    metadata = NO_METADATA
    if document.metadata:
        metadata = json.dumps(dict(document.metadata), ensure_ascii=False, default=str)
    return (
        doc_id, tree_id, document.doc_key, document.title, document.path, file, size, mtime_ns,
        document.content_hash, document.format, tags, metadata, first_key, len(document.chunks),
    )  # fmt: skip


def _chunk_row(chunk_key: int, doc_id: int, chunk: Chunk) -> Row:
    *place, code_spans = chunk
    return (chunk_key, doc_id, *place, json.dumps(code_spans) if code_spans else NO_SPANS)
