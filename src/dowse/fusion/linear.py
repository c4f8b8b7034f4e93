"""Linear fusion: a weighted sum of scaled scores."""

from typing import ClassVar

from dowse.fusion.fusion import Fused, FusionDefaults, Legs
from dowse.fusion.parameters import LEXICAL_WEIGHT, SEMANTIC_WEIGHT, WEIGHTS, check_parameters
from dowse.fusion.scaling import scale_min_max, scale_z_scores
from dowse.fusion.summing import sum_legs
from dowse.schema import Parameter


class Linear(FusionDefaults, frozen=True):
    """Weighted sum of min-max scores; Fox and Shaw 1994 (TREC-2), CombSUM on Lee's 1997 (SIGIR) scaling.

    Formula::

        score = sum over legs of weight * (score - lowest) / (highest - lowest)

    Parameters: `lexical_weight`, `semantic_weight`, 0 to 10. The defaults add up to 1, so that 1 is what a
    chunk scores that both legs put first.

    Where we differ: what a leg did not find counts 0, as its lowest does.

    Guarantees: 0 to the sum of the weights; rising in one leg, everything else as it is, a chunk does not
    fall behind any other.
    """

    name: ClassVar[str] = "linear"
    purpose: ClassVar[str] = "weighted sum of scores from 0, a leg's lowest, to 1, its highest"
    parameters: ClassVar[tuple[Parameter, ...]] = WEIGHTS
    takes_coverage_weights: ClassVar[bool] = True
    lexical_weight: float = LEXICAL_WEIGHT.default
    semantic_weight: float = SEMANTIC_WEIGHT.default

    def __post_init__(self) -> None:
        check_parameters(self, self.parameters)

    def fuse(self, legs: Legs) -> list[Fused]:
        """Returns the weighted sums, best first."""
        return sum_legs(legs, weights_of(self, legs), scale_min_max)


class LinearZ(Linear, frozen=True):
    """Weighted sum of z-scores; Montague and Aslam 2001 (CIKM), "ZMUV" scaling.

    Formula::

        score = sum over legs of weight * (score - mean) / standard deviation

    Parameters: as of `Linear`.

    Where we differ: what a leg did not find counts as its lowest instead of as its mean; the mean would put
    what was never found above half of what was.

    Guarantees: finite; may be below zero.
    """

    name: ClassVar[str] = "linear_z"
    purpose: ClassVar[str] = "weighted sum of standard deviations above each leg's mean"

    def fuse(self, legs: Legs) -> list[Fused]:
        """Returns the weighted sums, best first."""
        return sum_legs(legs, weights_of(self, legs), scale_z_scores)


def weights_of(fusion: object, legs: Legs) -> dict[str, float]:
    """Returns how much each leg counts: by the fusion's parameter for it, or 1 when it has none."""
    return {name: getattr(fusion, f"{name}_weight", 1.0) for name in legs.scores}
