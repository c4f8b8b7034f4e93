"""Matches words by where they stand: near each other, in order, at the beginning; nested as one likes.

A span expression says which places count; in each segment it becomes sets of spans, field by field (a span
never reaches from one field into another). What a match is worth is the worth of its words, divided by one
plus the number of other words between them: `Factored`.
"""

from collections.abc import Sequence
from functools import reduce
from typing import Protocol

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from dowse.kernels import first_spans, intersect, near_spans, union, union_spans
from dowse.kernels.layout import F64, U32
from dowse.matching.factored import Factored
from dowse.matching.fields import ALL_FIELDS, Fields
from dowse.matching.scored_term import NO_ROWS, ScoredTerm
from dowse.schema import FIELD_COUNT
from dowse.storage.segment_reader import SegmentReader
from dowse.storage.snapshot import Snapshot

SpanSet = tuple[U32, U32, U32]
I64 = npt.NDArray[np.int64]


class SpanExpression(Protocol):
    """Where something stands.

    Attributes:
        width: How many words it has at least; what is beyond them in a span is a gap.
    """

    @property
    def width(self) -> int:
        """The words it is made of."""

    def rows(self, reader: SegmentReader, field: int) -> U32:
        """Returns the rows in which it may stand, ascending: a superset that is cheap to find."""

    def spans(self, reader: SegmentReader, field: int, rows: U32) -> SpanSet:
        """Returns its spans in the given rows of a field."""


class SpanTerms(Struct, frozen=True):
    """Places of any of the terms: a word in its forms."""

    terms: tuple[bytes, ...]

    @property
    def width(self) -> int:
        """See `SpanExpression`."""
        return 1

    def _lists(self, reader: SegmentReader, field: int) -> list[int]:
        postings = reader.postings
        numbers = [number for number in postings.find_terms(self.terms) if number >= 0]
        return [index for n in numbers for index, own in postings.lists_of(n) if own == field]

    def rows(self, reader: SegmentReader, field: int) -> U32:
        """See `SpanExpression`."""
        found = [reader.postings.rows_of(index) for index in self._lists(reader, field)]
        return reduce(union, found) if found else NO_ROWS

    def spans(self, reader: SegmentReader, field: int, rows: U32) -> SpanSet:
        """See `SpanExpression`."""
        sets = []
        for index in self._lists(reader, field):
            offsets, positions = reader.postings.positions_in(index, rows)
            starts = positions.astype(np.uint32)
            sets.append((np.repeat(rows, np.diff(offsets)), starts, starts + np.uint32(1)))
        return union_spans(sets)


class SpanAny(Struct, frozen=True):
    """Places of any member."""

    members: tuple[SpanExpression, ...]

    @property
    def width(self) -> int:
        """See `SpanExpression`."""
        return min(member.width for member in self.members)

    def rows(self, reader: SegmentReader, field: int) -> U32:
        """See `SpanExpression`."""
        return reduce(union, [member.rows(reader, field) for member in self.members])

    def spans(self, reader: SegmentReader, field: int, rows: U32) -> SpanSet:
        """See `SpanExpression`."""
        return union_spans([member.spans(reader, field, rows) for member in self.members])


class SpanNear(Struct, frozen=True):
    """Places where all members stand with at most `gap` other words between them."""

    members: tuple[SpanExpression, ...]
    gap: int
    is_ordered: bool

    @property
    def width(self) -> int:
        """See `SpanExpression`."""
        return sum(member.width for member in self.members)

    def rows(self, reader: SegmentReader, field: int) -> U32:
        """See `SpanExpression`."""
        found = [member.rows(reader, field) for member in self.members]
        return reduce(intersect, sorted(found, key=len))

    def spans(self, reader: SegmentReader, field: int, rows: U32) -> SpanSet:
        """See `SpanExpression`."""
        own = intersect(rows, self.rows(reader, field))
        sets = [member.spans(reader, field, own) for member in self.members]
        return near_spans(sets, self.gap, self.is_ordered)


class SpanFirst(Struct, frozen=True):
    """Places of a member among the first words of a field."""

    member: SpanExpression
    count: int

    @property
    def width(self) -> int:
        """See `SpanExpression`."""
        return self.member.width

    def rows(self, reader: SegmentReader, field: int) -> U32:
        """See `SpanExpression`."""
        return self.member.rows(reader, field)

    def spans(self, reader: SegmentReader, field: int, rows: U32) -> SpanSet:
        """See `SpanExpression`."""
        return first_spans(self.member.spans(reader, field, rows), self.count)


def match_spans(
    snapshot: Snapshot,
    label: str,
    expression: SpanExpression,
    members: tuple[tuple[ScoredTerm | Factored, float], ...],
    fields: Fields = ALL_FIELDS,
) -> Factored:
    """Finds the rows in which an expression has a place, with 1 / (1 + gap) of its tightest one.

    Args:
        snapshot: What to search.
        label: What explanations call it.
        expression: Where what stands.
        members: The leaves of its words, which say what a match is worth.
        fields: Where to look.
    """
    rows, factors = [], []
    for segment in snapshot.segments:
        found, gaps = _tightest(segment.reader, expression, fields)
        rows.append(found)
        factors.append(1.0 / (1.0 + gaps))
    return Factored(label, "1 / (1 + words between)", rows, factors, members)


def _tightest(
    reader: SegmentReader, expression: SpanExpression, fields: Fields
) -> tuple[U32, F64]:
    """Returns the rows with a span in any field, and the fewest words between in each."""
    gaps = np.full(reader.row_count, -1, np.int64)
    for field in range(FIELD_COUNT):
        if field not in fields:
            continue
        rows = expression.rows(reader, field)
        if not len(rows):
            continue
        found, starts, ends = expression.spans(reader, field, rows)
        widths = ends.astype(np.int64) - starts.astype(np.int64) - expression.width
        _keep_smallest_into(gaps, found, np.maximum(widths, 0))
    rows = np.flatnonzero(gaps >= 0).astype(np.uint32)
    return rows, gaps[rows].astype(np.float64)


def _keep_smallest_into(gaps: I64, rows: U32, widths: I64) -> None:
    order = np.lexsort((widths, rows))
    rows, widths = rows[order], widths[order]
    is_first = np.ones(len(rows), bool)
    is_first[1:] = rows[1:] != rows[:-1]
    rows, widths = rows[is_first], widths[is_first]
    before = gaps[rows]
    gaps[rows] = np.where(before < 0, widths, np.minimum(before, widths))


def phrase_expression(words: Sequence[tuple[str, int]]) -> SpanExpression:
    """Returns the expression of a phrase without gaps between its words."""
    members = tuple(SpanTerms((term.encode("utf-8", "replace"),)) for term, _ in words)
    return members[0] if len(members) == 1 else SpanNear(members, 0, is_ordered=True)
