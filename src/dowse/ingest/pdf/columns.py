"""Puts a page's lines into reading order when they were not drawn in it.

Most programs draw text as it is read, column by column, and then nothing is touched. Some draw row by row
across two columns, so that each line holds halves of two sentences; and some draw in no order at all.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from math import inf
from statistics import median

from dowse.ingest.pdf.lines import PageText, TextLine

_MIN_LINES = 6
_SAMPLED_LINES = 8
# The middle of a page, in which the white between two columns lies.
_MIDDLE = (0.3, 0.7)
_MIDDLE_LETTERS = (0.2, 0.8)
_MIN_SIDE_CHARS = 15
_MAX_TESTED_CHARS = 400
_SPACE = re.compile(r"\s+")


def order_lines(lines: list[TextLine], page: PageText) -> list[TextLine]:
    """Returns the lines in reading order; a line across two columns becomes two."""
    if len(lines) < _MIN_LINES:
        return lines
    gutter = _find_drawn_across(lines, page)
    if gutter is not None:
        return _by_columns([part for line in lines for part in _split(line, gutter, page)], gutter)
    if not _is_shuffled(lines):
        return lines
    gutter = _find_gutter(lines)
    if gutter is not None:
        return _by_columns(lines, gutter)
    return sorted(lines, key=lambda line: (-round(line.bottom / 3), line.left))


def _is_shuffled(lines: Sequence[TextLine]) -> bool:
    """Says whether the order drawn jumps up the page far more often than columns and notes make it."""
    jumps = sum(below.bottom > above.bottom + above.size for above, below in pairwise(lines))
    return jumps > max(_MIN_LINES, len(lines) / 4)


def _find_drawn_across(lines: Sequence[TextLine], page: PageText) -> float | None:
    """Returns the middle of the white between two columns that were drawn row by row."""
    left, right = min(line.left for line in lines), max(line.right for line in lines)
    width = right - left
    wide = [line for line in lines if line.right - line.left > 0.6 * width]
    if len(wide) < _MIN_LINES or width <= 0:
        return None
    sampled = wide[:: max(len(wide) // _SAMPLED_LINES, 1)]
    misses, start, end = 0, -inf, inf
    for number, line in enumerate(sampled, start=1):
        gap = _middle_gap(line, left + _MIDDLE[0] * width, left + _MIDDLE[1] * width, page)
        if gap is None:
            misses += 1
        else:
            start, end = max(start, gap[0]), min(end, gap[1])
        # Three ordinary lines in a row at the start are enough to see a page of one column.
        is_one_column = misses == number == 3 or len(sampled) - misses < 0.7 * len(sampled)
        if is_one_column or start >= end:
            return None
    return (start + end) / 2


def _middle_gap(line: TextLine, low: float, high: float, page: PageText) -> tuple[float, float] | None:
    """Returns the widest white in the middle of a line when it is wide and both sides are text."""
    best: tuple[float, float] | None = None
    # PDFium writes a space where there is white, so the letters around spaces are all to look at; and what
    # stands in the middle of a page stands somewhere in the middle of its lines.
    length = len(line.text)
    first = max(int(_MIDDLE_LETTERS[0] * length), _MIN_SIDE_CHARS)
    last = min(int(_MIDDLE_LETTERS[1] * length) + 1, length - _MIN_SIDE_CHARS, _MAX_TESTED_CHARS)
    widest = line.size * 0.8
    for space in _SPACE.finditer(line.text, first, last):
        after = page.letter_box(line.first + space.end())
        if after is None or after[0] <= low:
            continue
        before = page.letter_box(line.first + space.start() - 1)
        if before is None:
            continue
        start, end = before[1], after[0]
        if start < high and end - start > widest:
            best, widest = (start, end), end - start
    return best


def _split(line: TextLine, gutter: float, page: PageText) -> list[TextLine]:
    """Cuts a line at the gutter when there is white in it there."""
    if line.right <= gutter or line.left >= gutter or len(line.text) > _MAX_TESTED_CHARS:
        return [line]
    before = line.left
    for place, letter in enumerate(line.text):
        box = None if letter.isspace() else page.letter_box(line.first + place)
        if box is None:
            continue
        if box[0] >= gutter:
            if gutter - before < line.size * 0.25 or place == 0:
                return [line]
            return [
                line._replace(text=line.text[:place].rstrip(), right=before),
                line._replace(text=line.text[place:], first=line.first + place, left=box[0]),
            ]
        before = box[1]
    return [line]


def _find_gutter(lines: Sequence[TextLine]) -> float | None:
    """Returns an x in the middle that hardly any line crosses, with lines on both sides."""
    left, right = min(line.left for line in lines), max(line.right for line in lines)
    starts = [line.left for line in lines if line.left > left + _MIDDLE[0] * (right - left)]
    if len(starts) < len(lines) / 4:
        return None
    gutter = median(starts) - 1
    crossing = sum(line.left < gutter < line.right for line in lines)
    before = sum(line.right <= gutter for line in lines)
    return gutter if crossing <= len(lines) / 5 and before >= len(lines) / 4 else None


def _by_columns(lines: Sequence[TextLine], gutter: float) -> list[TextLine]:
    """Orders from the top down: left column, right column, then the next line across both."""
    ordered: list[TextLine] = []
    sides: tuple[list[TextLine], list[TextLine]] = ([], [])
    for line in sorted(lines, key=lambda line: (-line.top, line.left)):
        if line.left < gutter < line.right:
            ordered += (*sides[0], *sides[1], line)
            sides = ([], [])
        else:
            sides[line.left >= gutter].append(line)
    return [*ordered, *sides[0], *sides[1]]
