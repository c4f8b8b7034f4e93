"""Matches what several matchers agree on: at least some of them."""

from collections.abc import Sequence

from msgspec import Struct

from dowse.kernels.layout import U32
from dowse.matching.clauses import lists_in
from dowse.matching.matcher import Matcher
from dowse.storage.snapshot import LiveSegment


class AtLeast(Struct, frozen=True):
    """Rows that at least `needed` members match, 1 or more."""

    members: Sequence[Matcher]
    needed: int
    segments: Sequence[LiveSegment]

    def rows_in(self, segment: int) -> U32:
        """See `Matcher`."""
        return self.counts_in(segment)[0]

    def counts_in(self, segment: int) -> tuple[U32, U32]:
        """Returns the rows of a segment, ascending, and how many members match each."""
        clauses = [lists_in(member, segment) for member in self.members]
        postings = self.segments[segment].reader.postings
        return postings.count_clauses(clauses, self.needed)
