"""The weighted sum that most fusions end in, and the order of what comes out."""

import math
from collections.abc import Mapping
from heapq import nlargest
from typing import NamedTuple

from dowse.fusion.fusion import Fused, Legs, Part, PartsOf, TopHit, leg_score
from dowse.fusion.scaling import Scaled, Scaling
from dowse.schema import Explanation

ABSENT = "what counts for chunks that the leg has not"


class _WeightedLeg(NamedTuple):
    """A leg as it is summed.

    Attributes:
        note: Why the weight is what it is, when there is a reason to give.
    """

    name: str
    scores: Mapping[int, float]
    scaled: Scaled
    weight: float
    note: str

    def add_into(self, totals: dict[int, float]) -> None:
        """Adds what the leg gives to each key."""
        weight = self.weight
        for key, value in self.scaled.values.items():
            totals[key] += weight * value
        absent = weight * self.scaled.absent
        if absent:
            for key in totals.keys() - self.scores.keys():
                totals[key] += absent

    def find_part(self, key: int) -> Part | None:
        """Returns what the leg gave to a key; None when it gave nothing."""
        weight, (values, absent, label, pairs) = self.weight, self.scaled
        first = Explanation(weight, f"weight{self.note}")
        rest = tuple(Explanation(number, name) for name, number in pairs)
        if key in values:
            inputs = (first, Explanation(values[key], "scaled"), leg_score(self.scores[key]), *rest)
            return Part(self.name, weight * values[key], f"weight * {label}", inputs)
        if not weight * absent:
            return None
        inputs = (first, Explanation(absent, ABSENT), *rest)
        return Part(self.name, weight * absent, f"weight * {ABSENT}", inputs)


def sum_legs(
    legs: Legs,
    weights: Mapping[str, float],
    scale: Scaling,
    notes: Mapping[str, str] | None = None,
    own_scales: Mapping[str, Scaling] | None = None,
) -> list[Fused]:
    """Returns the weighted sums of the scaled scores, best first; takes what `add_legs` takes."""
    return order(legs, *add_legs(legs, weights, scale, notes, own_scales))


def add_legs(
    legs: Legs,
    weights: Mapping[str, float],
    scale: Scaling,
    notes: Mapping[str, str] | None = None,
    own_scales: Mapping[str, Scaling] | None = None,
) -> tuple[dict[int, float], PartsOf]:
    """Returns the weighted sums of the scaled scores, by key in no order, and what each is made of.

    Args:
        weights: By leg; 0 when not given.
        scale: Puts a leg's scores on the common scale.
        notes: Why a leg's weight is what it is, when there is a reason to give.
        own_scales: By leg, what scales it instead.
    """
    totals = {key: 0.0 for scores in legs.scores.values() for key in scores}
    weighted = []
    for name, scores in legs.scores.items():
        scaled = (own_scales or {}).get(name, scale)(scores)
        leg = _WeightedLeg(name, scores, scaled, weights.get(name, 0.0), (notes or {}).get(name, ""))
        leg.add_into(totals)
        weighted.append(leg)

    def parts_of(key: int) -> tuple[Part, ...]:
        return tuple(part for leg in weighted if (part := leg.find_part(key)) is not None)

    return totals, parts_of


def find_top_hit(legs: Legs, totals: Mapping[int, float]) -> TopHit | None:
    """Returns which key `order` puts first, and by how much; None unless there are two."""
    if len(totals) < 2:
        return None
    first, second = nlargest(2, totals.values())
    alike = {key: total for key, total in totals.items() if total == first}
    return TopHit(_order_keys(legs, alike)[0], first - second)


def order(legs: Legs, totals: Mapping[int, float], parts_of: PartsOf) -> list[Fused]:
    """Returns keys by score, then by what each leg said of them, then by key.

    The legs decide ties because scaling may round two scores to one, and what is better in a leg must not
    come later for having a higher key.

    Args:
        totals: The score of each key: the values of its parts, added from left to right.
        parts_of: What each score was made of.
    """
    return [Fused(key, totals[key], parts_of) for key in _order_keys(legs, totals)]


def _order_keys(legs: Legs, totals: Mapping[int, float]) -> list[int]:
    # Each sort keeps the order of the one before where it finds equals: what decides least goes first.
    keys = sorted(totals)
    has_ties = len(set(totals.values())) < len(totals)
    for own in reversed(legs.scores.values()) if has_ties else ():
        scores = dict.fromkeys(totals, -math.inf) | dict(own)
        keys.sort(key=scores.__getitem__, reverse=True)
    keys.sort(key=totals.__getitem__, reverse=True)
    return keys
