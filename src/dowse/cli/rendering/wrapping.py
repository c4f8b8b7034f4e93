"""From one long line with highlights to lines of a terminal."""

import unicodedata
from collections.abc import Iterator, Sequence

from dowse.cli.terminal import Style

Span = tuple[int, int]


def count_cells(letter: str) -> int:
    """Returns the columns a character takes: 0 for combining marks, 2 for wide East Asian."""
    if unicodedata.combining(letter):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def find_lines(text: str, width: int | None) -> list[Span]:
    """Returns the half-open ranges of `text` that make lines of at most `width` columns.

    Breaks at spaces, and inside a word only when it is longer than a line. ``None`` means one line.
    """
    if width is None:
        return [(0, len(text))]
    lines: list[Span] = []
    start = 0
    while start < len(text):
        end = find_farthest(text, start, width)
        space = text.rfind(" ", start + 1, end + 1)
        if end < len(text) and space > start:
            end = space
        lines.append((start, end))
        start = end + (text[end : end + 1] == " ")
    return lines


def find_farthest(text: str, start: int, width: int) -> int:
    """Returns the end of the longest range from `start` that fits, at least one character long."""
    cells = 0
    for position in range(start, len(text)):
        cells += count_cells(text[position])
        if cells > width and position > start:
            return position
    return len(text)


def paint_span(text: str, span: Span, highlights: Sequence[Span], style: Style) -> str:
    """Returns the text of a range with the highlights inside it in colour."""
    return "".join(iter_painted(text, span, highlights, style))


def iter_painted(text: str, span: Span, highlights: Sequence[Span], style: Style) -> Iterator[str]:
    """Yields the pieces of a range, plain and highlighted in turn."""
    position, end = span
    for highlight_start, highlight_end in highlights:
        first, last = max(highlight_start, position), min(highlight_end, end)
        if first < last:
            yield text[position:first]
            yield style.paint(text[first:last], "highlight")
            position = last
    yield text[position:end]
