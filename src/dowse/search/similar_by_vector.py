"""Chunks whose vectors are nearest to those of a document, a chunk or a text."""

from typing import NamedTuple

import numpy as np

from dowse.errors import InvalidParameterError, ModeUnavailableError
from dowse.kernels.layout import F32
from dowse.remedy import Remedy
from dowse.schema import Explanation, SearchRequest, SearchResponse, Stage
from dowse.search.availability import Availability
from dowse.search.batch import Retrieved
from dowse.search.context import SearchContext
from dowse.search.deadline import Deadline
from dowse.search.legs.semantic import Semantic
from dowse.search.pipeline import POOL, answer
from dowse.search.similar_source import Source, check_source, get_source
from dowse.search.stages.candidate import Candidate
from dowse.storage.joined_vectors import ChunkVectors

ASKED = "similar by meaning"
WORDS_ONLY = ("preset", "model", "parameters", "fields", "fusion", "expand")


def answer_similar_by_vector(
    context: SearchContext, source: Source, request: SearchRequest
) -> SearchResponse:
    """Answers with the chunks nearest to the source; never with the source itself.

    A document is the mean of its chunks' vectors, brought to length 1.

    Args:
        request: Which page, of which tree, through which stages; its query is not looked at.

    Raises:
        InvalidParameterError: The source is not one of a document and a text, is empty, or has no such chunk;
            or the request says something of words.
        DocumentNotFoundError: There is no such document; the hint has the nearest.
        ModeUnavailableError: There are no vectors, or no chunk of the document has one.
    """
    available = context.availability()
    if not available.is_usable:
        available.refuse(ASKED)
    check_source(source)
    _check_request(request)

    def retrieve(asked: SearchRequest, context: SearchContext, reach: int, deadline: Deadline) -> Retrieved:
        return _retrieve(asked, context, max(POOL, reach), source, available)

    return answer(request, context, retrieve)


def _retrieve(
    request: SearchRequest, context: SearchContext, pool: int, source: Source, available: Availability
) -> Retrieved:
    clock, vectors = context.clock, available.vectors
    assert vectors is not None, "what is usable has vectors"
    started = clock()
    vector, text, own = _read_source(context, source, available, vectors)
    prepared = vectors.prepare(vector)
    ready = clock()
    masks = context.scope_masks(request, own)
    scores, is_all = Semantic(vectors, prepared, masks, pool, request.scan).retrieve()
    coverage = vectors.coverage
    stages = (
        Stage("read", (ready - started) * 1e3, 0, 0, vectors.model.name),
        Stage("vectors", (clock() - ready) * 1e3, coverage.static + coverage.model, len(scores)),
    )
    return Retrieved(
        [Candidate(key, score) for key, score in scores.items()],
        len(scores),
        is_all,
        "",
        text,
        stages,
        frozenset,
        lambda key: Explanation(scores[key], "cosine with the source's vector", (), "leg-score"),
        coverage=coverage,
    )


def _check_request(request: SearchRequest) -> None:
    """Refuses what would change nothing where no words are looked for."""
    unset = SearchRequest("")
    for name in WORDS_ONLY:
        value = getattr(request, name)
        if value != getattr(unset, name):
            legal = f"{ASKED} looks for no words: leave out {', '.join(WORDS_ONLY)}"
            raise InvalidParameterError(name=name, value=value, legal=legal)


class _Wanted(NamedTuple):
    """The direction of a source, what it is about in words, and the keys of its own chunks."""

    vector: F32
    text: str
    own: range


def _read_source(
    context: SearchContext, source: Source, available: Availability, vectors: ChunkVectors
) -> _Wanted:
    if source.doc_key is None:
        text = source.text or ""
        return _Wanted(available.open_embedder(ASKED).embed_passages([text])[0], text, range(0))
    document = get_source(context.snapshot, source)
    own = document.chunk_keys
    chunks = own if source.chunk is None else own[source.chunk : source.chunk + 1]
    return _Wanted(_mean(vectors, chunks), document.title, own)


def _mean(vectors: ChunkVectors, chunks: range) -> F32:
    found = vectors.vectors(np.array(chunks, np.int64))
    if not found:
        needs = "vectors of this document"
        raise ModeUnavailableError(name=ASKED, needs=needs, remedy=Remedy.MAKE_VECTORS)
    mean: F32 = np.stack(list(found.values())).mean(axis=0)
    length = float(np.sqrt((mean * mean).sum()))
    # Vectors that cancel each other have no direction; any of them stands for the document then.
    return mean / np.float32(length) if length > 1e-6 else _unit(next(iter(found.values())))


def _unit(vector: F32) -> F32:
    return vector / np.float32(np.sqrt((vector * vector).sum()))
