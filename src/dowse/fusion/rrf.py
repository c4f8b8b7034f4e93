"""Reciprocal rank fusion."""

from collections.abc import Iterator, Mapping
from typing import ClassVar

from dowse.errors import InvalidParameterError
from dowse.fusion.fusion import Fused, FusionDefaults, Legs, Part
from dowse.fusion.linear import weights_of
from dowse.fusion.parameters import check_parameters
from dowse.fusion.summing import order
from dowse.schema import Explanation, Parameter

K = Parameter("k", 60.0, 0.0, 10_000.0, "how little the first ranks stand out")
# Rank fusion has its own defaults for weights, as its source and all seeds have: 1 and 1.
RRF_WEIGHTS = (
    Parameter("lexical_weight", 1.0, 0.0, 10.0, "how much the words count"),
    Parameter("semantic_weight", 1.0, 0.0, 10.0, "how much the meaning counts"),
)
TOP_BONUS = Parameter("top_bonus", 0.05, 0.0, 1.0, "added to what is first in any leg")
NEAR_TOP_BONUS = Parameter("near_top_bonus", 0.02, 0.0, 1.0, "added to what is second or third")
NEAR_TOP = 3
LABELS = ("weight", "k", "rank")


class RRF(FusionDefaults, frozen=True):
    """Reciprocal rank fusion, Cormack, Clarke and Büttcher 2009 (SIGIR).

    Formula, with ranks from 1::

        score = sum over legs of weight / (k + rank), plus a bonus for the best of its ranks

    Parameters: `k` 60, 0 to 10,000; `lexical_weight` and `semantic_weight` 1, 0 to 10; `top_bonus` 0.05 for
    rank 1 and `near_top_bonus` 0.02 for ranks 2 and 3 in any leg, 0 to 1, once a chunk.

    Where we differ: equal scores share the best of their ranks, so that the order of the input decides
    nothing; the weights and the bonus are of the seeds, not of the paper.

    Guarantees: above zero; knows ranks only, so that a weak leg counts as much as a strong one.
    """

    name: ClassVar[str] = "rrf"
    purpose: ClassVar[str] = "sum of 1 / (k + rank): ranks only, no scores"
    parameters: ClassVar[tuple[Parameter, ...]] = (K, *RRF_WEIGHTS, TOP_BONUS, NEAR_TOP_BONUS)
    k: float = K.default
    lexical_weight: float = RRF_WEIGHTS[0].default
    semantic_weight: float = RRF_WEIGHTS[1].default
    top_bonus: float = TOP_BONUS.default
    near_top_bonus: float = NEAR_TOP_BONUS.default

    def __post_init__(self) -> None:
        check_parameters(self, self.parameters)
        if self.near_top_bonus > self.top_bonus:
            legal = f"legal values are 0 to the top_bonus, {self.top_bonus:g}; set both"
            raise InvalidParameterError(name=NEAR_TOP_BONUS.name, value=self.near_top_bonus, legal=legal)

    def fuse(self, legs: Legs) -> list[Fused]:
        """Returns the sums, best first."""
        weights = weights_of(self, legs)
        totals = {key: 0.0 for scores in legs.scores.values() for key in scores}
        best: dict[int, int] = {}
        for name, ranks in legs.ranks.items():
            weight = weights[name]
            for key, rank in ranks.items():
                totals[key] += weight / (self.k + rank)
                if weight:
                    best[key] = min(rank, best.get(key, rank))
        for key, rank in best.items():
            totals[key] += self._bonus(rank)
        return order(legs, totals, lambda key: tuple(self._iter_parts(legs, weights, best, key)))

    def _iter_parts(
        self, legs: Legs, weights: Mapping[str, float], best: Mapping[int, int], key: int
    ) -> Iterator[Part]:
        for name, ranks in legs.ranks.items():
            if key in ranks:
                weight, rank = weights[name], ranks[key]
                inputs = map(Explanation, (weight, self.k, float(rank)), LABELS)
                yield Part(name, weight / (self.k + rank), "weight / (k + rank)", tuple(inputs))
        bonus = self._bonus(best[key]) if key in best else 0.0
        if bonus:
            yield Part("top rank", bonus, "bonus", (Explanation(float(best[key]), "best rank"),))

    def _bonus(self, rank: int) -> float:
        if rank == 1:
            return self.top_bonus
        return self.near_top_bonus if rank <= NEAR_TOP else 0.0
