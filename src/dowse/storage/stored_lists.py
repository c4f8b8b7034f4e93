"""Lists of documents and of chunks, for people who look through an index."""

from collections.abc import Iterator
from typing import NamedTuple

from dowse.schema import Section
from dowse.storage.catalog import Row
from dowse.storage.catalog_parts import CatalogPart
from dowse.storage.snapshot import Snapshot
from dowse.storage.stored_sections import SECTION_COLUMNS


class DocumentRow(NamedTuple):
    """A document without its text."""

    tree: str
    doc_key: str
    title: str
    format: str
    chunk_count: int
    file: str | None
    file_bytes: int | None


class ChunkRow(NamedTuple):
    """A chunk without its text.

    Attributes:
        section: The ordinal of the section it is in.
    """

    tree: str
    doc_key: str
    ordinal: int
    doc_id: int
    section: int
    line_start: int
    line_end: int
    byte_start: int
    byte_end: int


_WHERE = "is_live AND substr(doc_key, 1, length(?1)) = ?1"


def list_document_rows(snapshot: Snapshot, tree: str | None, under: str) -> list[DocumentRow]:
    """Returns the live documents of a tree or of all, whose keys start with `under`, by tree and key."""
    sql = (
        "SELECT tree_id, doc_key, title, format, chunk_count, file, file_size FROM documents"
        f" WHERE {_WHERE} ORDER BY doc_key"
    )
    rows = [
        DocumentRow._make((name, *row[:4], part.resolve_file(row[4]), row[5]))
        for part, name, row in _iter_rows(snapshot, sql, tree, under)
    ]
    return sorted(rows, key=lambda row: (row.tree, row.doc_key))


def list_chunk_rows(snapshot: Snapshot, tree: str | None, under: str) -> list[ChunkRow]:
    """Returns the chunks of those documents, in the order of their texts."""
    sql = (
        "SELECT tree_id, doc_key, ordinal, c.doc_id, section, line_start, line_end, byte_start, byte_end"
        f" FROM chunks c JOIN documents d ON d.doc_id = c.doc_id WHERE {_WHERE} ORDER BY doc_key, ordinal"
    )
    rows = [
        ChunkRow._make((name, *row[:2], row[2] + part.doc_base, *row[3:]))
        for part, name, row in _iter_rows(snapshot, sql, tree, under)
    ]
    return sorted(rows, key=lambda row: (row.tree, row.doc_key, row.ordinal))


def list_sections_below(snapshot: Snapshot, tree: str | None, under: str) -> dict[int, list[Section]]:
    """Returns the sections of those documents that have headings, by document id."""
    columns = ", ".join(f"s.{name}" for name in SECTION_COLUMNS.split(", "))
    sql = (
        f"SELECT tree_id, d.doc_id, {columns} FROM sections s JOIN documents d ON d.doc_id = s.doc_id"
        f" WHERE {_WHERE} ORDER BY d.doc_id, s.ordinal"
    )
    found: dict[int, list[Section]] = {}
    for part, _, (doc_id, *section) in _iter_rows(snapshot, sql, tree, under):
        found.setdefault(doc_id + part.doc_base, []).append(Section(*section))
    return found


def _iter_rows(
    snapshot: Snapshot, sql: str, tree: str | None, under: str
) -> Iterator[tuple[CatalogPart, str, Row]]:
    """Yields the rows of the trees that are wanted, each with its part and its tree's name."""
    for part in snapshot.parts:
        for tree_id, *row in part.catalog.fetch(sql, (under,)):
            name = snapshot.trees[tree_id + part.tree_base].name
            if tree in (None, name):
                yield part, name, tuple(row)
