"""Makes one ranking of what words and meaning find.

Both legs find their best, under the same filters; what one found is scored by the other as well, so that a
chunk is never ranked low only because the other leg had no room for it. A fusion makes one ranking of the
two, the meaning is asked again with what the first hit says, and an exact match stays before what only means
the same.

One after the other: to embed the question in another thread while the words are ranked was tried. It took 0.6
to 1 ms of processor time more a question, and on two cores no less time on the clock.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from dowse.fusion import (
    Fused,
    Fusion,
    Legs,
    Part,
    ScoreDistribution,
    build_fusion,
    get_fusion_kind,
    impute_semantic_scores,
    keep_exact_first,
)
from dowse.kernels.layout import F32, U8
from dowse.planning.plan import EMPTY
from dowse.query import Parsed
from dowse.schema import Coverage, SearchRequest, Stage
from dowse.search.legs.exact_matches import find_exact
from dowse.search.legs.feedback import AskedAgain, ask_again
from dowse.search.legs.lexical import (
    OWN_NUMBERS,
    Place,
    Words,
    ask_words,
    find_run_factors,
    read_words,
    score_by_words,
)
from dowse.search.lexical.searcher import Clock, Searcher
from dowse.search.question import Question
from dowse.storage.live_vectors import LiveVectors, Located, QueryVector, join_located
from dowse.storage.vectors import get_scan_mode

POOL, DEEPER = 120, 10
"""How many of its best each leg brings: putting more together costs more than it finds. Where a page needs
more, each brings ten times as many, and so on; what that adds comes after what was there."""

STATIC_WEIGHT, MODEL_WEIGHT = 0.45, 0.6
"""Weights of the semantic leg when all vectors are static, and when all are the model's; the words have the
rest. Chosen on CISI, CACM and NFCorpus's development questions (docs/decisions/0006-fusion-weights.md)."""
COSINE = "cosine of the question's vector and the chunk's"
STRONG_SIGNAL = "not asked: the first hit of the words is far ahead"
FURTHER_DOWN = "found further down: no more than the score of what comes before it"


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


class Found(NamedTuple):
    """What words and meaning found.

    Attributes:
        legs: Each scored by both.
        places: Where each chunk is.
        pool: The vectors of all chunks that have one.
        runs: What the words of chunks are multiplied by that have a run of them.
        expected: Keys of chunks without a vector, whose meaning is guessed from their words.
        is_all: Whether neither leg has more to bring.
    """

    legs: Legs
    places: dict[int, Place]
    pool: Located = ()
    runs: Mapping[int, float] = MappingProxyType({})
    expected: frozenset[int] = frozenset()
    is_all: bool = True


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


class Tier(NamedTuple):
    """What words and meaning rank when each brings so many of its best.

    Attributes:
        masks: Which rows may be found by meaning; meaningless without a text.
        fused: The ranking, best first.
        again: How the meaning was asked again, if it was.
    """

    words: Words
    masks: Sequence[U8 | None]
    found: Found
    fused: Sequence[Fused]
    again: AskedAgain | None


class MeaningRanking(Struct, frozen=True, dict=True):
    """What words and meaning rank, before a page is cut from it.

    The ranking of a longer page begins as that of a shorter one does: pages fit together.

    Attributes:
        text: What was embedded; empty when there was nothing to understand.
        prepared: Its vector; None without a text, and where the words were enough.
        tiers: Of larger and larger pools, as many as the page needs.
        stages: How long each step took.
    """

    question: Question
    text: str
    prepared: QueryVector | None
    tiers: Sequence[Tier]
    stages: Sequence[Stage]

    @property
    def words(self) -> Words:
        """What the words found at first."""
        return self.tiers[0].words

    @cached_property
    def fused(self) -> list[Fused]:
        """The whole ranking, best first: what a tier adds comes after the tiers before it."""
        if len(self.tiers) == 1:  # as for nearly every page
            return [*self.tiers[0].fused]
        return [one for one, _ in self._placed.values()]

    def get(self, key: int) -> Fused:
        """Returns a chunk of the ranking."""
        return self._placed[key][0]

    def tier_of(self, key: int) -> Tier:
        """Returns the tier that brought a chunk of the ranking."""
        return self.tiers[0] if len(self.tiers) == 1 else self._placed[key][1]

    @cached_property
    def _placed(self) -> dict[int, tuple[Fused, Tier]]:
        placed: dict[int, tuple[Fused, Tier]] = {}
        ceiling = np.inf
        for tier in self.tiers:
            added = [_lower(one, ceiling) for one in tier.fused if one.key not in placed]
            placed |= {one.key: (one, tier) for one in added}
            ceiling = added[-1].score if added else ceiling
        return placed

    @property
    def is_all(self) -> bool:
        """Whether neither words nor meaning have more to bring."""
        return self.tiers[-1].found.is_all


def rank_by_meaning(
    searcher: Searcher, request: SearchRequest, leg: SemanticLeg, reach: int | None = None
) -> MeaningRanking:
    """Ranks what a request is answered with, if there is so much at least as far as `reach`.

    Args:
        reach: How many hits are wanted; as far as the request's page goes when not given.
    """
    reach = request.offset + request.limit if reach is None else reach
    lap = Stopwatch(searcher.clock)
    asked, parsed, question = read_words(searcher, request)
    words = ask_words(searcher, request, asked, parsed, POOL)
    if EMPTY in words.ranking.plan.problems:  # a model finds something for a question mark, too
        question = question._replace(text="")
    text = request.hypothesis or question.text
    ahead = _look_ahead(searcher, words, question, leg)
    words_ms = lap.ms() - (words.expanded.ms if words.expanded else 0.0)
    stages = [Stage("words", words_ms, searcher.snapshot.doc_count, len(words.ranking.page.best))]
    stages += [words.expanded] if words.expanded else []
    is_enough = _are_words_enough(request, words, ahead, leg)
    prepared = leg.vectors.prepare(leg.embed(text)) if text and not is_enough else None
    stages.append(Stage("embed", lap.ms(), 0, 0, STRONG_SIGNAL if is_enough else _name_vector(request, leg)))
    found = _find_both(searcher, words, ahead, leg, prepared)
    coverage = leg.vectors.coverage
    known = coverage.static + coverage.model
    near = len(found.legs.get("semantic"))
    stages.append(Stage("vectors", lap.ms(), known, near, _name_scan(request, coverage)))
    fused, again = _fuse(request, found, leg, prepared, ahead.exact)
    stages.append(Stage("fuse", lap.ms(), len(found.places), len(fused), _name_fusion(request, again)))
    tiers = [Tier(words, ahead.masks, found, fused, again)]
    if len(fused) < reach and not found.is_all:
        query = asked, parsed, question
        tiers += _iter_deeper(searcher, request, leg, query, prepared, reach)
        last = tiers[-1]
        note = f"the best {last.words.pool:,} of words and meaning each"
        stages.append(Stage("deeper", lap.ms(), len(fused), len(last.fused), note))
    return MeaningRanking(question, text, prepared, tiers, stages)


def _iter_deeper(
    searcher: Searcher,
    request: SearchRequest,
    leg: SemanticLeg,
    query: tuple[SearchRequest, Parsed, Question],
    prepared: QueryVector | None,
    reach: int,
) -> Iterator[Tier]:
    """Yields tiers of larger pools, until there are as many hits as wanted or all there are.

    Args:
        query: What `read_words` made of the request.
        reach: How many hits are wanted; more than the first tier has.
    """
    asked, parsed, question = query
    pool, has, is_all = POOL, 0, False
    while has < reach and not is_all:
        pool *= DEEPER
        words = ask_words(searcher, request, asked, parsed, pool)
        ahead = _look_ahead(searcher, words, question, leg)
        found = _find_both(searcher, words, ahead, leg, prepared)
        fused, again = _fuse(request, found, leg, prepared, ahead.exact)
        yield Tier(words, ahead.masks, found, fused, again)
        has, is_all = len(fused), found.is_all


def _lower(one: Fused, ceiling: float) -> Fused:
    return one if one.score <= ceiling else replace(one, score=ceiling, reason=FURTHER_DOWN)


class Stopwatch:
    """Says how long each step took."""

    def __init__(self, clock: Clock) -> None:
        self._clock, self._before = clock, clock()

    def ms(self) -> float:
        """Returns the time since the last call, in milliseconds."""
        now = self._clock()
        elapsed, self._before = now - self._before, now
        return elapsed * 1e3


def _look_ahead(searcher: Searcher, words: Words, question: Question, leg: SemanticLeg) -> _Ahead:
    """Prepares what needs no vector."""
    best = words.ranking.page.best if words.counts else []
    keys = searcher.keys_of(best)
    lexical = {key: entry.score for key, entry in zip(keys, best, strict=True)}
    places = {key: (entry.segment, entry.row) for key, entry in zip(keys, best, strict=True)}
    if not (words.request.hypothesis or question.text):
        return _Ahead(lexical, places)
    masks = _masks(searcher, words, question)
    exact = find_exact(searcher, words.request, question.typed) if lexical else {}
    # Of common words an exact match may not be among the best; it must be in the ranking all the same.
    unseen = {place: key for key, place in exact.items() if key not in lexical}
    lexical |= score_by_words(searcher, words, unseen)
    places |= {key: exact[key] for key in lexical.keys() - places.keys()}
    located = leg.vectors.locate(np.array([*lexical], np.int64))
    return _Ahead(lexical, places, masks, located, frozenset(exact))


def _are_words_enough(request: SearchRequest, words: Words, ahead: _Ahead, leg: SemanticLeg) -> bool:
    """Says whether the fusion can do without the meaning, so that nothing need be embedded for it.

    A request with a hypothesis always runs the semantic leg, and fuzzy matches are never a strong signal.
    Where the words do not count, there is nothing to go by.
    """
    if request.hypothesis or words.is_fuzzy or not words.counts:
        return False
    fusion = _build_fusion(request, leg.vectors.coverage)
    return not fusion.needs_semantic(ahead.lexical.values())


def _find_both(
    searcher: Searcher, words: Words, ahead: _Ahead, leg: SemanticLeg, prepared: QueryVector | None
) -> Found:
    """Returns what words and meaning found, each scored by both."""
    lexical = ahead.lexical
    has_all_words = not words.counts or len(lexical) < words.pool
    if prepared is None:
        return Found(Legs({"lexical": lexical}), ahead.places, is_all=has_all_words)
    near = leg.vectors.search(prepared, words.pool, ahead.masks, get_scan_mode(words.request.scan))
    semantic = dict(zip(near.keys, near.scores, strict=True))
    found = dict(zip(near.keys, zip(near.segments, near.rows, strict=True), strict=True))
    places = ahead.places | found
    is_all = has_all_words and len(near.keys) < words.pool
    if not words.counts:
        return Found(Legs({"semantic": semantic}), places, is_all=is_all)
    unseen = {place: key for key, place in found.items() if key not in lexical}
    by_words = lexical | score_by_words(searcher, words, unseen)
    factors = find_run_factors(searcher, words, places)
    runs = {key: factor for key, factor in factors.items() if key in by_words}  # stop words give no score
    for key, factor in runs.items():
        by_words[key] *= factor
    semantic = leg.vectors.score(prepared, ahead.located) | semantic
    expected = impute_semantic_scores(by_words, semantic)
    spread = leg.vectors.spread(prepared)
    legs = Legs(
        {"lexical": by_words, "semantic": semantic | expected},
        query=words.request.query,
        distributions={"semantic": ScoreDistribution(*spread)} if spread else {},
    )
    located = join_located(near.located, ahead.located)
    return Found(legs, places, located, runs, frozenset(expected), is_all)


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
    found: Found,
    leg: SemanticLeg,
    prepared: QueryVector | None,
    exact: frozenset[int],
) -> tuple[list[Fused], AskedAgain | None]:
    """Returns the ranking of what was found, and how the meaning was asked again, if it was."""
    legs, again = found.legs, None
    if request.mode == "semantic":
        scores = legs.get("semantic")
        near = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
        return [Fused(*item, lambda key: (Part("semantic", scores[key], COSINE),)) for item in near], None
    fusion = _build_fusion(request, leg.vectors.coverage)
    if prepared is not None and fusion.feedback:
        top = fusion.find_top_hit(legs)
        again = top and ask_again(legs, top, leg.vectors, prepared, found.pool, fusion.feedback)
    fused = fusion.fuse(again.legs if again else legs)
    is_moot = not exact or len(legs.scores) < 2
    return fused if is_moot else keep_exact_first(fused, exact, legs.get("lexical")), again


def _build_fusion(request: SearchRequest, coverage: Coverage) -> Fusion:
    numbers = {name: value for name, value in request.parameters if name in OWN_NUMBERS}
    if get_fusion_kind(request.fusion).takes_coverage_weights:
        numbers = _usual_weights(coverage) | numbers
    return build_fusion(request.fusion, numbers)


def _name_fusion(request: SearchRequest, again: AskedAgain | None) -> str:
    if request.mode == "semantic":
        return "nothing to fuse: meaning alone"
    return request.fusion if again is None else f"{request.fusion}, {again.share:.0%} of the first hit"


def _usual_weights(coverage: Coverage) -> dict[str, float]:
    """Returns how much each leg counts when nobody says: static vectors tell less than the model's own, and
    both tell less when there are few of them."""
    known = coverage.model + coverage.static
    share = coverage.model / max(1, known)
    semantic = STATIC_WEIGHT + share * (MODEL_WEIGHT - STATIC_WEIGHT)
    semantic *= (known / max(1, coverage.chunks)) ** 0.5
    return {"lexical_weight": 1.0 - semantic, "semantic_weight": semantic}


def _name_scan(request: SearchRequest, coverage: Coverage) -> str:
    known = f"{coverage.model:,} by the model, {coverage.static:,} static, of {coverage.chunks:,}"
    return f"{known}; {request.scan} scan"
