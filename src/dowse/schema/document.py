"""A document on its way into the index: its text, its sections and its chunks.

All are named tuples: sections and chunks become rows of the catalogue as they are, field after field.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple


class Link(NamedTuple):
    """A reference from a document to something else, kept for the link graph.

    Attributes:
        target: As written: URL, relative path or wikilink target (``Note#Heading``).
        text: What the reader sees; for a wikilink without alias, the target.
        kind: ``link``, ``image``, ``wikilink`` or ``embed``.
        line: Line number in the document's stored text.
    """

    target: str
    text: str
    kind: str
    line: int


class Anchor(NamedTuple):
    """Where a place in the stored text is found in the source, when lines do not say it.

    It holds from its byte up to the next anchor of its kind.

    Attributes:
        byte_start: Where it begins in the stored text.
        kind: ``page``, ``slide``, ``sheet``, ``cell``, ``chapter``, ``message``, ``part``, ``member`` or
            ``time``.
        label: As people write it: ``12``, ``Budget!A5``, ``report.pdf``, ``00:01:30``.
    """

    byte_start: int
    kind: str
    label: str


class Section(NamedTuple):
    """A heading and what is under it; section 0 is the document itself (depth 0, no slug).

    Attributes:
        ordinal: Place in document order, starting at 0.
        parent: Ordinal of the enclosing section; ``None`` for section 0 only.
        depth: Heading level, 0 for the document.
        title: Heading text without markup.
        slug: Stable anchor, unique in the document; empty for section 0.
        line_start: Line of the heading.
        line_end: Last line of the section, its sub-sections included.
        byte_start: Where the heading starts.
        byte_end: Where the section with its sub-sections ends.
    """

    ordinal: int
    parent: int | None
    depth: int
    title: str
    slug: str
    line_start: int
    line_end: int
    byte_start: int
    byte_end: int


class Chunk(NamedTuple):
    """The unit of retrieval: a range of the stored text inside one section.

    Attributes:
        ordinal: Place in the document, starting at 0.
        section: Ordinal of the section it belongs to.
        code_spans: Byte ranges, relative to the chunk's start, that are code rather than prose.
    """

    ordinal: int
    section: int
    line_start: int
    line_end: int
    byte_start: int
    byte_end: int
    code_spans: tuple[tuple[int, int], ...] = ()


class Document(NamedTuple):
    """One source, ready to be indexed.

    Attributes:
        doc_key: Stable name, unique in its tree: the path relative to the tree's root, or a pushed key.
        title: Never empty for files: front matter, first heading, or the file name.
        path: What path queries match; empty for pushed texts without one.
        text: The stored text in UTF-8.
        sections: Section 0 first; at least one.
        chunks: In document order; at least one, which is empty for a blank document.
        tags: Without the leading ``#``, in order of appearance, no duplicates.
        format: Name of the extractor that read it.
        metadata: Front matter and the like; JSON-serialisable values.
        anchors: Ascending by place; empty for formats whose lines are enough.
        has_source_lines: Whether the lines of the stored text are those of the source.
    """

    doc_key: str
    title: str
    path: str
    text: bytes
    sections: tuple[Section, ...]
    chunks: tuple[Chunk, ...]
    tags: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    format: str = "text"
    metadata: Mapping[str, object] = MappingProxyType({})
    content_hash: str = ""
    anchors: tuple[Anchor, ...] = ()
    has_source_lines: bool = True


def section_path(sections: Sequence[Section], ordinal: int) -> tuple[str, ...]:
    """Returns the titles from the outermost section down to this one, without the document's own."""
    titles = []
    section = sections[ordinal]
    while section.parent is not None:
        titles.append(section.title)
        section = sections[section.parent]
    return tuple(reversed(titles))
