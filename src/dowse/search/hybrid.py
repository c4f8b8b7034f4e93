"""Answers by meaning, alone or together with words.

Both legs find their best, under the same filters; what one found is scored by the other as well, so that a
chunk is never ranked low only because the other leg had no room for it. A fusion makes one ranking of the
two, the meaning is asked again with what the first hit says, and an exact match stays before what only means
the same.

One after the other: to embed the question in another thread while the words are ranked was tried. It took 0.6
to 1 ms of processor time more a question, and on two cores no less time on the clock.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from dowse.explanation import Explanation
from dowse.fusion import (
    Calibrated,
    Fused,
    Fusion,
    Legs,
    Linear,
    Part,
    Spread,
    build_fusion,
    expect_meaning,
    get_fusion_kind,
    keep_exact_first,
)
from dowse.kernels.layout import F32, U8
from dowse.query import show_tree, unparse_node
from dowse.rerank import Candidate
from dowse.schema import Problem
from dowse.search.exact_words import find_exact
from dowse.search.feedback import AskedAgain, ask_again
from dowse.search.hits import build_hits
from dowse.search.lexical_leg import (
    OWN_NUMBERS,
    RUN_BOOST,
    Place,
    Words,
    ask_words,
    find_run_factors,
    read_words,
    score_by_words,
)
from dowse.search.question import Question, read_question
from dowse.search.ranking import Ranked
from dowse.search.request import Hit, SearchRequest, SearchResponse, Stage
from dowse.search.reranking import iter_stages, run_stages
from dowse.search.searcher import Clock, Searcher
from dowse.search.weighing import explain_row
from dowse.storage.live_vectors import Coverage, LiveVectors, Located, join_located
from dowse.storage.vectors import PreparedQuery, get_scan_mode

POOL = 120
"""How many of its best each leg brings: putting more together costs more than it finds. Pages further down
need more: ten times as many, and so on, so that neighbouring pages are cut from the same ranking."""

STATIC_WEIGHT, MODEL_WEIGHT = 0.45, 0.6
"""Weights of the semantic leg when all vectors are static, and when all are the model's; the words have the
rest. Chosen on CISI, CACM and NFCorpus's development questions (docs/decisions/0006-fusion-weights.md)."""
COSINE = "cosine of the question's vector and the chunk's"
EXPECTED = "score, expected of a chunk without a vector: that of others whose words match as well"


class SemanticLeg(NamedTuple):
    """What finds chunks by meaning in one generation.

    Attributes:
        vectors: Of the model.
        embed: From a question, or a hypothesis, to its unit vector.
        tell_shown: Hears the keys of the chunks that an answer shows.
    """

    vectors: LiveVectors
    embed: Callable[[str], F32]
    tell_shown: Callable[[Sequence[int]], None]


class _Found(NamedTuple):
    """What words and meaning found.

    Attributes:
        legs: Each scored by both.
        places: Where each chunk is.
        pool: The vectors of all chunks that have one.
        runs: What the words of chunks are multiplied by that have a run of them.
        expected: Keys of chunks without a vector, whose meaning is guessed from their words.
    """

    legs: Legs
    places: dict[int, Place]
    pool: Located = ()
    runs: Mapping[int, float] = MappingProxyType({})
    expected: frozenset[int] = frozenset()


class _Ahead(NamedTuple):
    """What was prepared before the question is embedded.

    Attributes:
        lexical: Scores by words, by key; none when they are no part of the answer.
        places: Where each of these chunks is.
        masks: Which rows may be found by meaning.
        located: The vectors of what the words found.
        exact: Keys of chunks that have the query as it stands.
    """

    lexical: dict[int, float]
    places: dict[int, Place]
    masks: Sequence[U8 | None] = ()
    located: Located = ()
    exact: frozenset[int] = frozenset()


class MeaningRanking(NamedTuple):
    """What words and meaning rank, before a page is cut from it.

    Attributes:
        text: What was embedded; empty when there was nothing to understand.
        prepared: Its vector; None without a text.
        masks: Which rows may be found by meaning; meaningless without a text.
        fused: The ranking, best first.
        again: How the meaning was asked again, if it was.
        stages: How long each step took.
    """

    words: Words
    question: Question
    text: str
    prepared: PreparedQuery | None
    masks: Sequence[U8 | None]
    found: _Found
    fused: Sequence[Fused]
    again: AskedAgain | None
    stages: Sequence[Stage]


def rank_by_meaning(searcher: Searcher, request: SearchRequest, leg: SemanticLeg) -> MeaningRanking:
    """Ranks what a request is answered with; how deep it looks depends on the page that is asked for."""
    lap = _Stopwatch(searcher.clock)
    asked, parsed = read_words(searcher, request)
    question = read_question(parsed.root)
    text = request.hypothesis or question.text
    words = ask_words(searcher, request, asked, parsed, _pool_for(request))
    ahead = _look_ahead(searcher, words, question, leg)
    words_ms = lap.ms() - (words.expanded.ms if words.expanded else 0.0)
    stages = [Stage("words", words_ms, searcher.snapshot.doc_count, len(words.ranking.page.best))]
    stages += [words.expanded] if words.expanded else []
    prepared = leg.vectors.model.space.prepare(leg.embed(text)) if text else None
    stages.append(Stage("embed", lap.ms(), 0, 0, _name_vector(request, leg)))
    found = _find_both(searcher, words, ahead, leg, prepared)
    coverage = leg.vectors.coverage
    known = coverage.static + coverage.model
    stages.append(Stage("vectors", lap.ms(), known, len(found.legs.semantic), _name_scan(request, coverage)))
    fused, again = _fuse(request, found, leg, prepared, ahead.exact)
    stages.append(Stage("fuse", lap.ms(), len(found.places), len(fused), _name_fusion(request, again)))
    return MeaningRanking(words, question, text, prepared, ahead.masks, found, fused, again, stages)


def answer_by_meaning(searcher: Searcher, request: SearchRequest, leg: SemanticLeg) -> SearchResponse:
    """Answers a request whose mode is ``semantic`` or ``hybrid``, or one that may be answered so."""
    ranking = rank_by_meaning(searcher, request, leg)
    lap = _Stopwatch(searcher.clock)
    words, fused, stages = ranking.words, ranking.fused, [*ranking.stages]
    # Only stages look beyond the page.
    reach = len(fused) if any(iter_stages(request)) else request.offset + request.limit
    candidates = [Candidate(one.key, one.score) for one in fused[:reach]]
    staged = run_stages(searcher, request, candidates, ranking.text)
    stages += staged.stages
    lap.ms()  # each of them has its own
    page = staged.candidates[request.offset : request.offset + request.limit]
    hits = _show(searcher, request, ranking, page)
    leg.tell_shown([one.key for one in page])
    stages.append(Stage("show", lap.ms(), len(page), len(hits)))
    return SearchResponse(
        request,
        tuple(hits),
        max(words.ranking.page.total, len(fused)),
        False,
        unparse_node(words.root) if words.root is not None else "",
        searcher.snapshot.generation,
        tuple(stages),
        (*_problems(words, searcher), *staged.problems),
        words.is_fuzzy,
        words.suggestion,
        tuple(show_tree(words.parsed.root)) if request.query_tree else (),
        leg.vectors.coverage,
    )


def show_ranked(searcher: Searcher, request: SearchRequest, ranking: MeaningRanking, rank: int) -> Hit:
    """Returns one hit of a ranking, as the page has it that shows it."""
    one = ranking.fused[rank - 1]
    page = [Candidate(one.key, one.score)]
    (hit,) = _show(searcher, replace(request, offset=rank - 1), ranking, page)
    return hit


class _Stopwatch:
    """Says how long each step took."""

    def __init__(self, clock: Clock) -> None:
        self._clock, self._before = clock, clock()

    def ms(self) -> float:
        """Returns the time since the last call, in milliseconds."""
        now = self._clock()
        elapsed, self._before = now - self._before, now
        return elapsed * 1e3


def _pool_for(request: SearchRequest) -> int:
    pool = POOL
    while pool < request.offset + request.limit:
        pool *= 10
    return pool


def _look_ahead(searcher: Searcher, words: Words, question: Question, leg: SemanticLeg) -> _Ahead:
    """Prepares what needs no vector."""
    best = words.ranking.page.best if words.counts else []
    keys = searcher.keys_of(best)
    lexical = {key: entry.score for key, entry in zip(keys, best, strict=True)}
    places = {key: (entry.segment, entry.row) for key, entry in zip(keys, best, strict=True)}
    if not (words.request.hypothesis or question.text):
        return _Ahead(lexical, places)
    masks = _masks(searcher, words, question)
    exact = find_exact(searcher, words.request, words.parsed.root) if lexical else frozenset()
    return _Ahead(lexical, places, masks, leg.vectors.locate(np.array(keys, np.int64)), exact)


def _find_both(
    searcher: Searcher, words: Words, ahead: _Ahead, leg: SemanticLeg, prepared: PreparedQuery | None
) -> _Found:
    """Returns what words and meaning found, each scored by both."""
    lexical = ahead.lexical
    if prepared is None:
        return _Found(Legs(tuple(lexical.items())), ahead.places)
    near = leg.vectors.search(prepared, words.pool, ahead.masks, get_scan_mode(words.request.scan))
    semantic = dict(zip(near.keys, near.scores, strict=True))
    found = dict(zip(near.keys, zip(near.segments, near.rows, strict=True), strict=True))
    places = ahead.places | found
    if not words.counts:
        return _Found(Legs(semantic=tuple(semantic.items())), places)
    unseen = {place: key for key, place in found.items() if key not in lexical}
    by_words = lexical | score_by_words(searcher, words, unseen)
    factors = find_run_factors(searcher, words, places)
    runs = {key: factor for key, factor in factors.items() if key in by_words}  # stop words give no score
    for key, factor in runs.items():
        by_words[key] *= factor
    semantic = leg.vectors.score(prepared, ahead.located) | semantic
    expected = expect_meaning(by_words, semantic)
    spread = leg.vectors.spread(prepared)
    legs = Legs(
        tuple(by_words.items()),
        tuple((semantic | expected).items()),
        query=words.request.query,
        spread=Spread(*spread) if spread else None,
    )
    return _Found(legs, places, join_located(near.located, ahead.located), runs, frozenset(expected))


def _show(
    searcher: Searcher, request: SearchRequest, ranking: MeaningRanking, page: Sequence[Candidate]
) -> list[Hit]:
    """Returns the hits of a page."""
    words, found, again = ranking.words, ranking.found, ranking.again
    plan, places = words.ranking.plan, found.places
    explanations: list[Explanation] = []
    if request.explain:
        first = {one.key: one for one in ranking.fused}
        explanations = [
            one.explain(_explain(searcher, words, first[one.key], found, again)) for one in page
        ]
    hits = build_hits(
        searcher.snapshot,
        [Ranked(*places[one.key], one.score) for one in page],
        explanations,
        request.offset + 1,
        plan.highlights(searcher.snapshot) if request.snippets else plan.terms,
        searcher.shared_analyzers if request.snippets else None,
    )
    return [
        replace(hit, folded=one.folded) if one.folded else hit for hit, one in zip(hits, page, strict=True)
    ]


def _name_vector(request: SearchRequest, leg: SemanticLeg) -> str:
    return f"{leg.vectors.model.name}, of a hypothesis" if request.hypothesis else leg.vectors.model.name


def _masks(searcher: Searcher, words: Words, question: Question) -> list[U8 | None]:
    """Returns which rows may be found by meaning: those of the tree that meet what the query demands."""
    masks = searcher.place_masks(words.request)
    if question.constraint is None:
        return masks
    matcher = searcher.matcher_of(words.request, question.constraint)
    if matcher is None:
        return masks  # a phrase of punctuation demands nothing
    found: list[U8 | None] = []
    for number, (segment, mask) in enumerate(zip(searcher.snapshot.segments, masks, strict=True)):
        allowed = np.zeros(segment.reader.row_count, np.uint8)
        allowed[matcher.rows_in(number)] = 1
        found.append(allowed if mask is None else allowed & (mask != 0))
    return found


def _fuse(
    request: SearchRequest,
    found: _Found,
    leg: SemanticLeg,
    prepared: PreparedQuery | None,
    exact: frozenset[int],
) -> tuple[list[Fused], AskedAgain | None]:
    """Returns the ranking of what was found, and how the meaning was asked again, if it was."""
    legs, again = found.legs, None
    if request.mode == "semantic":
        near = sorted(legs.semantic, key=lambda item: (-item[1], item[0]))
        scores = dict(near)
        return [Fused(*item, lambda key: (Part("semantic", scores[key], COSINE),)) for item in near], None
    fusion = _build_fusion(request, leg.vectors.coverage)
    if prepared is not None and isinstance(fusion, Calibrated) and fusion.feedback:
        lead = fusion.find_lead(legs)
        again = lead and ask_again(legs, lead, leg.vectors, prepared, found.pool, fusion.feedback)
    fused = fusion.fuse(again.legs if again else legs)
    is_moot = not exact or not legs.lexical or not legs.semantic
    return fused if is_moot else keep_exact_first(fused, exact, dict(legs.lexical)), again


def _build_fusion(request: SearchRequest, coverage: Coverage) -> Fusion:
    numbers = {name: value for name, value in request.parameters if name in OWN_NUMBERS}
    if issubclass(get_fusion_kind(request.fusion), Linear):
        numbers = _usual_weights(coverage) | numbers
    return build_fusion(request.fusion, numbers)


def _name_fusion(request: SearchRequest, again: AskedAgain | None) -> str:
    return request.fusion if again is None else f"{request.fusion}, {again.share:.0%} of the first hit"


def _usual_weights(coverage: Coverage) -> dict[str, float]:
    """Returns how much each leg counts when nobody says: static vectors tell less than the model's own, and
    both tell less when there are few of them."""
    known = coverage.model + coverage.static
    share = coverage.model / max(1, known)
    semantic = STATIC_WEIGHT + share * (MODEL_WEIGHT - STATIC_WEIGHT)
    semantic *= (known / max(1, coverage.chunks)) ** 0.5
    return {"lexical_weight": 1.0 - semantic, "semantic_weight": semantic}


def _explain(
    searcher: Searcher, words: Words, fused: Fused, found: _Found, again: AskedAgain | None
) -> Explanation:
    """Explains a fused score, and inside it what the words gave, and which question the meaning answers."""
    whole = fused.explain()
    weighed = searcher.weigh_again(words.request, words.root)
    own = explain_row(
        weighed, searcher.snapshot, *found.places[fused.key], searcher.tables(words.request)
    )
    if fused.key in found.runs:
        own = _explain_run(own, found.runs[fused.key])
    question = "the question's" if again is None else again.name
    cosine = f"score, the cosine of the chunk's vector and {question}"
    return _with_sources(whole, own, EXPECTED if fused.key in found.expected else cosine)


def _explain_run(words: Explanation, factor: float) -> Explanation:
    share = Explanation((factor - 1.0) / RUN_BOOST, "share of the run in the weight of all words")
    run = Explanation(factor, f"1 + {RUN_BOOST:g} * share of a run", (share,))
    name = "words * factor of those that stand one after the other as in the query"
    return Explanation(words.value * factor, name, (words, run))


def _with_sources(node: Explanation, words: Explanation, meaning: str) -> Explanation:
    leg = node.description.partition(" ")[0]
    parts = []
    for part in node.parts:
        is_score = part.description == "score"
        if is_score and leg == "lexical":
            parts.append(words)
        elif is_score and leg == "semantic":
            parts.append(Explanation(part.value, meaning))
        else:
            parts.append(_with_sources(part, words, meaning))
    return Explanation(node.value, node.description, tuple(parts))


def _name_scan(request: SearchRequest, coverage: Coverage) -> str:
    known = f"{coverage.model:,} by the model, {coverage.static:,} static, of {coverage.chunks:,}"
    return f"{known}; {request.scan} scan"


def _problems(words: Words, searcher: Searcher) -> tuple[Problem, ...]:
    """Returns what was wrong, each once."""
    # Who has a hypothesis need not have words.
    has_query = bool(words.request.query.strip()) or not words.request.hypothesis
    found = (*words.parsed.problems, *words.ranking.plan.problems) if has_query else ()
    return tuple(dict.fromkeys((*found, *words.problems, *searcher.snapshot.problems)))
