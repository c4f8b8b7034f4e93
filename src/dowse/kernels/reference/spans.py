"""Spans: stretches of positions in one field of one segment, and which of them stand near each other.

A span set is three parallel arrays ``(rows, starts, ends)``, ascending by row, start, end and without
duplicates; ends are exclusive. A word is a span of length 1.
"""

from bisect import bisect_right
from collections.abc import Sequence

import numpy as np

from dowse.kernels.layout import MAX_UNORDERED, U32

SpanSet = tuple[U32, U32, U32]
# A span of one row as start, end and the number of its set; an answer as row, start, end.
Member = tuple[int, int, int]
Answer = tuple[int, int, int]


def near_spans(sets: Sequence[SpanSet], gap: int, is_ordered: bool) -> SpanSet:
    """Returns the smallest spans that hold one span of every set, close together.

    An *answer* reaches from the first start to the last end of a choice of one span from each set, in which
    no two overlap and the positions that lie between them, covered by none, number at most `gap`. Ordered:
    the chosen spans stand in the order of the sets. Only minimal answers count: those that have no
    other answer inside. The same set twice asks for two different places.

    Args:
        sets: 1 to 10 of them, any number when ordered.
        gap: From 0.
        is_ordered: Whether order counts.

    Returns:
        A span set. For each start the work is linear in the spans that follow until the answer ends, times
        ``2 ** len(sets)``, or ``len(sets)`` when ordered.
    """
    _check(sets, gap, is_ordered)
    common = set.intersection(*(set(rows.tolist()) for rows, _, _ in sets))
    answers: list[Answer] = []
    for row in sorted(common):
        members = [
            (start, end, number)
            for number, (rows, starts, ends) in enumerate(sets)
            for start, end in zip(starts[rows == row].tolist(), ends[rows == row].tolist(), strict=True)
            if start < end
        ]
        answers.extend((row, start, end) for start, end in _row_answers(members, len(sets), gap, is_ordered))
    return _span_set(answers)


def _check(sets: Sequence[SpanSet], gap: int, is_ordered: bool) -> None:
    if not sets or gap < 0 or (not is_ordered and len(sets) > MAX_UNORDERED):
        raise ValueError(f"cannot bring {len(sets)} sets of spans together, {gap} apart")


def _row_answers(
    members: list[Member], count: int, gap: int, is_ordered: bool
) -> list[tuple[int, int]]:
    """Returns the minimal answers of one row, ascending.

    For each start the answer that ends first is the only one that can be minimal; it is, unless an answer
    that starts later ends no later.
    """
    by_end = sorted(members, key=lambda member: (member[1], member[0], member[2]))
    answers: list[tuple[int, int]] = []
    for start in sorted({start for start, _, _ in members}, reverse=True):
        before = answers[-1][1] if answers else None
        end = _first_end([m for m in by_end if m[0] >= start], start, count, gap, is_ordered)
        if end is not None and (before is None or end < before):
            answers.append((start, end))
    return answers[::-1]


def _first_end(
    members: list[Member], start: int, count: int, gap: int, is_ordered: bool
) -> int | None:
    """Returns the smallest end of an answer that starts exactly at `start`.

    Reads the spans by their ends. For every set of sets (bits of a number) that spans so far can cover one
    after the other, from `start` on, it keeps the greatest number of positions covered; `tables` holds
    these numbers as of each end, because a span can only follow those that end where it starts or earlier.
    """
    everything = (1 << count) - 1
    ends, tables = [start], [{0: 0}]
    for own_start, own_end, number in members:
        before = tables[bisect_right(ends, own_start) - 1]
        after = dict(tables[-1])
        for covered, length in before.items():
            # Nothing covered is where an answer begins, and that is at `start`.
            if covered >> number & 1 or (not covered and own_start != start):
                continue
            if is_ordered and covered != (1 << number) - 1:
                continue
            together = length + own_end - own_start
            after[covered | 1 << number] = max(together, after.get(covered | 1 << number, 0))
            if covered | 1 << number == everything and own_end - start - together <= gap:
                return own_end
        if ends[-1] == own_end:
            tables[-1] = after
        else:
            ends.append(own_end)
            tables.append(after)
    return None


def first_spans(spans: SpanSet, count: int) -> SpanSet:
    """Returns the spans that end within the first `count` positions of the field."""
    kept = spans[2] <= count
    return spans[0][kept], spans[1][kept], spans[2][kept]


def union_spans(sets: Sequence[SpanSet]) -> SpanSet:
    """Returns the spans of all sets, each once."""
    members = {member for rows, starts, ends in sets
               for member in zip(rows.tolist(), starts.tolist(), ends.tolist(), strict=True)}  # fmt: skip
    return _span_set(sorted(members))


def _span_set(members: Sequence[tuple[int, int, int]]) -> SpanSet:
    columns = np.array(members, np.uint32).reshape(-1, 3)
    rows, starts, ends = (np.ascontiguousarray(columns[:, number]) for number in range(3))
    return rows, starts, ends
