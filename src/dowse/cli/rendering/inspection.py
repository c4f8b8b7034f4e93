"""What is in a file, for people and for programs."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from dowse.cli.rendering.summary import ALL_IN_JSON, iter_problems, shorten
from dowse.cli.terminal import Style, count, format_bytes, without_controls
from dowse.schema import Anchor, Chunk, Document, Problem, StoredSection

SHOWN_PROBLEMS = 20


def iter_inspection_lines(
    file: str, document: Document | None, problems: Sequence[Problem], style: Style
) -> Iterator[str]:
    """Yields format, title, metadata, the tree of sections, the chunks and the problems."""
    yield style.paint(without_controls(file), "path")
    if document is not None:
        yield f"format     {document.format}"
        yield f"title      {without_controls(shorten(document.title, 200))}"
        lines = count(document.sections[0].line_end, "line")
        yield f"text       {format_bytes(len(document.text))}, {lines}"
        if document.tags:
            yield f"tags       {without_controls(shorten(', '.join(document.tags), 200))}"
        for key, value in document.metadata.items():
            yield without_controls(f"{key:<10} {shorten(str(value), 200)}").replace("\n", " ")
        yield ""
        yield from _iter_section_lines(document, style)
        yield ""
        yield from _iter_chunk_lines(document, style)
    if problems:
        yield ""
        yield from iter_problems(problems, SHOWN_PROBLEMS, all_in=ALL_IN_JSON)


def _iter_section_lines(document: Document, style: Style) -> Iterator[str]:
    yield style.paint(count(len(document.sections), "section"), "bold")
    for section in document.sections:
        title = without_controls(shorten(section.title, 100)).replace("\n", " ")
        lines = style.paint(f"lines {section.line_start}-{section.line_end}", "dim")
        yield f"{'  ' * (section.depth + 1)}{title}  {lines}"


def _iter_chunk_lines(document: Document, style: Style) -> Iterator[str]:
    yield style.paint(count(len(document.chunks), "chunk"), "bold")
    for chunk in document.chunks:
        text = document.text[chunk.byte_start : chunk.byte_end]
        words = count(len(text.split()), "word")
        start = shorten(without_controls(" ".join(text[:400].decode("utf-8", "replace").split())), 60)
        anchor = describe_anchor(find_anchors(document.anchors, chunk.byte_start))
        place = f"lines {chunk.line_start}-{chunk.line_end}, {words}{anchor}"
        yield f"  {chunk.ordinal:>3}  {style.paint(without_controls(place), 'dim')}  {start}"


def find_anchors(anchors: Sequence[Anchor], byte_start: int) -> list[Anchor]:
    """Returns the last anchor of each kind at or before a place."""
    found = {anchor.kind: anchor for anchor in anchors if anchor.byte_start <= byte_start}
    return list(found.values())


def describe_anchor(anchors: Sequence[Anchor]) -> str:
    """Returns ``, page 3`` or the like; empty when lines say it all."""
    return "".join(f", {anchor.kind} {anchor.label}" for anchor in anchors)


class InspectedChunk(Struct, frozen=True):
    """Where a chunk is; `anchors` say it by kind where lines do not."""

    ordinal: int
    section: int
    line_start: int
    line_end: int
    byte_start: int
    byte_end: int
    anchors: dict[str, str]


class Inspection(Struct, frozen=True):
    """What is in a file; only name and problems when it cannot be read."""

    file: str
    problems: tuple[Problem, ...]
    format: str | None = None
    title: str = ""
    text_bytes: int = 0
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, object] = {}
    sections: tuple[StoredSection, ...] = ()
    chunks: tuple[InspectedChunk, ...] = ()


def inspect(file: str, document: Document | None, problems: Sequence[Problem]) -> Inspection:
    """Returns the same for programs."""
    if document is None:
        return Inspection(file, tuple(problems))
    return Inspection(
        file,
        tuple(problems),
        document.format,
        document.title,
        len(document.text),
        document.tags,
        dict(document.metadata),
        tuple(StoredSection(*section[:7]) for section in document.sections),
        tuple(_inspect_chunk(document, chunk) for chunk in document.chunks),
    )


def _inspect_chunk(document: Document, chunk: Chunk) -> InspectedChunk:
    anchors = find_anchors(document.anchors, chunk.byte_start)
    return InspectedChunk(*chunk[:6], {anchor.kind: anchor.label for anchor in anchors})
