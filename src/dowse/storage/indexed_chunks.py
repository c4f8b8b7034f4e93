"""Live chunks with all that a segment is made from, for making one again."""

import json
from collections.abc import Iterator
from typing import NamedTuple

from dowse.storage.catalog import Catalog
from dowse.storage.stored_texts import CHUNK_TEXT

_CHUNKS = (
    "SELECT c.chunk_key, c.doc_id, d.tree_id, c.ordinal, d.doc_key, d.title, d.path, d.tags, d.format,"
    " d.metadata, coalesce(d.file_size, x.size), d.mtime_ns, c.section,"
    f" c.code_spans, {CHUNK_TEXT}"
    " FROM chunks c JOIN documents d ON d.doc_id = c.doc_id JOIN texts x ON x.doc_id = c.doc_id"
    " WHERE c.chunk_key BETWEEN ? AND ? AND d.is_live ORDER BY c.chunk_key"
)


class IndexedChunk(NamedTuple):
    """A chunk with the values of its fields.

    Attributes:
        metadata: Of its document.
        document_size: Bytes of its document's file, or of the text of a pushed document.
        mtime_ns: Modification time of that file; None for a pushed document.
        section: The ordinal of the section it is in.
        code_spans: Byte ranges of code in `text`.
        text: UTF-8.
    """

    chunk_key: int
    doc_id: int
    tree_id: int
    ordinal: int
    doc_key: str
    title: str
    path: str
    tags: list[str]
    format: str
    metadata: dict[str, object]
    document_size: int
    mtime_ns: int | None
    section: int
    code_spans: list[tuple[int, int]]
    text: bytes


def iter_indexed_chunks(catalog: Catalog, first_key: int, last_key: int) -> Iterator[IndexedChunk]:
    """Yields the live chunks between two keys, both included, by key; they are not held in memory whole."""
    for row in catalog.iter_rows(_CHUNKS, (first_key, last_key)):
        *names, tags, format_name, metadata, size, mtime_ns, section, spans, text = row
        facts = json.loads(tags), format_name, json.loads(metadata), size, mtime_ns
        code_spans = json.loads(spans) if spans else []
        yield IndexedChunk._make((*names, *facts, section, code_spans, text or b""))
