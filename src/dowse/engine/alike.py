"""What else means the same as a document, a chunk or a text: the mean of its vectors, looked for."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from dowse.engine.similarity import Source, check_chunk, check_source, find_source
from dowse.errors import InvalidParameterError, ModeUnavailableError
from dowse.kernels.layout import F32
from dowse.schema import Explanation, Hit, SearchRequest, SearchResponse, Stage
from dowse.search import Searcher
from dowse.search.hits import build_hits
from dowse.search.lexical.ranking import Ranked
from dowse.search.reranking import POOL, find_reach, run_stages
from dowse.search.stages import Candidate
from dowse.storage.live_vectors import LiveVectors
from dowse.storage.vectors import get_scan_mode

ASKED = "similar by meaning"
WORDS_ONLY = ("preset", "model", "parameters", "fields", "fusion", "expand")


def answer_alike(
    searcher: Searcher,
    source: Source,
    vectors: LiveVectors,
    embed: Callable[[str], F32],
    request: SearchRequest,
) -> SearchResponse:
    """Answers with the chunks nearest to the source; never with the source itself.

    A document is the mean of its chunks' vectors, brought to length 1.

    Args:
        embed: From a text to its unit vector, as a passage; only texts need it.
        request: Which page, of which tree, through which stages; its query is not looked at.

    Raises:
        InvalidParameterError: The source is not one of a document and a text, is empty, or has no such chunk;
            or the request says something of words.
        DocumentNotFoundError: There is no such document; the hint has the nearest.
        ModeUnavailableError: No chunk of the document has a vector.
    """
    clock = searcher.clock
    started = clock()
    check_source(source)
    _check_request(request)
    wanted, text, own = _read_source(searcher, source, vectors, embed)
    prepared = vectors.prepare(wanted)
    ready = clock()
    pool = max(POOL, find_reach(request))
    masks = searcher.document_masks(request, own)
    near = vectors.search(prepared, pool, masks, get_scan_mode(request.scan))
    places = dict(zip(near.keys, map(Ranked, near.segments, near.rows, near.scores), strict=True))
    found = clock()
    staged = run_stages(searcher, request, [Candidate(key, at.score) for key, at in places.items()], text)
    staged_at = clock()
    page = staged.candidates[request.offset : request.offset + request.limit]
    hits = _show(searcher, request, page, places)
    coverage = vectors.coverage
    stages = (
        Stage("read", (ready - started) * 1e3, 0, 0, vectors.model.name),
        Stage("vectors", (found - ready) * 1e3, coverage.static + coverage.model, len(places)),
        *staged.stages,
        Stage("show", (clock() - staged_at) * 1e3, len(page), len(hits)),
    )
    return SearchResponse(
        request,
        tuple(hits),
        len(places),
        len(places) < pool,
        "",
        searcher.snapshot.generation,
        stages,
        staged.problems,
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
    searcher: Searcher, source: Source, vectors: LiveVectors, embed: Callable[[str], F32]
) -> _Wanted:
    if source.doc_key is None:
        text = source.text or ""
        return _Wanted(embed(text), text, range(0))
    document = find_source(searcher.snapshot, source.doc_key, source.tree)
    chunks = own = range(document.first_key, document.first_key + document.chunk_count)
    if source.chunk is not None:
        check_chunk(document, source.chunk)
        chunks = own[source.chunk : source.chunk + 1]
    return _Wanted(_mean(vectors, chunks), document.title, own)


def _mean(vectors: LiveVectors, chunks: range) -> F32:
    found = vectors.vectors(np.array(chunks, np.int64))
    if not found:
        remedy = "make them: dowse index FOLDER"
        raise ModeUnavailableError(name=ASKED, needs="vectors of this document", remedy=remedy)
    mean: F32 = np.stack(list(found.values())).mean(axis=0)
    length = float(np.sqrt((mean * mean).sum()))
    # Vectors that cancel each other have no direction; any of them stands for the document then.
    return mean / np.float32(length) if length > 1e-6 else _unit(next(iter(found.values())))


def _unit(vector: F32) -> F32:
    return vector / np.float32(np.sqrt((vector * vector).sum()))


def _show(
    searcher: Searcher, request: SearchRequest, page: Sequence[Candidate], places: dict[int, Ranked]
) -> list[Hit]:
    explanations = [
        one.explain(Explanation(places[one.key].score, "cosine with the source's vector")) for one in page
    ]
    hits = build_hits(
        searcher.snapshot,
        [places[one.key]._replace(score=one.score) for one in page],
        explanations if request.explain else (),
        request.offset + 1,
        frozenset(),
        searcher.shared_analyzers if request.snippets else None,
    )
    return [
        replace(hit, duplicate_count=one.duplicate_count) for hit, one in zip(hits, page, strict=True)
    ]
