"""Reads a document from the catalogue as it was indexed: the other half of `catalog_writer`."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from dowse.schema import Anchor, Chunk, Document, Link, Section
from dowse.storage.catalog import Row
from dowse.storage.catalog_parts import CatalogPart, CatalogView, find_part
from dowse.storage.catalog_writer import FileStat
from dowse.storage.stored_sections import list_sections
from dowse.storage.stored_texts import find_document_text

_DOCUMENT = (
    "SELECT doc_key, path, content_hash, title, tags, format, metadata, keeps_lines, file, file_size,"
    " mtime_ns, first_key, first_key + chunk_count FROM documents WHERE doc_id = ?"
)
_CHUNKS = (
    "SELECT ordinal, section, line_start, line_end, byte_start, byte_end, code_spans FROM chunks"
    " WHERE chunk_key >= ? AND chunk_key < ? ORDER BY chunk_key"
)
_LINKS = "SELECT target, text, kind, line FROM links WHERE doc_id = ? ORDER BY ordinal"
_ANCHORS = "SELECT byte_start, kind, label FROM anchors WHERE doc_id = ? ORDER BY ordinal"


def read_document(view: CatalogView, doc_id: int) -> tuple[Document, FileStat | None]:
    """Returns a document as it was indexed, and what its file looked like; None for a pushed text."""
    part, own_id = find_part(view, doc_id)
    row = part.catalog.fetch_one(_DOCUMENT, (own_id,))
    assert row is not None, f"document {doc_id} is in the catalogue"
    doc_key, path, content_hash, title, tags, format_name, metadata, has_source_lines = row[:8]
    document = build_document(
        (doc_key, path, content_hash),
        title,
        find_document_text(view, doc_id) or b"",
        list_sections(view, doc_id),
        _iter_chunks(part, row[11], row[12]),
        json.loads(tags),
        part.catalog.fetch(_LINKS, (own_id,)),
        format_name,
        json.loads(metadata),
        part.catalog.fetch(_ANCHORS, (own_id,)),
        bool(has_source_lines),
    )
    file = part.resolve_file(row[8])
    return document, None if file is None else FileStat(file, row[9], row[10])


def _iter_chunks(part: CatalogPart, first_key: int, after_key: int) -> Iterable[Row]:
    for *place, spans in part.catalog.fetch(_CHUNKS, (first_key, after_key)):
        yield (*place, json.loads(spans) if spans else ())


def build_document(
    names: tuple[str, str, str],
    title: str,
    text: bytes,
    sections: Iterable[Sequence[Any]],
    chunks: Iterable[Sequence[Any]],
    tags: Iterable[str],
    links: Iterable[Sequence[Any]],
    format_name: str,
    metadata: dict[str, object],
    anchors: Iterable[Sequence[Any]],
    has_source_lines: bool,
) -> Document:
    """Makes a document of values as JSON and SQLite return them.

    Args:
        names: Document key, path and content hash.
    """
    doc_key, path, content_hash = names
    return Document(
        doc_key=doc_key,
        title=title,
        path=path,
        text=text,
        sections=tuple(Section(*row) for row in sections) or (_only_section(title, text),),
        chunks=tuple(
            Chunk._make((*place, tuple((start, end) for start, end in spans))) for *place, spans in chunks
        ),
        tags=tuple(tags),
        links=tuple(Link(*row) for row in links),
        format=format_name,
        metadata=metadata,
        content_hash=content_hash,
        anchors=tuple(Anchor(*row) for row in anchors),
        has_source_lines=has_source_lines,
    )


def _only_section(title: str, text: bytes) -> Section:
    """Makes section 0 of a document without headings, which the catalogue does not keep."""
    lines = max(1, text.count(b"\n") + (not text.endswith(b"\n")))
    return Section(0, None, 0, title, "", 1, lines, 0, len(text))
