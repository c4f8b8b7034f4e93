"""BM25F: fields are weighted before saturation."""

from collections.abc import Sequence
from typing import ClassVar

from msgspec import Struct

from dowse.kernels.layout import F64
from dowse.schema import Explanation, Field, Parameter
from dowse.scoring.idf import LUCENE_IDF
from dowse.scoring.model import (
    K1,
    FieldMatch,
    FieldWeights,
    TermStatistics,
    explain_match,
    find_value,
    frequencies,
    length_norms,
)


class BM25F(Struct, frozen=True):
    """BM25F, Robertson, Zaragoza and Taylor 2004 (CIKM), in the form of Robertson and Zaragoza 2009.

    Formula, for a term t in a chunk::

        s     = sum over fields f of  boost_f * term_freq_f / (1 - b_f + b_f * length_f / avg_length_f)
        score = idf * (k1 + 1) * s / (s + k1)

    Parameters: `k1` 1.2, 0 to 20: how slowly repeated matches saturate. Per field: boost, how much a match
    counts; b, how much length counts.

    Where we differ: idf is Lucene's non-negative form; `avg_length_f` is the mean over chunks in which the
    field is not empty, because most chunks have no tags or code and their zeros would say nothing about
    how long tags usually are; lengths come in 256 buckets and frequencies saturate at 255.

    Guarantees: above zero; monotone in every frequency; antitone in every length and in doc_freq; the
    upper bound is the supremum ``idf * (k1 + 1)``, not reached.
    """

    name: ClassVar[str] = "bm25f"
    parameters: ClassVar[tuple[Parameter, ...]] = (K1,)
    needs: ClassVar[frozenset[str]] = frozenset({"doc_freq", "doc_count", "avg_field_length"})
    combines_fields: ClassVar[bool] = True
    needs_term_table: ClassVar[bool] = False
    fields: FieldWeights
    k1: float = K1.default

    def __post_init__(self) -> None:
        K1.check(self.k1)

    @property
    def saturation(self) -> float:
        """k1; a tiny stand-in for 0, where a single match already counts fully."""
        return max(self.k1, 1e-9)

    def weight(self, statistics: TermStatistics) -> float:
        """Returns ``idf * (k1 + 1)``."""
        return LUCENE_IDF.value(statistics) * (self.k1 + 1.0)

    def field_table(self, field: Field, avg_field_length: float) -> F64:
        """Returns ``boost * term_freq / norm``: the field's share of s."""
        norms = length_norms(self.fields.b[field], avg_field_length)
        return self.fields.boosts[field] * frequencies() / norms[None, :]

    def term_table(
        self, field: Field, avg_field_length: float, statistics: TermStatistics, max_freq: int
    ) -> F64:
        """Returns the field's table: it is the same for every term."""
        return self.field_table(field, avg_field_length)[: max_freq + 1]

    def upper_bound(self, statistics: TermStatistics) -> float:
        """Returns the weight: the saturated sum stays below 1."""
        return self.weight(statistics)

    def explain(
        self, term: str, statistics: TermStatistics, matches: Sequence[FieldMatch], query_weight: float
    ) -> Explanation:
        """Explains one term in one chunk, with the operations of the kernel in their order."""
        total, parts = 0.0, []
        for match in matches:
            value = find_value(self, match, statistics)
            total += value
            parts.append(_explain_field(self, match, value))
        weight = query_weight * self.weight(statistics)
        saturated = total / (total + self.saturation)
        return Explanation(
            weight * saturated,
            f"“{term}” = query_weight * idf * (k1 + 1) * s / (s + k1)",
            (
                Explanation(query_weight, "query_weight"),
                LUCENE_IDF.explain(statistics),
                Explanation(self.k1, "k1"),
                Explanation(total, "s, the sum over fields", tuple(parts)),
            ),
        )


def _explain_field(model: BM25F, match: FieldMatch, value: float) -> Explanation:
    return Explanation(
        value,
        f"{match.field.label}: boost * term_freq / (1 - b + b * length / avg_length)",
        (
            Explanation(model.fields.boosts[match.field], "boost"),
            Explanation(model.fields.b[match.field], "b"),
            *explain_match(match),
        ),
    )
