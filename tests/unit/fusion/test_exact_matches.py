"""Exact matches are lifted as far as they must, and no further."""

from dowse.fusion import Fused, Part, keep_exact_first


def ranking(*scores: float) -> list[Fused]:
    """Returns keys 1, 2, … with these scores."""

    def parts_of(key: int) -> tuple[Part, ...]:
        return (Part("semantic", scores[key - 1], "score"),)

    return [Fused(key, score, parts_of) for key, score in enumerate(scores, 1)]


def test_an_exact_match_is_lifted_above_what_words_do_not_rank_higher():
    """Key 3 has the phrase; key 1 matches better by words and stays, key 2 only means something alike."""
    kept = keep_exact_first(ranking(0.9, 0.8, 0.5), {3}, {1: 9.0, 3: 4.0})
    assert [1, 3, 2] == [item.key for item in kept]
    assert [0.9, 0.8, 0.8] == [item.score for item in kept]


def test_a_lift_explains_itself():
    """The score it would have had is still there."""
    lifted = keep_exact_first(ranking(0.9, 0.5), {2}, {2: 4.0})[0]
    assert [
        "0.9  exact match: the score of the best that may not precede it",
        "  0.5  sum of the legs",
        "    0.5  semantic = score",
    ] == list(lifted.explain().lines())


def test_equal_by_words_is_not_higher():
    """Words that do not rank the other higher leave only the vectors, which do not count here."""
    assert [2, 1] == [item.key for item in keep_exact_first(ranking(0.9, 0.5), {2}, {1: 4.0, 2: 4.0})]


def test_without_exact_matches_nothing_changes():
    """Nor when all of them are exact."""
    fused = ranking(0.9, 0.5)
    assert fused == keep_exact_first(fused, (), {1: 1.0})
    assert fused == keep_exact_first(fused, [1, 2], {2: 1.0})


def test_keys_that_were_not_found_do_no_harm():
    """A filter may have taken them out of every leg."""
    fused = ranking(0.9, 0.5)
    assert fused == keep_exact_first(fused, {77}, {})
