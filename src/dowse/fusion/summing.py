"""The weighted sum that most fusions end in, and the order of what comes out."""

import math
from collections.abc import Callable, Mapping

from dowse.fusion.fusion import LEG_NAMES, Fused, Legs, Part
from dowse.fusion.scaling import Scaled

Scaling = Callable[[Mapping[int, float]], Scaled]


def sum_legs(
    legs: Legs, weights: Mapping[str, float], scale: Scaling, notes: Mapping[str, str] | None = None
) -> list[Fused]:
    """Returns the weighted sums of the scaled scores, best first.

    Args:
        weights: By leg; 0 when not given.
        scale: Puts a leg's scores on the common scale.
        notes: Why a leg's weight is what it is, when there is a reason to give.
    """
    fused: dict[int, list[Part]] = {key: [] for scores in legs.scores.values() for key in scores}
    for name, scores in legs.scores.items():
        scaled, weight = scale(scores), weights.get(name, 0.0)
        formula = f"weight * {scaled.label}"
        weight_name = f"weight{(notes or {}).get(name, '')}"
        absent = weight * scaled.absent
        for key, parts in fused.items():
            value = scaled.values.get(key)
            if value is not None:
                inputs = ((weight_name, weight), ("scaled", value), ("score", scores[key]))
                parts.append(Part(name, weight * value, formula, inputs))
            elif absent:
                missing = (weight_name, weight), ("scaled, as the lowest of the leg", scaled.absent)
                parts.append(Part(name, absent, "weight * scaled; not in this leg", missing))
    return order(legs, [make_fused(key, parts) for key, parts in fused.items()])


def make_fused(key: int, parts: list[Part]) -> Fused:
    """Returns a key with the sum of its parts, added from left to right."""
    score = 0.0
    for part in parts:
        score += part.value
    return Fused(key, score, tuple(parts))


def order(legs: Legs, fused: list[Fused]) -> list[Fused]:
    """Returns them by score, then by what each leg said of them, then by key.

    The legs decide ties because scaling may round two scores to one, and what is better in a leg must not
    come later for having a higher key.
    """
    scores = [legs.scores.get(name, {}) for name in LEG_NAMES]

    def place(item: Fused) -> tuple[float, ...]:
        return (-item.score, *(-leg.get(item.key, -math.inf) for leg in scores), item.key)

    return sorted(fused, key=place)
