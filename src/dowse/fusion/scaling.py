"""Puts scores of different units on one scale.

All scalings keep the order, also after rounding: subtraction and division by a positive number do.
"""

import math
from collections.abc import Callable, Mapping
from typing import NamedTuple


class Scaled(NamedTuple):
    """The scores of a leg on the common scale.

    Attributes:
        values: By key.
        absent: What a key that the leg does not have counts.
        label: What the scaling is called in explanations.
        inputs: What it depends on beside a score, for explanations: names and numbers.
    """

    values: dict[int, float]
    absent: float
    label: str
    inputs: tuple[tuple[str, float], ...] = ()


Scaling = Callable[[Mapping[int, float]], Scaled]
"""Puts a leg's scores on the common scale."""


def scale_min_max(scores: Mapping[int, float]) -> Scaled:
    """Returns scores from 0, the leg's lowest, to 1, its highest; what is not in the leg counts 0.

    A leg whose scores are all equal says that all of them match alike: each counts 1.
    """
    label = "(score - lowest) / (highest - lowest)"
    low, high = min(scores.values()), max(scores.values())
    inputs = (("lowest", low), ("highest", high))
    span = high - low
    if not span > 0:
        return Scaled(dict.fromkeys(scores, 1.0), 0.0, label, inputs)
    return Scaled({key: (score - low) / span for key, score in scores.items()}, 0.0, label, inputs)


def scale_share_of_best(scores: Mapping[int, float]) -> Scaled:
    """Returns scores as shares of the highest, for a leg whose 0 is no match; that is what others count.

    Scores below 0 say that the leg has no such zero: the lowest takes its place.
    """
    high = max(scores.values())
    if min(scores.values()) < 0:
        return scale_min_max(scores)
    values = {key: score / high for key, score in scores.items()} if high > 0 else dict.fromkeys(scores, 0.0)
    return Scaled(values, 0.0, "score / highest", (("highest", high),))


def scale_z_scores(scores: Mapping[int, float]) -> Scaled:
    """Returns by how many standard deviations scores are above the leg's mean.

    What is not in the leg counts as much as the lowest that is: how far below it lies is not known.
    """
    label = "(score - mean) / standard deviation"
    mean = math.fsum(scores.values()) / len(scores)
    # Differences first: squares of large scores would overflow what their differences would not.
    spread = max(abs(score - mean) for score in scores.values())
    if not spread > 0:
        return Scaled(dict.fromkeys(scores, 0.0), 0.0, label, (("mean", mean), ("standard deviation", 0.0)))
    variance = math.fsum(((score - mean) / spread) ** 2 for score in scores.values()) / len(scores)
    deviation = math.sqrt(variance) * spread
    values = {key: (score - mean) / deviation for key, score in scores.items()}
    inputs = (("mean", mean), ("standard deviation", deviation))
    return Scaled(values, min(values.values()), label, inputs)
