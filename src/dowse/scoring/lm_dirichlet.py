"""LM-Dirichlet: how likely a chunk's language is to produce the query."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from msgspec import Struct

from dowse.kernels.layout import F64
from dowse.schema import Explanation, Field, Parameter
from dowse.scoring.model import (
    FLOOR,
    FieldMatch,
    FieldWeights,
    TermStatistics,
    explain_match,
    find_value,
    frequencies,
    usable_lengths,
)

MU = Parameter("mu", 2000.0, 1.0, 1_000_000.0, "how much the whole collection's language is mixed in")


class LMDirichlet(Struct, frozen=True):
    """Query likelihood with Dirichlet smoothing, Zhai and Lafferty 2004 (TOIS), in Lucene's form.

    Formula, for a term t in one field of a chunk::

        p     = (total_term_freq + 1) / (total_field_length + 1)
        score = boost * (ln(1 + term_freq / (mu * p)) + ln(mu / (length + mu)))

    Parameters: `mu` 2000, 1 to 1,000,000: how many words of the collection's language are mixed into each
    chunk; per field: boost.

    Where we differ: the paper's ``ln((term_freq + mu * p) / (length + mu))`` is negative; less ``ln p``,
    which is the same for every chunk, it is the sum above, where a chunk without the term gives only
    ``ln(mu / (length + mu))``. As in Lucene, that last share is left out for terms a chunk lacks, so that
    only postings are read, and what is still negative (a match a random chunk of that length would have
    too) is cut off: not at 0, which would be no match, but at 1e-12. The ones in p are Lucene's too.

    Guarantees: above zero; monotone in frequency; antitone in length and in total_term_freq; does not
    depend on doc_freq; the upper bound ``boost * ln(1 + 255 / (mu * p))`` is loose by the length's share.
    """

    name: ClassVar[str] = "lm-dirichlet"
    parameters: ClassVar[tuple[Parameter, ...]] = (MU,)
    needs: ClassVar[frozenset[str]] = frozenset({"total_term_freq", "total_field_length"})
    combines_fields: ClassVar[bool] = False
    needs_term_table: ClassVar[bool] = True
    fields: FieldWeights
    mu: float = MU.default

    def __post_init__(self) -> None:
        MU.check(self.mu)

    @property
    def saturation(self) -> float:
        """0: fields are not combined."""
        return 0.0

    def weight(self, statistics: TermStatistics) -> float:
        """Returns 1: all there is to know of the term is in its table."""
        return 1.0

    def field_table(self, field: Field, avg_field_length: float) -> F64:
        """Refuses: there is no table for all terms."""
        raise AssertionError(f"{self.name} has a table for each term; ask term_table")

    def term_table(
        self, field: Field, avg_field_length: float, statistics: TermStatistics, max_freq: int
    ) -> F64:
        """Returns ``boost * max(1e-12, gain + loss)``: a column of gains and a row of losses, added."""
        # All 256 gains, whatever max_freq is: vectorised logarithms may round differently at a row's end.
        gains = np.log1p(frequencies() / (self.mu * _probability(statistics)))[: max_freq + 1]
        losses = -np.log1p(usable_lengths() / self.mu)
        table: F64 = np.maximum(gains + losses[None, :], FLOOR)
        table[0] = 0.0
        table *= self.fields.boosts[field]
        return table

    def upper_bound(self, statistics: TermStatistics) -> float:
        """Returns the gain of the highest frequency, times the largest boost."""
        gain = float(np.log1p(frequencies()[-1, 0] / (self.mu * _probability(statistics))))
        return max(gain, FLOOR) * max(self.fields.boosts)

    def explain(
        self, term: str, statistics: TermStatistics, matches: Sequence[FieldMatch], query_weight: float
    ) -> Explanation:
        """Explains one term in one field; `matches` has exactly one entry."""
        (match,) = matches
        value = find_value(self, match, statistics)
        boost = self.fields.boosts[match.field]
        note = f", here the least it may be, {FLOOR:g}" if value <= boost * FLOOR else ""
        return Explanation(
            query_weight * self.weight(statistics) * value,
            f"“{term}” in {match.field.label} = query_weight * value",
            (
                Explanation(query_weight, "query_weight"),
                Explanation(
                    value,
                    f"value = boost * (ln(1 + term_freq / (mu * p)) + ln(mu / (length + mu))){note}",
                    (
                        Explanation(boost, "boost"),
                        Explanation(self.mu, "mu"),
                        _explain_probability(statistics),
                        *explain_match(match)[:2],
                    ),
                ),
            ),
        )


def _probability(statistics: TermStatistics) -> float:
    return (statistics.total_term_freq + 1.0) / (statistics.total_field_length + 1.0)


def _explain_probability(statistics: TermStatistics) -> Explanation:
    return Explanation(
        _probability(statistics),
        "p = (total_term_freq + 1) / (total_field_length + 1), how common the term is",
        (
            Explanation(float(statistics.total_term_freq), "total_term_freq, all its occurrences"),
            Explanation(float(statistics.total_field_length), "total_field_length, all words"),
        ),
    )
