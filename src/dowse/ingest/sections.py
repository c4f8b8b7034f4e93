"""From a list of headings to the section tree with its slugs."""

import re
import unicodedata
from collections.abc import Iterable

from msgspec import Struct

from dowse.ingest.lines import LineTable
from dowse.schema import Section

MAX_TITLE_CHARS = 500
"""A longer heading is cut in the tree; all of it stays in the text."""

_ASCII_DROPPED = re.compile(r"[^a-z0-9_\- ]")
_HYPHENS = re.compile(r"[-\s]+")


class Heading(Struct, frozen=True):
    """A heading as found: `line_index` counts from 0, `depth` from 1."""

    depth: int
    title: str
    line_index: int


def build_sections(
    title: str, headings: Iterable[Heading], lines: LineTable
) -> tuple[Section, ...]:
    """Builds the section tree; a section ends where the next one of its depth or less begins.

    Args:
        title: Of the document; becomes section 0.
        headings: In document order, at most one per line.
        lines: Of the whole text.
    """
    found = list(headings)
    sections = [Section(0, None, 0, title, "", 1, lines.count, 0, lines.size)]
    if not found:
        return tuple(sections)
    ends = _line_ends(found, lines.count)
    slugs = SlugMaker()
    open_ordinals = [0]
    for ordinal, (heading, end) in enumerate(zip(found, ends, strict=True), start=1):
        while sections[open_ordinals[-1]].depth >= heading.depth:
            open_ordinals.pop()
        sections.append(
            Section(
                ordinal=ordinal,
                parent=open_ordinals[-1],
                depth=heading.depth,
                title=heading.title[:MAX_TITLE_CHARS],
                slug=slugs.make(heading.title[:MAX_TITLE_CHARS]),
                line_start=heading.line_index + 1,
                line_end=end,
                byte_start=lines.starts[heading.line_index],
                byte_end=lines.start_of(end),
            )
        )
        open_ordinals.append(ordinal)
    return tuple(sections)


def first_top_heading(headings: Iterable[Heading]) -> str:
    """Returns the text of the first heading of depth 1 that has any, or nothing."""
    return next((heading.title for heading in headings if heading.depth == 1 and heading.title), "")


def _line_ends(headings: list[Heading], line_count: int) -> list[int]:
    """Returns for each heading the index after its section's last line."""
    ends = [line_count] * len(headings)
    waiting: list[int] = []
    for index, heading in enumerate(headings):
        while waiting and headings[waiting[-1]].depth >= heading.depth:
            ends[waiting.pop()] = heading.line_index
        waiting.append(index)
    return ends


class SlugMaker:
    """Makes the slugs of one document, each used once."""

    def __init__(self) -> None:
        self._used: set[str] = set()
        self._next_number: dict[str, int] = {}

    def make(self, title: str) -> str:
        """Returns a slug for `title`; a repeated one gets ``-1``, ``-2`` and so on."""
        plain = slugify(title)
        slug = plain
        number = self._next_number.get(plain, 1)
        while slug in self._used:
            slug = f"{plain}-{number}"
            number += 1
        self._next_number[plain] = number
        self._used.add(slug)
        return slug


def slugify(title: str) -> str:
    """Turns a heading into an anchor: lower case, letters of any script, hyphens for spaces."""
    lowered = title.lower()
    if lowered.isascii():
        kept = _ASCII_DROPPED.sub("", _HYPHENS.sub("-", lowered))
    else:
        composed = _HYPHENS.sub("-", unicodedata.normalize("NFC", lowered))
        kept = "".join(char for char in composed if _belongs_in_slug(char))
    return _HYPHENS.sub("-", kept).strip("-") or "heading"


def _belongs_in_slug(char: str) -> bool:
    # Marks are letters' parts in many scripts: without them Hindi and Thai words fall to pieces.
    return char.isalnum() or char in "-_" or unicodedata.category(char).startswith("M")
