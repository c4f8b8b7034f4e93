"""The protocol of a chunker, and what all of them share: section bodies in, chunks out."""

import abc
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import ClassVar, NamedTuple, Protocol

from dowse.ingest.chunking.settings import ChunkingSettings
from dowse.ingest.extractor import Extracted
from dowse.ingest.lines import LineTable
from dowse.schema import Chunk

MAX_CHUNK_BYTES = 60_000
MAX_KEPT_INDENT = 80


class Body(NamedTuple):
    """One section's own text: heading included, sub-sections excluded, blank ends cut off.

    Attributes:
        text: Of the whole document.
        start: Offset of the first byte; `end` after the last.
        code_spans: Of the whole document.
    """

    text: bytes
    section: int
    start: int
    end: int
    code_spans: tuple[tuple[int, int], ...]


class Chunker(Protocol):
    """Cuts documents into chunks."""

    @property
    def name(self) -> str:
        """The strategy's name in `ChunkingSettings`."""
        ...

    def chunk(self, extracted: Extracted) -> tuple[Chunk, ...]:
        """Returns the chunks of one document in order; empty when its text is blank."""
        ...


class SectionChunker(abc.ABC):
    """A chunker that looks at one section body at a time."""

    name: ClassVar[str]

    def __init__(self, settings: ChunkingSettings) -> None:
        self.settings = settings

    @abc.abstractmethod
    def cut(self, body: Body) -> Iterable[tuple[int, int]]:
        """Yields ranges, ascending in both ends, that hold all of `body` but white space."""

    def chunk(self, extracted: Extracted) -> tuple[Chunk, ...]:
        """Returns the chunks of one document in order; empty when its text is blank."""
        lines = extracted.lines
        chunks: list[Chunk] = []
        for body in iter_bodies(extracted):
            for start, end in self.cut(body):
                start = _with_indent(body, start, lines)
                first, last = lines.line_range(start, end)
                spans = relative_spans(extracted.code_spans, start, end)
                chunks.append(Chunk(len(chunks), body.section, first, last, start, end, spans))
        return tuple(chunks)


def iter_bodies(extracted: Extracted) -> Iterator[Body]:
    """Yields the bodies that are not blank, in document order."""
    text, sections = extracted.text, extracted.sections
    for section in sections:
        after = section.ordinal + 1
        end = sections[after].byte_start if after < len(sections) else len(text)
        content = text[section.byte_start : end]
        kept = content.rstrip()
        if kept:
            start = section.byte_start + len(kept) - len(kept.lstrip())
            yield Body(
                text, section.ordinal, start, section.byte_start + len(kept), extracted.code_spans
            )


def _with_indent(body: Body, start: int, lines: LineTable) -> int:
    """Moves a start back over blanks to its line's start: indentation is part of code."""
    line_start = lines.starts[lines.line_at(start) - 1]
    is_blank = start - line_start <= MAX_KEPT_INDENT and not body.text[line_start:start].strip()
    return line_start if is_blank else start


def relative_spans(
    spans: tuple[tuple[int, int], ...], start: int, end: int
) -> tuple[tuple[int, int], ...]:
    """Returns the parts of `spans` inside a range, counted from its start."""
    if not spans:
        return ()
    first = max(bisect_right(spans, (start, -1)) - 1, 0)
    found: list[tuple[int, int]] = []
    for span_start, span_end in spans[first:]:
        if span_start >= end:
            break
        if span_end > start:
            found.append((max(span_start, start) - start, min(span_end, end) - start))
    return tuple(found)
