"""Matches only the best chunks of a part of a query."""

from collections.abc import Sequence

from msgspec import Struct

from dowse.kernels.layout import U32
from dowse.planning.bound import RankBest, Scored


class BestOf(Struct):
    """The best `keep` chunks by what they score; ranked when somebody asks for rows."""

    scored: Sequence[Scored]
    keep: int
    rank_best: RankBest
    _rows: Sequence[U32] = ()

    def rows_in(self, segment: int) -> U32:
        """See `Matcher`."""
        if not self._rows:
            self._rows = self.rank_best(self.scored, self.keep)
        return self._rows[segment]
