"""From pieces to windows: as many as fit, cut at a good place, with some overlap."""

from collections.abc import Iterator, Sequence

from dowse.ingest.chunking.pieces import MAX_PIECE_BYTES, Piece

_FULL_ENOUGH = 0.6
"""A window may end early, at a stronger break, once this part of it is full."""


def pack(
    pieces: Sequence[Piece], max_words: int, overlap_words: int, *, seeks_breaks: bool
) -> Iterator[tuple[int, int]]:
    """Joins pieces into windows.

    Args:
        pieces: In order, none longer than a window may be. max_words: Longest window.
            overlap_words: How much of a window's end is repeated, in whole pieces; never more than
            half of it.
        seeks_breaks: Whether a window ends at the strongest break near its end rather than where it
            is full.

    Yields:
        Byte ranges; each begins and ends later than the one before.
    """
    first = 0
    while first < len(pieces):
        after = _fill(pieces, first, max_words)
        if after < len(pieces) and seeks_breaks:
            after = _best_end(pieces, first, after, max_words)
        yield pieces[first].start, pieces[after - 1].end
        if after == len(pieces):
            return
        first = _overlap_start(pieces, first, after, overlap_words)


def _fill(pieces: Sequence[Piece], first: int, max_words: int) -> int:
    """Returns the index after the last piece that fits in a window from `first`."""
    after, words = first, 0
    while after < len(pieces):
        words += pieces[after].words
        size = pieces[after].end - pieces[first].start
        if after > first and (words > max_words or size > MAX_PIECE_BYTES):
            break
        after += 1
    return after


def _best_end(pieces: Sequence[Piece], first: int, after: int, max_words: int) -> int:
    words = sum(piece.words for piece in pieces[first:after])
    best = after
    candidate = after - 1
    while candidate > first:
        words -= pieces[candidate].words
        if words < _FULL_ENOUGH * max_words:
            break
        if pieces[candidate - 1].after > pieces[best - 1].after:
            best = candidate
        candidate -= 1
    return best


def _overlap_start(pieces: Sequence[Piece], first: int, after: int, overlap_words: int) -> int:
    """Goes back from the end of a window over at most `overlap_words` and half of its bytes."""
    end = pieces[after - 1].end
    half = (end - pieces[first].start) // 2
    start, words = after, 0
    while start - 1 > first:
        words += pieces[start - 1].words
        if words > overlap_words or end - pieces[start - 1].start > half:
            break
        start -= 1
    return start
