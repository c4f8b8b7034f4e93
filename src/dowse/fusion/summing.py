"""The weighted sum that most fusions end in, and the order of what comes out."""

import math
from collections.abc import Callable, Iterable, Mapping

from dowse.fusion.fusion import LEG_NAMES, Fused, Legs, Part
from dowse.fusion.scaling import Scaled

ABSENT = "what counts for chunks that the leg has not"
Scaling = Callable[[Mapping[int, float]], Scaled]


def sum_legs(
    legs: Legs,
    weights: Mapping[str, float],
    scale: Scaling,
    notes: Mapping[str, str] | None = None,
    own_scales: Mapping[str, Scaling] | None = None,
) -> list[Fused]:
    """Returns the weighted sums of the scaled scores, best first.

    Args:
        weights: By leg; 0 when not given.
        scale: Puts a leg's scores on the common scale.
        notes: Why a leg's weight is what it is, when there is a reason to give.
        own_scales: By leg, what scales it instead.
    """
    fused: dict[int, list[Part]] = {key: [] for scores in legs.scores.values() for key in scores}
    for name, scores in legs.scores.items():
        scaled, weight = (own_scales or {}).get(name, scale)(scores), weights.get(name, 0.0)
        formula = f"weight * {scaled.label}"
        names = tuple(label for label, _ in scaled.inputs)
        inputs = tuple(number for _, number in scaled.inputs)
        first = f"weight{(notes or {}).get(name, '')}"
        labels = (first, "scaled", "score", *names)
        for key, value in scaled.values.items():
            numbers = (weight, value, scores[key], *inputs)
            fused[key].append(Part(name, weight * value, formula, labels, numbers))
        if weight * scaled.absent:
            not_found = f"weight * {ABSENT}"
            labels, numbers = (first, ABSENT, *names), (weight, scaled.absent, *inputs)
            missing = Part(name, weight * scaled.absent, not_found, labels, numbers)
            for key in fused.keys() - scores.keys():
                fused[key].append(missing)
    return order(legs, map(make_fused, fused, fused.values()))


def make_fused(key: int, parts: list[Part]) -> Fused:
    """Returns a key with the sum of its parts, added from left to right."""
    score = 0.0
    for part in parts:
        score += part.value
    return Fused(key, score, tuple(parts))


def order(legs: Legs, fused: Iterable[Fused]) -> list[Fused]:
    """Returns them by score, then by what each leg said of them, then by key.

    The legs decide ties because scaling may round two scores to one, and what is better in a leg must not
    come later for having a higher key.
    """
    words, meaning, links = (legs.scores.get(name, {}).get for name in LEG_NAMES)
    none = -math.inf
    places = [
        # The key before the item: two items are never compared.
        (-item[1], -words(item[0], none), -meaning(item[0], none), -links(item[0], none), item[0], item)
        for item in fused
    ]
    places.sort()
    return [place[-1] for place in places]
