"""A match that multiplies what its words are worth: how close they stand, how many of them are there."""

from collections.abc import Sequence
from typing import NamedTuple

from dowse.kernels.layout import F64, U32
from dowse.matching.scored_term import ScoredTerm


class Factored(NamedTuple):
    """Rows with a factor each.

    Attributes:
        label: What explanations call it.
        reason: What the factor is made of, for explanations.
        rows: Per segment, ascending.
        factors: Per segment, one above 0 for each row.
        members: What is scored: added up, then multiplied; each with its query weight. Without any,
            the factor itself is the score.
    """

    label: str
    reason: str
    rows: Sequence[U32]
    factors: Sequence[F64]
    members: "tuple[tuple[ScoredTerm | Factored, float], ...]"

    def rows_in(self, segment: int) -> U32:
        """See `Matcher`."""
        return self.rows[segment]
