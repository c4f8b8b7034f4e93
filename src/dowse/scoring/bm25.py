"""BM25: each field scored on its own."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from dowse.explanation import Explanation
from dowse.kernels.layout import F64
from dowse.schema import Field
from dowse.scoring.model import (
    K1,
    FieldMatch,
    FieldWeights,
    Parameter,
    TermStatistics,
    explain_idf,
    frequencies,
    length_norms,
    lucene_idf,
)


@dataclass(frozen=True, slots=True)
class BM25:
    """BM25, Robertson, Walker, Jones, Hancock-Beaulieu and Gatford 1994 (TREC-3).

    Formula, for a term t in one field of a chunk::

        score = boost * idf * (k1 + 1) * term_freq
                / (term_freq + k1 * (1 - b + b * length / avg_length))

    Parameters: `k1` 1.2, 0 to 20: how slowly repeated matches saturate; per field: boost and b.

    Where we differ: idf is Lucene's non-negative form and counts the chunks that have the term in *this*
    field; a chunk's score is the sum over its fields, so a term in title and body counts twice, which is
    what BM25F mends.

    Guarantees: non-negative; monotone in frequency; antitone in length; the upper bound is the supremum
    ``boost * idf * (k1 + 1)``, not reached.
    """

    name: ClassVar[str] = "bm25"
    parameters: ClassVar[tuple[Parameter, ...]] = (K1,)
    combines_fields: ClassVar[bool] = False
    fields: FieldWeights
    k1: float = K1.default

    def __post_init__(self) -> None:
        K1.check(self.k1)

    @property
    def saturation(self) -> float:
        """0: fields are not combined."""
        return 0.0

    def weight(self, statistics: TermStatistics) -> float:
        """Returns ``idf * (k1 + 1)``; the boost is in the table."""
        return lucene_idf(statistics) * (self.k1 + 1.0)

    def field_table(self, field: Field, avg_field_length: float) -> F64:
        """Returns ``boost * term_freq / (term_freq + k1 * norm)``."""
        freqs = frequencies()
        norms = length_norms(self.fields.b[field], avg_field_length)
        # A tiny k1 stands in for 0, where 0 / 0 would have no value.
        k1 = max(self.k1, 1e-9)
        return self.fields.boosts[field] * (freqs / (freqs + k1 * norms[None, :] + 1e-12))

    def upper_bound(self, statistics: TermStatistics) -> float:
        """Returns the weight times the largest boost."""
        return self.weight(statistics) * max(self.fields.boosts)

    def explain(
        self, term: str, statistics: TermStatistics, matches: Sequence[FieldMatch], query_weight: float
    ) -> Explanation:
        """Explains one term in one field; `matches` has exactly one entry."""
        (match,) = matches
        table = self.field_table(match.field, match.avg_field_length)
        value = float(table[match.term_freq, match.bucket])
        weight = query_weight * self.weight(statistics)
        return Explanation(
            weight * value,
            f"“{term}” in {match.field.label} = query_weight * idf * (k1 + 1) * value",
            (
                Explanation(query_weight, "query_weight"),
                explain_idf(statistics),
                Explanation(self.k1, "k1"),
                Explanation(
                    value,
                    "value = boost * term_freq / (term_freq + k1 * (1 - b + b * length / avg_length))",
                    (
                        Explanation(self.fields.boosts[match.field], "boost"),
                        Explanation(float(match.term_freq), "term_freq"),
                        Explanation(self.fields.b[match.field], "b"),
                        Explanation(match.field_length, "length, as its bucket has it"),
                        Explanation(match.avg_field_length, "avg_length"),
                    ),
                ),
            ),
        )
