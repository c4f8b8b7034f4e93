"""Finds the best chunks of a plan: segment by segment, the best so far raising the bar for the next."""

from collections.abc import Sequence
from itertools import repeat
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from dowse.kernels import FieldTables
from dowse.kernels.layout import U8, U32
from dowse.matching import Matcher, PhraseAlone, clauses_in
from dowse.matching.masks import row_mask
from dowse.search.lexical.weighting import Tables, TermClauses, Weighed, WeighedTerms, segment_groups
from dowse.storage.snapshot import Snapshot


class Ranked(NamedTuple):
    """A row that made it onto the page."""

    segment: int
    row: int
    score: float


class Page:
    """The best rows of all segments looked at so far.

    Attributes:
        best: Best first.
        total: Chunks that match.
        is_exact: False when `total` is a lower bound.
        floor: What a row must score above to get onto the page.
    """

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


class Ranker:
    """Ranks on one snapshot, for one request.

    Args:
        masks: Per segment, one byte a row, 0 for rows that the request does not look at; None for all.
    """

    def __init__(self, snapshot: Snapshot, tables: Tables, masks: Sequence[U8 | None]) -> None:
        self._snapshot, self._tables = snapshot, tables
        self._masks = masks

    def rank_terms(self, terms: WeighedTerms, tables: FieldTables, wanted: int) -> Page:
        """Ranks a query that is nothing but words."""
        page = Page(wanted)
        for number, segment in enumerate(self._snapshot.segments):
            allowed = row_mask(segment, self._masks[number])
            page.add(
                number,
                *segment.reader.postings.score_terms(
                    terms.ordinals[number], terms.weights, tables, allowed, wanted, page.floor
                ),
            )
        return page

    def rank_clauses(
        self, terms: WeighedTerms, clauses: TermClauses, tables: FieldTables, wanted: int
    ) -> Page:
        """Ranks a query of words of which some must be there."""
        page = Page(wanted)
        for number, segment in enumerate(self._snapshot.segments):
            postings = segment.reader.postings
            weighed = terms.ordinals[number], terms.weights, tables
            rest = row_mask(segment, self._masks[number]), wanted, page.floor
            if clauses.least:
                found = postings.score_term_quorum(*weighed, clauses.least, *rest)
            else:
                needed, excluded = clauses.needed[number], clauses.excluded[number]
                found = postings.score_term_clauses(*weighed, needed, excluded, *rest)
            page.add(number, *found, is_exact=True)
        return page

    def rank_phrase(
        self, phrase: PhraseAlone, weight: float, tables: FieldTables, wanted: int
    ) -> Page:
        """Ranks a query that is nothing but one phrase."""
        page = Page(wanted)
        for number, (segment, found) in enumerate(
            zip(self._snapshot.segments, phrase.found, strict=True)
        ):
            allowed = row_mask(segment, self._masks[number])
            page.add(number, *found.score(weight, tables, allowed, wanted, page.floor))
        return page

    def rank(self, weighed: Sequence[Weighed], matcher: Matcher | None, wanted: int) -> Page:
        """Ranks what a matcher matches; without one, whatever is scored."""
        page = Page(wanted)
        for number, segment in enumerate(self._snapshot.segments):
            postings = segment.reader.postings
            allowed = row_mask(segment, self._masks[number])
            groups = segment_groups(weighed, number, self._tables)
            if matcher is None:
                page.add(number, *postings.score_top_k(groups, allowed, wanted, page.floor))
                continue
            needed, excluded, masks = clauses_in(matcher, number)
            for mask in masks:
                allowed = mask if allowed is None else allowed & mask
            found = postings.score_clauses(groups, needed, excluded, allowed, wanted, page.floor)
            page.add(number, *found, is_exact=True)
        return page

    def best_rows(self, weighed: Sequence[Weighed], keep: int) -> list[U32]:
        """Returns, per segment, the ascending rows of the best chunks."""
        page = self.rank(weighed, None, keep)
        rows: list[list[int]] = [[] for _ in self._snapshot.segments]
        for entry in page.best:
            rows[entry.segment].append(entry.row)
        return [np.array(sorted(found), np.uint32) for found in rows]
