"""Documents and chunks as an index lists them and gives them back."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct


class StoredSection(Struct, frozen=True):
    """A heading of a stored document; section 0 is the document itself.

    Attributes:
        ordinal: Place in document order, starting at 0.
        parent: Ordinal of the enclosing section; None for section 0 only.
        depth: Heading level, 0 for the document.
        slug: Stable anchor, unique in the document; empty for section 0.
        line_end: Last line of the section, its sub-sections included.
    """

    ordinal: int
    parent: int | None
    depth: int
    title: str
    slug: str
    line_start: int
    line_end: int


class StoredDocument(Struct, frozen=True):
    """A document as the catalogue keeps it.

    Attributes:
        metadata: Front matter and the like; JSON-serialisable values.
    """

    tree: str
    doc_key: str
    title: str
    file: str | None
    text: str
    tags: tuple[str, ...]
    format: str
    metadata: Mapping[str, Any]
    sections: tuple[StoredSection, ...]
    chunk_count: int


class ListedDocument(Struct, frozen=True):
    """A document without its text."""

    tree: str
    doc_key: str
    title: str
    format: str
    chunk_count: int
    file: str | None
    file_bytes: int | None


class ListedChunk(Struct, frozen=True):
    """A chunk without its text; `sections` are the titles around it, outermost first."""

    tree: str
    doc_key: str
    ordinal: int
    sections: tuple[str, ...]
    line_start: int
    line_end: int
    byte_start: int
    byte_end: int
