"""A second opinion: a model that reads the question and a passage together judges the first few hits.

Alone it ranks worse than the fusion it is to improve. It helps a little where it puts the first ten in
another order, with no more weight than the fusion, and as sure as it is: ten passages that it thinks alike of
stay as they are. What it fetches from further down is wrong more often than right, and of one word it knows
no more than the words do (docs/decisions/0010-second-opinion.md). And it has a budget: at some 50 to 100 ms a
passage it is the slowest part of a search.
"""

import math
from collections.abc import Callable, Sequence
from typing import ClassVar

from msgspec import Struct

from dowse.schema import Parameter
from dowse.search.stages.candidate import Candidate, Change, scale_of
from dowse.search.stages.stage import Evidence, JudgeUnavailable, Reranked, check_parameters

BLEND = Parameter("blend", 0.5, 0.0, 0.5, "how much the judge counts; it never outweighs the ranking")
TOP = Parameter("top", 10, 2, 100, "how many of the first hits are judged")
ALLOW_MORE = "allow it more time: --rerank-ms"
SURE_LOGITS = 2.0
"""Logits are divided by it before they become a share: as they are, the judge is surer than it is right."""
LEAST_WORDS = 2
BUDGET_MS = Parameter("budget_ms", 3000, 0, 600_000, "how long judging may take, in milliseconds")


class CrossEncoderStage(Struct, frozen=True):
    """Judges the first hits and mixes the judgement into their scores.

    ``(1 - blend) * relevance + blend * judgement``. The relevance goes from 0 for the lowest to 1 for the
    highest of those judged, the judgement is the logistic function of half the judge's logit. Those that were
    not judged come after, for their relevance on that scale is not above 0.
    """

    name: ClassVar[str] = "cross_encoder"
    purpose: ClassVar[str] = "a model judges question and passage together, for the first hits"
    parameters: ClassVar[tuple[Parameter, ...]] = (BLEND, TOP, BUDGET_MS)
    leaves_out: ClassVar[bool] = False

    blend: float = BLEND.default
    top: float = TOP.default
    budget_ms: float = BUDGET_MS.default

    def __post_init__(self) -> None:
        check_parameters(self, self.parameters)

    @property
    def depth(self) -> int:
        """How many of the first hits are looked at."""
        return int(self.top)

    def rerank(self, candidates: Sequence[Candidate], evidence: Evidence) -> Reranked:
        """Returns all of them; the order is kept, and the reason says so, when nothing could be judged.

        Loading the judge counts. It cannot be stopped halfway, so that it may take longer than the budget;
        the reason says how long it took.
        """
        kept = list(candidates)
        head = kept[: self.depth]
        if len(head) < 2:
            return Reranked(kept, "skipped: nothing to compare")
        if len(evidence.query.split()) < LEAST_WORDS:
            return Reranked(kept, "skipped: it takes two words to judge by", is_short=True)
        if not self.budget_ms:
            return self._fall_short(kept)  # before anything is loaded
        started, has_time = evidence.clock(), _Budget(self.budget_ms / 1e3, evidence.clock)
        try:
            judge = evidence.judge()
        except JudgeUnavailable as away:
            return Reranked(kept, f"skipped: {away}", is_short=True)
        loading_ms = (evidence.clock() - started) * 1e3
        texts = evidence.texts([one.key for one in head])
        judgements = judge(evidence.query, [texts.get(one.key, "") for one in head], has_time)
        judged = [float(value) for value in judgements if not math.isnan(value)]
        if len(judged) < 2:
            return self._fall_short(kept, loading_ms)
        mixed, reason = self._mix(kept, judged), f"{len(judged)} of {len(head)} judged"
        if len(judged) == len(head):
            return Reranked(mixed, reason)
        reason += f", {self.budget_ms:g} ms were too few for the others"
        return Reranked(mixed, reason, is_short=True, remedy=ALLOW_MORE)

    def _fall_short(self, kept: list[Candidate], loading_ms: float = 0.0) -> Reranked:
        reason = f"skipped: judging does not fit into {self.budget_ms:g} ms"
        if loading_ms >= 1:
            reason += f"; to load the model took {loading_ms:.0f} ms"
        return Reranked(kept, reason, is_short=True, remedy=ALLOW_MORE)

    def _mix(self, candidates: list[Candidate], judged: list[float]) -> list[Candidate]:
        scale = scale_of([one.score for one in candidates[: len(judged)]])
        mixed = []
        for place, one in enumerate(candidates):
            added, reason = 0.0, "not judged"
            if place < len(judged):
                share = _share_of(judged[place])
                added = self.blend * share
                reason = f"{self.blend:g} * judgement {share:.3f}, of a logit of {judged[place]:.3f}"
            change = Change(self.name, 1 - self.blend, scale.apply(one.score), scale, added, reason)
            mixed.append(one.changed(change))
        mixed.sort(key=lambda one: -one.score)  # equal ones stay in their order
        return mixed


def _share_of(logit: float) -> float:
    """Returns how far the judge says yes, 0 to 1: 1 / (1 + e^(-logit / 2)), without overflow."""
    return (1.0 + math.tanh(logit / SURE_LOGITS / 2.0)) / 2.0


class _Budget:
    """Says whether one more passage fits, going by how long those before took."""

    def __init__(self, seconds: float, clock: Callable[[], float]) -> None:
        self._seconds, self._clock = seconds, clock
        self._started, self._first = clock(), 0.0
        self._passages = 0

    def __call__(self) -> bool:
        """Counts the passage that will now be judged."""
        now = self._clock()
        if not self._passages:
            self._first = now
        next_one = (now - self._first) / self._passages if self._passages else 0.0
        self._passages += 1
        return now - self._started + next_one < self._seconds
