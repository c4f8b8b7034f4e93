"""From a parsed query to leaves: scored, required, excluded."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from dowse.analysis import PART, WHOLE, Analyzer, QueryToken
from dowse.matching import Leaf, match_phrase, match_term
from dowse.query import Not, Phrase, Query, Word
from dowse.schema import Problem
from dowse.storage.snapshot import Snapshot


class ScoredLeaf(NamedTuple):
    """A leaf and how much the query asks for it."""

    leaf: Leaf
    query_weight: float


class Plan(NamedTuple):
    """What to run.

    Attributes:
        bag: The whole query, when it is nothing but words: each term and how much the query asks for it.
        scored: What adds to scores; of a bag, made by `match_bag` when somebody asks.
        required: What every hit must match.
        excluded: What no hit may match.
        terms: All terms to highlight.
        is_everything: True when the query only excludes: every other chunk is a hit.
    """

    bag: tuple[tuple[str, float], ...]
    scored: tuple[ScoredLeaf, ...]
    required: tuple[Leaf, ...]
    excluded: tuple[Leaf, ...]
    terms: frozenset[str]
    is_everything: bool
    problems: tuple[Problem, ...]


def match_bag(bag: Iterable[tuple[str, float]], snapshot: Snapshot) -> tuple[ScoredLeaf, ...]:
    """Returns the leaves of a bag of terms."""
    return tuple(ScoredLeaf(match_term(snapshot, term), weight) for term, weight in bag)


def build_plan(query: Query, analyzers: Sequence[Analyzer], snapshot: Snapshot) -> Plan:
    """Plans a query.

    Args:
        query: As parsed.
        analyzers: One for each language of the trees searched; a word means its terms in all of them.
        snapshot: Where terms are looked up.
    """
    weights: dict[str, float] = {}
    stop_weights: dict[str, float] = {}
    phrases: list[Leaf] = []
    excluded: list[Leaf] = []
    highlights: set[str] = set()
    # One call for all bare words: no token reaches across white space.
    bare = " ".join([clause.text for clause in query.clauses if isinstance(clause, Word)])
    auto_threshold = _auto_threshold(analyzers)
    for token in _tokens(bare, analyzers):
        is_stop = token.is_stop or (
            auto_threshold is not None and _share(token, snapshot) >= auto_threshold
        )
        target = stop_weights if is_stop else weights
        target[token.term] = target.get(token.term, 0.0) + 1.0
    for clause in query.clauses:
        if isinstance(clause, Phrase):
            leaf, terms = _phrase_leaf(clause.text, analyzers, snapshot)
            phrases += leaf
            highlights.update(terms)
        elif isinstance(clause, Not):
            excluded += _excluded_leaves(clause, analyzers, snapshot)
    if not weights and not phrases:
        weights = stop_weights
    bag = tuple(weights.items())
    if bag and not phrases and not excluded:
        return Plan(bag, (), (), (), frozenset(weights), False, ())
    scored = [*match_bag(bag, snapshot), *(ScoredLeaf(leaf, 1.0) for leaf in phrases)]
    highlights.update(weights)
    is_everything = bool(excluded) and not scored
    problems: tuple[Problem, ...] = ()
    if not scored and not is_everything:
        problems = (Problem("empty-query", "query", "there is no word to search for in this query"),)
    return Plan(
        (),
        tuple(scored),
        tuple(phrases),
        tuple(excluded),
        frozenset(highlights),
        is_everything,
        problems,
    )


def _tokens(text: str, analyzers: Sequence[Analyzer]) -> list[QueryToken]:
    """Returns a word's tokens; those that several languages agree on appear once."""
    if len(analyzers) == 1:
        return analyzers[0].query_tokens(text)
    tokens: dict[tuple[str, int, int], QueryToken] = {}
    for analyzer in analyzers:
        for token in analyzer.query_tokens(text):
            tokens.setdefault((token.term, token.start, token.kind), token)
    return list(tokens.values())


def _auto_threshold(analyzers: Sequence[Analyzer]) -> float | None:
    """Returns the share of chunks from which a term counts as a stop word; None when none does."""
    thresholds = [
        analyzer.settings.auto_threshold
        for analyzer in analyzers
        if analyzer.settings.stop_words == "auto"
    ]
    return max(thresholds, default=None)


def _share(token: QueryToken, snapshot: Snapshot) -> float:
    return match_term(snapshot, token.term).doc_freq / max(snapshot.doc_count, 1)


def _phrase_words(text: str, analyzer: Analyzer) -> tuple[tuple[str, int], ...]:
    parts = [token for token in analyzer.query_tokens(text) if token.kind == PART]
    return tuple((token.term, token.position) for token in parts)


def _phrase_leaf(
    text: str, analyzers: Sequence[Analyzer], snapshot: Snapshot
) -> tuple[list[Leaf], set[str]]:
    """Returns the leaf of a phrase, in the language in which most chunks have it."""
    readings = {words for analyzer in analyzers if (words := _phrase_words(text, analyzer))}
    if not readings:
        return [], set()
    leaves = [match_phrase(snapshot, f'"{text}"', words) for words in sorted(readings)]
    best = max(leaves, key=lambda leaf: leaf.doc_freq)
    return [best], {term for words in readings for term, _ in words}


def _excluded_leaves(
    clause: Not, analyzers: Sequence[Analyzer], snapshot: Snapshot
) -> list[Leaf]:
    leaves = []
    for analyzer in analyzers:
        tokens = analyzer.query_tokens(clause.item.text)
        words = tuple((token.term, token.position) for token in tokens if token.kind == PART)
        wholes = [token.term for token in tokens if token.kind == WHOLE]
        if len(words) > 1:
            leaves.append(match_phrase(snapshot, clause.item.text, words))
        elif words and not wholes:
            leaves.append(match_term(snapshot, words[0][0]))
        if isinstance(clause.item, Word):
            leaves += [match_term(snapshot, term) for term in wholes]
    return leaves
