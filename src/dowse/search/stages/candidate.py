"""A hit on its way through the stages, and what they made of its score."""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec import Struct

from dowse.schema import Explanation

NEARLY_EQUAL = 1e-9
"""Differences below it, compared with the scores, are not stretched: they are rounding."""

FoundAt = tuple[int, int] | tuple[int, int, float]
"""A segment and a row in it, and the score when it was ranked there."""


class Scale(NamedTuple):
    """Brings scores to 0 for the lowest and 1 for the highest of those that were looked at."""

    low: float
    high: float

    def apply(self, score: float) -> float:
        """Returns the score on the scale; where all are equal, or nearly, each is 1, or nearly."""
        spread = self.high - self.low
        if spread > NEARLY_EQUAL * max(1.0, abs(self.low), abs(self.high)):
            return (score - self.low) / spread
        return 1.0 + (score - self.low)


def scale_of(scores: Sequence[float]) -> Scale:
    """Returns the scale from the lowest to the highest of some scores; there must be one."""
    return Scale(min(scores), max(scores))


class Change(NamedTuple):
    """What a stage made of a score: ``weight * (score before, on a scale) + added``.

    Attributes:
        stage: Whose change it is.
        weight: How much the score before counts.
        scaled: The score before, on the scale.
        scale: From where to where it reaches.
        added: What came to it; below 0 when it took something away.
        reason: What that is.
    """

    stage: str
    weight: float
    scaled: float
    scale: Scale
    added: float
    reason: str

    @property
    def score(self) -> float:
        """The score after it."""
        return self.weight * self.scaled + self.added

    def explain(self, before: Explanation) -> Explanation:
        """Returns the score with the explanation of the one before inside it."""
        formula = f"score between {self.scale.low:g} and {self.scale.high:g}, as 0 to 1"
        scaled = Explanation(self.scaled, formula, (before,))
        weighted = Explanation(self.weight * self.scaled, f"{self.weight:g} * relevance", (scaled,))
        added = Explanation(self.added, self.reason)
        return Explanation(self.score, f"{self.stage}: sum", (weighted, added), "stage")


class Candidate(Struct, frozen=True, gc=False):
    """One chunk that answers, with its score so far.

    Attributes:
        key: Of the chunk.
        score: What it is ranked by now.
        changes: What stages made of its first score, in order.
        address: Where retrieval found it, for whoever would otherwise have to look it up; None when it did
            not come across it.
    """

    key: int
    score: float
    changes: tuple[Change, ...] = ()
    address: FoundAt | None = None

    def changed(self, change: Change) -> "Candidate":
        """Returns it with the score that a change leaves."""
        return Candidate(self.key, change.score, (*self.changes, change), self.address)

    def explain(self, first: Explanation) -> Explanation:
        """Explains the score, given the explanation of the first one."""
        for change in self.changes:
            first = change.explain(first)
        return first
