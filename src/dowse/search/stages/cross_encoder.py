"""A cross-encoder reads the question and a passage together, and scores the first few hits again.

Alone it ranks worse than the fusion it is to improve. It helps a little where it puts the first ten in
another order, with no more weight than the fusion, and as sure as it is: ten passages that it scores alike
stay as they are. What it fetches from further down is wrong more often than right, and of one word it knows
no more than the words do (docs/decisions/0010-second-opinion.md). And it has a budget: at some 50 to 100 ms
per passage it is the slowest part of a search.
"""

import math
from collections.abc import Callable, Sequence
from typing import ClassVar

from dowse.remedy import Remedy
from dowse.schema import Problem, SearchRequest
from dowse.search.batch import Batch
from dowse.search.context import CrossEncoderUnavailable, StageContext
from dowse.search.stages.candidate import Candidate, Change, scale_of
from dowse.search.stages.stage import Need

BLEND = 0.5
"""How much the cross-encoder counts; it never outweighs the ranking."""
DEPTH = 10
ALLOW_MORE = Remedy.ALLOW_TIME.about("rerank_ms")
SURE_LOGITS = 2.0
"""Logits are divided by it before they become a share: as they are, the model is surer than it is right."""
LEAST_WORDS = 2


class CrossEncoderRerank:
    """Has a cross-encoder score the first hits, and mixes that into their scores.

    ``(1 - blend) * relevance + blend * share``. The relevance goes from 0 for the lowest to 1 for the
    highest of those read, the share is the logistic function of half the model's logit. Those that were
    not read come after, for their relevance on that scale is not above 0.
    """

    name: ClassVar[str] = "cross_encoder"
    purpose: ClassVar[str] = "a cross-encoder reads question and passage together, for the first hits"
    options: ClassVar[tuple[str, ...]] = ("rerank", "rerank_ms")
    needs: ClassVar[frozenset[Need]] = frozenset({"texts", "cross_encoder"})
    leaves_out: ClassVar[bool] = False

    def is_wanted(self, request: SearchRequest) -> bool:
        """Says whether a request asks for it."""
        return request.rerank

    def depth(self, request: SearchRequest) -> int:
        """Returns how many hits are read."""
        return DEPTH

    def run(self, batch: Batch, context: StageContext) -> Batch:
        """Returns all of them; the order is kept, and a problem says so, when nothing could be read.

        Loading the model counts. It cannot be stopped halfway, so that it may take longer than the budget;
        the note says how long it took.
        """
        head = batch.candidates[:DEPTH]
        if len(head) < 2:
            return batch.noted("skipped: nothing to compare")
        if len(context.query.split()) < LEAST_WORDS:
            return _fall_short(batch, "skipped: it takes two words to judge by")
        budget_ms = _budget_ms(context)
        if not budget_ms:
            return _out_of_time(batch, budget_ms)  # before anything is loaded
        started, has_time = context.clock(), _Budget(budget_ms / 1e3, context.clock)
        try:
            score = context.cross_encoder()
        except CrossEncoderUnavailable as away:
            return _fall_short(batch, f"skipped: {away}")
        loading_ms = (context.clock() - started) * 1e3
        texts = context.texts([one.key for one in head])
        logits = score(context.query, [texts.get(one.key, "") for one in head], has_time)
        read = [float(value) for value in logits if not math.isnan(value)]
        if len(read) < 2:
            return _out_of_time(batch, budget_ms, loading_ms)
        mixed, note = _mix(batch.candidates, read), f"{len(read)} of {len(head)} judged"
        if len(read) == len(head):
            return batch.noted(note, mixed)
        note += f", {budget_ms:g} ms were too few for the others"
        return _fall_short(batch, note, ALLOW_MORE, mixed)


def _budget_ms(context: StageContext) -> float:
    """Returns how long it may take: as the request says, and no longer than the whole answer may."""
    left = context.deadline.left_ms()
    return context.request.rerank_ms if left is None else min(left, context.request.rerank_ms)


def _fall_short(
    batch: Batch, note: str, hint: str = "", candidates: Sequence[Candidate] | None = None
) -> Batch:
    return batch.noted(note, candidates).lacking(Problem("not-reranked", "rerank", note, hint))


def _out_of_time(batch: Batch, budget_ms: float, loading_ms: float = 0.0) -> Batch:
    note = f"skipped: judging does not fit into {budget_ms:g} ms"
    if loading_ms >= 1:
        note += f"; to load the model took {loading_ms:.0f} ms"
    return _fall_short(batch, note, ALLOW_MORE)


def _mix(candidates: Sequence[Candidate], logits: list[float]) -> list[Candidate]:
    scale = scale_of([one.score for one in candidates[: len(logits)]])
    mixed = []
    for place, one in enumerate(candidates):
        added, reason = 0.0, "not judged"
        if place < len(logits):
            share = _share_of(logits[place])
            added = BLEND * share
            reason = f"{BLEND:g} * judgement {share:.3f}, of a logit of {logits[place]:.3f}"
        change = Change(CrossEncoderRerank.name, 1 - BLEND, scale.apply(one.score), scale, added, reason)
        mixed.append(one.changed(change))
    mixed.sort(key=lambda one: -one.score)  # equal ones stay in their order
    return mixed


def _share_of(logit: float) -> float:
    """Returns how far the model says yes, 0 to 1: 1 / (1 + e^(-logit / 2)), without overflow."""
    return (1.0 + math.tanh(logit / SURE_LOGITS / 2.0)) / 2.0


class _Budget:
    """Says whether one more passage fits, going by how long those before took."""

    def __init__(self, seconds: float, clock: Callable[[], float]) -> None:
        self._seconds, self._clock = seconds, clock
        self._started, self._first = clock(), 0.0
        self._passages = 0

    def __call__(self) -> bool:
        """Counts the passage that will now be read."""
        now = self._clock()
        if not self._passages:
            self._first = now
        next_one = (now - self._first) / self._passages if self._passages else 0.0
        self._passages += 1
        return now - self._started + next_one < self._seconds
