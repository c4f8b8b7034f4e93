"""Matchers made of matchers: all, any, all but; and everything."""

from collections.abc import Sequence
from functools import reduce

import numpy as np
from msgspec import Struct

from dowse.kernels import difference, intersect, union
from dowse.kernels.layout import U32
from dowse.matching.matcher import Matcher
from dowse.matching.scored_term import NO_ROWS
from dowse.storage.snapshot import LiveSegment

# From this many sets on, marking rows in one array beats merging them two by two.
_MANY = 4


class AllRows(Struct, frozen=True):
    """Every row there is."""

    segments: Sequence[LiveSegment]

    def rows_in(self, segment: int) -> U32:
        """See `Matcher`."""
        return np.arange(self.segments[segment].reader.row_count, dtype=np.uint32)


class AllOf(Struct, frozen=True):
    """Rows that every member matches; at least one member."""

    members: Sequence[Matcher]

    def rows_in(self, segment: int) -> U32:
        """See `Matcher`."""
        found = []
        for member in self.members:
            rows = member.rows_in(segment)
            if not len(rows):
                return NO_ROWS
            found.append(rows)
        # Shortest first: what is left only gets shorter.
        return reduce(intersect, sorted(found, key=len))


class AnyOf(Struct, frozen=True):
    """Rows that any member matches."""

    members: Sequence[Matcher]
    segments: Sequence[LiveSegment]

    def rows_in(self, segment: int) -> U32:
        """See `Matcher`."""
        found = [rows for member in self.members if len(rows := member.rows_in(segment))]
        if len(found) < _MANY:
            return reduce(union, found) if found else NO_ROWS
        marks = np.zeros(self.segments[segment].reader.row_count, np.uint8)
        for rows in found:
            marks[rows] = 1
        return np.flatnonzero(marks).astype(np.uint32)


class Without(Struct, frozen=True):
    """Rows of one matcher that another one does not match."""

    member: Matcher
    excluded: Matcher

    def rows_in(self, segment: int) -> U32:
        """See `Matcher`."""
        rows = self.member.rows_in(segment)
        return difference(rows, self.excluded.rows_in(segment)) if len(rows) else rows
