"""Runs a plan: segment by segment, the best so far raising the bar for the next."""

from collections.abc import Callable, Sequence
from itertools import repeat
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from dowse.kernels.layout import U8, U32
from dowse.matching import clauses_in
from dowse.planning import BagPlan, ClausePlan, PhrasePlan, Plan, Scored, TreePlan
from dowse.search.lexical.weighting import (
    ScoreTables,
    WeightedTerm,
    find_clauses,
    segment_groups,
    weight_bag,
    weight_phrase,
    weight_terms,
)
from dowse.storage.snapshot import Snapshot
from dowse.storage.term_scoring import collect_terms

Clock = Callable[[], float]


class Ranked(NamedTuple):
    """A row that is among the best."""

    segment: int
    row: int
    score: float


class TopK:
    """The best rows of all segments looked at so far.

    Attributes:
        best: Best first.
        total: Chunks that match.
        is_exact: False when `total` is a lower bound.
        floor: What a row must score above to be among the best.
    """

    __slots__ = ("best", "floor", "is_exact", "total", "wanted")

    def __init__(self, wanted: int) -> None:
        self.wanted, self.total, self.is_exact, self.floor = wanted, 0, True, -1.0
        self.best: list[Ranked] = []

    def add(
        self, segment: int, rows: list[int], scores: list[float], matched: int, is_exact: bool
    ) -> None:
        """Takes the best rows of one more segment."""
        self.total += matched
        self.is_exact &= is_exact
        if rows:
            # Made without their own constructor, which costs as much as all the rest.
            entries = zip(repeat(segment), rows, scores, strict=False)
            found: list[Ranked] = list(map(tuple.__new__, repeat(Ranked), entries))
            if self.best:
                # Ties keep their order: rows ascend within a segment and keys over segments (S6).
                found = sorted(self.best + found, key=attrgetter("score"), reverse=True)
            self.best = found[: self.wanted]
            if len(self.best) == self.wanted:
                self.floor = self.best[-1].score


class Ranking(NamedTuple):
    """The best rows of a plan, and what they were ranked by.

    Attributes:
        weighted: What was scored; empty for plans that need not be explained.
        top: The best rows.
        plan_done: When planning and weighting ended.
    """

    plan: Plan
    weighted: Sequence[WeightedTerm]
    top: TopK
    plan_done: float


class Ranker:
    """Runs plans on one snapshot, for one request.

    Args:
        masks: Per segment, one byte per row, 0 for rows that the request does not look at; None for all.
        clock: Seconds, for stage timings.
    """

    __slots__ = ("_clock", "_masks", "_snapshot", "_tables")

    def __init__(
        self, snapshot: Snapshot, tables: ScoreTables, masks: Sequence[U8 | None], clock: Clock
    ) -> None:
        self._snapshot, self._tables = snapshot, tables
        self._masks, self._clock = masks, clock

    def rank_bag(self, plan: BagPlan, wanted: int) -> Ranking:
        """Ranks a query that is nothing but words."""
        tables = self._tables.for_terms()
        weights, ordinals, _ = weight_bag(plan.bag, self._tables, self._snapshot)
        plan_done, top = self._clock(), TopK(wanted)
        collect_terms(self._snapshot, ordinals, weights, tables, self._masks, top)
        return Ranking(plan, (), top, plan_done)

    def rank_clauses(self, plan: ClausePlan, wanted: int) -> Ranking:
        """Ranks a query of words of which some must be there."""
        snapshot, tables = self._snapshot, self._tables.for_terms()
        terms = weight_bag(plan.bag, self._tables, snapshot)
        clauses = find_clauses(plan.needed, plan.excluded, terms, snapshot)
        plan_done, top = self._clock(), TopK(wanted)
        for number, segment in enumerate(snapshot.segments):
            postings = segment.reader.postings
            weighted = terms.ordinals[number], terms.weights, tables
            allowed = segment.allowed(self._masks[number])
            if plan.filters is not None:
                allowed = plan.filters.narrow(allowed, number)
            rest = allowed, wanted, top.floor
            if clauses.least:
                found = postings.score_term_quorum(*weighted, clauses.least, *rest)
            else:
                needed, excluded = clauses.needed[number], clauses.excluded[number]
                found = postings.score_term_clauses(*weighted, needed, excluded, *rest)
            top.add(number, *found, is_exact=True)
        return Ranking(plan, (), top, plan_done)

    def rank_phrase(self, plan: PhrasePlan, wanted: int) -> Ranking:
        """Ranks a query that is nothing but one phrase."""
        snapshot, tables = self._snapshot, self._tables.for_terms()
        weight = weight_phrase(plan.phrase, self._tables, snapshot)
        plan_done, top = self._clock(), TopK(wanted)
        for number, (segment, found) in enumerate(
            zip(snapshot.segments, plan.phrase.found, strict=True)
        ):
            allowed = segment.allowed(self._masks[number])
            top.add(number, *found.score(weight, tables, allowed, wanted, top.floor))
        return Ranking(plan, (), top, plan_done)

    def rank_tree(self, plan: TreePlan, wanted: int) -> Ranking:
        """Ranks what a matcher matches; without one, whatever is scored."""
        weighted = weight_terms(plan.scored, self._tables, self._snapshot)
        plan_done = self._clock()
        top = TopK(wanted) if plan.is_empty else self._rank(weighted, plan, wanted)
        return Ranking(plan, weighted, top, plan_done)

    def best_rows(self, scored: Sequence[Scored], keep: int) -> list[U32]:
        """Returns, per segment, the ascending rows of the best chunks."""
        weighted = weight_terms(scored, self._tables, self._snapshot)
        rows: list[list[int]] = [[] for _ in self._snapshot.segments]
        for entry in self._rank(weighted, TreePlan(), keep).best:
            rows[entry.segment].append(entry.row)
        return [np.array(sorted(found), np.uint32) for found in rows]

    def _rank(self, weighted: Sequence[WeightedTerm], plan: TreePlan, wanted: int) -> TopK:
        top, matcher = TopK(wanted), plan.matcher
        for number, segment in enumerate(self._snapshot.segments):
            postings = segment.reader.postings
            allowed = segment.allowed(self._masks[number])
            groups = segment_groups(weighted, number, self._tables)
            if matcher is None:
                top.add(number, *postings.score_top_k(groups, allowed, wanted, top.floor))
                continue
            needed, excluded, masks = clauses_in(matcher, number)
            for mask in masks:
                allowed = mask if allowed is None else allowed & mask
            found = postings.score_clauses(groups, needed, excluded, allowed, wanted, top.floor)
            top.add(number, *found, is_exact=True)
        return top
