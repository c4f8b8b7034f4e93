"""Where a document stands in an answer by meaning: which hit it is and why, or which step lost it.

The document is looked for in the ranking that the search itself makes, so its rank, score and explanation
are the search's own. Meaning does not say of a chunk that it matches or not: it is only nearer or further
away, and words and meaning bring a certain number of their best. So a document that nothing excludes and that
is no hit has its place on each side; it is told, and whether a longer page would reach it.
"""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from msgspec.structs import replace

from dowse.schema import DocumentExplanation, DocumentOutcome, Hit, SearchRequest
from dowse.schema.document_explanation import NO_VECTOR, NOT_AMONG_BEST
from dowse.schema.search_request import MAX_LIMIT
from dowse.search.explain.explain_miss import (
    WORDLESS,
    find_document,
    find_losses,
    find_rank,
    place_hit,
    tell_losses,
)
from dowse.search.hybrid import show_ranked
from dowse.search.legs.hybrid_ranking import STRONG_SIGNAL, MeaningRanking, SemanticLeg, rank_by_meaning
from dowse.search.legs.lexical import Words
from dowse.search.lexical.searcher import Searcher
from dowse.storage.live_vectors import QueryVector
from dowse.storage.stored_documents import NamedDocument
from dowse.storage.vectors import EXACT

MAKE_VECTORS = "make vectors: dowse index FOLDER"


class _Side(NamedTuple):
    """Where words or meaning have a document.

    Attributes:
        name: ``words`` or ``meaning``.
        is_ranked: Whether it is there at all, however far down.
        sentences: Where, for people.
        suggestions: What would bring it further up.
    """

    name: str
    is_ranked: bool
    sentences: tuple[str, ...]
    suggestions: tuple[str, ...] = ()


def explain_by_meaning(
    searcher: Searcher, request: SearchRequest, leg: SemanticLeg, doc_key: str, tree: str | None = None
) -> DocumentExplanation:
    """Returns what `explain_document` does, for a request that `answer_by_meaning` answers.

    Args:
        leg: What finds chunks by meaning.
        doc_key: The document; it need not be in the index.
        tree: Where it is; the request's tree or else any when not given.
    """
    request = replace(request, explain=True)
    document = find_document(searcher, request, doc_key, tree)
    if isinstance(document, DocumentOutcome):
        return DocumentExplanation(None, document)
    leg = leg._replace(embed=cache(leg.embed))  # one question, asked for pages of two lengths
    ranking = rank_by_meaning(searcher, request, leg)
    rank = _find_rank(ranking, document)
    if rank is None:
        return _explain_lost(searcher, request, leg, document, ranking)
    hit = show_ranked(searcher, request, ranking, rank)
    return DocumentExplanation(hit, place_hit(request, hit))


def _find_rank(ranking: MeaningRanking, document: NamedDocument) -> int | None:
    """Returns the rank of a document's best chunk, from 1; None when none of them is in the ranking."""
    keys = document.chunk_keys
    return next((rank for rank, one in enumerate(ranking.fused, 1) if one.key in keys), None)


def _find_deeper(
    searcher: Searcher, request: SearchRequest, leg: SemanticLeg, document: NamedDocument
) -> Hit | None:
    """Returns the hit of a document that the longest of pages reaches; None when not even that does."""
    ranking = rank_by_meaning(searcher, request, leg, request.offset + MAX_LIMIT)
    rank = _find_rank(ranking, document)
    return None if rank is None else show_ranked(searcher, request, ranking, rank)


def _explain_lost(
    searcher: Searcher,
    request: SearchRequest,
    leg: SemanticLeg,
    document: NamedDocument,
    ranking: MeaningRanking,
) -> DocumentExplanation:
    """Explains why a document is not in the ranking."""
    words, pool = ranking.words, ranking.tiers[-1].words.pool
    if not ranking.text and (not words.counts or words.ranking.plan.is_empty):
        return DocumentExplanation(None, WORDLESS)
    constraint = ranking.question.constraint
    losses = find_losses(searcher, words.request, constraint, document) if constraint else []
    if losses:
        return DocumentExplanation(None, tell_losses(losses))
    sides = list(_iter_sides(searcher, leg, document, ranking))
    sentences = [sentence for side in sides for sentence in side.sentences]
    suggestions = [suggestion for side in sides for suggestion in side.suggestions]
    if ranking.text and ranking.prepared is None:
        sentences.append(f"by meaning: {STRONG_SIGNAL}")
        suggestions.append("ask for another fusion")
    is_ranked = any(side.is_ranked for side in sides)
    hit = _find_deeper(searcher, request, leg, document) if is_ranked else None
    if hit is not None:
        limit = hit.rank - request.offset
        sentences.append(f"with limit {limit:,} it is hit {hit.rank:,}, with a score of {hit.score:.3f}")
        suggestions.insert(0, f"ask for limit {limit}")
    reason = NO_VECTOR if ranking.prepared is not None and not sides[0].is_ranked else NOT_AMONG_BEST
    if reason == NOT_AMONG_BEST:
        names = " and by ".join(side.name for side in sides)
        best = f"the best {pool:,} by {names} were looked at, and it is not among them"
        sentences.insert(0, best)
    missing = DocumentOutcome(
        reason, tuple(sentences), tuple(dict.fromkeys(suggestions)), None if hit is None else hit.rank
    )
    return DocumentExplanation(hit, missing)


def _iter_sides(
    searcher: Searcher, leg: SemanticLeg, document: NamedDocument, ranking: MeaningRanking
) -> Iterator[_Side]:
    """Yields where meaning has a document, and then where words have it, as far as they were asked."""
    if ranking.prepared is not None:
        yield _ask_meaning(searcher, leg, document, ranking, ranking.prepared)
    if ranking.words.counts and not ranking.words.ranking.plan.is_empty:
        yield _ask_words(searcher, document, ranking.words)


def _ask_meaning(
    searcher: Searcher,
    leg: SemanticLeg,
    document: NamedDocument,
    ranking: MeaningRanking,
    prepared: QueryVector,
) -> _Side:
    near = leg.vectors.search(prepared, searcher.snapshot.doc_count, ranking.tiers[-1].masks, EXACT)
    place = next((place for place, key in enumerate(near.keys) if key in document.chunk_keys), None)
    if place is None:
        return _Side("meaning", False, ("no chunk of it that may answer has a vector yet",), (MAKE_VECTORS,))
    chunks = "1 chunk is" if place == 1 else f"{place:,} chunks are"
    cosine = near.scores[place]
    sentences = [f"by meaning: its nearest chunk has a cosine of {cosine:.3f}, and {chunks} nearer"]
    suggestions = []
    if place < ranking.tiers[-1].words.pool:
        sentences.append(f"the {ranking.words.request.scan} scan passed it over")
        suggestions.append(f"ask for scan {EXACT.name}")
    if leg.vectors.find_unread([near.keys[place]]):
        sentences.append("its vector is a rough one: the model has not read it yet")
        suggestions.append(MAKE_VECTORS)
    return _Side("meaning", True, tuple(sentences), tuple(suggestions))


def _ask_words(searcher: Searcher, document: NamedDocument, words: Words) -> _Side:
    assert words.root is not None, "a query with a plan has words"
    ranked = searcher.rank(words.request, words.root, searcher.snapshot.doc_count)
    rank = find_rank(searcher, ranked, document)
    if rank is None:
        missing = tell_losses(find_losses(searcher, words.request, words.root, document))
        sentences = tuple(f"by words: {sentence}" for sentence in missing.sentences)
        return _Side("words", False, sentences, missing.suggestions)
    score, before = ranked.page.best[rank - 1].score, rank - 1
    chunks = "1 chunk comes" if before == 1 else f"{before:,} chunks come"
    sentence = f"by words: its best chunk has a score of {score:.3f}, and {chunks} before it"
    return _Side("words", True, (sentence,))
