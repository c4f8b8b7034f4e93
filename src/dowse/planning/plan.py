"""From a parsed query to a plan: what is scored, and which chunks may appear."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol, TypeVar

from msgspec import Struct

from dowse.analysis import Analyzer
from dowse.matching import (
    Documents,
    Expansion,
    FilteredRows,
    Matcher,
    PhraseAlone,
    Without,
    match_term,
    spell_terms,
)
from dowse.planning.binding import Binder, are_scored
from dowse.planning.bound import Bound, RankBest, Role, Scope, Scored
from dowse.planning.reading import WordReader
from dowse.query import nodes
from dowse.schema import Problem
from dowse.storage.snapshot import Snapshot

Bag = tuple[tuple[str, float], ...]


class Needed(NamedTuple):
    """What a hit must have of a bag of terms.

    Attributes:
        clauses: Runs of its terms, by their positions in the bag, of each of which a hit must have one.
        least: Instead, how many terms a hit must have; what they are worth is multiplied by the share of
            the terms that it has. 0 when it is clauses.
    """

    clauses: tuple[range, ...] = ()
    least: int = 0


Result_co = TypeVar("Result_co", covariant=True)


class PlanRanker(Protocol[Result_co]):
    """Who runs plans: one method for each kind of plan."""

    def rank_bag(self, plan: "BagPlan", wanted: int) -> Result_co:
        """Ranks words of which any is enough."""

    def rank_clauses(self, plan: "ClausePlan", wanted: int) -> Result_co:
        """Ranks words of which some must be there."""

    def rank_phrase(self, plan: "PhrasePlan", wanted: int) -> Result_co:
        """Ranks one phrase."""

    def rank_tree(self, plan: "TreePlan", wanted: int) -> Result_co:
        """Ranks whatever else a query can say."""


class _AnyPlan(Struct, frozen=True, kw_only=True):
    """What every plan says besides what it ranks.

    Attributes:
        terms: Terms to highlight.
        expansions: Whose terms to highlight as well.
        problems: What could not be done as asked.
    """

    terms: frozenset[str] = frozenset()
    expansions: tuple[Expansion, ...] = ()
    problems: tuple[Problem, ...] = ()

    def highlights(self, snapshot: Snapshot) -> frozenset[str]:
        """Returns all terms to highlight."""
        if not self.expansions:
            return self.terms
        found = {
            spelling.decode("utf-8", "replace")
            for expansion in self.expansions
            for segment, terms in zip(snapshot.segments, expansion.terms, strict=True)
            for spelling in spell_terms(segment.reader, terms)
        }
        return self.terms | found


class BagPlan(_AnyPlan, frozen=True):
    """A query that is nothing but words: each term, and how much the query asks for it."""

    bag: Bag

    @property
    def is_empty(self) -> bool:
        """False: there is a term."""
        return False

    @property
    def scored_count(self) -> int:
        """How many things are scored."""
        return len(self.bag)

    def bind(self, snapshot: Snapshot) -> "TreePlan":
        """Returns the same as a tree, for a model that scores each field alone, and for explanations."""
        return TreePlan(
            match_bag(self.bag, snapshot),
            terms=self.terms,
            expansions=self.expansions,
            problems=self.problems,
        )

    def rank(self, ranker: PlanRanker[Result_co], wanted: int) -> Result_co:
        """Has the plan run."""
        return ranker.rank_bag(self, wanted)


class ClausePlan(_AnyPlan, frozen=True):
    """A query of words of which some must be there, and others must not, with or without filters.

    Attributes:
        needed: What a hit must have of the bag.
        excluded: Terms that hits must not have.
        filters: Which rows may be hits at all; None when every row may.
    """

    bag: Bag
    needed: Needed
    excluded: tuple[str, ...] = ()
    filters: FilteredRows | None = None

    @property
    def is_empty(self) -> bool:
        """False: there is a term."""
        return False

    @property
    def scored_count(self) -> int:
        """How many things are scored."""
        return len(self.bag)

    def rank(self, ranker: PlanRanker[Result_co], wanted: int) -> Result_co:
        """Has the plan run."""
        return ranker.rank_clauses(self, wanted)


class PhrasePlan(_AnyPlan, frozen=True):
    """A query that is one phrase, which need not be explained."""

    phrase: PhraseAlone

    @property
    def is_empty(self) -> bool:
        """False: there is a phrase."""
        return False

    @property
    def scored_count(self) -> int:
        """How many things are scored."""
        return 1

    def rank(self, ranker: PlanRanker[Result_co], wanted: int) -> Result_co:
        """Has the plan run."""
        return ranker.rank_phrase(self, wanted)


class TreePlan(_AnyPlan, frozen=True):
    """Any other query, bound part by part.

    Attributes:
        scored: What adds to scores.
        matcher: Which chunks are hits; None when it is those that anything scored matches.
    """

    scored: tuple[Scored, ...] = ()
    matcher: Matcher | None = None

    @property
    def is_empty(self) -> bool:
        """True when nothing was asked."""
        return not (self.scored or self.matcher)

    @property
    def scored_count(self) -> int:
        """How many things are scored."""
        return len(self.scored)

    def bind(self, snapshot: Snapshot) -> "TreePlan":
        """Returns itself; see `BagPlan.bind`."""
        return self

    def rank(self, ranker: PlanRanker[Result_co], wanted: int) -> Result_co:
        """Has the plan run."""
        return ranker.rank_tree(self, wanted)


Plan = BagPlan | ClausePlan | PhrasePlan | TreePlan
"""What to run."""

EMPTY = Problem("empty-query", "query", "there is no word to search for in this query")


def build_plan(
    root: nodes.Node | None,
    analyzers: Sequence[Analyzer],
    snapshot: Snapshot,
    documents: Documents,
    rank_best: RankBest,
) -> BagPlan | TreePlan:
    """Plans a query.

    Args:
        root: As parsed; None for a query that asks nothing.
        analyzers: One for each language of the trees searched; a word means its terms in all of them.
        snapshot: Where terms are looked up.
        documents: Answers filters.
        rank_best: See `Binder`.
    """
    if root is None:
        return TreePlan(problems=(EMPTY,))
    text = _bare_words(root)
    if text:
        return plan_words(text, WordReader(analyzers, snapshot))
    if type(root) is nodes.Or:
        weights = _weighted_words(root.items, WordReader(analyzers, snapshot))
        if weights:
            return BagPlan(tuple(weights.items()), terms=frozenset(weights))
    binder, bound, _ = bind_query(root, analyzers, snapshot, documents, rank_best)
    if bound is None:
        return TreePlan(problems=(*binder.problems, EMPTY))
    return TreePlan(
        tuple(scored for scored in bound.scored if scored[1] > 0.0),
        _root_matcher(bound, binder),
        terms=frozenset(binder.terms),
        expansions=tuple(binder.expansions),
        problems=tuple(dict.fromkeys(binder.problems)),
    )


def bind_query(
    root: nodes.Node,
    analyzers: Sequence[Analyzer],
    snapshot: Snapshot,
    documents: Documents,
    rank_best: RankBest,
) -> tuple[Binder, Bound | None, Scope]:
    """Binds a whole query; returns as well what bound it, and whether stop words counted.

    See `build_plan` for the arguments.
    """
    scope = Scope()
    binder = Binder(snapshot, analyzers, documents, rank_best)
    bound = binder.bind(root, scope)
    if bound is None or not bound.scored:
        # Nothing but stop words, or filters and exclusions around them.
        scope = Scope(keeps_stop_words=True)
        binder = Binder(snapshot, analyzers, documents, rank_best)
        bound = binder.bind(root, scope)
    return binder, bound, scope


def match_bag(bag: Bag, snapshot: Snapshot) -> tuple[Scored, ...]:
    """Returns the leaves of a bag of terms."""
    return tuple((match_term(snapshot, term), weight) for term, weight in bag)


def _bare_words(root: nodes.Node) -> str:
    """Returns the text of a query that is nothing but words; empty for any other."""
    if type(root) is nodes.Word:
        return root.text
    if type(root) is not nodes.BagOfWords:
        return ""
    texts = []
    for item in root.items:
        if type(item) is not nodes.Word:
            return ""
        texts.append(item.text)
    return " ".join(texts)  # no token reaches across white space


def _weighted_words(items: Sequence[nodes.Node], words: WordReader) -> dict[str, float]:
    """Returns the terms of ``a OR b^2``, each with its weight; nothing when an item is more than one term."""
    weights: dict[str, float] = {}
    for item in items:
        word, factor = (item.item, item.factor) if isinstance(item, nodes.Boosted) else (item, 1.0)
        if not isinstance(word, nodes.Word) or factor <= 0.0:
            return {}
        for reading in words.read(word.text, keeps_stop_words=False):
            if len(reading.parts) != 1 or reading.wholes:
                return {}
            term = reading.parts[0][0]
            weights[term] = weights.get(term, 0.0) + factor
    return weights


def plan_words(text: str, words: WordReader) -> BagPlan | TreePlan:
    """Plans a query that is nothing but words."""
    weights = words.bag(text, keeps_stop_words=False) or words.bag(text, keeps_stop_words=True)
    if not weights:
        return TreePlan(problems=(EMPTY,))
    return BagPlan(tuple(weights.items()), terms=frozenset(weights))


def _root_matcher(bound: Bound, binder: Binder) -> Matcher | None:
    if bound.role is Role.EXCLUDED:
        return Without(binder.all_rows(), bound.matcher)
    if bound.is_union and are_scored(bound.scored):
        return None
    return bound.matcher
