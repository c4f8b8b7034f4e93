"""Reads, plans and ranks queries by words on one generation."""

from collections.abc import Sequence

from msgspec.structs import replace

from dowse.errors import ModeUnavailableError
from dowse.kernels.layout import U8
from dowse.matching import AnyOf, Matcher
from dowse.planning import (
    BagPlan,
    Binder,
    Plan,
    Scope,
    TreePlan,
    bind_query,
    build_plan,
    plan_filtered,
    plan_pattern,
    plan_phrase,
    plan_quorum,
    plan_required,
    plan_words,
)
from dowse.planning.synonyms import add_synonyms
from dowse.query import Parsed, join_queries, nodes
from dowse.remedy import Remedy
from dowse.schema import SearchRequest
from dowse.search.context import SearchContext
from dowse.search.lexical.ranking import Ranker, Ranking
from dowse.search.lexical.weighting import ScoreTables, WeightedTerm, weight_terms
from dowse.search.modes import Reading, get_mode
from dowse.search.parameters import check_fields, mode_values

NO_CHUNKS = range(0)


class LexicalSearcher:
    """Reads queries, plans them, and ranks what they match."""

    __slots__ = ("context",)

    def __init__(self, context: SearchContext) -> None:
        self.context = context

    def read(self, request: SearchRequest) -> Parsed:
        """Reads the query in the way of the request's mode.

        Raises:
            QuerySyntaxError: It is not well formed, and the request is strict.
            ModeUnavailableError: The index lacks what the mode needs.
        """
        mode = get_mode(request.mode)
        if mode.needs:
            raise ModeUnavailableError(name=mode.name, needs=mode.needs, remedy=Remedy.LIST_MODES)
        values, now = mode_values(mode, request), self.context.wall_clock()
        reading = Reading(request.query, request.default_operator, request.strict, values, now)
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
        """Reads the query without its synonyms."""
        return self.read(replace(request, synonyms=())).root

    def rank_words(self, request: SearchRequest, text: str, tables: ScoreTables) -> Ranking:
        """Ranks plain words as `rank` does, without a tree and what goes with it."""
        context = self.context
        plan = plan_words(text, context.word_reader(request.tree))
        ranker = Ranker(context.snapshot, tables, context.scope_masks(request), context.clock)
        return plan.rank(ranker, self._reachable(request.offset + request.limit))

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
            without: Keys of chunks that are no hits, however well they match.
            only: Per segment, one byte per row, 0 for rows that are not looked at; None for all that the
                request looks at.
        """
        context = self.context
        tables = context.tables(request)
        ranker = self._ranker(request, without)
        is_plain = not request.explain and tables.model.combines_fields
        plan: Plan | None = self._short_plan(request, root) if root and is_plain else None
        if plan is None:
            planned = self._plan(request, root, ranker)
            plan = planned if is_plain else planned.bind(context.snapshot)
        if only is not None:  # how the query is read does not depend on it
            ranker = Ranker(context.snapshot, tables, only, context.clock)
        return plan.rank(ranker, self._reachable(wanted))

    def bind(self, request: SearchRequest, root: nodes.Node) -> tuple[Binder, Scope]:
        """Returns what gives each part of a query its meaning, and in which scope the whole stands."""
        context = self.context
        binder, _, scope = bind_query(
            root,
            context.tree_analyzers(request.tree),
            context.snapshot,
            context.documents,
            self._ranker(request, NO_CHUNKS).best_rows,
        )
        return binder, scope

    def matcher_of(self, request: SearchRequest, root: nodes.Node) -> Matcher | None:
        """Returns what says which chunks match a query; None when nothing of it is left to match."""
        snapshot = self.context.snapshot
        plan = self._plan(request, root, self._ranker(request, NO_CHUNKS)).bind(snapshot)
        if plan.matcher is not None:
            return plan.matcher
        scored = [scored for scored, _ in plan.scored]
        return AnyOf(tuple(scored), snapshot.segments) if scored else None

    def weight(self, request: SearchRequest, root: nodes.Node | None) -> Sequence[WeightedTerm]:
        """Returns what a query scores by, for explaining a chunk that was found in another way."""
        context = self.context
        plan = self._plan(request, root, self._ranker(request, NO_CHUNKS)).bind(context.snapshot)
        return weight_terms(plan.scored, context.tables(request), context.snapshot)

    def _ranker(self, request: SearchRequest, without: range) -> Ranker:
        context = self.context
        return Ranker(
            context.snapshot, context.tables(request), context.scope_masks(request, without), context.clock
        )

    def _short_plan(self, request: SearchRequest, root: nodes.Node) -> Plan | None:
        words, snapshot = self.context.word_reader(request.tree), self.context.snapshot
        return (
            plan_filtered(root, words, self.context.documents)
            or plan_required(root, words)
            or plan_quorum(root, words)
            or plan_phrase(root, words, snapshot)
            or plan_pattern(root, words, snapshot)
        )

    def _plan(self, request: SearchRequest, root: nodes.Node | None, ranker: Ranker) -> BagPlan | TreePlan:
        context = self.context
        return build_plan(
            root, context.tree_analyzers(request.tree), context.snapshot, context.documents, ranker.best_rows
        )

    def _reachable(self, wanted: int) -> int:
        # No page reaches beyond the last chunk; the kernel's heap need not either.
        return min(wanted, max(1, self.context.snapshot.doc_count))
