"""Where a document stands in an answer by meaning: which hit it is and why, or which step lost it.

The document is looked for in the ranking that the search itself makes, so its rank, score and explanation
are the search's own. Meaning does not say of a chunk that it matches or not: it is only nearer or further
away, and words and meaning bring a certain number of their best. So a document that nothing excludes and that
is no hit has its place on each side; it is told, and whether a longer page would reach it.
"""

from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from dowse.remedy import Remedy
from dowse.schema import DocumentExplanation, DocumentOutcome, Hit, SearchRequest
from dowse.schema.document_explanation import NO_VECTOR, NOT_AMONG_BEST
from dowse.schema.request_options import MAX_LIMIT
from dowse.search.availability import Availability
from dowse.search.batch import Retrieved
from dowse.search.context import SearchContext
from dowse.search.deadline import Deadline
from dowse.search.explain.explain_miss import (
    WORDLESS,
    explain_unmet,
    find_document,
    find_rank,
    find_unmet,
    place_hit,
)
from dowse.search.legs.fused_ranking import STRONG_SIGNAL, FusedRanking, rank_fused
from dowse.search.legs.retrieval import build_retrieved
from dowse.search.lexical.searcher import LexicalSearcher
from dowse.search.pipeline import answer
from dowse.storage.joined_vectors import ChunkVectors
from dowse.storage.live_vectors import QueryVector
from dowse.storage.stored_documents import NamedDocument
from dowse.storage.vectors import EXACT


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


def explain_semantic(
    context: SearchContext,
    request: SearchRequest,
    available: Availability,
    doc_key: str,
    tree: str | None = None,
) -> DocumentExplanation:
    """Returns what `explain_lexical` does, for a request that is answered by vectors as well.

    Args:
        doc_key: The document; it need not be in the index.
        tree: Where it is; the request's tree or else any when not given.
    """
    request = replace(request, explain=True)
    document = find_document(context, request, doc_key, tree)
    if isinstance(document, DocumentOutcome):
        return DocumentExplanation(None, document)
    reach = request.offset + request.limit
    ranking = rank_fused(context, request, available, reach, context.deadline(None))
    rank = _find_rank(ranking, document)
    if rank is None:
        return _explain_lost(request, available, document, ranking)
    hit = _show(request, available, ranking, rank)
    return DocumentExplanation(hit, place_hit(request, hit))


def _find_rank(ranking: FusedRanking, document: NamedDocument) -> int | None:
    """Returns the rank of a document's best chunk, from 1; None when none of them is in the ranking."""
    keys = document.chunk_keys
    return next((rank for rank, one in enumerate(ranking.fused, 1) if one.key in keys), None)


def _show(request: SearchRequest, available: Availability, ranking: FusedRanking, rank: int) -> Hit:
    """Returns one hit of a ranking, as the page has it that shows it."""
    found = replace(build_retrieved(ranking, available, rank), note_impressions=None)

    def retrieve(asked: SearchRequest, context: SearchContext, reach: int, deadline: Deadline) -> Retrieved:
        return found

    (hit,) = answer(replace(request, offset=rank - 1, limit=1), ranking.query.context, retrieve).hits
    return hit


def _find_deeper(
    request: SearchRequest, available: Availability, document: NamedDocument, ranking: FusedRanking
) -> Hit | None:
    """Returns the hit of a document that the longest of pages reaches; None when not even that does.

    Args:
        ranking: That of a shorter page.
    """
    context, reach = ranking.query.context, request.offset + MAX_LIMIT
    deeper = rank_fused(context, request, available, reach, context.deadline(None), ranking.vector)
    rank = _find_rank(deeper, document)
    return None if rank is None else _show(request, available, deeper, rank)


def _explain_lost(
    request: SearchRequest, available: Availability, document: NamedDocument, ranking: FusedRanking
) -> DocumentExplanation:
    """Explains why a document is not in the ranking."""
    query, plan = ranking.query, ranking.words.ranking.plan
    if not query.text and (not query.uses_words or plan.is_empty):
        return DocumentExplanation(None, WORDLESS)
    constraint = query.question.constraint
    unmet = find_unmet(query.context, query.lexical, constraint, document) if constraint else []
    if unmet:
        return DocumentExplanation(None, explain_unmet(unmet))
    sides = list(_iter_sides(available, document, ranking))
    sentences = [sentence for side in sides for sentence in side.sentences]
    suggestions = [suggestion for side in sides for suggestion in side.suggestions]
    if query.text and ranking.vector is None:
        sentences.append(f"by meaning: {STRONG_SIGNAL}")
        suggestions.append("ask for another fusion")
    is_ranked = any(side.is_ranked for side in sides)
    hit = _find_deeper(request, available, document, ranking) if is_ranked else None
    if hit is not None:
        limit = hit.rank - request.offset
        sentences.append(f"with limit {limit:,} it is hit {hit.rank:,}, with a score of {hit.score:.3f}")
        suggestions.insert(0, f"ask for limit {limit}")
    reason = NO_VECTOR if ranking.vector is not None and not sides[0].is_ranked else NOT_AMONG_BEST
    if reason == NOT_AMONG_BEST:
        names = " and by ".join(side.name for side in sides)
        best = f"the best {ranking.pool:,} by {names} were looked at, and it is not among them"
        sentences.insert(0, best)
    missing = DocumentOutcome(
        reason, tuple(sentences), tuple(dict.fromkeys(suggestions)), None if hit is None else hit.rank
    )
    return DocumentExplanation(hit, missing)


def _iter_sides(
    available: Availability, document: NamedDocument, ranking: FusedRanking
) -> Iterator[_Side]:
    """Yields where vectors have a document, and then where words have it, as far as they were asked."""
    if ranking.vector is not None and available.vectors is not None:
        yield _ask_vectors(available.vectors, document, ranking, ranking.vector)
    if ranking.query.uses_words and not ranking.words.ranking.plan.is_empty:
        yield _ask_words(document, ranking)


def _ask_vectors(
    vectors: ChunkVectors, document: NamedDocument, ranking: FusedRanking, vector: QueryVector
) -> _Side:
    query = ranking.query
    near = vectors.search(vector, query.context.snapshot.doc_count, query.masks, EXACT)
    place = next((place for place, key in enumerate(near.keys) if key in document.chunk_keys), None)
    if place is None:
        why = "no chunk of it that may answer has a vector yet"
        return _Side("meaning", False, (why,), (Remedy.MAKE_VECTORS,))
    chunks = "1 chunk is" if place == 1 else f"{place:,} chunks are"
    cosine = near.scores[place]
    sentences = [f"by meaning: its nearest chunk has a cosine of {cosine:.3f}, and {chunks} nearer"]
    suggestions = []
    if place < ranking.pool:
        sentences.append(f"the {query.request.scan} scan passed it over")
        suggestions.append(f"ask for scan {EXACT.name}")
    if vectors.find_unread([near.keys[place]]):
        sentences.append("its vector is a rough one: the model has not read it yet")
        suggestions.append(Remedy.MAKE_VECTORS)
    return _Side("meaning", True, tuple(sentences), tuple(suggestions))


def _ask_words(document: NamedDocument, ranking: FusedRanking) -> _Side:
    query, root = ranking.query, ranking.words.root
    assert root is not None, "a query with a plan has words"
    context = query.context
    ranked = LexicalSearcher(context).rank(query.lexical, root, context.snapshot.doc_count)
    rank = find_rank(context, ranked, document)
    if rank is None:
        missing = explain_unmet(find_unmet(context, query.lexical, root, document))
        sentences = tuple(f"by words: {sentence}" for sentence in missing.sentences)
        return _Side("words", False, sentences, missing.suggestions)
    score, before = ranked.top.best[rank - 1].score, rank - 1
    chunks = "1 chunk comes" if before == 1 else f"{before:,} chunks come"
    sentence = f"by words: its best chunk has a score of {score:.3f}, and {chunks} before it"
    return _Side("words", True, (sentence,))
