"""DFR: how far a term's frequency is from what chance would give."""

from collections.abc import Sequence
from typing import ClassVar

from msgspec import Struct

from dowse.kernels.layout import F64
from dowse.schema import Explanation, Field, Parameter
from dowse.scoring.dfr_parts import AfterEffect, BasicModel, Normalisation
from dowse.scoring.model import (
    FieldMatch,
    FieldWeights,
    TermStatistics,
    explain_match,
    find_value,
    frequencies,
    saturated,
)


class DFR(Struct, frozen=True):
    """Divergence from randomness, Amati and van Rijsbergen 2002 (TOIS): 4 x 2 x 4 models.

    Formula, for a term t in one field of a chunk, N = doc_count, n = doc_freq, F = total_term_freq,
    T = total_field_length::

        score = boost * effect * (intercept + slope * tfn) / (1 + tfn)

        basic model   g    slope log2((1 + m) / m), intercept log2(1 + m), m = (F + 1) / (N + F + 1)
                      in   slope log2((N + 1) / (n + 0.5))
                      ine  slope log2((N + 1) / (ne + 0.5)), ne = N * (1 - ((N - 1) / N) ** F)
                      if   slope log2(1 + (N + 1) / (F + 0.5))
        after-effect  l    effect 1 (Laplace)
                      b    effect (F + 2) / (n + 1) (Bernoulli)
        normalisation h1   tfn = term_freq * c * avg_length / length
                      h2   tfn = term_freq * log2(1 + c * avg_length / length)
                      h3   tfn = mu * (term_freq + mu * (F + 1) / (T + 1)) / (length + mu)
                      z    tfn = term_freq * (avg_length / length) ** z

    Parameters: `c` 1, 0.01 to 100 (h1, h2), `mu` 800, 1 to 1,000,000 (h3), `z` 0.3, 0 to 0.5 (z): how
    length counts; per field: boost. Plain “dfr” is in-l-h2.

    Where we differ: the ones that g, b and h3 add to F, n and T are Lucene's, as is m with N + F below
    it, where the paper has F / N: m stays below 1, and the score cannot fall with the frequency. H3 is He
    and Ounis 2005, z is Pareto and Zipf's law as in Amati 2003 (thesis).

    Guarantees: above zero; monotone in frequency; antitone in length, and in doc_freq while
    total_term_freq stays. More occurrences in as many chunks make a term worth less with l and h1, h2 or
    z (with g where tfn is above m); b means to reward them, and h3 counts them into tfn. The upper bound
    ``boost * effect * slope`` is the supremum, not reached.
    """

    combines_fields: ClassVar[bool] = False
    fields: FieldWeights
    basic: BasicModel
    after_effect: AfterEffect
    normalisation: Normalisation

    def __post_init__(self) -> None:
        self.normalisation.parameter.check(self.normalisation.value)

    @property
    def name(self) -> str:
        """What it is made of: "dfr-in-l-h2"."""
        return f"dfr-{self.basic.label}-{self.after_effect.label}-{self.normalisation.label}"

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The normalisation's."""
        return (self.normalisation.parameter,)

    @property
    def needs(self) -> frozenset[str]:
        """What its parts need."""
        return self.basic.needs | self.after_effect.needs | self.normalisation.needs

    @property
    def needs_term_table(self) -> bool:
        """Whether values differ by term: they do with g and with h3."""
        return self.basic.intercept is not None or self.normalisation.differs_by_term

    @property
    def saturation(self) -> float:
        """0: fields are not combined."""
        return 0.0

    def weight(self, statistics: TermStatistics) -> float:
        """Returns ``effect * slope``; the boost is in the table."""
        return self.after_effect.factor(statistics) * self.basic.slope(statistics)

    def field_table(self, field: Field, avg_field_length: float) -> F64:
        """Returns ``boost * tfn / (1 + tfn)``, which holds for every term except with g and h3."""
        assert not self.needs_term_table, f"{self.name} has a table for each term; ask term_table"
        tfn = self.normalisation.normalised(frequencies(), avg_field_length, None)
        return self.fields.boosts[field] * saturated(tfn, 1.0)

    def term_table(
        self, field: Field, avg_field_length: float, statistics: TermStatistics, max_freq: int
    ) -> F64:
        """Returns ``boost * (r + tfn) / (1 + tfn)``, r = intercept / slope."""
        tfn = self.normalisation.normalised(frequencies(max_freq), avg_field_length, statistics)
        if self.basic.intercept is None:
            return self.fields.boosts[field] * saturated(tfn, 1.0)
        ratio = self._ratio(statistics)
        # In this form rounding keeps the order of frequencies; the plain fraction may not.
        table: F64 = 1.0 - (1.0 - ratio) / (1.0 + tfn)
        table[0] = 0.0
        return self.fields.boosts[field] * table

    def upper_bound(self, statistics: TermStatistics) -> float:
        """Returns the weight times the largest boost."""
        return self.weight(statistics) * max(self.fields.boosts)

    def explain(
        self, term: str, statistics: TermStatistics, matches: Sequence[FieldMatch], query_weight: float
    ) -> Explanation:
        """Explains one term in one field; `matches` has exactly one entry."""
        (match,) = matches
        value = find_value(self, match, statistics)
        weight = query_weight * self.weight(statistics)
        return Explanation(
            weight * value,
            f"“{term}” in {match.field.label} = query_weight * effect * slope * value",
            (
                Explanation(query_weight, "query_weight"),
                Explanation(
                    self.after_effect.factor(statistics), f"effect = {self.after_effect.formula}"
                ),
                self._explain_slope(statistics),
                Explanation(
                    value, "value = boost * (r + tfn) / (1 + tfn)", self._explain_value(statistics, match)
                ),
            ),
        )

    def _ratio(self, statistics: TermStatistics) -> float:
        if self.basic.intercept is None:
            return 0.0
        return self.basic.intercept(statistics) / self.basic.slope(statistics)

    def _explain_slope(self, statistics: TermStatistics) -> Explanation:
        used = (name for name in statistics._fields if name in self.needs)
        return Explanation(
            self.basic.slope(statistics),
            f"slope = {self.basic.formula}",
            tuple(Explanation(float(getattr(statistics, name)), name) for name in used),
        )

    def _explain_value(self, statistics: TermStatistics, match: FieldMatch) -> tuple[Explanation, ...]:
        normalisation = self.normalisation
        freqs = frequencies(match.term_freq)
        tfn = normalisation.normalised(freqs, match.avg_field_length, statistics)
        return (
            Explanation(self.fields.boosts[match.field], "boost"),
            Explanation(self._ratio(statistics), "r = intercept / slope, 0 except with g"),
            Explanation(
                float(tfn[match.term_freq, match.bucket]),
                f"tfn = {normalisation.formula}",
                (
                    Explanation(normalisation.value, normalisation.parameter.name),
                    *explain_match(match),
                ),
            ),
        )
