"""From a parsed query to a plan: what is scored, and which chunks may appear."""

from collections.abc import Sequence
from typing import NamedTuple

from dowse.analysis import Analyzer
from dowse.matching import Documents, Expansion, Matcher, PhraseAlone, Without, match_term, spell_terms
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
        clauses: Runs of its terms, by their places, of each of which a hit must have one.
        least: Instead, how many terms a hit must have; what they are worth is multiplied by the share of
            the terms that it has. 0 when it is clauses.
    """

    clauses: tuple[range, ...] = ()
    least: int = 0


class Plan(NamedTuple):
    """What to run.

    Attributes:
        bag: The whole query, when it is nothing but words: each term and how much the query asks for it.
        needed: What a hit must have of a bag; None when it is one term at all.
        excluded: Terms that hits of such a bag must not have.
        phrase: The whole query, when it is one phrase that need not be explained.
        scored: What adds to scores.
        matcher: Which chunks are hits; None when it is those that anything scored matches.
        terms: Terms to highlight.
        expansions: Whose terms to highlight as well.
    """

    bag: Bag = ()
    scored: tuple[Scored, ...] = ()
    matcher: Matcher | None = None
    terms: frozenset[str] = frozenset()
    expansions: tuple[Expansion, ...] = ()
    problems: tuple[Problem, ...] = ()
    needed: Needed | None = None
    excluded: tuple[str, ...] = ()
    phrase: PhraseAlone | None = None

    @property
    def is_empty(self) -> bool:
        """True when nothing was asked."""
        return not (self.bag or self.scored or self.matcher or self.phrase)

    def highlights(self, snapshot: Snapshot) -> frozenset[str]:
        """Returns all terms to highlight."""
        found = {
            spelling.decode("utf-8", "replace")
            for expansion in self.expansions
            for segment, terms in zip(snapshot.segments, expansion.terms, strict=True)
            for spelling in spell_terms(segment.reader, terms)
        }
        return self.terms | found


EMPTY = Problem("empty-query", "query", "there is no word to search for in this query")


def build_plan(
    root: nodes.Node | None,
    analyzers: Sequence[Analyzer],
    snapshot: Snapshot,
    documents: Documents,
    rank_best: RankBest,
) -> Plan:
    """Plans a query.

    Args:
        root: As parsed; None for a query that asks nothing.
        analyzers: One for each language of the trees searched; a word means its terms in all of them.
        snapshot: Where terms are looked up.
        documents: Answers filters.
        rank_best: See `Binder`.
    """
    if root is None:
        return Plan(problems=(EMPTY,))
    text = _bare_words(root)
    if text:
        return plan_words(text, WordReader(analyzers, snapshot))
    if type(root) is nodes.Or:
        weights = _weighted_words(root.items, WordReader(analyzers, snapshot))
        if weights:
            return Plan(tuple(weights.items()), terms=frozenset(weights))
    binder, bound, _ = bind_query(root, analyzers, snapshot, documents, rank_best)
    if bound is None:
        return Plan(problems=(*binder.problems, EMPTY))
    return Plan(
        (),
        tuple(scored for scored in bound.scored if scored[1] > 0.0),
        _root_matcher(bound, binder),
        frozenset(binder.terms),
        tuple(binder.expansions),
        tuple(dict.fromkeys(binder.problems)),
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


def plan_words(text: str, words: WordReader) -> Plan:
    """Plans a query that is nothing but words."""
    weights = words.bag(text, keeps_stop_words=False) or words.bag(text, keeps_stop_words=True)
    if not weights:
        return Plan(problems=(EMPTY,))
    return Plan(tuple(weights.items()), terms=frozenset(weights))


def _root_matcher(bound: Bound, binder: Binder) -> Matcher | None:
    if bound.role is Role.EXCLUDED:
        return Without(binder.all_rows(), bound.matcher)
    if bound.is_union and are_scored(bound.scored):
        return None
    return bound.matcher
