"""BM25: each field scored on its own."""

from collections.abc import Sequence
from typing import ClassVar

from msgspec import Struct

from dowse.kernels.layout import F64
from dowse.schema import Explanation, Field, Parameter
from dowse.scoring.idf import LUCENE_IDF, Idf
from dowse.scoring.model import (
    K1,
    FieldMatch,
    FieldWeights,
    TermStatistics,
    explain_match,
    find_value,
    frequencies,
    length_norms,
    saturated,
)


class BM25(Struct, frozen=True):
    """BM25, Robertson, Walker, Jones, Hancock-Beaulieu and Gatford 1994 (TREC-3), with Lucene's idf.

    Formula, for a term t in one field of a chunk::

        idf   = ln(1 + (doc_count - doc_freq + 0.5) / (doc_freq + 0.5))
        score = boost * idf * (k1 + 1) * term_freq
                / (term_freq + k1 * (1 - b + b * length / avg_length))

    Parameters: `k1` 1.2, 0 to 20: how slowly repeated matches saturate; per field: boost and b.

    Where we differ: idf is Lucene's non-negative form and counts the chunks that have the term in *this*
    field; a chunk's score is the sum over its fields, so a term in title and body counts twice, which is
    what BM25F mends. Lucene itself leaves out the factor k1 + 1 since version 8.

    Guarantees: above zero; monotone in frequency; antitone in length and in doc_freq; the upper bound is
    the supremum ``boost * idf * (k1 + 1)``, not reached.
    """

    name: ClassVar[str] = "bm25"
    parameters: ClassVar[tuple[Parameter, ...]] = (K1,)
    needs: ClassVar[frozenset[str]] = frozenset({"doc_freq", "doc_count", "avg_field_length"})
    combines_fields: ClassVar[bool] = False
    needs_term_table: ClassVar[bool] = False
    idf: ClassVar[Idf] = LUCENE_IDF
    value_formula: ClassVar[str] = "term_freq / (term_freq + k1 * (1 - b + b * length / avg_length))"
    fields: FieldWeights
    k1: float = K1.default

    def __post_init__(self) -> None:
        for parameter in self.parameters:
            parameter.check(getattr(self, parameter.name))

    @property
    def saturation(self) -> float:
        """0: fields are not combined."""
        return 0.0

    def weight(self, statistics: TermStatistics) -> float:
        """Returns ``idf * (k1 + 1)``; the boost is in the table."""
        return self.idf.value(statistics) * (self.k1 + 1.0)

    def field_table(self, field: Field, avg_field_length: float) -> F64:
        """Returns ``boost * value``."""
        return self.fields.boosts[field] * self._values(length_norms(self.fields.b[field], avg_field_length))

    def term_table(
        self, field: Field, avg_field_length: float, statistics: TermStatistics, max_freq: int
    ) -> F64:
        """Returns the field's table: it is the same for every term."""
        return self.field_table(field, avg_field_length)[: max_freq + 1]

    def upper_bound(self, statistics: TermStatistics) -> float:
        """Returns the weight times the largest boost times what values stay below."""
        return self.weight(statistics) * max(self.fields.boosts) * self._ceiling()

    def explain(
        self, term: str, statistics: TermStatistics, matches: Sequence[FieldMatch], query_weight: float
    ) -> Explanation:
        """Explains one term in one field; `matches` has exactly one entry."""
        (match,) = matches
        value = find_value(self, match, statistics)
        weight = query_weight * self.weight(statistics)
        return Explanation(
            weight * value,
            f"“{term}” in {match.field.label} = query_weight * idf * (k1 + 1) * value",
            (
                Explanation(query_weight, "query_weight"),
                self.idf.explain(statistics),
                Explanation(self.k1, "k1"),
                Explanation(value, f"value = boost * ({self.value_formula})", self._explain_value(match)),
            ),
        )

    def _explain_value(self, match: FieldMatch) -> tuple[Explanation, ...]:
        return (
            Explanation(self.fields.boosts[match.field], "boost"),
            Explanation(self.fields.b[match.field], "b"),
            *explain_match(match),
        )

    def _values(self, norms: F64) -> F64:
        """Returns the formula's values for each frequency and length, row 0 zero."""
        # A tiny k1 stands in for 0, where 0 / 0 would have no value.
        return saturated(frequencies(), max(self.k1, 1e-9) * norms[None, :])

    def _ceiling(self) -> float:
        """Returns what no value exceeds."""
        return 1.0
