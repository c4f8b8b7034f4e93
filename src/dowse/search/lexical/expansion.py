"""More words for a query: those of its best hits, or those nearest to it in a model's vocabulary.

What is added counts less than what was typed, and never has to match. A query that has drifted is given up:
unless enough of the first hits stay among the first, everything is as if nothing had been added (seed 001).
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from dowse.analysis import PART
from dowse.matching import match_term
from dowse.query import nodes
from dowse.schema import Problem, SearchRequest
from dowse.search.context import VocabularyUnavailable
from dowse.search.lexical.ranking import Ranked, Ranking
from dowse.search.lexical.row_addresses import keys_of
from dowse.search.lexical.searcher import NO_CHUNKS, LexicalSearcher
from dowse.search.question import read_question

FEEDBACK_HITS = 10
FEEDBACK_WORDS = 20
FEEDBACK_SHARE = 0.2
"""What the added words count together, compared with those that were typed."""
NEAR_WORDS = 3
NEAR_SHARE = 0.4
COMMON_SHARE = 0.1
COMMON_AT_LEAST = 10
"""Words that more than this share of all chunks have, and this many, say nothing about these hits."""
GUARDED, STAYING = 10, 4
MIN_LETTERS = 3
NOTHING_NEW = {
    "prf": "the best hits have no other words that tell something",
    "vocabulary": "no other words near it are in the index",
}


class AddedWord(NamedTuple):
    """A word to add, and how much it counts compared with one that was typed."""

    word: str
    factor: float


class Expanded(NamedTuple):
    """A query with more words, as it was ranked.

    Attributes:
        root: The query; as it was when nothing was added.
        note: Which words were added, or why none.
        problems: That none were, for whoever asked for some.
    """

    root: nodes.Node | None
    ranking: Ranking
    note: str
    problems: tuple[Problem, ...] = ()


def expand(
    searcher: LexicalSearcher,
    request: SearchRequest,
    root: nodes.Node | None,
    ranking: Ranking,
    wanted: int,
    without: range = NO_CHUNKS,
) -> Expanded:
    """Ranks again with more words, in the way the request names.

    Args:
        root: The query that `ranking` answers.
        wanted: How many hits at most.
        without: See `LexicalSearcher.rank`.
    """
    typed = searcher.read_typed(request) if request.synonyms else root
    if root is None or read_question(typed).constraint is typed:
        return not_expanded(request, root, ranking, "the query says what must match")
    try:
        words = _choose(searcher, request, root, ranking)
    except VocabularyUnavailable as missing:
        return not_expanded(request, root, ranking, str(missing))
    if not words:
        return not_expanded(request, root, ranking, NOTHING_NEW[request.expand])
    wider = add_words(root, words)
    again = searcher.rank(request, wider, wanted, without)
    stayed = _count_staying(ranking.top.best, again.top.best)
    if stayed < min(STAYING, len(ranking.top.best)):
        reason = f"given up, only {stayed} of the first {GUARDED} would have stayed"
        return not_expanded(request, root, ranking, reason)
    added = ", ".join(word.word for word in words)
    return Expanded(wider, again._replace(plan_done=ranking.plan_done), f"{request.expand}: added {added}")


def not_expanded(
    request: SearchRequest, root: nodes.Node | None, ranking: Ranking, reason: str
) -> Expanded:
    """Returns everything as it was, and says that no words were added, and why."""
    problem = Problem("not-expanded", "expand", f"no words were added: {reason}")
    return Expanded(root, ranking, f"{request.expand}: {reason}", (problem,))


def add_words(root: nodes.Node, words: Sequence[AddedWord]) -> nodes.Node:
    """Returns a query of soft words with more of them."""
    more = tuple(nodes.Boosted(nodes.Word(word), round(factor, 4)) for word, factor in words)
    if isinstance(root, nodes.BagOfWords):
        return nodes.BagOfWords((*root.items, *more))
    return nodes.Or((root, *more))


def _choose(
    searcher: LexicalSearcher, request: SearchRequest, root: nodes.Node, ranking: Ranking
) -> list[AddedWord]:
    text = read_question(root).text
    analyzer = searcher.context.tree_analyzers(request.tree)[0]
    own = {token.term for token in analyzer.query_tokens(text) if not token.is_stop and token.kind == PART}
    if request.expand == "prf":
        return _feedback_words(searcher, request, own, ranking.top.best[:FEEDBACK_HITS])
    near = searcher.context.resources.near_words(text) if text else ()
    known = []
    for word, cosine in near:
        terms = {token.term for token in analyzer.query_tokens(word) if not token.is_stop}
        if terms and not terms & own and all(_is_telling(searcher, term, 1) for term in terms):
            own |= terms
            known.append(AddedWord(word, NEAR_SHARE * max(cosine, 0.0)))
    return [word for word in known if word.factor >= 0.0001][:NEAR_WORDS]


def _feedback_words(
    searcher: LexicalSearcher, request: SearchRequest, own: set[str], best: Sequence[Ranked]
) -> list[AddedWord]:
    """Returns the words of a relevance model of the best hits.

    RM3 (Abdul-Jaleel et al., 2004, TREC): ``P(w) = Σ P(w | hit) · P(hit)``, with ``P(hit)`` in proportion to
    the scores. Where we differ: typed words keep their weight, and common words are left out, not smoothed.
    """
    shares: dict[str, float] = defaultdict(float)
    surfaces: dict[str, Counter[str]] = defaultdict(Counter)
    analyzer = searcher.context.tree_analyzers(request.tree)[0]
    total = sum(entry.score for entry in best) or 1.0
    keys = keys_of(searcher.context.snapshot, best)
    texts = searcher.context.read_texts(keys)
    for key, entry in zip(keys, best, strict=True):
        text = texts.get(key, "")
        tokens = [
            token for token in analyzer.query_tokens(text)
            if token.kind == PART and not token.is_stop and len(token.surface) >= MIN_LETTERS
        ]  # fmt: skip
        for token in tokens:
            shares[token.term] += entry.score / total / len(tokens)
            surfaces[token.term][token.surface] += 1
    ordered = sorted(shares, key=lambda term: (-shares[term], term))
    telling = (term for term in ordered if term not in own and _is_telling(searcher, term, 2))
    chosen = [term for term, _ in zip(telling, range(FEEDBACK_WORDS), strict=False)]
    whole = sum(shares[term] for term in chosen) or 1.0
    weight = FEEDBACK_SHARE / (1 - FEEDBACK_SHARE) * max(1, len(own))
    return [
        AddedWord(surfaces[term].most_common(1)[0][0], max(weight * shares[term] / whole, 0.0001))
        for term in chosen
    ]


def _is_telling(searcher: LexicalSearcher, term: str, least: int) -> bool:
    """Says whether some chunks have a term, and not too many."""
    snapshot = searcher.context.snapshot
    doc_freq = match_term(snapshot, term).doc_freq
    return least <= doc_freq <= max(COMMON_AT_LEAST, COMMON_SHARE * snapshot.doc_count)


def _count_staying(before: Sequence[Ranked], after: Sequence[Ranked]) -> int:
    first = {(entry.segment, entry.row) for entry in before[:GUARDED]}
    return sum((entry.segment, entry.row) in first for entry in after[:GUARDED])
