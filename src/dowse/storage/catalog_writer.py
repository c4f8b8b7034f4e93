"""Writes documents into the catalogue: buffered rows, written many at a time on the worker.

SQLite leaves the interpreter to others while a statement runs, but takes it back after each: on a thread of
its own every row would wait for its turn. So one statement inserts hundreds of rows.

Nobody else runs while values are handed to SQLite. Numbers and strings take 0.2 µs, but `sqlite3` looks for
somebody who could adapt None, bool and bytes, which takes 1 µs: hence rows of their own for documents without
a file and for those that are nothing but a text, and texts as bytearray.
"""

import functools
import itertools
import json
from typing import TYPE_CHECKING

from msgspec import Struct

from dowse.schema import Chunk, Document
from dowse.storage.catalog import IS_SERIALIZED, Catalog, Row
from dowse.storage.text_codec import TextEncoder

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

NO_TAGS, NO_METADATA, NO_SPANS = "[]", "{}", ""

# By kind of row: its table and its values; documents are live.
_VALUES = {
    "documents": ("documents", "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?"),
    "pushed documents": ("documents", "?, ?, ?, ?, ?, NULL, NULL, NULL, ?, ?, ?, ?, ?, ?, 1, ?"),
    "pushed texts": (
        "documents",
        f"?, ?, ?, ?, '', NULL, NULL, NULL, ?, 'text', '{NO_TAGS}', '{NO_METADATA}', ?, 1, 1, 1",
    ),
    "texts": ("texts (doc_id, size, text)", "?, ?, ?"),
    "sections": ("sections", "?, ?, ?, ?, ?, ?, ?, ?, ?, ?"),
    "chunks": ("chunks", "?, ?, ?, ?, ?, ?, ?, ?, ?"),
    "links": ("links", "?, ?, ?, ?, ?, ?"),
    "anchors": ("anchors", "?, ?, ?, ?, ?"),
}
PURGED = ("texts", "sections", "links", "anchors", "touched_files", "documents")
BUFFER_DOCUMENTS = 2048
BUFFER_BYTES = 4 << 20
# Rows of one statement, largest first; the largest must divide BUFFER_DOCUMENTS to be of use.
GROUPS = (2048, 128, 16, 4, 1)


class FileStat(Struct, frozen=True):
    """What a file looked like when it was read; decides whether it must be read again.

    Attributes:
        file: Empty for an item of a source that has no files.
    """

    file: str
    size: int
    mtime_ns: int


Buffer = dict[str, list[Row]]


class CatalogWriter:
    """Adds and removes documents inside the caller's transaction.

    Rows are written on the worker, one buffer at a time. When that fails SQLite may have ended the
    transaction, and whatever the caller wrote next would be true by itself: `settle` before any write.

    Args:
        catalog: Whose transaction is open, and which nobody else writes to.
        worker: Must take one thing at a time.
    """

    def __init__(self, catalog: Catalog, worker: "Executor") -> None:
        self.catalog, self._worker = catalog, worker
        self._writing: Future[None] | None = None
        self._encoder: TextEncoder | None = None
        self._forget()

    def _forget(self) -> None:
        self._buffer: Buffer = {kind: [] for kind in _VALUES}
        self._buffered_bytes = 0

    def insert(
        self, doc_id: int, tree_id: int, document: Document, stat: FileStat | None, first_key: int
    ) -> None:
        """Buffers a document with all that belongs to it."""
        rows = self._buffer
        kind, row = _document_row(self.catalog, doc_id, tree_id, document, stat, first_key)
        rows[kind].append(row)
        rows["texts"].append((doc_id, document.text))
        # A document without headings has only section 0, which can be made again from the rest.
        if len(document.sections) > 1:
            rows["sections"] += [(doc_id, *section) for section in document.sections]
        for key, chunk in enumerate(document.chunks, first_key):
            rows["chunks"].append(_chunk_row(key, doc_id, chunk))
        if document.links:
            rows["links"] += [(doc_id, number, *link) for number, link in enumerate(document.links)]
        if document.anchors:
            rows["anchors"] += [(doc_id, number, *anchor) for number, anchor in enumerate(document.anchors)]
        self._buffered_bytes += len(document.text)
        if len(rows["texts"]) == BUFFER_DOCUMENTS or self._buffered_bytes > BUFFER_BYTES:
            self._hand_over()

    def _hand_over(self) -> None:
        """Gives the buffered rows to the worker, once it is done with those before."""
        self.settle()
        full = self._buffer
        self._forget()
        if not any(full.values()):
            return
        if IS_SERIALIZED:
            self._writing = self._worker.submit(self._insert_all, full)
        else:
            self._insert_all(full)

    def _insert_all(self, buffer: Buffer) -> None:
        if self._encoder is None:
            self._encoder = TextEncoder(self.catalog.connection)
        encoder, texts = self._encoder, buffer["texts"]
        encoder.learn(text for _, text in texts)
        buffer["texts"] = [(doc_id, len(text), bytearray(encoder.encode(text))) for doc_id, text in texts]
        _insert_rows(self.catalog, buffer)

    def settle(self) -> None:
        """Waits for what the worker writes; raises what went wrong with it."""
        writing, self._writing = self._writing, None
        if writing is not None:
            writing.result()

    def flush(self) -> None:
        """Returns when SQLite has all buffered rows."""
        self._hand_over()
        self.settle()

    def abandon(self) -> None:
        """Forgets the buffered rows, for the transaction is to be rolled back; the worker is done after."""
        self._forget()
        writing, self._writing = self._writing, None
        if writing is not None:
            writing.exception()  # waits; that something went wrong is known, or does not matter now
        self._encoder = None  # its dictionary may be rolled back, too

    def find_live(self, tree_id: int, doc_key: str) -> int | None:
        """Returns the id of the live document with this key; buffered ones are not seen."""
        self.settle()
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
        self.settle()
        sql = "UPDATE documents SET is_live = 0 WHERE doc_id = ?"
        self.catalog.connection.execute(sql, (doc_id,))
        row = self.catalog.fetch_one(
            "SELECT first_key, chunk_count FROM documents WHERE doc_id = ?", (doc_id,)
        )
        return [] if row is None else list(range(row[0], row[0] + row[1]))

    def touch(self, doc_id: int, stat: FileStat) -> None:
        """Stores what a document's file looks like now."""
        self.settle()
        sql = "UPDATE documents SET file = ?, file_size = ?, mtime_ns = ? WHERE doc_id = ?"
        row = _encode_file(self.catalog, stat), stat.size, stat.mtime_ns, doc_id
        self.catalog.connection.execute(sql, row)
        # Columns of a segment never change; dates are read from the catalogue for this one.
        self.catalog.connection.execute("INSERT OR IGNORE INTO touched_files VALUES (?)", (doc_id,))

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


def _insert_rows(catalog: Catalog, buffer: Buffer) -> None:
    for kind, rows in buffer.items():
        at = 0
        for size in GROUPS:
            while len(rows) - at >= size:
                group = itertools.chain.from_iterable(rows[at : at + size])
                catalog.connection.execute(_insertion(kind, size), tuple(group))
                at += size


@functools.cache
def _insertion(kind: str, rows: int) -> str:
    """Returns the statement that inserts so many rows."""
    table, values = _VALUES[kind]
    return f"INSERT INTO {table} VALUES {', '.join([f'({values})'] * rows)}"


def _document_row(
    catalog: Catalog, doc_id: int, tree_id: int, document: Document, stat: FileStat | None, first_key: int
) -> tuple[str, Row]:
    """Returns a document's row and its kind."""
    doc_key, title, path, _, _, chunks, tags, _, format_name, metadata, digest, _, has_source_lines = document
    is_plain = format_name == "text" and has_source_lines and not (path or tags or metadata)
    if stat is None and is_plain and len(chunks) == 1:
        return "pushed texts", (doc_id, tree_id, doc_key, title, digest, first_key)
    names = doc_id, tree_id, doc_key, title, path
    facts = (
        digest,
        format_name,
        json.dumps(tags, ensure_ascii=False) if tags else NO_TAGS,
        json.dumps(dict(metadata), ensure_ascii=False, default=str) if metadata else NO_METADATA,
        first_key,
        len(chunks),
        int(has_source_lines),
    )
    if stat is None:
        return "pushed documents", (*names, *facts)
    return "documents", (*names, _encode_file(catalog, stat), stat.size, stat.mtime_ns, *facts)


def _chunk_row(chunk_key: int, doc_id: int, chunk: Chunk) -> Row:
    ordinal, section, first_line, last_line, start, end, spans = chunk
    code_spans = json.dumps(spans) if spans else NO_SPANS
    return chunk_key, doc_id, ordinal, section, first_line, last_line, start, end, code_spans


def _encode_file(catalog: Catalog, stat: FileStat) -> str | bytes | None:
    return catalog.encode_file(stat.file) if stat.file else None
