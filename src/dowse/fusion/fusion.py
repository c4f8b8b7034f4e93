"""The protocol every fusion follows, what it is given and what it makes of it."""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from operator import itemgetter
from typing import ClassVar, NamedTuple, Protocol

from msgspec import Struct

from dowse.errors import InvalidParameterError
from dowse.explanation import Explanation
from dowse.fusion.parameters import FusionParameter

RankedList = Sequence[tuple[int, float]]
"""Keys with their scores: best first by custom, in any order by right."""

LEG_NAMES = ("lexical", "semantic")
# Far above any score that means something; differences of what is below stay finite.
LARGEST_SCORE = 1e100
SMALLEST_DEVIATION = 1e-6


class Spread(NamedTuple):
    """The scores of a leg over the whole collection, found or not: their mean and standard deviation."""

    mean: float
    deviation: float


class Legs(Struct, frozen=True, dict=True):
    """What is fused: the best of each leg, and the query they answer. Any leg may be empty.

    Attributes:
        lexical: By words.
        semantic: By vectors.
        query: As typed; only fusions that look at the question need it.
        spread: Of the semantic leg; None when it is not known.
    """

    lexical: RankedList = ()
    semantic: RankedList = ()
    query: str = ""
    spread: Spread | None = None

    def __post_init__(self) -> None:
        for name, scores in self.scores.items():
            _check_leg(name, scores, len(getattr(self, name)))
        if self.spread is not None and not _is_spread(self.spread):
            legal = f"a finite mean and a deviation of {SMALLEST_DEVIATION:g} or more"
            raise InvalidParameterError(name="the semantic leg's spread", value=self.spread, legal=legal)

    @cached_property
    def scores(self) -> dict[str, dict[int, float]]:
        """The scores of each leg that is not empty, by name and key, in no order."""
        return {name: dict(leg) for name in LEG_NAMES if (leg := getattr(self, name))}

    @cached_property
    def ranks(self) -> dict[str, dict[int, int]]:
        """The ranks of each leg that is not empty, from 1; equal scores share the best of their ranks."""
        found: dict[str, dict[int, int]] = {}
        for name, scores in self.scores.items():
            ranks: dict[int, int] = {}
            rank, before = 1, math.inf
            best_first = sorted(scores.items(), key=itemgetter(1), reverse=True)
            for place, (key, score) in enumerate(best_first, 1):
                rank = rank if score == before else place
                ranks[key], before = rank, score
            found[name] = ranks
        return found


def _is_spread(spread: Spread) -> bool:
    # Scores are cosines: a smaller deviation is rounding, and would blow differences up beyond all measure.
    return math.isfinite(spread.mean) and SMALLEST_DEVIATION <= spread.deviation <= LARGEST_SCORE


def _check_leg(name: str, scores: Mapping[int, float], size: int) -> None:
    # A sum of absolute values is NaN or too large when one of them is; only then each is looked at.
    if not sum(map(abs, scores.values())) <= LARGEST_SCORE:
        wrong = next((score for score in scores.values() if not abs(score) <= LARGEST_SCORE), LARGEST_SCORE)
        legal = f"scores are finite numbers, {LARGEST_SCORE:g} at most all together"
        raise InvalidParameterError(name=f"a score of the {name} leg", value=wrong, legal=legal)
    if len(scores) != size:
        legal = "every key is in a leg once; a document counts by its best chunk"
        raise InvalidParameterError(name=f"the {name} leg", value="one with a key twice", legal=legal)


class Part(NamedTuple):
    """What one leg, or a rule, adds to a score.

    Attributes:
        name: Of the leg or rule.
        value: What is added.
        formula: How the value comes of the inputs.
        labels: The names of the inputs.
        numbers: The inputs.
    """

    name: str
    value: float
    formula: str
    labels: tuple[str, ...] = ()
    numbers: tuple[float, ...] = ()

    def explain(self) -> Explanation:
        """Returns the same as an explanation."""
        inputs = tuple(map(Explanation, self.numbers, self.labels))
        return Explanation(self.value, f"{self.name} = {self.formula}", inputs)


PartsOf = Callable[[int], tuple[Part, ...]]
"""From a key to what its score was made of."""


class Fused(Struct, frozen=True):
    """One key with its fused score.

    Hundreds are made for a question; named tuples would take four times as long.

    Attributes:
        parts_of: The same for all keys of a ranking: of hundreds that are fused, few are explained.
        lifted_to: The score it has instead, because it may not come after what it is an exact match of.
    """

    key: int
    score: float
    parts_of: PartsOf
    lifted_to: float | None = None

    @property
    def parts(self) -> tuple[Part, ...]:
        """What was added: the values, from left to right, are the score that the legs give."""
        return self.parts_of(self.key)

    def explain(self) -> Explanation:
        """Explains the score; the value at the root is the score, exactly."""
        total, parts = 0.0, self.parts
        for part in parts:
            total += part.value
        own = Explanation(total, "sum of the legs", tuple(part.explain() for part in parts))
        if self.lifted_to is None:
            return own
        reason = "exact match: the score of the best that may not precede it"
        return Explanation(self.lifted_to, reason, (own,))


class Fusion(Protocol):
    """One way to make one ranking of several. Members are frozen values of their numbers."""

    name: ClassVar[str]
    purpose: ClassVar[str]
    parameters: ClassVar[tuple[FusionParameter, ...]]

    def fuse(self, legs: Legs) -> list[Fused]:
        """Returns every key of every leg once, best first; of equal ones, the lower key first."""
