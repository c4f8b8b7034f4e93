"""Chunks as a page of hits shows them, in three statements at most, however many there are."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from dowse.schema import Anchor
from dowse.storage.catalog import Row
from dowse.storage.catalog_parts import CatalogPart, CatalogView, placeholders, split_keys
from dowse.storage.stored_texts import CHUNK_TEXT


class StoredChunk(NamedTuple):
    """A chunk with what the catalogue knows of its document.

    Attributes:
        section: The innermost section's ordinal; 0 for the document itself.
        text: UTF-8.
        title: The document's.
        file: Path of the document's file; None for a pushed text.
        file_stamp: Size and modification time (nanoseconds) of the file when it was read.
        has_source_lines: Whether lines of the stored text are lines of the file.
        section_path: Titles of the sections around it, outermost first, without the document's.
        slug: The innermost section's that has one.
        anchors: Those of its document up to the chunk's end, in order.
    """

    doc_id: int
    tree_id: int
    section: int
    line_start: int
    line_end: int
    byte_start: int
    text: bytes
    title: str
    file: str | None
    file_stamp: tuple[int, int] | None
    has_source_lines: bool
    section_path: tuple[str, ...] = ()
    slug: str = ""
    anchors: tuple[Anchor, ...] = ()


_CHUNKS = (
    "SELECT c.chunk_key, EXISTS (SELECT 1 FROM anchors a WHERE a.doc_id = c.doc_id), c.doc_id, d.tree_id,"
    f" c.section, c.line_start, c.line_end, c.byte_start, {CHUNK_TEXT}, d.title, d.file, d.file_size,"
    " d.mtime_ns, d.keeps_lines FROM chunks c JOIN documents d ON d.doc_id = c.doc_id"
    " JOIN texts x ON x.doc_id = c.doc_id WHERE c.chunk_key IN ({places})"
)
# Sections number their parents before themselves: a damaged row cannot make this go round for ever.
_SECTIONS = (
    "WITH RECURSIVE outwards (chunk_key, doc_id, ordinal, parent, title, slug) AS ("
    " SELECT c.chunk_key, c.doc_id, s.ordinal, s.parent, s.title, s.slug FROM chunks c"
    " JOIN sections s ON s.doc_id = c.doc_id AND s.ordinal = c.section WHERE c.chunk_key IN ({places})"
    " UNION ALL SELECT o.chunk_key, o.doc_id, s.ordinal, s.parent, s.title, s.slug FROM outwards o"
    " JOIN sections s ON s.doc_id = o.doc_id AND s.ordinal = o.parent WHERE 0 < o.parent"
    " AND o.parent < o.ordinal)"
    " SELECT chunk_key, title, slug FROM outwards ORDER BY chunk_key, ordinal"
)
_ANCHORS = (
    "SELECT c.chunk_key, a.byte_start, a.kind, a.label FROM chunks c"
    " JOIN anchors a ON a.doc_id = c.doc_id AND a.byte_start <= c.byte_end"
    " WHERE c.chunk_key IN ({places}) ORDER BY c.chunk_key, a.ordinal"
)


def read_chunks(view: CatalogView, chunk_keys: Sequence[int]) -> dict[int, StoredChunk]:
    """Returns chunks by key; those that are gone are left out."""
    found: dict[int, StoredChunk] = {}
    for part, keys in split_keys(view, chunk_keys):
        rows = _fetch(part, _CHUNKS, keys)
        sections = _read_sections(part, [key for key, row in rows.items() if row[0][3]])
        anchors = _read_anchors(part, [key for key, row in rows.items() if row[0][0]])
        for key, ((_, *row),) in rows.items():
            path, slug = sections.get(key, ((), ""))
            chunk = _stored_chunk(part, row, path, slug, anchors.get(key, ()))
            found[key + part.key_base] = chunk
    return found


def _stored_chunk(
    part: CatalogPart, row: Sequence[Any], path: tuple[str, ...], slug: str, anchors: tuple[Anchor, ...]
) -> StoredChunk:
    doc_id, tree_id, section, line_start, line_end, byte_start, text, title, file, *rest = row
    file_size, mtime_ns, keeps_lines = rest
    return StoredChunk(
        doc_id + part.doc_base,
        tree_id + part.tree_base,
        section,
        line_start,
        line_end,
        byte_start,
        text or b"",
        title,
        part.resolve_file(file),
        None if file is None else (file_size, mtime_ns),
        bool(keeps_lines),
        path,
        slug,
        anchors,
    )


def _read_sections(part: CatalogPart, keys: Sequence[int]) -> dict[int, tuple[tuple[str, ...], str]]:
    """Returns the titles down to the section of each chunk, and the innermost slug."""
    return {
        key: (tuple(title for title, _ in rows), next((slug for _, slug in reversed(rows) if slug), ""))
        for key, rows in _fetch(part, _SECTIONS, keys).items()
    }


def _read_anchors(part: CatalogPart, keys: Sequence[int]) -> dict[int, tuple[Anchor, ...]]:
    return {
        key: tuple(Anchor(*row) for row in rows) for key, rows in _fetch(part, _ANCHORS, keys).items()
    }


def _fetch(part: CatalogPart, sql: str, keys: Sequence[int]) -> dict[int, list[Row]]:
    """Returns rows by their first column, a chunk key."""
    found: dict[int, list[Row]] = {}
    if keys:
        for key, *row in part.catalog.fetch(sql.format(places=placeholders(keys)), keys):
            found.setdefault(key, []).append(tuple(row))
    return found
