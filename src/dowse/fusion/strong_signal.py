"""Linear fusion that leaves the vectors out when the words have a clear winner."""

import math
from collections.abc import Collection
from heapq import nlargest
from typing import ClassVar

from dowse.fusion.fusion import Fused, FusionDefaults, Legs
from dowse.fusion.linear import weights_of
from dowse.fusion.parameters import LEXICAL_WEIGHT, SEMANTIC_WEIGHT, WEIGHTS, check_parameters
from dowse.fusion.scaling import scale_min_max
from dowse.fusion.summing import sum_legs
from dowse.schema import Parameter

MIN_SHARE = Parameter("min_share", 0.85, 0.5, 1.0, "what the first must have of first plus second")
MIN_GAP = Parameter("min_gap", 0.15, 0.0, 1.0, "by how much of the first the second must be behind")


class StrongSignal(FusionDefaults, frozen=True):
    """Weighted sum of min-max scores, or the words alone when their first hit is far ahead (seed 004, qmd).

    The words alone decide when, for the first two scores of the lexical leg::

        first / (first + second) >= min_share   and   (first - second) / first >= min_gap

    Parameters: the weights of `Linear`; `min_share` 0.85, 0.5 to 1: at the default the first must have
    nearly six times the score of the second; `min_gap` 0.15, 0 to 1.

    Whoever brings the legs asks `needs_semantic` first, and then may not have to ask the semantic one.

    Where we differ: the gap is a share of the first score, for BM25 scores have no unit; a lone hit is a
    strong signal.

    Guarantees: 0 to the sum of the weights.
    """

    name: ClassVar[str] = "strong_signal"
    purpose: ClassVar[str] = "linear; the words alone when their first hit is far ahead"
    parameters: ClassVar[tuple[Parameter, ...]] = (*WEIGHTS, MIN_SHARE, MIN_GAP)
    lexical_weight: float = LEXICAL_WEIGHT.default
    semantic_weight: float = SEMANTIC_WEIGHT.default
    min_share: float = MIN_SHARE.default
    min_gap: float = MIN_GAP.default

    def __post_init__(self) -> None:
        check_parameters(self, self.parameters)

    def needs_semantic(self, lexical: Collection[float]) -> bool:
        """See `Fusion`: not when the best by words is far ahead of all others."""
        return not self._is_strong(lexical)

    def _is_strong(self, lexical: Collection[float]) -> bool:
        first, second = (*nlargest(2, lexical), 0.0, 0.0)[:2]
        if not (first > 0 and math.isfinite(first)):
            return False
        behind = max(second, 0.0) / first
        return 1.0 / (1.0 + behind) >= self.min_share and 1.0 - behind >= self.min_gap

    def fuse(self, legs: Legs) -> list[Fused]:
        """Returns the weighted sums, best first; those of the lexical leg alone on a strong signal."""
        weights = weights_of(self, legs)
        notes: dict[str, str] = {}
        if self._is_strong(legs.get("lexical").values()):
            notes = dict.fromkeys(weights, ", strong signal of the words")
            weights = {"lexical": 1.0}
        return sum_legs(legs, weights, scale_min_max, notes)
