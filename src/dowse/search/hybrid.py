"""Answers by meaning, alone or together with words.

Both legs find their best, under the same filters; what the words found is compared with the question's vector
as well, so that a chunk is never ranked low only because the other leg had no room for it. A fusion makes one
ranking of the two, and an exact match stays before what only means the same.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from dowse.explanation import Explanation
from dowse.fusion import Fused, Legs, Part, build_fusion, keep_exact_first
from dowse.kernels.layout import F32, U8
from dowse.query import Parsed, unparse_node
from dowse.schema import Problem
from dowse.search.corrections import make_fuzzy
from dowse.search.exact_words import find_exact
from dowse.search.hits import build_hits
from dowse.search.modes import FUSED
from dowse.search.question import Question, read_question
from dowse.search.ranking import Ranked
from dowse.search.request import SearchRequest, SearchResponse, Stage
from dowse.search.searcher import Ranking, Searcher
from dowse.search.weighing import explain_row
from dowse.storage.live_vectors import Coverage, LiveVectors
from dowse.storage.vectors import FAST, ScanMode

POOL = 300
"""How many of its best each leg brings, at least."""

COSINE = "cosine of the question's vector and the chunk's"
_OWN_NUMBERS = {parameter.name for parameter in FUSED}


class SemanticLeg(NamedTuple):
    """What finds chunks by meaning in one generation.

    Attributes:
        vectors: Of the model.
        embed: From a question to its unit vector.
        scan: How closely vectors are looked at.
    """

    vectors: LiveVectors
    embed: Callable[[str], F32]
    scan: ScanMode = FAST


class _Words(NamedTuple):
    """What the words found.

    Attributes:
        request: What the lexical leg was asked.
        is_fuzzy: Whether similar words were searched for instead.
        suggestion: What was likely meant.
    """

    request: SearchRequest
    parsed: Parsed
    ranking: Ranking
    is_fuzzy: bool
    suggestion: str


def answer_by_meaning(searcher: Searcher, request: SearchRequest, leg: SemanticLeg) -> SearchResponse:
    """Answers a request whose mode is ``semantic`` or ``hybrid``, or one that may be answered so."""
    clock = searcher.clock
    started = clock()
    pool = max(POOL, request.offset + request.limit)
    words = _ask_words(searcher, request, pool)
    words_done = clock()
    question = read_question(words.parsed.root)
    prepared = leg.vectors.model.space.prepare(leg.embed(question.text)) if question.text else None
    embed_done = clock()
    places: dict[int, Ranked] = {}
    lexical = {} if request.mode == "semantic" else _by_key(searcher, words.ranking.page.best, places)
    semantic: dict[int, float] = {}
    if prepared is not None:
        near = leg.vectors.search(prepared, pool, _masks(searcher, words, question), leg.scan)
        semantic = _by_key(searcher, [Ranked(*found) for found in near], places)
        unseen = np.array([key for key in lexical if key not in semantic], np.int64)
        if len(unseen):
            semantic |= leg.vectors.score(prepared, unseen)
    scan_done = clock()
    fused = _fuse(searcher, request, words, lexical, semantic)
    fuse_done = clock()
    page = fused[request.offset : request.offset + request.limit]
    best = [places[one.key]._replace(score=one.score) for one in page]
    plan = words.ranking.plan
    hits = build_hits(
        searcher.snapshot,
        best,
        [_explain(searcher, words, one, places[one.key]) for one in page] if request.explain else (),
        request.offset + 1,
        plan.highlights(searcher.snapshot) if request.snippets else plan.terms,
        searcher.shared_analyzers if request.snippets else None,
    )
    coverage = leg.vectors.coverage
    stages = (
        Stage("words", (words_done - started) * 1e3, searcher.snapshot.doc_count, len(lexical)),
        Stage("embed", (embed_done - words_done) * 1e3, 0, 0, leg.vectors.model.name),
        Stage("vectors", (scan_done - embed_done) * 1e3, sum(coverage[1:]), len(semantic), _cover(coverage)),
        Stage("fuse", (fuse_done - scan_done) * 1e3, len(places), len(fused), request.fusion),
        Stage("show", (clock() - fuse_done) * 1e3, len(best), len(hits)),
    )
    return SearchResponse(
        request,
        tuple(hits),
        max(words.ranking.page.total, len(fused)),
        False,
        unparse_node(words.parsed.root) if words.parsed.root is not None else "",
        searcher.snapshot.generation,
        stages,
        _problems(words, searcher),
        words.is_fuzzy,
        words.suggestion,
        coverage=coverage,
    )


def _ask_words(searcher: Searcher, request: SearchRequest, pool: int) -> _Words:
    """Ranks by words, with similar ones when none of them is there."""
    numbers = tuple((name, value) for name, value in request.parameters if name not in _OWN_NUMBERS)
    asked = replace(request, mode="bm25f", parameters=numbers)
    parsed = searcher.read(asked)
    if request.fuzzy == "always" and parsed.root is not None:
        parsed = parsed._replace(root=make_fuzzy(parsed.root))
    ranking = searcher.rank(asked, parsed.root, pool)
    is_fuzzy, suggestion = False, ""
    if request.fuzzy == "auto" and ranking.page.total < request.limit and parsed.root is not None:
        second = searcher.search(replace(asked, limit=1, offset=0, snippets=False, explain=False))
        suggestion = second.suggestion
        if second.is_fuzzy:
            is_fuzzy = True
            ranking = searcher.rank(asked, make_fuzzy(parsed.root), pool)
    return _Words(asked, parsed, ranking, is_fuzzy, suggestion)


def _by_key(
    searcher: Searcher, ranked: Sequence[Ranked], places: dict[int, Ranked]
) -> dict[int, float]:
    """Returns scores by chunk key, and notes where each chunk is."""
    segments = searcher.snapshot.segments
    found: dict[int, float] = {}
    for entry in ranked:
        key = int(segments[entry.segment].reader.columns.chunk_keys[entry.row])
        places[key] = entry
        found[key] = entry.score
    return found


def _masks(searcher: Searcher, words: _Words, question: Question) -> list[U8 | None]:
    """Returns which rows may be found by meaning: those of the tree that meet what the query demands."""
    masks = searcher.place_masks(words.request)
    if question.constraint is None:
        return masks
    matcher = searcher.matcher_of(words.request, question.constraint)
    found: list[U8 | None] = []
    for number, (segment, mask) in enumerate(zip(searcher.snapshot.segments, masks, strict=True)):
        allowed = np.zeros(segment.reader.row_count, np.uint8)
        if matcher is not None:
            allowed[matcher.rows_in(number)] = 1
        found.append(allowed if mask is None else allowed & (mask != 0))
    return found


def _fuse(
    searcher: Searcher,
    request: SearchRequest,
    words: _Words,
    lexical: dict[int, float],
    semantic: dict[int, float],
) -> list[Fused]:
    if request.mode == "semantic":
        near = sorted(semantic.items(), key=lambda item: (-item[1], item[0]))
        return [Fused(key, score, (Part("semantic", score, COSINE),)) for key, score in near]
    numbers = {name: value for name, value in request.parameters if name in _OWN_NUMBERS}
    legs = Legs(tuple(lexical.items()), tuple(semantic.items()), query=request.query)
    fused = build_fusion(request.fusion, numbers).fuse(legs)
    if not lexical or not semantic:
        return fused
    return keep_exact_first(fused, find_exact(searcher, words.request, words.parsed.root), lexical)


def _explain(searcher: Searcher, words: _Words, fused: Fused, place: Ranked) -> Explanation:
    """Explains a fused score, and inside it what the words gave."""
    whole = fused.explain()
    weighed = searcher.weigh_again(words.request, words.parsed.root)
    own = explain_row(weighed, searcher.snapshot, place.segment, place.row, searcher.tables(words.request))
    return _with_words(whole, own)


def _with_words(node: Explanation, words: Explanation) -> Explanation:
    is_lexical = node.description.startswith("lexical")
    parts = tuple(
        words if is_lexical and part.description == "score" else _with_words(part, words)
        for part in node.parts
    )
    return Explanation(node.value, node.description, parts)


def _cover(coverage: Coverage) -> str:
    return f"{coverage.model:,} by the model, {coverage.static:,} static, of {coverage.chunks:,}"


def _problems(words: _Words, searcher: Searcher) -> tuple[Problem, ...]:
    """Returns what was wrong, each once."""
    found = (*words.parsed.problems, *words.ranking.plan.problems, *searcher.snapshot.problems)
    return tuple(dict.fromkeys(found))
