"""The protocol every fusion follows, what it is given and what it makes of it."""

import math
from collections.abc import Callable, Collection, Mapping
from functools import cached_property
from operator import itemgetter
from typing import ClassVar, NamedTuple, Protocol

from msgspec import Struct

from dowse.errors import InvalidParameterError
from dowse.schema import Explanation, Parameter

Scores = Mapping[int, float]
"""The score of each chunk key, in any order."""

# Far above any score that means something; differences of what is below stay finite.
LARGEST_SCORE = 1e100
SMALLEST_DEVIATION = 1e-6


class ScoreDistribution(NamedTuple):
    """The scores of a leg over the whole collection, found or not: their mean and standard deviation."""

    mean: float
    deviation: float


class Legs(Struct, frozen=True, dict=True):
    """What is fused: the best of each leg, and the query they answer. Any leg may be empty.

    Attributes:
        found: The scores that each leg found, by the leg's name. Between equal fused scores the first leg
            decides, then the next.
        query: As typed; only fusions that look at the query need it.
        distributions: Of the legs whose scores over the whole collection are known, by name.
    """

    found: Mapping[str, Scores] = {}
    query: str = ""
    distributions: Mapping[str, ScoreDistribution] = {}

    def __post_init__(self) -> None:
        for name, scores in self.scores.items():
            _check_scores(name, scores)
        for name, distribution in self.distributions.items():
            if not _is_distribution(distribution):
                legal = f"a finite mean and a deviation of {SMALLEST_DEVIATION:g} or more"
                raise InvalidParameterError(
                    name=f"the score distribution of the {name} leg", value=distribution, legal=legal
                )

    @cached_property
    def scores(self) -> dict[str, Scores]:
        """The scores of each leg that is not empty."""
        return {name: scores for name, scores in self.found.items() if scores}

    def get(self, name: str) -> Scores:
        """Returns the scores of a leg; nothing when it found nothing."""
        return self.found.get(name, {})

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


def _is_distribution(given: ScoreDistribution) -> bool:
    # Scores are cosines: a smaller deviation is rounding, and would blow differences up beyond all measure.
    return math.isfinite(given.mean) and SMALLEST_DEVIATION <= given.deviation <= LARGEST_SCORE


def _check_scores(name: str, scores: Scores) -> None:
    # A sum of absolute values is NaN or too large when one of them is; only then each is looked at.
    if not sum(map(abs, scores.values())) <= LARGEST_SCORE:
        wrong = next((score for score in scores.values() if not abs(score) <= LARGEST_SCORE), LARGEST_SCORE)
        legal = f"scores are finite numbers, {LARGEST_SCORE:g} at most all together"
        raise InvalidParameterError(name=f"a score of the {name} leg", value=wrong, legal=legal)


class Part(NamedTuple):
    """What one leg, or a rule, adds to a score.

    Attributes:
        name: Of the leg or rule.
        value: What is added.
        formula: How the value comes of the inputs.
        inputs: The numbers it was computed from; the leg's own score is the one of kind ``leg-score``.
    """

    name: str
    value: float
    formula: str
    inputs: tuple[Explanation, ...] = ()

    def explain(self, source: Explanation | None = None) -> Explanation:
        """Explains the value.

        Args:
            source: The explanation of the leg's own score, which takes the place of the bare number.
        """
        inputs = tuple(
            source if source is not None and one.kind == "leg-score" else one for one in self.inputs
        )
        return Explanation(self.value, f"{self.name} = {self.formula}", inputs, "leg")


def leg_score(score: float) -> Explanation:
    """Returns a leg's own score as an input of a `Part`."""
    return Explanation(score, "score", (), "leg-score")


PartsOf = Callable[[int], tuple[Part, ...]]
"""From a key to what its score was made of."""


NO_SOURCES: Mapping[str, Explanation] = {}


class Fused(Struct, frozen=True):
    """One key with its fused score.

    Hundreds are made for a question; named tuples would take four times as long.

    Attributes:
        parts_of: The same for all keys of a ranking: of hundreds that are fused, few are explained.
        reason: Why it has another score than the legs give; empty when it has theirs.
    """

    key: int
    score: float
    parts_of: PartsOf
    reason: str = ""

    @property
    def parts(self) -> tuple[Part, ...]:
        """What was added: the values, from left to right, are the score that the legs give."""
        return self.parts_of(self.key)

    def explain(self, sources: Mapping[str, Explanation] = NO_SOURCES) -> Explanation:
        """Explains the score; the value at the root is the score, exactly.

        Args:
            sources: Explanations of the legs' own scores, by the leg's name; where one is missing, the number
                alone is shown.
        """
        total, parts = 0.0, self.parts
        for part in parts:
            total += part.value
        explained = tuple(part.explain(sources.get(part.name)) for part in parts)
        own = Explanation(total, "sum of the legs", explained, "sum")
        return Explanation(self.score, self.reason, (own,), "raised") if self.reason else own


class Fusion(Protocol):
    """One way to make one ranking of several. Members are frozen values of their numbers."""

    name: ClassVar[str]
    purpose: ClassVar[str]
    parameters: ClassVar[tuple[Parameter, ...]]
    takes_coverage_weights: ClassVar[bool]
    """Whether the weights of the legs, where a request says nothing, follow how many chunks have vectors."""

    @property
    def feedback(self) -> float:
        """How much of the first hit is added to the question, at least, before the semantic leg is asked
        again; 0 when it is asked once."""
        ...

    def needs_semantic(self, lexical: Collection[float]) -> bool:
        """Says whether the semantic leg has to be asked, given the scores of the lexical one in any order."""
        ...

    def find_top_hit(self, legs: Legs) -> "TopHit | None":
        """Returns what `fuse` puts first, and by how much; None of fewer than two."""
        ...

    def fuse(self, legs: Legs) -> list[Fused]:
        """Returns every key of every leg once, best first; of equal ones, the lower key first."""
        ...


class TopHit(NamedTuple):
    """The key that comes first, and by how much its score is above the second's."""

    key: int
    margin: float


class FusionDefaults(Struct, frozen=True):
    """What most fusions answer when they are asked what they need of their legs."""

    takes_coverage_weights: ClassVar[bool] = False

    @property
    def feedback(self) -> float:
        """See `Fusion`: the semantic leg is asked once."""
        return 0.0

    def needs_semantic(self, lexical: Collection[float]) -> bool:
        """See `Fusion`: it always is."""
        return True

    def find_top_hit(self: Fusion, legs: Legs) -> TopHit | None:
        """See `Fusion`."""
        first, second = (*self.fuse(legs), None, None)[:2]
        return None if first is None or second is None else TopHit(first.key, first.score - second.score)
