"""Answers requests on one generation."""

from collections.abc import Callable, Sequence
from operator import attrgetter

import numpy as np

from dowse.analysis import Analyzer
from dowse.errors import UnknownTreeError
from dowse.kernels import FieldTables
from dowse.kernels.layout import U8
from dowse.matching import DocumentFilter, row_mask
from dowse.planning import Analyzers, Plan, build_plan, match_bag
from dowse.query import parse, unparse
from dowse.scoring import get_preset
from dowse.search.hits import Ranked, build_hits
from dowse.search.request import SearchRequest, SearchResponse, Stage
from dowse.search.weighing import (
    Tables,
    Weighed,
    WeighedTerms,
    explain_row,
    segment_groups,
    weigh,
    weigh_terms,
)
from dowse.storage.snapshot import Snapshot, Tree

Clock = Callable[[], float]


def first_rows(
    row_count: int, allowed: U8 | None, wanted: int
) -> tuple[list[int], list[float], int, bool]:
    """Returns the first rows that may appear, all with score 0: the answer to a query of exclusions."""
    rows = np.arange(row_count) if allowed is None else np.flatnonzero(allowed)
    return rows[:wanted].tolist(), [0.0] * min(len(rows), wanted), len(rows), True


class _Page:
    """The best rows of all segments looked at so far."""

    def __init__(self, wanted: int) -> None:
        self.wanted, self.total, self.is_exact, self.floor = wanted, 0, True, -1.0
        self._best: list[Ranked] = []

    def add(
        self, segment: int, rows: list[int], scores: list[float], matched: int, is_exact: bool
    ) -> None:
        self.total += matched
        self.is_exact &= is_exact
        if rows:
            found = [Ranked(segment, *entry) for entry in zip(rows, scores, strict=True)]
            if self._best:
                # Ties keep their order: rows ascend within a segment and keys over segments (S6).
                found = sorted(self._best + found, key=attrgetter("score"), reverse=True)
            self._best = found[: self.wanted]
            if len(self._best) == self.wanted:
                self.floor = self._best[-1].score

    def ranked(self) -> list[Ranked]:
        return self._best


class Searcher:
    """One snapshot, with what is worth keeping between requests: tables, masks, analyzers.

    Args:
        snapshot: The generation to answer from.
        analyzers: Shared by all generations of an index.
        clock: Seconds, for stage timings.
    """

    def __init__(self, snapshot: Snapshot, analyzers: Analyzers, clock: Clock) -> None:
        self.snapshot, self._analyzers, self._clock = snapshot, analyzers, clock
        self._tables: dict[str, Tables] = {}
        self._tree_analyzers: dict[str | None, list[Analyzer]] = {}
        self._tree_masks: dict[tuple[int, str], list[U8 | None]] = {}

    def search(self, request: SearchRequest) -> SearchResponse:
        """Answers one request."""
        clock, started = self._clock, self._clock()
        parsed = parse(request.query)
        parse_done = clock()
        plan = build_plan(parsed.query, self._analyzers_for(request), self.snapshot)
        tables = self._tables_for(request.preset)
        weighed: Sequence[Weighed] = ()
        if plan.bag and not request.explain and tables.model.combines_fields:
            terms = weigh_terms(plan.bag, tables, self.snapshot)
            plan_done = clock()
            ranked, total, is_exact = self._rank_terms(request, terms, tables.for_terms())
        else:
            scored = plan.scored or match_bag(plan.bag, self.snapshot)
            weighed = weigh(scored, tables, self.snapshot)
            plan_done = clock()
            ranked, total, is_exact = self._rank(request, plan, weighed, tables)
        page = ranked[request.offset :]
        rank_done = clock()
        explanations = [
            explain_row(weighed, self.snapshot, entry.segment, entry.row, tables)
            for entry in (page if request.explain else ())
        ]
        hits = build_hits(
            self.snapshot,
            page,
            explanations,
            request.offset + 1,
            plan.terms,
            self._analyzers if request.snippets else None,
        )
        stages = (
            Stage("parse", (parse_done - started) * 1e3, 0, 0),
            Stage("plan", (plan_done - parse_done) * 1e3, 0, 0, f"{len(plan.bag or weighed)} scored"),
            Stage("match", (rank_done - plan_done) * 1e3, self.snapshot.doc_count, len(ranked)),
            Stage("show", (clock() - rank_done) * 1e3, len(page), len(hits)),
        )
        return SearchResponse(
            request,
            tuple(hits),
            total,
            is_exact,
            unparse(parsed.query),
            self.snapshot.generation,
            stages,
            parsed.problems + plan.problems + self.snapshot.problems,
        )

    def _rank(
        self, request: SearchRequest, plan: Plan, weighed: Sequence[Weighed], tables: Tables
    ) -> tuple[list[Ranked], int, bool]:
        """Returns the best rows up to the end of the page, best first."""
        if not weighed and not plan.is_everything:
            return [], 0, True
        wanted, masks = self._wanted(request), self._document_masks(request)
        page = _Page(wanted)
        for number, segment in enumerate(self.snapshot.segments):
            required = [leaf.lists[number] for leaf in plan.required]
            if not all(required):
                continue
            excluded = [leaf.lists[number] for leaf in plan.excluded]
            allowed = row_mask(segment, masks[number], required, excluded)
            if plan.is_everything:
                rows, scores, matched, counted = first_rows(segment.reader.row_count, allowed, wanted)
            else:
                groups = segment_groups(weighed, number, tables)
                rows, scores, matched, counted = segment.reader.postings.score_top_k(
                    groups, allowed, wanted, page.floor
                )
            page.add(number, rows, scores, matched, counted)
        return page.ranked(), page.total, page.is_exact

    def _rank_terms(
        self, request: SearchRequest, terms: WeighedTerms, tables: FieldTables
    ) -> tuple[list[Ranked], int, bool]:
        """As `_rank`, for a query that is nothing but words."""
        page, masks = _Page(self._wanted(request)), self._document_masks(request)
        for number, segment in enumerate(self.snapshot.segments):
            allowed = row_mask(segment, masks[number], (), ())
            found = segment.reader.postings.score_terms(
                terms.ordinals[number], terms.weights, tables, allowed, page.wanted, page.floor
            )
            page.add(number, *found)
        return page.ranked(), page.total, page.is_exact

    def _wanted(self, request: SearchRequest) -> int:
        # No page reaches beyond the last chunk; the kernel's heap need not either.
        return min(request.offset + request.limit, max(1, self.snapshot.doc_count))

    def _document_masks(self, request: SearchRequest) -> list[U8 | None]:
        if request.tree is None:
            return [None] * len(self.snapshot.segments)
        tree = self.get_tree(request.tree)
        key = tree.tree_id, request.under
        if key not in self._tree_masks:
            documents = DocumentFilter.build(self.snapshot.catalog, *key)
            self._tree_masks[key] = [
                documents.mask(segment.reader) for segment in self.snapshot.segments
            ]
        return self._tree_masks[key]

    def get_tree(self, name: str) -> Tree:
        """Returns a tree by name.

        Raises:
            UnknownTreeError: There is none.
        """
        for tree in self.snapshot.trees.values():
            if tree.name == name:
                return tree
        known = ", ".join(sorted(tree.name for tree in self.snapshot.trees.values())) or "none yet"
        raise UnknownTreeError(name=name, known=known)

    def _tables_for(self, preset: str) -> Tables:
        if preset not in self._tables:
            model = get_preset(preset).model
            self._tables[preset] = Tables(model, self.snapshot.avg_lengths)
        return self._tables[preset]

    def _analyzers_for(self, request: SearchRequest) -> list[Analyzer]:
        """Returns an analyzer for each way in which the trees searched were analysed."""
        found = self._tree_analyzers.get(request.tree)
        if found is None:
            if request.tree is not None:
                settings = {self.get_tree(request.tree).analysis}
            else:
                settings = {tree.analysis for tree in self.snapshot.trees.values()} or {"{}"}
            found = [self._analyzers.get(analysis) for analysis in sorted(settings)]
            self._tree_analyzers[request.tree] = found
        return found
