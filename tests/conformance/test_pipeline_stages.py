"""Every stage keeps the promises of `rerank`: a row in RERANK_STAGES joins by itself."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.errors import InvalidParameterError, UnknownModelError
from dowse.schema import Explanation
from dowse.search.stages import (
    RERANK_STAGES,
    Candidate,
    Evidence,
    JudgeUnavailable,
    Reranked,
    RerankStage,
    build_stage,
)

every_kind = pytest.mark.parametrize("kind", RERANK_STAGES, ids=lambda kind: kind.name)
NUMBERS = st.sampled_from(("default", "low", "high"))
WORDS = ("tea", "green", "bus", "paint", "leaf")


def build(kind: type[RerankStage], numbers: str) -> RerankStage:
    """Returns a stage with all its numbers at their default, lowest or highest value."""
    values = {one.name: getattr(one, numbers) for one in kind.parameters}
    if "budget_ms" in values:
        values["budget_ms"] = 1000
    return build_stage(kind.name, values)


def text_of(key: int) -> str:
    """Returns a text of few words, so that many keys share some and a few share all."""
    return " ".join(WORDS[(key * step) % len(WORDS)] for step in range(1, 4))


def vector_of(key: int) -> np.ndarray:
    """Returns a unit vector; keys that differ by twelve have the same."""
    angle = (key % 12) * math.pi / 12
    return np.array([math.cos(angle), math.sin(angle)], np.float32)


def judge(query: str, passages: Sequence[str], has_time: object) -> list[float]:
    """Likes passages with many letters e."""
    return [float(passage.count("e")) for passage in passages]


def no_judge():
    """Says why there is none."""
    raise JudgeUnavailable("the model is away")


def evidence(*, has_vectors: bool = True, has_judge: bool = True) -> Evidence:
    """Returns texts for all keys, and as much else as wanted."""

    def texts(keys: Sequence[int]) -> Mapping[int, str]:
        return {key: text_of(key) for key in keys if key % 7}

    def vectors(keys: Sequence[int]) -> Mapping[int, np.ndarray]:
        return {key: vector_of(key) for key in keys} if has_vectors else {}

    return Evidence(texts, "green tea", vectors, (lambda: judge) if has_judge else no_judge)


SCORES = st.one_of(st.integers(-2, 5).map(float), st.floats(-1e6, 1e6), st.sampled_from([1e90, 1e-90]))


def ranked(scores: list[float], keys: list[int]) -> list[Candidate]:
    """Returns candidates best first."""
    best = sorted(scores, reverse=True)
    return [Candidate(key, score) for key, score in zip(keys, best, strict=False)]


LISTS = st.builds(ranked, st.lists(SCORES, max_size=14), st.permutations(range(1, 15)))
EVIDENCE = st.builds(evidence, has_vectors=st.booleans(), has_judge=st.booleans())


@every_kind
@settings(max_examples=60, deadline=None)
@given(numbers=NUMBERS, candidates=LISTS, looked_at=EVIDENCE)
def test_what_comes_out_went_in(kind: type[RerankStage], numbers: str, candidates: list, looked_at: Evidence):
    """Each key once; only stages that say so leave any out, and those count them."""
    found, reason, *_ = build(kind, numbers).rerank(candidates, looked_at)
    keys = [one.key for one in found]
    assert len(set(keys)) == len(keys)
    assert set(keys) <= {one.key for one in candidates}
    assert len(candidates) == len(keys) + sum(one.duplicate_count for one in found)
    assert kind.leaves_out or len(keys) == len(candidates)
    assert reason
    assert not candidates or kind.name == "cross_encoder" or keys[0] == candidates[0].key


@every_kind
@settings(max_examples=60, deadline=None)
@given(numbers=NUMBERS, candidates=LISTS, looked_at=EVIDENCE)
def test_scores_do_not_rise_and_explain_themselves(
    kind: type[RerankStage], numbers: str, candidates: list, looked_at: Evidence
):
    """The value of an explanation is the score, the sum of its parts, and has the first score inside."""
    found, *_ = build(kind, numbers).rerank(candidates, looked_at)
    scores = [one.score for one in found]
    assert all(map(math.isfinite, scores))
    assert sorted(scores, reverse=True) == scores
    before = {one.key: one.score for one in candidates}
    for one in found:
        first = Explanation(before[one.key], "as it was")
        whole = one.explain(first)
        assert one.score == whole.value
        if whole is not first:
            assert one.score == whole.parts[0].value + whole.parts[1].value
            assert first == whole.parts[0].parts[0].parts[0]


@every_kind
@settings(max_examples=20, deadline=None)
@given(looked_at=EVIDENCE, more=st.integers(1, 30))
def test_what_is_too_deep_stays_behind(kind: type[RerankStage], looked_at: Evidence, more: int):
    """It keeps its order, after what is looked at, and decides nothing about it."""
    stage = kind()
    whole = [Candidate(key, 500.0 - key) for key in range(1, stage.depth + more + 1)]
    long, short = stage.rerank(whole, looked_at), stage.rerank(whole[: stage.depth], looked_at)
    assert short.candidates == long.candidates[: len(short.candidates)]
    assert [one.key for one in whole[stage.depth :]] == [one.key for one in long.candidates[-more:]]


@every_kind
def test_too_little_is_left_alone(kind: type[RerankStage]):
    """None and one are answers."""
    for candidates in ([], [Candidate(1, 2.0)]):
        assert candidates == kind().rerank(candidates, evidence()).candidates


@every_kind
def test_numbers_out_of_range_are_refused(kind: type[RerankStage]):
    """The error has the value and the legal range; numbers that a stage has not are refused as well."""
    for parameter in kind.parameters:
        assert parameter.default == getattr(kind(), parameter.name)
        for value in (parameter.low - 0.01, parameter.high + 0.01, math.nan):
            with pytest.raises(InvalidParameterError) as caught:
                build_stage(kind.name, {parameter.name: value})
            assert parameter.name == caught.value.details["name"]
    with pytest.raises(InvalidParameterError, match="k1 cannot be"):
        build_stage(kind.name, {"k1": 1.0})


def test_unknown_names_are_refused_with_the_nearest():
    """Names are unique, and one that nobody has is answered with one that somebody has."""
    assert len(RERANK_STAGES) == len({kind.name for kind in RERANK_STAGES})
    with pytest.raises(UnknownModelError) as caught:
        build_stage("mrm")
    assert caught.value.hint.endswith("nearest: mmr")


def test_a_stage_that_cannot_work_says_why():
    """Nothing is changed, the reason is the judge's own, and nobody takes it for done."""
    candidates = [Candidate(1, 2.0), Candidate(2, 1.0)]
    expected = Reranked(candidates, "skipped: the model is away", is_short=True)
    assert expected == build_stage("cross_encoder").rerank(candidates, evidence(has_judge=False))
