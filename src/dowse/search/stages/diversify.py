"""Variety: what says the same as a better hit goes down.

Maximal marginal relevance (Carbonell and Goldstein, 1998, SIGIR). The next hit is the one with the most of
``lambda * relevance - (1 - lambda) * likeness``, where relevance is the score between the lowest and the
highest of those looked at, as 0 to 1, and likeness that to the hit already chosen that is most like it; the
request's `diversify` is lambda. Where we differ: the first hit is never moved, whatever lambda is; what is
beyond the depth follows in its order, as if wholly alike to what was chosen. The value chosen by is the
score, and never rises.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from dowse.schema import SearchRequest
from dowse.search.batch import Batch
from dowse.search.context import StageContext
from dowse.search.stages.candidate import Candidate, Change, Scale, scale_of
from dowse.search.stages.stage import Need

if TYPE_CHECKING:
    from dowse.search.stages.likeness import Likeness

DEPTH = 100


class Diversify:
    """Chooses hit after hit, relevant and unlike those before."""

    name: ClassVar[str] = "diversify"
    purpose: ClassVar[str] = "variety: what is like a better hit goes down"
    options: ClassVar[tuple[str, ...]] = ("diversify",)
    needs: ClassVar[frozenset[Need]] = frozenset({"texts", "vectors"})
    leaves_out: ClassVar[bool] = False

    def is_wanted(self, request: SearchRequest) -> bool:
        """Says whether a request asks for it."""
        return request.diversify is not None

    def depth(self, request: SearchRequest) -> int:
        """Returns how many hits are compared."""
        return DEPTH

    def run(self, batch: Batch, context: StageContext) -> Batch:
        """Returns all of them, the first in its place."""
        from dowse.search.stages.likeness import compare_words, find_vectors  # few searches need it

        candidates, relevance = batch.candidates, context.request.diversify
        if len(candidates) < 2 or relevance is None or relevance == 1.0:
            return batch.noted("order kept: nothing to vary")
        head = candidates[:DEPTH]
        keys = [one.key for one in head]
        likeness = find_vectors(keys, context) or compare_words(keys, context)
        chosen = _choose(candidates, likeness, relevance)
        moved = sum(one.key != key for one, key in zip(chosen, keys, strict=False))
        return batch.noted(f"{moved} of {len(head)} moved, by {likeness.by}, lambda {relevance:g}", chosen)


def _choose(candidates: Sequence[Candidate], likeness: "Likeness", relevance: float) -> list[Candidate]:
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
            values = relevance * scaled[:head] - (1 - relevance) * worst
            place = int(np.where(waiting, values, -np.inf).argmax())
        waiting[place] = False
        reason = f"likeness to hit {nearest[place] + 1}" if rank else "likeness to earlier hits"
        found.append(_changed(candidates[place], relevance, scaled[place], scale, worst[place], reason))
        row = likeness.row(place)
        nearest[row > worst] = rank
        worst = np.maximum(worst, row)
    for place in range(head, len(candidates)):
        reason = f"likeness, not looked at beyond hit {DEPTH}"
        found.append(_changed(candidates[place], relevance, scaled[place], scale, 1.0, reason))
    return found


def _changed(
    one: Candidate, relevance: float, scaled: float, scale: Scale, likeness: float, reason: str
) -> Candidate:
    penalty = -(1 - relevance) * float(likeness)
    said = f"-{1 - relevance:g} * {reason}, {likeness:.3f}"
    return one.changed(Change(Diversify.name, relevance, float(scaled), scale, penalty, said))
