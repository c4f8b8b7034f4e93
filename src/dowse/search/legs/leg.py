"""The protocol every leg follows."""

from collections.abc import Collection, Mapping
from typing import ClassVar, NamedTuple, Protocol

from dowse.fusion import ScoreDistribution
from dowse.schema import Explanation

Scores = Mapping[int, float]


class LegScores(NamedTuple):
    """What a leg found.

    Attributes:
        scores: By chunk key; more is better, in the leg's own unit.
        is_all: Whether it has no more to bring.
    """

    scores: dict[int, float]
    is_all: bool


class Leg(Protocol):
    """One way to find chunks, bound to one query and to how many it brings at most.

    First every leg retrieves its best; then each scores what only others found; then each has a last look at
    all of it, in the order of `LEGS`.
    """

    name: ClassVar[str]

    def retrieve(self) -> LegScores:
        """Returns the leg's best chunks, filters applied."""
        ...

    def score(self, keys: Collection[int]) -> dict[int, float]:
        """Returns the scores of chunks that other legs found; chunks that it cannot score are left out."""
        ...

    def refine(self, scores: dict[int, float], others: Mapping[str, Scores]) -> dict[int, float]:
        """Returns the scores of all candidates, with what is too dear to be computed for more than these.

        Args:
            scores: What `retrieve` and `score` returned.
            others: The final scores of the legs before it, by name.
        """
        ...

    def distribution(self) -> ScoreDistribution | None:
        """Returns how the leg scores the whole collection; None when it does not know."""
        ...

    def explain(self, key: int, score: float) -> Explanation:
        """Explains a score that it gave."""
        ...
