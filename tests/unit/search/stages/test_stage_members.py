"""What each stage does that the others do not, with numbers worked by hand."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse import SearchRequest
from dowse.search.batch import Batch
from dowse.search.context import StageContext
from dowse.search.deadline import Deadline
from dowse.search.stages.candidate import Candidate
from dowse.search.stages.cross_encoder import CrossEncoderRerank
from dowse.search.stages.diversify import Diversify
from dowse.search.stages.duplicates import Duplicates
from dowse.search.stages.likeness import Cosines, find_vectors

TEXTS = {
    1: "green tea leaves are steeped in hot water",
    2: "green tea leaves are steeped in hot water",
    3: "the bus stops here every hour",
    4: "black tea leaves are steeped in boiling water",
}
VECTORS = {1: (1.0, 0.0), 2: (0.98, 0.199), 3: (0.0, 1.0), 4: (0.8, 0.6)}
FOUR = [Candidate(1, 4.0), Candidate(2, 3.0), Candidate(4, 2.0), Candidate(3, 0.0)]


def texts(keys: Sequence[int]) -> dict[int, str]:
    """Returns the texts of some keys."""
    return {key: TEXTS[key] for key in keys}


def vectors(keys: Sequence[int]) -> dict[int, np.ndarray]:
    """Returns the vectors of some keys."""
    return {key: np.array(VECTORS[key], np.float32) for key in keys}


def look_at(texts: Callable, query: str = "", rerank_ms: int = 3000, **others: object) -> StageContext:
    """Returns what a stage may look at."""
    return StageContext(SearchRequest("", rerank_ms=rerank_ms), texts, query, **others)


def vary(candidates: Sequence[Candidate], relevance: float, **others: object) -> tuple[list[Candidate], str]:
    """Diversifies; returns the order and the note."""
    context = StageContext(SearchRequest("", diversify=relevance), **{"texts": texts, **others})
    found = Diversify().run(Batch(candidates), context)
    return list(found.candidates), found.notes[-1]


def fold(candidates: Sequence[Candidate], context: StageContext) -> tuple[Batch, str]:
    """Folds duplicates; returns what is left and the note."""
    found = Duplicates().run(Batch(candidates), context)
    return found, found.notes[-1]


def rerank(candidates: Sequence[Candidate], context: StageContext) -> tuple[list[Candidate], str, str | None]:
    """Has the cross-encoder score again; returns the order, the note, and the hint if it fell short."""
    found = CrossEncoderRerank().run(Batch(candidates), context)
    (hint,) = [problem.hint for problem in found.problems] or (None,)
    return list(found.candidates), found.notes[-1], hint


def keys(candidates: Sequence[Candidate]) -> list[int]:
    """Returns the order."""
    return [one.key for one in candidates]


def test_diversify_takes_the_worst_hit_before_the_copy_of_the_first():
    """0.3 * 0 - 0.7 * 0 is more than 0.3 * 0.75 - 0.7 * 0.98, which is what the twin keeps."""
    found, reason = vary(FOUR, 0.3, vectors=vectors)
    assert [1, 3, 4, 2] == keys(found)
    expected = [0.3, 0.0, 0.3 * 0.5 - 0.7 * 0.8, 0.3 * 0.75 - 0.7 * 0.98]
    assert pytest.approx(expected, abs=1e-3) == [one.score for one in found]
    assert "2 of 4 moved, by vectors, lambda 0.3" == reason


def test_diversify_compares_words_where_there_are_no_vectors():
    """The same text again is likeness 1; the bus shares no word with tea."""
    found, reason = vary(FOUR, 0.3)
    assert [1, 3, 4, 2] == keys(found)
    assert "by words" in reason


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.floats(0, 100), min_size=1, max_size=12),
    st.floats(0, 1),
    st.lists(st.floats(0, 6.3), min_size=12, max_size=12),
)
def test_diversify_is_a_permutation_with_the_first_in_its_place(
    scores: list[float], relevance: float, angles: list[float]
):
    """Whatever the vectors; at a lambda of 1 the order is kept."""
    candidates = [Candidate(key, score) for key, score in enumerate(sorted(scores, reverse=True))]
    made = {key: np.array([np.cos(angle), np.sin(angle)]) for key, angle in enumerate(angles)}
    known = {"texts": dict, "vectors": lambda wanted: {key: made[key] for key in wanted}}
    found = keys(vary(candidates, relevance, **known)[0])
    assert sorted(found) == keys(candidates)
    assert 0 == found[0]
    assert keys(candidates) == keys(vary(candidates, 1.0, **known)[0])


def test_duplicates_are_folded_into_the_best():
    """The twin goes, and the first hit counts it; black tea is another text."""
    found, reason = fold(FOUR, look_at(texts, vectors=vectors))
    assert ([1, 4, 3], {1: (2,)}) == (keys(found.candidates), found.groups)
    assert [4.0, 2.0, 0.0] == [one.score for one in found.candidates]
    assert "1 of 4 folded into better hits, by vectors, from 0.95" == reason


def test_duplicates_without_vectors_are_found_by_runs_of_words():
    """Seed 001's share, 0.83."""
    found, reason = fold(FOUR, look_at(texts))
    assert [1, 4, 3] == keys(found.candidates)
    assert reason.endswith("by words, from 0.83")


def test_a_chain_of_small_differences_does_not_fold_its_ends():
    """Two is like one and three is like two; three is not like one, and stays."""
    chain = {1: (1.0, 0.0), 2: (0.96, 0.28), 3: (0.8432, 0.5376)}
    looked_at = look_at(texts, vectors=lambda _: {k: np.array(v, np.float32) for k, v in chain.items()})
    found, _ = fold([Candidate(key, 4.0 - key) for key in chain], looked_at)
    assert ([1, 3], {1: (2,)}) == (keys(found.candidates), found.groups)


def test_vectors_are_used_when_nearly_all_have_one():
    """Nine of ten are enough, eight are not; what has none is like nothing."""
    ten = list(range(10))
    known = {key: np.array([1.0, 0.0], np.float32) for key in ten}

    def without(*gone: int) -> StageContext:
        return look_at(dict, vectors=lambda _: {k: v for k, v in known.items() if k not in gone})

    likeness = find_vectors(ten, without(3))
    assert isinstance(likeness, Cosines)
    assert [1, 1, 1, 0, 1, 1, 1, 1, 1, 1] == likeness.row(0).tolist()
    assert find_vectors(ten, without(3, 4)) is None


def encoder_with(values: dict[str, float], clock: "Clock | None" = None, ms: float = 0) -> Callable:
    """Returns a cross-encoder that knows values by text, and takes its time."""

    def score(query: str, passages: Sequence[str], has_time: Callable[[], bool]) -> list[float]:
        found: list[float] = []
        for passage in passages:
            if not has_time():
                break
            if clock is not None:
                clock.now += ms / 1e3
            found.append(values[passage])
        return found + [float("nan")] * (len(passages) - len(found))

    return lambda: score


class Clock:
    """Stands still unless moved."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


VALUES = {TEXTS[1]: -3.0, TEXTS[3]: 5.0, TEXTS[4]: 1.0}
QUESTION = "how to make tea"


def test_the_judge_counts_as_much_as_the_ranking():
    """0.5 * 0.5 + 0.5 / (1 + e^-0.5) for the third, which overtakes; the last is judged best and stays."""
    found, reason, _ = rerank(FOUR, look_at(texts, QUESTION, cross_encoder=encoder_with(VALUES)))
    assert [1, 4, 2, 3] == keys(found)
    assert pytest.approx([0.591213, 0.561230, 0.466213, 0.462071], abs=1e-6) == [one.score for one in found]
    assert "4 of 4 judged" == reason


def test_the_judge_decides_between_near_ones():
    """One that it is sure of overtakes one that it does not like."""
    near = [Candidate(1, 10.0), Candidate(3, 9.0), Candidate(4, 0.0)]
    found, *_ = rerank(near, look_at(texts, QUESTION, cross_encoder=encoder_with(VALUES)))
    assert [3, 1, 4] == keys(found)


def test_a_judge_that_thinks_alike_of_all_changes_nothing():
    """Small differences are not stretched, however many logits there are and whatever their sign."""
    near = [Candidate(1, 10.0), Candidate(3, 9.0), Candidate(4, 0.0)]
    for logit in (-9.0, 0.0, 9.0, 1e6):
        alike = {TEXTS[1]: logit, TEXTS[3]: logit + 0.1, TEXTS[4]: logit + 0.2}
        found, *_ = rerank(near, look_at(texts, QUESTION, cross_encoder=encoder_with(alike)))
        assert [1, 3, 4] == keys(found)


def test_only_as_many_are_judged_as_fit():
    """At 100 ms each, 250 ms are enough for two; the others keep their places behind, and that is said."""
    clock = Clock()
    encoder = encoder_with(VALUES, clock, 100)
    looked_at = look_at(texts, QUESTION, rerank_ms=250, cross_encoder=encoder, clock=clock)
    found, reason, hint = rerank(FOUR, looked_at)
    assert "2 of 4 judged, 250 ms were too few for the others" == reason
    assert "allow-time rerank_ms" == hint
    assert 0.2 == pytest.approx(clock.now)
    assert [1, 2, 4, 3] == keys(found)
    assert ["not judged"] * 2 == [one.changes[0].reason for one in found[2:]]


@pytest.mark.parametrize("budget_ms", [0, 50, 150])
def test_a_budget_that_is_too_small_changes_nothing(budget_ms: int):
    """One judgement alone compares nothing: the stage is skipped and says so."""
    clock = Clock()
    encoder = encoder_with(VALUES, clock, 100)
    looked_at = look_at(texts, QUESTION, rerank_ms=budget_ms, cross_encoder=encoder, clock=clock)
    found, reason, hint = rerank(FOUR, looked_at)
    assert FOUR == found
    assert "allow-time rerank_ms" == hint
    assert f"skipped: judging does not fit into {budget_ms} ms" == reason


def test_loading_the_judge_counts_and_is_told():
    """It cannot be stopped halfway; without any time it is not begun."""
    clock = Clock()

    def load() -> Callable:
        clock.now += 0.19
        return encoder_with(VALUES, clock, 1)()

    def within(rerank_ms: int) -> StageContext:
        return look_at(texts, QUESTION, rerank_ms=rerank_ms, cross_encoder=load, clock=clock)

    assert rerank(FOUR, within(0))[2]
    assert 0.0 == clock.now
    found, reason, hint = rerank(FOUR, within(1))
    assert FOUR == found
    assert "allow-time rerank_ms" == hint
    assert "skipped: judging does not fit into 1 ms; to load the model took 190 ms" == reason


def test_the_whole_answer_may_have_less_time_than_the_cross_encoder():
    """What is left of the request's budget counts, when that is less."""
    clock = Clock()
    deadline, encoder = Deadline(clock, 250), encoder_with(VALUES, clock, 100)
    looked_at = look_at(texts, QUESTION, cross_encoder=encoder, clock=clock, deadline=deadline)
    assert "2 of 4 judged, 250 ms were too few for the others" == rerank(FOUR, looked_at)[1]


def test_one_hit_needs_no_judge():
    """Nothing is missing where there is nothing to compare."""
    assert rerank(FOUR[:1], look_at(texts, "tea"))[2] is None


@pytest.mark.parametrize("query", [" ", "tea"])
def test_one_word_is_nothing_to_judge_by(query: str):
    """Nor are filters alone; nothing is loaded for it."""
    looked_at = look_at(texts, query, cross_encoder=lambda: pytest.fail("it was loaded"))
    expected = FOUR, "skipped: it takes two words to judge by", ""
    assert expected == rerank(FOUR, looked_at)
