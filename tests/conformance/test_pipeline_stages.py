"""Every stage keeps the promises of `search.stages`: a member of PIPELINE joins by itself."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse import SearchRequest
from dowse.schema import Explanation
from dowse.search.batch import Batch
from dowse.search.context import CrossEncoderUnavailable, StageContext
from dowse.search.pipeline import PIPELINE, find_reach
from dowse.search.stages.candidate import Candidate
from dowse.search.stages.page import Page
from dowse.search.stages.stage import Stage

every_stage = pytest.mark.parametrize("stage", PIPELINE, ids=lambda stage: stage.name)
WORDS = ("tea", "green", "bus", "paint", "leaf")
EVERYTHING = SearchRequest("green tea", limit=1000, dedupe=True, diversify=0.5, rerank=True, rerank_ms=1000)
REQUESTS = st.builds(
    SearchRequest,
    st.just("green tea"),
    limit=st.just(1000),
    dedupe=st.just(True),
    diversify=st.sampled_from((0.0, 0.3, 0.7, 1.0)),
    rerank=st.just(True),
    rerank_ms=st.sampled_from((0, 1000)),
)


def text_of(key: int) -> str:
    """Returns a text of few words, so that many keys share some and a few share all."""
    return " ".join(WORDS[(key * step) % len(WORDS)] for step in range(1, 4))


def vector_of(key: int) -> np.ndarray:
    """Returns a unit vector; keys that differ by twelve have the same."""
    angle = (key % 12) * math.pi / 12
    return np.array([math.cos(angle), math.sin(angle)], np.float32)


def cross_encode(query: str, passages: Sequence[str], has_time: object) -> list[float]:
    """Likes passages with many letters e."""
    return [float(passage.count("e")) for passage in passages]


def no_cross_encoder():
    """Says why there is none."""
    raise CrossEncoderUnavailable("the model is away")


def build_context(
    request: SearchRequest = EVERYTHING, *, has_vectors: bool = True, has_cross_encoder: bool = True
) -> StageContext:
    """Returns texts for all keys, and as much else as wanted."""

    def texts(keys: Sequence[int]) -> Mapping[int, str]:
        return {key: text_of(key) for key in keys if key % 7}

    def vectors(keys: Sequence[int]) -> Mapping[int, np.ndarray]:
        return {key: vector_of(key) for key in keys} if has_vectors else {}

    encoder = (lambda: cross_encode) if has_cross_encoder else no_cross_encoder
    return StageContext(request, texts, "green tea", vectors, encoder)


SCORES = st.one_of(st.integers(-2, 5).map(float), st.floats(-1e6, 1e6), st.sampled_from([1e90, 1e-90]))


def ranked(scores: list[float], keys: list[int]) -> Batch:
    """Returns candidates best first."""
    best = sorted(scores, reverse=True)
    return Batch([Candidate(key, score) for key, score in zip(keys, best, strict=False)])


def keys_of(batch: Batch) -> list[int]:
    """Returns the order."""
    return [one.key for one in batch.candidates]


BATCHES = st.builds(ranked, st.lists(SCORES, max_size=14), st.permutations(range(1, 15)))
CONTEXTS = st.builds(
    build_context, REQUESTS, has_vectors=st.booleans(), has_cross_encoder=st.booleans()
)


@every_stage
@settings(max_examples=60, deadline=None)
@given(batch=BATCHES, context=CONTEXTS)
def test_what_comes_out_went_in(stage: Stage, batch: Batch, context: StageContext):
    """Each key once; only stages that say so leave any out, and what stands for others names them."""
    found = stage.run(batch, context)
    keys, folded = keys_of(found), [key for group in found.groups.values() for key in group]
    assert len(set(keys)) == len(keys)
    assert sorted(keys_of(batch)) == sorted(keys + folded)
    assert found.groups.keys() <= set(keys)
    assert stage.leaves_out or len(keys) == len(batch.candidates)
    assert isinstance(stage, Page) or len(batch.notes) + 1 == len(found.notes)


@every_stage
@settings(max_examples=60, deadline=None)
@given(batch=BATCHES, context=CONTEXTS)
def test_scores_do_not_rise_and_explain_themselves(stage: Stage, batch: Batch, context: StageContext):
    """The value of an explanation is the score, the sum of its parts, and has the first score inside."""
    found = stage.run(batch, context)
    scores = [one.score for one in found.candidates]
    assert all(map(math.isfinite, scores))
    assert sorted(scores, reverse=True) == scores
    before = {one.key: one.score for one in batch.candidates}
    for one in found.candidates:
        first = Explanation(before[one.key], "as it was")
        whole = one.explain(first)
        assert one.score == whole.value
        if whole is not first:
            assert ("stage", one.score) == (whole.kind, whole.parts[0].value + whole.parts[1].value)
            assert first == whole.parts[0].parts[0].parts[0]


@every_stage
@settings(max_examples=20, deadline=None)
@given(context=CONTEXTS, more=st.integers(1, 30))
def test_what_is_too_deep_stays_behind(stage: Stage, context: StageContext, more: int):
    """It keeps its order, after what is looked at, and decides nothing about it."""
    depth = min(stage.depth(context.request), 200)
    whole = [Candidate(key, 500.0 - key) for key in range(1, depth + more + 1)]
    long, short = stage.run(Batch(whole), context), stage.run(Batch(whole[:depth]), context)
    assert list(short.candidates) == list(long.candidates[: len(short.candidates)])
    assert [one.key for one in whole[depth:]] == keys_of(long)[-more:]


@every_stage
def test_too_little_is_left_alone(stage: Stage):
    """None and one are answers."""
    for candidates in ([], [Candidate(1, 2.0)]):
        found = stage.run(Batch(candidates), build_context())
        assert (candidates, ()) == (list(found.candidates), found.problems)


@every_stage
def test_stages_listen_to_options_of_a_request(stage: Stage):
    """Each names fields of `SearchRequest`, and is asked for by one of them, but for the page."""
    assert set(stage.options) <= set(SearchRequest.__struct_fields__)
    assert stage.options
    assert stage.is_wanted(EVERYTHING)
    assert isinstance(stage, Page) == stage.is_wanted(SearchRequest("green tea"))


@every_stage
def test_stages_look_only_at_what_they_say_they_need(stage: Stage):
    """A context that fails for everything else is enough."""

    def refuse(*_: object):
        pytest.fail(f"{stage.name} looked at more than {set(stage.needs)}")

    whole = build_context()
    parts = {name: getattr(whole, name) if name in stage.needs else refuse for name in ("texts", "vectors")}
    encoder = whole.cross_encoder if "cross_encoder" in stage.needs else refuse
    context = StageContext(EVERYTHING, query="green tea", cross_encoder=encoder, **parts)
    batch = Batch([Candidate(key, 20.0 - key) for key in range(1, 15)])
    assert stage.run(batch, context).candidates


def test_the_page_is_last_and_names_are_unique():
    """Ranking happens before paging."""
    assert isinstance(PIPELINE[-1], Page)
    assert len(PIPELINE) == len({stage.name for stage in PIPELINE})


def test_a_stage_that_cannot_work_says_why():
    """Nothing is changed, the reason is the model's own, and nobody takes it for done."""
    batch = Batch([Candidate(1, 2.0), Candidate(2, 1.0)])
    (stage,) = (stage for stage in PIPELINE if "cross_encoder" in stage.needs)
    found = stage.run(batch, build_context(has_cross_encoder=False))
    assert batch.candidates == found.candidates
    assert ["skipped: the model is away"] == [problem.message for problem in found.problems]


def test_what_is_left_out_makes_the_pipeline_look_deeper():
    """The page's end alone; with what others compare; and with what may be folded beside it."""

    def reach(**options: object) -> int:
        request = SearchRequest("tea", **options)
        return find_reach(request, [stage for stage in PIPELINE if stage.is_wanted(request)])

    assert 10 == reach(limit=7, offset=3)
    assert 100 == reach(diversify=0.5)
    assert 200 == reach(diversify=0.5, dedupe=True)
    assert 110 == reach(dedupe=True)
