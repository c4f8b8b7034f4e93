"""One hit as a block of lines: where it is, what it is part of, what it says, why it is there."""

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from dowse.cli.rendering.wrapping import find_lines, paint_span
from dowse.cli.terminal import Style, without_controls

if TYPE_CHECKING:
    from dowse.schema import Hit, Snippet

INDENT = "    "
SEPARATOR = " › "


def render_hit(hit: "Hit", style: Style, folder: str) -> str:
    """Returns the block of one hit, each line ended.

    Args:
        folder: The reader's current directory; files below it are shown relative to it.
    """
    return "".join(f"{line}\n" for line in iter_hit_lines(hit, style, folder))


def iter_hit_lines(hit: "Hit", style: Style, folder: str) -> Iterator[str]:
    """Yields header, breadcrumb, snippet and explanation, as far as the hit has them."""
    yield build_header(hit, style, folder)
    breadcrumb = build_breadcrumb(hit)
    if breadcrumb:
        yield INDENT + style.paint(breadcrumb, "dim")
    if hit.snippet is not None:
        yield from iter_snippet_lines(hit.snippet, style)
    if hit.explanation is not None:
        for line in hit.explanation.lines(1):
            yield INDENT + style.paint(without_controls(line), "dim")


def build_header(hit: "Hit", style: Style, folder: str) -> str:
    """Returns ``path:line  score``, or ``path, page 3  score``; the path opens on click where it can."""
    path = style.paint(without_controls(show_path(hit.file, folder) or hit.doc_key), "path")
    line = hit.snippet.line if hit.snippet is not None else hit.line_start
    if hit.locator:
        path += f", {style.paint(without_controls(hit.locator), 'line')}"
    elif hit.has_source_lines:
        path += f":{style.paint(str(line), 'line')}"
    place = style.link(path, hit.file)
    age = "  (changed since it was indexed)" if hit.is_stale else ""
    copies = f"  (and {hit.duplicate_count:,} more like it)" if hit.duplicate_count else ""
    return f"{place}  {style.paint(f'{hit.score:.3f}{copies}{age}', 'dim')}"


def show_path(file: str | None, folder: str) -> str | None:
    """Returns the path as the reader would type it: relative below `folder`, else absolute."""
    if file is None or not folder:
        return file
    prefix = folder.rstrip(os.sep) + os.sep
    return file.removeprefix(prefix)


def build_breadcrumb(hit: "Hit") -> str:
    """Returns ``Title › Section › Sub``; a first section that repeats the title is shown once."""
    sections = hit.section_path
    if sections and sections[0] == hit.title:
        sections = sections[1:]
    parts = [part for part in (hit.title, *sections) if part]
    return without_controls(SEPARATOR.join(" ".join(part.split()) for part in parts))


def iter_snippet_lines(snippet: "Snippet", style: Style) -> Iterator[str]:
    """Yields the snippet with its highlights, wrapped for a terminal and in one line elsewhere."""
    text = without_controls(snippet.text.replace("\n", " ").replace("\t", " "))
    width = None if style.width is None else style.width - len(INDENT)
    for span in find_lines(text, width):
        yield INDENT + paint_span(text, span, snippet.highlights, style)
