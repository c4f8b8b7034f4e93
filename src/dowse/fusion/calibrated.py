"""Linear fusion on scales that do not depend on how many hits each leg brought."""

from collections.abc import Mapping
from functools import partial
from typing import ClassVar

from dowse.fusion.fusion import Fused, Legs, PartsOf, ScoreDistribution, TopHit
from dowse.fusion.linear import Linear, weights_of
from dowse.fusion.parameters import FEEDBACK, WEIGHTS
from dowse.fusion.scaling import Scaled, Scaling, scale_min_max, scale_share_of_best
from dowse.fusion.summing import add_legs, find_top_hit, order
from dowse.schema import Parameter

FULL_DEVIATIONS = 5.0
"""So many standard deviations above an average chunk count as much as the best by words."""


class Calibrated(Linear, frozen=True):
    """Weighted sum in which 0 means the same for every question.

    Formula::

        lexical = score / highest
        semantic = (score - mean) / (5 * standard deviation), of a sample of the whole collection

    Parameters: as of `Linear`; `feedback` 0.2, 0 to 1: how much of the first hit is added to the question, at
    least, when the meaning is asked again; at 0 it is not. Whoever brings the legs does that, and has them
    fused twice. Only here: on scales from a list's lowest to its highest all others would be alike when the
    first is far ahead.

    The lowest score of a list is only where the list was cut. Words have a zero of their own, no match; and
    meaning is measured against how near the collection is to the question in general, so that a question
    which nothing answers well does not make its best look like an answer. Bruch, Gai and Ingber 2023 (TOIS,
    "An analysis of fusion functions for hybrid retrieval") put a leg's theoretical lowest in the place of the
    observed one.

    Where we differ: their zero for cosines is -1, from which all texts are far away; ours is the average
    chunk. Their upper end is the best hit's score; ours is fixed.

    Guarantees: finite. The meaning of a chunk without a vector counts as that of an average chunk, or as the
    lowest of those that have one when that is less. A leg whose distribution is not known is scaled from
    its lowest to its highest.
    """

    name: ClassVar[str] = "calibrated"
    purpose: ClassVar[str] = "weighted sum: words against the best, meaning against the average chunk"
    parameters: ClassVar[tuple[Parameter, ...]] = (*WEIGHTS, FEEDBACK)
    feedback: float = FEEDBACK.default

    def fuse(self, legs: Legs) -> list[Fused]:
        """Returns the weighted sums, best first."""
        return order(legs, *self._add(legs))

    def find_top_hit(self, legs: Legs) -> TopHit | None:
        """See `Fusion`; in less time than `fuse` takes."""
        return find_top_hit(legs, self._add(legs)[0])

    def _add(self, legs: Legs) -> tuple[dict[int, float], PartsOf]:
        own: dict[str, Scaling] = {"lexical": scale_share_of_best}
        own |= {name: partial(_scale_deviations, known) for name, known in legs.distributions.items()}
        return add_legs(legs, weights_of(self, legs), scale_min_max, own_scales=own)


def _scale_deviations(distribution: ScoreDistribution, scores: Mapping[int, float]) -> Scaled:
    """Returns how far scores are above the average chunk.

    What is not in the leg counts as the average, or as the lowest when that is less: it may not come before
    what is.
    """
    full = FULL_DEVIATIONS * distribution.deviation
    mean = distribution.mean
    values = {key: (score - mean) / full for key, score in scores.items()}
    label = f"(score - average chunk's) / ({FULL_DEVIATIONS:g} * standard deviation)"
    inputs = (("average chunk's", mean), ("standard deviation", distribution.deviation))
    return Scaled(values, min(0.0, min(values.values())), label, inputs)
