"""Linear fusion whose weights follow how clearly each leg tells its hits apart."""

from collections.abc import Mapping
from heapq import nlargest
from typing import ClassVar

from dowse.fusion.fusion import Fused, FusionDefaults, Legs
from dowse.fusion.linear import weights_of
from dowse.fusion.parameters import LEXICAL_WEIGHT, SEMANTIC_WEIGHT, WEIGHTS, check_parameters
from dowse.fusion.scaling import scale_min_max
from dowse.fusion.summing import sum_legs
from dowse.schema import Parameter

THRESHOLD = Parameter("variance_threshold", 0.1, 0.0001, 1.0, "below it a leg counts less")
MIN_FACTOR = Parameter("min_weight_factor", 0.5, 0.0, 1.0, "what at least is left of a weight")
DEPTH = 10


class ScoreVariance(FusionDefaults, frozen=True):
    """Weighted sum of min-max scores in which a muddy leg counts less (seed 002, "score-aware fusion").

    Formula, for the variance of the first ten scaled scores of a leg::

        factor = max(min_weight_factor, min(1, variance / variance_threshold))
        weight = weight * factor, then all weights scaled so that they add up to what they did

    Parameters: the weights of `Linear`; `variance_threshold` 0.1, 0.0001 to 1;
    `min_weight_factor` 0.5, 0 to 1.

    Where we differ: the seed takes the variance of raw scores, whose units differ from leg to leg, so that
    cosines are always below a threshold that BM25 is always above. Scaled scores have one unit, and only
    the first ten are asked, because the tail of a long list is flat for every query.

    Guarantees: 0 to the sum of the weights. A leg alone keeps its full weight.
    """

    name: ClassVar[str] = "score_variance"
    purpose: ClassVar[str] = "linear; a leg whose best scores are all alike counts less"
    parameters: ClassVar[tuple[Parameter, ...]] = (*WEIGHTS, THRESHOLD, MIN_FACTOR)
    lexical_weight: float = LEXICAL_WEIGHT.default
    semantic_weight: float = SEMANTIC_WEIGHT.default
    variance_threshold: float = THRESHOLD.default
    min_weight_factor: float = MIN_FACTOR.default

    def __post_init__(self) -> None:
        check_parameters(self, self.parameters)

    def fuse(self, legs: Legs) -> list[Fused]:
        """Returns the weighted sums, best first."""
        base = weights_of(self, legs)
        factors = {name: self._factor(scores) for name, scores in legs.scores.items()}
        before = sum(base[name] for name in factors)
        after = sum(base[name] * factor for name, factor in factors.items())
        share = before / after if after > 0 else 0.0
        weights = {name: base[name] * factor * share for name, factor in factors.items()}
        notes = {name: f", by variance * {factor * share:.3g}" for name, factor in factors.items()}
        return sum_legs(legs, weights, scale_min_max, notes)

    def _factor(self, scores: Mapping[int, float]) -> float:
        values = nlargest(DEPTH, scale_min_max(scores).values.values())
        mean = sum(values) / len(values)
        variance = sum((value - mean) ** 2 for value in values) / len(values)
        return max(self.min_weight_factor, min(1.0, variance / self.variance_threshold))
