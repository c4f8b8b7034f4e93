"""The lexical leg: what the words find, and how they score what vectors found."""

from collections.abc import Collection, Mapping
from functools import cached_property
from typing import ClassVar, NamedTuple

from dowse.fusion import ScoreDistribution
from dowse.planning.plan import EMPTY
from dowse.query import nodes, unparse_node
from dowse.remedy import Remedy
from dowse.schema import Explanation, Problem, Stage
from dowse.search.legs.bound_query import BoundQuery
from dowse.search.legs.exact_matches import find_exact
from dowse.search.legs.leg import LegScores, Scores
from dowse.search.legs.ngram_proximity import explain_factor, find_factors
from dowse.search.lexical.corrections import correct, make_fuzzy
from dowse.search.lexical.expansion import expand, not_expanded
from dowse.search.lexical.ranking import Ranking, TopK
from dowse.search.lexical.row_addresses import find_addresses, keys_of, mask_rows
from dowse.search.lexical.searcher import LexicalSearcher
from dowse.search.lexical.weighting import WeightedTerm, explain_row
from dowse.search.question import read_question

SIMILAR_INSTEAD = "similar words were searched for instead"
MEANING_ALONE = "meaning alone answers"
NO_WORDS = Problem(
    "no-words",
    "query",
    "meaning needs words, and patterns, filters and exclusions have none",
    Remedy.SEARCH_BY_WORDS,
)


class LexicalResult(NamedTuple):
    """What the words found.

    Attributes:
        root: The query as it was ranked, similar and added words included.
        is_fuzzy: Whether similar words were searched for instead.
        suggestion: What was likely meant.
        expanded: The step that added words, if there was one.
        problems: What was asked for and not done.
    """

    root: nodes.Node | None
    ranking: Ranking
    is_fuzzy: bool = False
    suggestion: str = ""
    expanded: Stage | None = None
    problems: tuple[Problem, ...] = ()

    @property
    def asks_nothing(self) -> bool:
        """Whether the query has nothing to search for."""
        return EMPTY in self.ranking.plan.problems


class Lexical:
    """Finds chunks by the words of a query, with similar words when none of them is there.

    Where vectors answer alone, the query is only read: for what is highlighted, and what is wrong with it.

    Args:
        query: What is asked.
        pool: How many chunks it brings at most.
    """

    name: ClassVar[str] = "lexical"

    def __init__(self, query: BoundQuery, pool: int) -> None:
        self._query, self.pool = query, pool
        self._searcher = LexicalSearcher(query.context)
        self._factors: Mapping[int, float] = {}
        self.exact: frozenset[int] = frozenset()

    @cached_property
    def result(self) -> LexicalResult:
        """What the words found."""
        query = self._query
        found = self._rank() if query.uses_words else self._only_read()
        return found if query.request.expand == "none" else self._expand(found)

    def retrieve(self) -> LegScores:
        """See `Leg`; exact matches are among them however many others score better."""
        query, context = self._query, self._query.context
        if not query.uses_words:
            return LegScores({}, True)
        best = self.result.ranking.top.best
        scores = {key: one.score for key, one in zip(keys_of(context.snapshot, best), best, strict=True)}
        if query.text and scores:
            self.exact = frozenset(find_exact(self._searcher, query.lexical, query.question.typed))
            scores |= self.score(self.exact - scores.keys())
        return LegScores(scores, len(scores) < self.pool)

    def score(self, keys: Collection[int]) -> dict[int, float]:
        """See `Leg`."""
        if len(self.result.ranking.top.best) < self.pool or not keys:
            return {}  # the words brought all that have any
        snapshot = self._query.context.snapshot
        only = mask_rows(snapshot, find_addresses(snapshot, keys))
        top = self._searcher.rank(self._query.lexical, self.result.root, len(keys), only=only).top
        return dict(zip(keys_of(snapshot, top.best), (one.score for one in top.best), strict=True))

    def refine(self, scores: dict[int, float], others: Mapping[str, Scores]) -> dict[int, float]:
        """See `Leg`: words that stand together as in the query count more."""
        if self.result.is_fuzzy:
            return scores
        self._factors = find_factors(self._query, scores)
        return scores | {key: scores[key] * factor for key, factor in self._factors.items()}

    def distribution(self) -> ScoreDistribution | None:
        """See `Leg`: a score of 0 is no match, and says enough."""
        return None

    def explain(self, key: int, score: float) -> Explanation:
        """See `Leg`."""
        context = self._query.context
        address = find_addresses(context.snapshot, [key])[key]
        own = explain_row(self._weighted, context.snapshot, *address, context.tables(self._query.lexical))
        return explain_factor(own, self._factors[key]) if key in self._factors else own

    @cached_property
    def _weighted(self) -> list[WeightedTerm]:
        return list(self._searcher.weight(self._query.lexical, self.result.root))

    def _rank(self) -> LexicalResult:
        query, searcher = self._query, self._searcher
        root = query.parsed.root
        ranking = searcher.rank(query.lexical, root, self.pool)
        if query.request.fuzzy != "auto" or ranking.top.total or root is None:
            return LexicalResult(root, ranking)
        context = query.context
        likely = correct(root, context.tree_analyzers(query.lexical.tree), context.snapshot)
        suggestion = "" if likely == root else unparse_node(likely)
        fuzzy = make_fuzzy(root)
        again = searcher.rank(query.lexical, fuzzy, self.pool) if fuzzy != root else ranking
        if not again.top.total:
            return LexicalResult(root, ranking, suggestion=suggestion)
        return LexicalResult(fuzzy, again, is_fuzzy=True, suggestion=suggestion)

    def _only_read(self) -> LexicalResult:
        query, root = self._query, self._query.parsed.root
        ranking = self._searcher.rank(query.lexical, root, 1)._replace(top=TopK(self.pool))
        # A query of nothing at all is a problem already.
        has_words = bool(query.request.hypothesis or read_question(root).text) or root is None
        return LexicalResult(root, ranking, problems=() if has_words else (NO_WORDS,))

    def _expand(self, found: LexicalResult) -> LexicalResult:
        query, clock = self._query, self._query.context.clock
        started, count = clock(), len(found.ranking.top.best)
        if not query.uses_words:
            expanded = not_expanded(query.lexical, found.root, found.ranking, MEANING_ALONE)
        elif found.is_fuzzy:
            expanded = not_expanded(query.lexical, found.root, found.ranking, SIMILAR_INSTEAD)
        else:
            expanded = expand(self._searcher, query.lexical, found.root, found.ranking, self.pool)
        root, ranking, note, problems = expanded
        ms = (clock() - started) * 1e3
        stage = Stage("expand", ms, count, len(ranking.top.best), note)
        return found._replace(
            root=root, ranking=ranking, expanded=stage, problems=(*problems, *found.problems)
        )
