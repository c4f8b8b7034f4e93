"""Variety: what says the same as a better hit goes down.

Maximal marginal relevance (Carbonell and Goldstein, 1998, SIGIR). The next hit is the one with the most of
``trade * relevance - (1 - trade) * likeness``, where relevance is the score between the lowest and the
highest of those looked at, as 0 to 1, and likeness that to the hit already chosen that is most like it.
Where we differ: the first hit is never moved, whatever the trade; what is beyond the depth follows in its
order, as if wholly alike to what was chosen. The value chosen by is the score, and never rises.
"""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from msgspec import Struct

from dowse.schema import Parameter
from dowse.search.stages.candidate import Candidate, Change, Scale, scale_of
from dowse.search.stages.likeness import Likeness, compare_words, find_vectors
from dowse.search.stages.stage import Evidence, Reranked, check_parameters

DEPTH = 100
TRADE = Parameter("trade", 0.7, 0.0, 1.0, "1 keeps the order, 0 looks at variety alone")


class MmrStage(Struct, frozen=True):
    """Chooses hit after hit, relevant and unlike those before."""

    name: ClassVar[str] = "mmr"
    purpose: ClassVar[str] = "variety: what is like a better hit goes down"
    parameters: ClassVar[tuple[Parameter, ...]] = (TRADE,)
    leaves_out: ClassVar[bool] = False
    depth: ClassVar[int] = DEPTH

    trade: float = TRADE.default

    def __post_init__(self) -> None:
        check_parameters(self, self.parameters)

    def rerank(self, candidates: Sequence[Candidate], evidence: Evidence) -> Reranked:
        """Returns all of them, the first in its place."""
        if len(candidates) < 2 or self.trade == 1.0:
            return Reranked(list(candidates), "order kept: nothing to vary")
        head = candidates[:DEPTH]
        keys = [one.key for one in head]
        likeness = find_vectors(keys, evidence) or compare_words(keys, evidence)
        chosen = self._choose(candidates, likeness)
        moved = sum(one.key != key for one, key in zip(chosen, keys, strict=False))
        return Reranked(chosen, f"{moved} of {len(head)} moved, by {likeness.by}, trade {self.trade:g}")

    def _choose(self, candidates: Sequence[Candidate], likeness: Likeness) -> list[Candidate]:
        scale = scale_of([one.score for one in candidates[:DEPTH]])
        scaled = np.array([scale.apply(one.score) for one in candidates])
        head = min(len(candidates), DEPTH)
        worst = np.zeros(head)
        nearest = np.zeros(head, np.int64)
        waiting = np.ones(head, bool)
        found: list[Candidate] = []
        place = 0
        for rank in range(head):
            if rank:
                values = self.trade * scaled[:head] - (1 - self.trade) * worst
                place = int(np.where(waiting, values, -np.inf).argmax())
            waiting[place] = False
            reason = f"likeness to hit {nearest[place] + 1}" if rank else "likeness to earlier hits"
            found.append(self._changed(candidates[place], scaled[place], scale, worst[place], reason))
            row = likeness.row(place)
            nearest[row > worst] = rank
            worst = np.maximum(worst, row)
        for place in range(head, len(candidates)):
            reason = f"likeness, not looked at beyond hit {DEPTH}"
            found.append(self._changed(candidates[place], scaled[place], scale, 1.0, reason))
        return found

    def _changed(
        self, one: Candidate, scaled: float, scale: Scale, likeness: float, reason: str
    ) -> Candidate:
        penalty = -(1 - self.trade) * float(likeness)
        said = f"-{1 - self.trade:g} * {reason}, {likeness:.3f}"
        return one.changed(Change(self.name, self.trade, float(scaled), scale, penalty, said))
