"""Answers requests on one generation."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from msgspec.structs import replace

from dowse.analysis import Analyzer
from dowse.errors import ModeUnavailableError
from dowse.kernels.layout import U8, U32
from dowse.matching import AnyOf, Documents, Matcher
from dowse.matching.masks import place_mask
from dowse.planning import (
    Analyzers,
    Binder,
    Plan,
    Scope,
    Scored,
    WordReader,
    bind_query,
    build_plan,
    match_bag,
    plan_pattern,
    plan_phrase,
    plan_quorum,
    plan_required,
    plan_words,
)
from dowse.planning.bound import RankBest
from dowse.planning.synonyms import add_synonyms
from dowse.query import Parsed, join_queries, nodes, plain_words, show_tree, unparse_node
from dowse.schema import Explanation, Problem, SearchRequest, SearchResponse, Stage
from dowse.search.backing import Backing
from dowse.search.hits import build_hits
from dowse.search.lexical.corrections import correct, make_fuzzy
from dowse.search.lexical.ranking import Page, Ranked, Ranker
from dowse.search.lexical.weighting import (
    Tables,
    Weighed,
    explain_row,
    find_clauses,
    weigh,
    weigh_phrase,
    weigh_terms,
)
from dowse.search.modes import Reading, get_mode
from dowse.search.parameters import Choice, check_fields, choose_scoring, mode_values
from dowse.storage.snapshot import Snapshot
from dowse.storage.stored_trees import Tree

if TYPE_CHECKING:
    from dowse.search.stages import Candidate

Clock = Callable[[], float]
NO_CHUNKS = range(0)


class Ranking(NamedTuple):
    """The best chunks, and what they were ranked by.

    Attributes:
        weighed: What was scored; empty for plain words and a phrase that need not be explained.
        plan_done: When planning ended.
    """

    plan: Plan
    weighed: Sequence[Weighed]
    page: Page
    plan_done: float


class Searcher:
    """One snapshot, with what is worth keeping between requests: tables, masks, analyzers.

    Args:
        snapshot: The generation to answer from.
        analyzers: Shared by all generations of an index.
        clock: Seconds, for stage timings.
        now: Seconds since 1970, for dates such as “7d”.
        backing: What stages may borrow; nothing when not given.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        analyzers: Analyzers,
        clock: Clock,
        now: Clock,
        backing: Backing | None = None,
    ) -> None:
        self.snapshot, self._analyzers, self.clock, self._now = snapshot, analyzers, clock, now
        self.backing = backing or Backing()
        self.documents = Documents(snapshot)
        self._tables: dict[Choice, Tables] = {}
        self._tree_analyzers: dict[str | None, list[Analyzer]] = {}
        self._word_readers: dict[str | None, WordReader] = {}
        self._tree_masks: dict[tuple[int, str], list[U8 | None]] = {}

    def search(self, request: SearchRequest) -> SearchResponse:
        """Answers one request."""
        started = self.clock()
        tables = self.tables(request)
        words = self._plain_words(request) if tables.model.combines_fields else None
        if words:
            response = self._answer_words(request, tables, " ".join(words), started)
            if response.total >= request.limit or request.fuzzy == "never":
                return response
            return self._second_look(request, self.read(request), response, started)
        parsed = self.read(request)
        root = parsed.root
        if request.fuzzy == "always" and root is not None:
            parsed = parsed._replace(root=make_fuzzy(root))
        response = self.answer(request, parsed, started)
        if request.fuzzy == "auto" and response.total < request.limit and root is not None:
            response = self._second_look(request, parsed, response, started)
        return response

    def _plain_words(self, request: SearchRequest) -> list[str] | None:
        """Returns the words of a request that asks for nothing else, in no special way; None for others."""
        if (
            request.default_operator != "ranked"
            or request.fuzzy == "always"
            or request.explain
            or request.fields
            or request.also
            or request.synonyms
            or request.query_tree
            or request.has_stages
            or not get_mode(request.mode).reads_language
        ):
            return None
        return plain_words(request.query)

    def _answer_words(
        self, request: SearchRequest, tables: Tables, text: str, started: float
    ) -> SearchResponse:
        """Answers a request for plain words as `answer` does, without a tree and what goes with it."""
        parse_done = self.clock()
        plan = plan_words(text, self.word_reader(request.tree))
        terms = weigh_terms(plan.bag, tables, self.snapshot)
        ranker = Ranker(self.snapshot, tables, self.place_masks(request))
        plan_done = self.clock()
        page = ranker.rank_terms(
            terms, tables.for_terms(), self._reachable(request.offset + request.limit)
        )
        ranking = Ranking(plan, (), page, plan_done)
        return self.respond(request, ranking, (), text, (started, parse_done))

    def _reachable(self, wanted: int) -> int:
        # No page reaches beyond the last chunk; the kernel's heap need not either.
        return min(wanted, max(1, self.snapshot.doc_count))

    def word_reader(self, tree: str | None) -> WordReader:
        """Returns what reads words as a tree, or any, was analysed."""
        found = self._word_readers.get(tree)
        if found is None:
            found = self._word_readers[tree] = WordReader(self.analyzers(tree), self.snapshot)
        return found

    def _second_look(
        self, request: SearchRequest, parsed: Parsed, response: SearchResponse, started: float
    ) -> SearchResponse:
        """Looks for similar words when nothing was found, and for what was likely meant when little was."""
        assert parsed.root is not None
        likely = correct(parsed.root, self._analyzers_for(request), self.snapshot)
        if not response.total:
            fuzzy = make_fuzzy(parsed.root)
            if fuzzy != parsed.root:
                again = self.answer(request, parsed._replace(root=fuzzy), started)
                if again.total:
                    response = replace(again, is_fuzzy=True)
        if likely != parsed.root:
            response = replace(response, suggestion=unparse_node(likely))
        return response

    def read(self, request: SearchRequest) -> Parsed:
        """Reads the query in the way of the request's mode.

        Raises:
            QuerySyntaxError: It is not well formed, and the request is strict.
            ModeUnavailableError: The index lacks what the mode needs.
        """
        mode = get_mode(request.mode)
        if mode.needs:
            remedy = "`dowse modes` shows what each mode needs"
            raise ModeUnavailableError(name=mode.name, needs=mode.needs, remedy=remedy)
        reading = Reading(
            request.query, request.default_operator, request.strict, mode_values(mode, request), self._now()
        )
        parsed = mode.read(reading)
        if request.also:
            others = [mode.read(reading._replace(text=text)) for text in request.also]
            parsed = join_queries([parsed, *others])
        if request.synonyms and parsed.root is not None:
            parsed = parsed._replace(root=add_synonyms(parsed.root, request.synonyms))
        if not request.fields or parsed.root is None:
            return parsed
        check_fields(request.fields)
        scoped = tuple(nodes.Scoped(name, parsed.root) for name in request.fields)
        return parsed._replace(root=scoped[0] if len(scoped) == 1 else nodes.Or(scoped))

    def read_typed(self, request: SearchRequest) -> nodes.Node | None:
        """Reads the query without the words that mean the same."""
        return self.read(replace(request, synonyms=())).root

    def answer(
        self, request: SearchRequest, parsed: Parsed, started: float, without: range = NO_CHUNKS
    ) -> SearchResponse:
        """Answers a request whose query was read already.

        Args:
            started: When work on the request began.
            without: Keys of chunks that are no hits, however well they match.
        """
        if request.has_stages:
            from dowse.search.reranking import answer_in_stages

            return answer_in_stages(self, request, parsed, started, without)
        parse_done = self.clock()
        ranking = self.rank(request, parsed.root, request.offset + request.limit, without)
        text = unparse_node(parsed.root) if parsed.root is not None else ""
        response = self.respond(request, ranking, parsed.problems, text, (started, parse_done))
        if request.query_tree:
            response = replace(response, query_tree=tuple(show_tree(parsed.root)))
        return response

    def respond(
        self,
        request: SearchRequest,
        ranking: Ranking,
        problems: tuple[Problem, ...],
        interpretation: str,
        times: tuple[float, float],
        staged: "Sequence[Candidate]" = (),
    ) -> SearchResponse:
        """Fills in the hits of the page and how long everything took since the times of start and parsing.

        Args:
            staged: What stages made of each hit of the ranking; empty when there were none.
        """
        plan, weighed, page, plan_done = ranking
        clock, (started, parse_done) = self.clock, times
        rank_done = clock()
        best = page.best[request.offset :]
        explanations: list[Explanation] = []
        if request.explain:
            tables = self.tables(request)
            explanations = [
                explain_row(weighed, self.snapshot, entry.segment, entry.row, tables) for entry in best
            ]
        changed = staged[request.offset :]
        if changed and explanations:
            explanations = [one.explain(own) for one, own in zip(changed, explanations, strict=True)]
        hits = build_hits(
            self.snapshot,
            best,
            explanations,
            request.offset + 1,
            plan.highlights(self.snapshot) if request.snippets else plan.terms,
            self._analyzers if request.snippets else None,
        )
        if changed:
            pairs = zip(hits, changed, strict=True)
            hits = [replace(hit, duplicate_count=one.duplicate_count) for hit, one in pairs]
        scored_count = 1 if plan.phrase else len(plan.bag or weighed)
        stages = (
            Stage("parse", (parse_done - started) * 1e3, 0, 0),
            Stage("plan", (plan_done - parse_done) * 1e3, 0, 0, f"{scored_count} scored"),
            Stage("match", (rank_done - plan_done) * 1e3, self.snapshot.doc_count, len(page.best)),
            Stage("show", (clock() - rank_done) * 1e3, len(best), len(hits)),
        )
        return SearchResponse(
            request,
            tuple(hits),
            page.total,
            page.is_exact,
            interpretation,
            self.snapshot.generation,
            stages,
            problems + plan.problems + self.snapshot.problems,
        )

    def rank(
        self,
        request: SearchRequest,
        root: nodes.Node | None,
        wanted: int,
        without: range = NO_CHUNKS,
        only: Sequence[U8] | None = None,
    ) -> Ranking:
        """Finds the best chunks for a query that was read already, from the first one on.

        Args:
            wanted: How many at most, whatever page the request asks for.
            without: See `answer`.
            only: Per segment, one byte a row, 0 for rows that are not looked at; None for all that the
                request looks at.
        """
        tables = self.tables(request)
        ranker = Ranker(self.snapshot, tables, self.document_masks(request, without))
        is_plain = not request.explain and tables.model.combines_fields
        plan = self._short_plan(request, root) if root and is_plain else None
        plan = plan or self._plan(request, root, tables, ranker)
        if only is not None:  # how the query is read does not depend on it
            ranker = Ranker(self.snapshot, tables, only)
        wanted = self._reachable(wanted)
        weighed: Sequence[Weighed] = ()
        if plan.bag and is_plain:
            terms = weigh_terms(plan.bag, tables, self.snapshot)
            if plan.needed:
                clauses = find_clauses(plan.needed, plan.excluded, terms, self.snapshot)
                plan_done = self.clock()
                page = ranker.rank_clauses(terms, clauses, tables.for_terms(), wanted)
            else:
                plan_done = self.clock()
                page = ranker.rank_terms(terms, tables.for_terms(), wanted)
        elif plan.phrase is not None:
            weight = weigh_phrase(plan.phrase, tables, self.snapshot)
            plan_done = self.clock()
            page = ranker.rank_phrase(plan.phrase, weight, tables.for_terms(), wanted)
        else:
            weighed = weigh(plan.scored or match_bag(plan.bag, self.snapshot), tables, self.snapshot)
            plan_done = self.clock()
            page = Page(wanted) if plan.is_empty else ranker.rank(weighed, plan.matcher, wanted)
        return Ranking(plan, weighed, page, plan_done)

    def _short_plan(self, request: SearchRequest, root: nodes.Node) -> Plan | None:
        words = self.word_reader(request.tree)
        return (
            plan_required(root, words)
            or plan_quorum(root, words)
            or plan_phrase(root, words, self.snapshot)
            or plan_pattern(root, words, self.snapshot)
        )

    def _plan(
        self, request: SearchRequest, root: nodes.Node | None, tables: Tables, ranker: Ranker
    ) -> Plan:
        rank_best = self._rank_best(tables, ranker)
        return build_plan(
            root, self._analyzers_for(request), self.snapshot, self.documents, rank_best
        )

    def bind(self, request: SearchRequest, root: nodes.Node) -> tuple[Binder, Scope]:
        """Returns what gives each part of a query its meaning, and in which scope the whole stands."""
        tables = self.tables(request)
        ranker = Ranker(self.snapshot, tables, self.document_masks(request, NO_CHUNKS))
        binder, _, scope = bind_query(
            root,
            self._analyzers_for(request),
            self.snapshot,
            self.documents,
            self._rank_best(tables, ranker),
        )
        return binder, scope

    def matcher_of(self, request: SearchRequest, root: nodes.Node) -> Matcher | None:
        """Returns what says which chunks match a query; None when nothing of it is left to match."""
        tables = self.tables(request)
        ranker = Ranker(self.snapshot, tables, self.place_masks(request))
        plan = build_plan(
            root, self._analyzers_for(request), self.snapshot, self.documents, self._rank_best(tables, ranker)
        )
        if plan.matcher is not None:
            return plan.matcher
        scored = [scored for scored, _ in plan.scored or match_bag(plan.bag, self.snapshot)]
        return AnyOf(tuple(scored), self.snapshot.segments) if scored else None

    def weigh_again(self, request: SearchRequest, root: nodes.Node | None) -> Sequence[Weighed]:
        """Returns what a query scores by, for explaining a chunk that was found in another way."""
        tables = self.tables(request)
        ranker = Ranker(self.snapshot, tables, self.place_masks(request))
        plan = self._plan(request, root, tables, ranker)
        return weigh(plan.scored or match_bag(plan.bag, self.snapshot), tables, self.snapshot)

    def keys_of(self, found: Sequence[Ranked]) -> list[int]:
        """Returns the keys of chunks that were found."""
        keys = [segment.reader.columns.chunk_keys for segment in self.snapshot.segments]
        return [keys[entry.segment].item(entry.row) for entry in found]

    @property
    def shared_analyzers(self) -> Analyzers:
        """The analyzers of all generations of the index."""
        return self._analyzers

    def _rank_best(self, tables: Tables, ranker: Ranker) -> RankBest:
        def rank_best(scored: Sequence[Scored], keep: int) -> list[U32]:
            return ranker.best_rows(weigh(scored, tables, self.snapshot), keep)

        return rank_best

    def document_masks(self, request: SearchRequest, without: range) -> list[U8 | None]:
        """Returns, per segment, which rows may be hits: those in place, without some by key; None for all."""
        masks = self.place_masks(request)
        if not without:
            return masks
        found: list[U8 | None] = []
        for segment, mask in zip(self.snapshot.segments, masks, strict=True):
            # Rows ascend by chunk key (S6), so what is left out stands together.
            keys = segment.reader.columns.chunk_keys
            first, stop = np.searchsorted(keys, (without.start, without.stop))
            if first < stop:
                mask = np.ones(len(keys), np.uint8) if mask is None else mask.copy()
                mask[first:stop] = 0
            found.append(mask)
        return found

    def place_masks(self, request: SearchRequest) -> list[U8 | None]:
        """Returns, per segment, which rows are in the tree and folder of a request; None for all."""
        if request.tree is None:
            return [None] * len(self.snapshot.segments)
        tree = self.get_tree(request.tree)
        key = tree.tree_id, request.under
        if key not in self._tree_masks:
            self._tree_masks[key] = [place_mask(segment, *key) for segment in self.snapshot.segments]
        return self._tree_masks[key]

    def get_tree(self, name: str) -> Tree:
        """Returns a tree by name; raises UnknownTreeError when there is none."""
        return self.snapshot.get_tree(name)

    def tables(self, request: SearchRequest) -> Tables:
        """Returns the tables of the scoring that a request asks for."""
        choice = Choice.of(request)
        found = self._tables.get(choice)
        if found is None:
            model = choose_scoring(choice)
            found = self._tables[choice] = Tables(model, self.snapshot.avg_lengths)
        return found

    def _analyzers_for(self, request: SearchRequest) -> list[Analyzer]:
        return self.analyzers(request.tree)

    def analyzers(self, tree: str | None) -> list[Analyzer]:
        """Returns an analyzer for each way in which a tree, or any, was analysed; at least one."""
        found = self._tree_analyzers.get(tree)
        if found is None:
            if tree is not None:
                settings = {self.get_tree(tree).analysis}
            else:
                settings = {entry.analysis for entry in self.snapshot.trees.values()} or {"{}"}
            found = [self._analyzers.get(analysis) for analysis in sorted(settings)]
            self._tree_analyzers[tree] = found
        return found

