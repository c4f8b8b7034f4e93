"""Answers by meaning, alone or together with words.

Both legs find their best, under the same filters; what one found is scored by the other as well, so that a
chunk is never ranked low only because the other leg had no room for it. A fusion makes one ranking of the
two, and an exact match stays before what only means the same.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from dowse.explanation import Explanation
from dowse.fusion import Fused, Legs, Linear, Part, Spread, build_fusion, get_fusion_kind, keep_exact_first
from dowse.kernels.layout import F32, U8
from dowse.query import Parsed, nodes, show_tree, unparse_node
from dowse.rerank import Candidate
from dowse.schema import Problem
from dowse.search.corrections import make_fuzzy
from dowse.search.exact_words import find_exact
from dowse.search.expansion import expand
from dowse.search.hits import build_hits
from dowse.search.modes import FUSED
from dowse.search.question import Question, read_question
from dowse.search.ranking import Ranked
from dowse.search.request import Hit, SearchRequest, SearchResponse, Stage
from dowse.search.reranking import run_stages
from dowse.search.searcher import Ranking, Searcher
from dowse.search.weighing import explain_row
from dowse.storage.live_vectors import Coverage, LiveVectors
from dowse.storage.vectors import FAST, PreparedQuery, ScanMode

POOL = 120
"""How many of its best each leg brings: putting more together costs more than it finds. Pages further down
need more: ten times as many, and so on, so that neighbouring pages are cut from the same ranking."""

STATIC_WEIGHT, MODEL_WEIGHT = 0.45, 0.6
"""Weights of the semantic leg when all vectors are static, and when all are the model's; the words have the
rest. Chosen on CISI, CACM and NFCorpus's development questions (docs/decisions/0006-fusion-weights.md)."""
COSINE = "cosine of the question's vector and the chunk's"
_OWN_NUMBERS = {parameter.name for parameter in FUSED}


class SemanticLeg(NamedTuple):
    """What finds chunks by meaning in one generation.

    Attributes:
        vectors: Of the model.
        embed: From a question to its unit vector.
        scan: How closely vectors are looked at.
        hypothesis: A text that an answer could have; its vector is looked for instead of the question's.
    """

    vectors: LiveVectors
    embed: Callable[[str], F32]
    scan: ScanMode = FAST
    hypothesis: str = ""


class _Words(NamedTuple):
    """What the words found.

    Attributes:
        request: What the lexical leg was asked.
        counts: Whether its hits are part of the answer; in mode ``semantic`` they are not.
        pool: How many hits it could bring at most.
        root: The query as it was ranked, similar and added words included.
        is_fuzzy: Whether similar words were searched for instead.
        suggestion: What was likely meant.
    """

    request: SearchRequest
    counts: bool
    pool: int
    parsed: Parsed
    root: nodes.Node | None
    ranking: Ranking
    is_fuzzy: bool
    suggestion: str
    expanded: Stage | None


def answer_by_meaning(searcher: Searcher, request: SearchRequest, leg: SemanticLeg) -> SearchResponse:
    """Answers a request whose mode is ``semantic`` or ``hybrid``, or one that may be answered so."""
    clock = searcher.clock
    started = clock()
    words = _ask_words(searcher, request, _pool_for(request))
    words_done = clock()
    question = read_question(words.parsed.root)
    text = leg.hypothesis or question.text
    prepared = leg.vectors.model.space.prepare(leg.embed(text)) if text else None
    embed_done = clock()
    legs, places = _find_both(searcher, words, question, leg, prepared)
    scan_done = clock()
    fused = _fuse(searcher, request, words, legs, leg.vectors.coverage)
    fuse_done = clock()
    staged = run_stages(searcher, request, [Candidate(one.key, one.score) for one in fused], text)
    stages_done = clock()
    page = staged.candidates[request.offset : request.offset + request.limit]
    hits = _show(searcher, request, words, page, {one.key: one for one in fused}, places)
    coverage = leg.vectors.coverage
    words_ms = (words_done - started) * 1e3 - (words.expanded.ms if words.expanded else 0.0)
    stages = (
        Stage("words", words_ms, searcher.snapshot.doc_count, len(words.ranking.page.best)),
        *([words.expanded] if words.expanded else []),
        Stage("embed", (embed_done - words_done) * 1e3, 0, 0, _name_vector(leg)),
        Stage(
            "vectors", (scan_done - embed_done) * 1e3, sum(coverage[1:]), len(legs.semantic), _cover(coverage)
        ),
        Stage("fuse", (fuse_done - scan_done) * 1e3, len(places), len(fused), request.fusion),
        *staged.stages,
        Stage("show", (clock() - stages_done) * 1e3, len(page), len(hits)),
    )
    return SearchResponse(
        request,
        tuple(hits),
        max(words.ranking.page.total, len(fused)),
        False,
        unparse_node(words.root) if words.root is not None else "",
        searcher.snapshot.generation,
        stages,
        _problems(words, searcher),
        words.is_fuzzy,
        words.suggestion,
        tuple(show_tree(words.parsed.root)) if request.query_tree else (),
        coverage,
    )


def _pool_for(request: SearchRequest) -> int:
    pool = POOL
    while pool < request.offset + request.limit:
        pool *= 10
    return pool


def _find_both(
    searcher: Searcher, words: _Words, question: Question, leg: SemanticLeg, prepared: PreparedQuery | None
) -> tuple[Legs, dict[int, Ranked]]:
    """Returns what words and meaning found, each scored by both, and where each chunk is."""
    places: dict[int, Ranked] = {}
    by_words = words.ranking.page.best if words.counts else []
    lexical = _by_key(searcher, by_words, places)
    if prepared is None:
        return Legs(tuple(lexical.items())), places
    near = leg.vectors.search(prepared, words.pool, _masks(searcher, words, question), leg.scan)
    semantic = _by_key(searcher, [Ranked(*found) for found in near], places)
    if not words.counts:
        return Legs(semantic=tuple(semantic.items())), places
    unseen = np.array([key for key in lexical if key not in semantic], np.int64)
    lexical |= _score_by_words(searcher, words, [places[key] for key in semantic if key not in lexical])
    if len(unseen):
        semantic |= leg.vectors.score(prepared, unseen)
    spread = leg.vectors.spread(prepared)
    both = tuple(lexical.items()), tuple(semantic.items())
    return Legs(*both, query=words.request.query, spread=Spread(*spread) if spread else None), places


def _ask_words(searcher: Searcher, request: SearchRequest, pool: int) -> _Words:
    """Ranks by words, with similar ones when none of them is there."""
    numbers = tuple((name, value) for name, value in request.parameters if name not in _OWN_NUMBERS)
    # What comes after fusing is none of the words' business.
    asked = replace(
        request, mode="bm25f", parameters=numbers, dedupe=False, diversify=None, rerank=False
    )
    parsed = searcher.read(asked)
    if request.fuzzy == "always" and parsed.root is not None:
        parsed = parsed._replace(root=make_fuzzy(parsed.root))
    ranking = searcher.rank(asked, parsed.root, pool)
    is_fuzzy, suggestion, root = False, "", parsed.root
    if request.fuzzy == "auto" and ranking.page.total < request.limit and parsed.root is not None:
        plain = replace(asked, limit=1, offset=0, snippets=False, explain=False, expand="none")
        second = searcher.search(plain)
        suggestion = second.suggestion
        if second.is_fuzzy:
            is_fuzzy, root = True, make_fuzzy(parsed.root)
            ranking = searcher.rank(asked, root, pool)
    words = _Words(asked, request.mode != "semantic", pool, parsed, root, ranking, is_fuzzy, suggestion, None)
    return words if request.expand == "none" or is_fuzzy else _expand(searcher, words, pool)


def _expand(searcher: Searcher, words: _Words, pool: int) -> _Words:
    started, found = searcher.clock(), len(words.ranking.page.best)
    root, ranking, note = expand(searcher, words.request, words.root, words.ranking, pool)
    ms = (searcher.clock() - started) * 1e3
    stage = Stage("expand", ms, found, len(ranking.page.best), note)
    return words._replace(root=root, ranking=ranking, expanded=stage)


def _show(
    searcher: Searcher,
    request: SearchRequest,
    words: _Words,
    page: Sequence[Candidate],
    fused: Mapping[int, Fused],
    places: Mapping[int, Ranked],
) -> list[Hit]:
    """Returns the hits of a page."""
    plan = words.ranking.plan
    explanations: list[Explanation] = []
    if request.explain:
        explanations = [
            one.explain(_explain(searcher, words, fused[one.key], places[one.key])) for one in page
        ]
    hits = build_hits(
        searcher.snapshot,
        [places[one.key]._replace(score=one.score) for one in page],
        explanations,
        request.offset + 1,
        plan.highlights(searcher.snapshot) if request.snippets else plan.terms,
        searcher.shared_analyzers if request.snippets else None,
    )
    return [
        hit._replace(folded=one.folded) if one.folded else hit for hit, one in zip(hits, page, strict=True)
    ]


def _name_vector(leg: SemanticLeg) -> str:
    return f"{leg.vectors.model.name}, of a hypothesis" if leg.hypothesis else leg.vectors.model.name


def _by_key(
    searcher: Searcher, ranked: Sequence[Ranked], places: dict[int, Ranked]
) -> dict[int, float]:
    """Returns scores by chunk key, and notes where each chunk is."""
    columns = [segment.reader.columns.chunk_keys for segment in searcher.snapshot.segments]
    keys = [int(columns[entry.segment][entry.row]) for entry in ranked]
    places.update(zip(keys, ranked, strict=True))
    return dict(zip(keys, (entry.score for entry in ranked), strict=True))


def _score_by_words(searcher: Searcher, words: _Words, found: Sequence[Ranked]) -> dict[int, float]:
    """Returns scores by words of chunks that meaning brought: of those that have any of the words."""
    if len(words.ranking.page.best) < words.pool or not found:
        return {}  # the words brought all that have any
    only = [np.zeros(segment.reader.row_count, np.uint8) for segment in searcher.snapshot.segments]
    for entry in found:
        only[entry.segment][entry.row] = 1
    page = searcher.rank(words.request, words.root, len(found), only=only).page
    return {searcher.key_of(entry): entry.score for entry in page.best}


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
    searcher: Searcher, request: SearchRequest, words: _Words, legs: Legs, coverage: Coverage
) -> list[Fused]:
    if request.mode == "semantic":
        near = sorted(legs.semantic, key=lambda item: (-item[1], item[0]))
        scores = dict(near)
        return [Fused(*item, lambda key: (Part("semantic", scores[key], COSINE),)) for item in near]
    numbers = {name: value for name, value in request.parameters if name in _OWN_NUMBERS}
    if issubclass(get_fusion_kind(request.fusion), Linear):
        numbers = _usual_weights(coverage) | numbers
    fused = build_fusion(request.fusion, numbers).fuse(legs)
    if not legs.lexical or not legs.semantic:
        return fused
    exact = find_exact(searcher, words.request, words.parsed.root)
    return keep_exact_first(fused, exact, dict(legs.lexical)) if exact else fused


def _usual_weights(coverage: Coverage) -> dict[str, float]:
    """Returns how much each leg counts when nobody says: static vectors tell less than the model's own."""
    share = coverage.model / max(1, coverage.model + coverage.static)
    semantic = STATIC_WEIGHT + share * (MODEL_WEIGHT - STATIC_WEIGHT)
    return {"lexical_weight": 1.0 - semantic, "semantic_weight": semantic}


def _explain(searcher: Searcher, words: _Words, fused: Fused, place: Ranked) -> Explanation:
    """Explains a fused score, and inside it what the words gave."""
    whole = fused.explain()
    weighed = searcher.weigh_again(words.request, words.root)
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
