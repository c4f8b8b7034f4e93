"""Makes one ranking of what all legs find.

Each leg finds its best, under the same filters; what one found is scored by the others as well, so that a
chunk is never ranked low only because another leg had no room for it. A fusion makes one ranking of them, the
semantic leg is asked again with what the first hit says, and an exact match stays before what only means the
same.

One after the other: to embed the question in another thread while the words are ranked was tried. It took 0.6
to 1 ms of processor time more per question, and on two cores no less time on the clock.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from dowse.fusion import (
    Fused,
    Fusion,
    Legs,
    Part,
    build_fusion,
    get_fusion_kind,
    keep_exact_first,
)
from dowse.schema import Coverage, Explanation, Problem, SearchRequest, Stage
from dowse.search.availability import Availability
from dowse.search.context import Clock, SearchContext
from dowse.search.deadline import Deadline
from dowse.search.legs.bound_query import FUSION_PARAMETERS, BoundQuery, bind_request
from dowse.search.legs.feedback import AskedAgain, ask_again
from dowse.search.legs.leg import Leg, LegScores
from dowse.search.legs.lexical import Lexical, LexicalResult
from dowse.search.legs.semantic import Semantic
from dowse.storage.joined_vectors import ChunkVectors
from dowse.storage.live_vectors import QueryVector

POOL, DEEPER = 120, 10
"""How many of its best each leg brings: putting more together costs more than it finds. Where a page needs
more, each brings ten times as many, and so on; what that adds comes after what was there."""

STATIC_WEIGHT, MODEL_WEIGHT = 0.45, 0.6
"""Weights of the semantic leg when all vectors are static, and when all are the model's; the words have the
rest. Chosen on CISI, CACM and NFCorpus's development questions (docs/decisions/0006-fusion-weights.md)."""
COSINE = "cosine of the question's vector and the chunk's"
STRONG_SIGNAL = "not asked: the first hit of the words is far ahead"
FURTHER_DOWN = "found further down: no more than the score of what comes before it"


class Tier(Struct, frozen=True):
    """What the legs rank when each brings so many of its best.

    Attributes:
        lexical: The lexical leg, which always reads the query.
        legs: Those that took part in the ranking.
        found: What each gave, the semantic leg when it was asked last.
        fused: The ranking, best first.
        again: How the semantic leg was asked again, if it was.
        is_all: Whether no leg has more to bring.
    """

    lexical: Lexical
    legs: Sequence[Leg]
    found: Legs
    fused: Sequence[Fused]
    again: AskedAgain | None
    is_all: bool

    def explain(self, one: Fused) -> Explanation:
        """Explains a fused score, and inside it what each leg gave."""
        sources = {}
        for leg in self.legs:
            scores = self.found.get(leg.name)
            if one.key in scores:
                sources[leg.name] = leg.explain(one.key, scores[one.key])
        return one.explain(sources)


class FusedRanking(Struct, frozen=True, dict=True):
    """What all legs rank together, before any stage.

    The ranking of a longer page begins as that of a shorter one does: pages fit together.

    Attributes:
        vector: What was embedded; None when there was nothing to understand, where the words were enough, and
            without time.
        tiers: Of larger and larger pools, as many as the page needs.
        stages: How long each step took.
        problems: What there was no time for.
    """

    query: BoundQuery
    vector: QueryVector | None
    tiers: Sequence[Tier]
    stages: Sequence[Stage]
    problems: tuple[Problem, ...] = ()

    @property
    def words(self) -> LexicalResult:
        """What the words found at first."""
        return self.tiers[0].lexical.result

    @property
    def pool(self) -> int:
        """How many each leg could bring in the end."""
        return self.tiers[-1].lexical.pool

    @cached_property
    def fused(self) -> list[Fused]:
        """The whole ranking, best first: what a tier adds comes after the tiers before it."""
        if len(self.tiers) == 1:  # as for nearly every page
            return [*self.tiers[0].fused]
        return [one for one, _ in self._placed.values()]

    def explain(self, key: int) -> Explanation:
        """Explains the score of a chunk of the ranking."""
        one, tier = self._placed[key]
        return tier.explain(one)

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
        """Whether no leg has more to bring."""
        return self.tiers[-1].is_all


def rank_fused(
    context: SearchContext,
    request: SearchRequest,
    available: Availability,
    reach: int,
    deadline: Deadline,
    vector: QueryVector | None = None,
) -> FusedRanking:
    """Ranks what a request is answered with, as far as `reach` if there is so much.

    Args:
        vector: Of the question, for whoever has embedded it already.

    Raises:
        DowseError: One of `EMBEDDING_ERRORS`: the question cannot be embedded.
    """
    vectors = available.vectors
    assert vectors is not None, "only what has vectors is ranked by them"
    lap, stages = Stopwatch(context.clock), []
    embedder = available.open_embedder(request.mode)
    query, fusion = bind_request(context, request), _build_fusion(request, vectors.coverage)
    lexical = Lexical(query, POOL)
    found, words = lexical.retrieve(), lexical.result
    if words.asks_nothing:  # a model finds something for a question mark, too
        query = replace(query, question=query.question._replace(text=""))
    expand_ms = words.expanded.ms if words.expanded else 0.0
    best = len(words.ranking.top.best)
    stages.append(Stage("words", lap.ms() - expand_ms, context.snapshot.doc_count, best))
    stages += [words.expanded] if words.expanded else []
    is_late = bool(query.text) and deadline.has_passed()
    problems = [deadline.problem(Semantic.name)] if is_late else []
    left_out = f"left out: {deadline.reason}" if is_late else _why_not_asked(query, fusion, found, words)
    if query.text and vector is None and not left_out:
        embed = embedder.embed_passages if request.hypothesis else embedder.embed_queries
        vector = vectors.prepare(embed([query.text])[0])
    stages.append(Stage("embed", lap.ms(), 0, 0, left_out or _name_vector(request, vectors)))
    tier = _rank_tier(query, fusion, lexical, found, vectors, vector, stages, lap)
    tiers = [tier]
    if len(tier.fused) < reach and not tier.is_all:
        tiers += _iter_deeper(query, fusion, vectors, vector, reach, deadline)
        last = tiers[-1]
        note = f"the best {last.lexical.pool:,} of words and meaning each"
        stages.append(Stage("deeper", lap.ms(), len(tier.fused), len(last.fused), note))
        if len(last.fused) < reach and not last.is_all:
            problems.append(deadline.problem("deeper"))
    return FusedRanking(query, vector, tiers, stages, tuple(problems))


def _why_not_asked(
    query: BoundQuery, fusion: Fusion, found: LegScores, words: LexicalResult
) -> str:
    """Returns why the semantic leg is not asked; empty when it is.

    A request with a hypothesis always runs the semantic leg, and fuzzy matches are never a strong signal.
    """
    is_needed = bool(query.request.hypothesis) or words.is_fuzzy or not query.uses_words
    return "" if is_needed or fusion.needs_semantic(found.scores.values()) else STRONG_SIGNAL


def _rank_tier(
    query: BoundQuery,
    fusion: Fusion,
    lexical: Lexical,
    found: LegScores,
    vectors: ChunkVectors,
    vector: QueryVector | None,
    stages: list[Stage],
    lap: "Stopwatch",
) -> Tier:
    """Asks the legs that take part, and fuses what they found; `found` is what the words did."""
    legs: list[Leg] = [lexical] if query.uses_words else []
    by_leg, semantic = {lexical.name: found} if query.uses_words else {}, None
    if vector is not None:
        semantic = Semantic(vectors, vector, query.masks, lexical.pool, query.request.scan)
        legs.append(semantic)
        by_leg[semantic.name] = semantic.retrieve()
    given = _complete(query, legs, by_leg)
    coverage, near = vectors.coverage, len(given.get(Semantic.name))
    note = _name_scan(query.request, coverage)
    stages.append(Stage("vectors", lap.ms(), coverage.static + coverage.model, near, note))
    given, fused, again = _fuse(query.request, fusion, given, semantic, lexical.exact)
    keys = len(set().union(*given.scores.values()))
    stages.append(Stage("fuse", lap.ms(), keys, len(fused), _name_fusion(query.request, again)))
    return Tier(lexical, legs, given, fused, again, all(one.is_all for one in by_leg.values()))


def _iter_deeper(
    query: BoundQuery,
    fusion: Fusion,
    vectors: ChunkVectors,
    vector: QueryVector | None,
    reach: int,
    deadline: Deadline,
) -> Iterator[Tier]:
    """Yields tiers of larger pools, until there are as many hits as wanted, all there are, or no time.

    Args:
        reach: How many hits are wanted; more than the first tier has.
    """
    pool, has, is_all = POOL, 0, False
    while has < reach and not is_all and not deadline.has_passed():
        pool *= DEEPER
        lexical = Lexical(query, pool)
        unnoted = Stopwatch(query.context.clock)
        tier = _rank_tier(query, fusion, lexical, lexical.retrieve(), vectors, vector, [], unnoted)
        yield tier
        has, is_all = len(tier.fused), tier.is_all


def _complete(query: BoundQuery, legs: Sequence[Leg], found: dict[str, LegScores]) -> Legs:
    """Has each leg score what the others found; a leg alone stays as it is."""
    if len(legs) < 2:
        return Legs({name: one.scores for name, one in found.items()})
    keys = set().union(*(one.scores for one in found.values()))
    scores: dict[str, dict[int, float]] = {}
    for leg in legs:
        own = found[leg.name].scores
        scores[leg.name] = leg.refine(own | leg.score(keys - own.keys()), scores)
    known = {leg.name: leg.distribution() for leg in legs}
    distributions = {name: one for name, one in known.items() if one is not None}
    return Legs(scores, query.request.query, distributions)


def _fuse(
    request: SearchRequest, fusion: Fusion, given: Legs, semantic: Semantic | None, exact: frozenset[int]
) -> tuple[Legs, list[Fused], AskedAgain | None]:
    """Returns what the legs gave in the end, the ranking, and how the semantic leg was asked again."""
    if request.mode == "semantic":
        scores = given.get(Semantic.name)
        near = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
        parts_of = lambda key: (Part(Semantic.name, scores[key], COSINE),)  # noqa: E731 - shared by all
        return given, [Fused(*item, parts_of) for item in near], None
    again, words = None, given.get(Lexical.name)
    if semantic is not None and fusion.feedback:
        top = fusion.find_top_hit(given)
        again = top and ask_again(given, top, semantic, fusion.feedback)
        if again is not None:
            semantic.question, given = again.name, again.legs
    fused = fusion.fuse(given)
    is_moot = not exact or len(given.scores) < 2
    return given, fused if is_moot else keep_exact_first(fused, exact, words), again


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


def _build_fusion(request: SearchRequest, coverage: Coverage) -> Fusion:
    numbers = {name: value for name, value in request.parameters if name in FUSION_PARAMETERS}
    if get_fusion_kind(request.fusion).takes_coverage_weights:
        numbers = _usual_weights(coverage) | numbers
    return build_fusion(request.fusion, numbers)


def _usual_weights(coverage: Coverage) -> dict[str, float]:
    """Returns how much each leg counts when nobody says: static vectors tell less than the model's own, and
    both tell less when there are few of them."""
    known = coverage.model + coverage.static
    share = coverage.model / max(1, known)
    semantic = STATIC_WEIGHT + share * (MODEL_WEIGHT - STATIC_WEIGHT)
    semantic *= (known / max(1, coverage.chunks)) ** 0.5
    return {"lexical_weight": 1.0 - semantic, "semantic_weight": semantic}


def _name_vector(request: SearchRequest, vectors: ChunkVectors) -> str:
    return f"{vectors.model.name}, of a hypothesis" if request.hypothesis else vectors.model.name


def _name_fusion(request: SearchRequest, again: AskedAgain | None) -> str:
    if request.mode == "semantic":
        return "nothing to fuse: meaning alone"
    return request.fusion if again is None else f"{request.fusion}, {again.share:.0%} of the first hit"


def _name_scan(request: SearchRequest, coverage: Coverage) -> str:
    known = f"{coverage.model:,} by the model, {coverage.static:,} static, of {coverage.chunks:,}"
    return f"{known}; {request.scan} scan"
