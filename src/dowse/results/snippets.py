"""Cuts the densest part out of a chunk.

A window slides over the matches; its worth is the number of different terms in it, then the number of
matches. Ties go to the earlier window.
"""

import re
from collections import Counter
from collections.abc import Collection

from dowse.analysis import Analyzer

SNIPPET_CHARS = 240
_SPACE = re.compile(r"\s+")

Ranges = list[tuple[int, int]]


def cut_snippet(
    text: str, terms: Collection[str], analyzer: Analyzer, max_chars: int = SNIPPET_CHARS
) -> tuple[str, tuple[tuple[int, int], ...], int]:
    """Cuts a snippet.

    Args:
        text: The chunk.
        terms: What to look for, as analysed.
        analyzer: The one the chunk was indexed with.
        max_chars: Longest snippet, the marks of omission not counted.

    Returns:
        The snippet with white space folded and … where something was left out; the character ranges that
        matched, ascending and disjoint; and how many lines of the chunk lie before the first of them.
    """
    matches = _matches(text, terms, analyzer)
    start, stop = _widen(text, *_densest(matches, max_chars), max_chars)
    inside = [(a, b) for a, b, _ in matches if start <= a and b <= stop]
    snippet, highlights = _fold(text, start, stop, _join(inside))
    lines_before = text.count("\n", 0, inside[0][0] if inside else start)
    return snippet, tuple(highlights), lines_before


def _matches(text: str, terms: Collection[str], analyzer: Analyzer) -> list[tuple[int, int, str]]:
    spans = analyzer.spans(text)
    return [
        (start, end, term)
        for term, start, end in zip(spans.terms, spans.starts, spans.ends, strict=True)
        if term in terms
    ]


def _densest(matches: list[tuple[int, int, str]], max_chars: int) -> tuple[int, int]:
    """Returns the range from the first to the last match of the best window."""
    best, best_range, left = (0, 0), (0, 0), 0
    counts: Counter[str] = Counter()
    for right, (_, end, term) in enumerate(matches):
        counts[term] += 1
        while end - matches[left][0] > max_chars and left < right:
            counts[matches[left][2]] -= 1
            left += 1
        worth = (sum(count > 0 for count in counts.values()), right - left + 1)
        if worth > best:
            best, best_range = worth, (matches[left][0], end)
    return best_range


def _widen(text: str, first: int, last: int, max_chars: int) -> tuple[int, int]:
    """Spreads a range to the full length, a third of the room before it, ending at spaces."""
    room = max(0, max_chars - (last - first))
    start = max(0, first - room // 3)
    stop = min(len(text), start + max(max_chars, last - first))
    start = max(0, min(start, stop - max_chars)) if stop == len(text) else start
    if start > 0:
        space = _SPACE.search(text, start, first)
        start = space.end() if space else start
    if stop < len(text):
        cut = max(text.rfind(" ", last, stop), text.rfind("\n", last, stop))
        stop = cut if cut >= max(last, 1) else stop
    return start, stop


def _join(ranges: Ranges) -> Ranges:
    joined: Ranges = []
    for start, end in sorted(ranges):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _fold(text: str, start: int, stop: int, ranges: Ranges) -> tuple[str, Ranges]:
    """Folds white space in ``text[start:stop]`` and moves the ranges along."""
    pieces = ["… "] if start > 0 and text[:start].strip() else []
    length = len(pieces[0]) if pieces else 0
    moved: Ranges = []
    at = start
    for begin, end in [*ranges, (stop, stop)]:
        for piece, is_match in ((text[at:begin], False), (text[begin:end], True)):
            folded = _SPACE.sub(" ", piece)
            if length == (2 if pieces[:1] == ["… "] else 0):
                folded = folded.lstrip()
            if is_match and folded:
                moved.append((length, length + len(folded)))
            pieces.append(folded)
            length += len(folded)
        at = end
    folded_text = "".join(pieces).rstrip()
    if stop < len(text) and text[stop:].strip():
        folded_text += " …"
    return folded_text, moved
