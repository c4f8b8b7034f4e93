"""What is in a file, for people and for programs."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from dowse.cli.rendering.json_values import problem_as_json, section_as_json
from dowse.cli.rendering.summary import ALL_IN_JSON, iter_problems, shorten
from dowse.cli.terminal import Style, count, format_bytes, without_controls

if TYPE_CHECKING:
    from dowse.schema import Anchor, Document, Problem

SHOWN_PROBLEMS = 20


def iter_inspection_lines(
    file: str, document: "Document | None", problems: "Sequence[Problem]", style: Style
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


def _iter_section_lines(document: "Document", style: Style) -> Iterator[str]:
    yield style.paint(count(len(document.sections), "section"), "bold")
    for section in document.sections:
        title = without_controls(shorten(section.title, 100)).replace("\n", " ")
        lines = style.paint(f"lines {section.line_start}-{section.line_end}", "dim")
        yield f"{'  ' * (section.depth + 1)}{title}  {lines}"


def _iter_chunk_lines(document: "Document", style: Style) -> Iterator[str]:
    yield style.paint(count(len(document.chunks), "chunk"), "bold")
    for chunk in document.chunks:
        text = document.text[chunk.byte_start : chunk.byte_end]
        words = count(len(text.split()), "word")
        start = shorten(without_controls(" ".join(text[:400].decode("utf-8", "replace").split())), 60)
        anchor = describe_anchor(find_anchors(document.anchors, chunk.byte_start))
        place = f"lines {chunk.line_start}-{chunk.line_end}, {words}{anchor}"
        yield f"  {chunk.ordinal:>3}  {style.paint(without_controls(place), 'dim')}  {start}"


def find_anchors(anchors: "Sequence[Anchor]", byte_start: int) -> "list[Anchor]":
    """Returns the last anchor of each kind at or before a place."""
    found = {anchor.kind: anchor for anchor in anchors if anchor.byte_start <= byte_start}
    return list(found.values())


def describe_anchor(anchors: "Sequence[Anchor]") -> str:
    """Returns ``, page 3`` or the like; empty when lines say it all."""
    return "".join(f", {anchor.kind} {anchor.label}" for anchor in anchors)


def inspection_as_json(
    file: str, document: "Document | None", problems: "Sequence[Problem]"
) -> dict[str, object]:
    """Returns the same as one object."""
    listed = [problem_as_json(problem) for problem in problems]
    if document is None:
        return {"file": file, "format": None, "problems": listed}
    return {
        "file": file,
        "format": document.format,
        "title": document.title,
        "text_bytes": len(document.text),
        "tags": list(document.tags),
        "metadata": dict(document.metadata),
        "sections": [section_as_json(section) for section in document.sections],
        "chunks": [
            {
                "ordinal": chunk.ordinal,
                "section": chunk.section,
                "line_start": chunk.line_start,
                "line_end": chunk.line_end,
                "byte_start": chunk.byte_start,
                "byte_end": chunk.byte_end,
                "anchors": {
                    anchor.kind: anchor.label for anchor in find_anchors(document.anchors, chunk.byte_start)
                },
            }
            for chunk in document.chunks
        ],
        "problems": listed,
    }
