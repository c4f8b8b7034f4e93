"""What each fusion does that the others do not, with numbers worked by hand."""

import pytest

from dowse.errors import InvalidParameterError
from dowse.fusion import Fused, Legs, QueryClass, ScoreDistribution, build_fusion, classify_query
from dowse.fusion.two_lists import FIRST_LIST

Ranked = list[tuple[int, float]]


def legs_of(
    lexical: Ranked = (), semantic: Ranked = (), query: str = "", average: ScoreDistribution | None = None
) -> Legs:
    """Returns two legs; `average` is how the scores of the semantic one are distributed."""
    found = {"lexical": dict(lexical), "semantic": dict(semantic)}
    return Legs(found, query, {} if average is None else {"semantic": average})


LEXICAL, SEMANTIC = [(1, 12.0), (2, 6.0), (3, 2.0)], [(2, 0.9), (4, 0.7), (1, 0.5)]
LEGS = legs_of(LEXICAL, SEMANTIC)
AVERAGE = ScoreDistribution(0.4, 0.1)


def scores(fused: list[Fused]) -> dict[int, float]:
    """Returns the scores by key, in order."""
    return {item.key: item.score for item in fused}


def test_linear_is_the_weighted_sum_of_min_max_scores():
    """(6 - 2) / 10 * 0.25 + 1 * 0.75 for the second; what a leg has not counts nothing."""
    fused = scores(build_fusion("linear", {"lexical_weight": 0.25, "semantic_weight": 0.75}).fuse(LEGS))
    assert [2, 4, 1, 3] == list(fused)
    assert pytest.approx([0.85, 0.375, 0.25, 0.0]) == list(fused.values())


def test_linear_counts_a_lone_hit_in_full():
    """A leg with one hit, or with equal ones, cannot be scaled: each counts 1."""
    fusion = build_fusion("linear", {"lexical_weight": 0.3, "semantic_weight": 0.7})
    assert {7: 0.3} == scores(fusion.fuse(legs_of(lexical=[(7, 0.01)])))


def test_calibrated_measures_against_the_best_and_the_average_chunk():
    """6 / 12 * 0.25 by words; (0.9 - 0.4) / (5 * 0.1) * 0.75 by meaning, where 0.4 is nothing special."""
    fusion = build_fusion("calibrated", {"lexical_weight": 0.25, "semantic_weight": 0.75})
    fused = scores(fusion.fuse(legs_of(LEXICAL, SEMANTIC, average=AVERAGE)))
    assert [2, 4, 1, 3] == list(fused)
    assert pytest.approx([0.125 + 0.75, 0.45, 0.25 + 0.15, 2 / 12 * 0.25]) == list(fused.values())


def test_calibrated_ranks_a_chunk_alike_however_many_hits_the_legs_bring():
    """The lowest hit is where a list was cut, and says nothing of those above it."""
    cut = legs_of(LEXICAL, SEMANTIC, average=AVERAGE)
    long = legs_of([*LEXICAL, (8, 0.1)], [*SEMANTIC, (9, 0.1)], average=AVERAGE)
    short, fused = (scores(build_fusion("calibrated").fuse(legs)) for legs in (cut, long))
    # What is in both legs; what is in one counts in the other as the lowest there, if that is below average.
    assert [short[1], short[2]] == [fused[1], fused[2]]


def test_calibrated_counts_what_meaning_did_not_find_as_average_at_best():
    """And as the lowest where that is below the average chunk."""
    fusion = build_fusion("calibrated", {"lexical_weight": 1, "semantic_weight": 1})
    legs = legs_of(lexical=[(1, 2.0), (2, 1.0)], semantic=[(2, 0.3)], average=AVERAGE)
    assert pytest.approx({1: 1.0 - 0.2, 2: 0.5 - 0.2}) == scores(fusion.fuse(legs))


def test_a_word_that_counts_for_nothing_gives_nothing():
    """No match scores 0; what scores 0 is worth as much."""
    fused = scores(build_fusion("calibrated").fuse(legs_of(lexical=[(1, 0.0), (2, 0.0)])))
    assert {1: 0.0, 2: 0.0} == fused


def test_linear_z_counts_what_is_absent_as_the_lowest():
    """Scores 3 and 1 have mean 2 and deviation 1; a key that is in neither place counts -1."""
    legs = legs_of(lexical=[(1, 3.0), (2, 1.0)], semantic=[(3, 0.6), (1, 0.2)])
    fused = scores(build_fusion("linear_z", {"lexical_weight": 1, "semantic_weight": 1}).fuse(legs))
    assert pytest.approx({1: 0.0, 3: 0.0, 2: -2.0}) == fused


def test_rrf_counts_ranks_from_one():
    """The seed's example: rank 3 and rank 5 with k 60 are 1/63 + 1/65; no rank is 0."""
    lexical = [(10, 9.0), (11, 8.0), (1, 7.0)]
    legs = legs_of(lexical=lexical, semantic=[(20, 5.0), (21, 4.0), (22, 3.0), (23, 2.0), (1, 1.0)])
    fused = scores(build_fusion("rrf", {"top_bonus": 0, "near_top_bonus": 0}).fuse(legs))
    assert pytest.approx(1 / 63 + 1 / 65) == fused[1]
    assert pytest.approx(1 / 61) == fused[20]


def test_rrf_gives_the_first_ranks_a_bonus_once():
    """First in both legs is one bonus; second and third get the smaller one, fourth none."""
    leg = [(1, 4.0), (2, 3.0), (3, 2.0), (4, 1.0)]
    fused = scores(build_fusion("rrf").fuse(legs_of(leg, leg)))
    expected = [2 / 61 + 0.05, 2 / 62 + 0.02, 2 / 63 + 0.02, 2 / 64]
    assert pytest.approx(expected) == list(fused.values())


def test_rrf_lets_equal_scores_share_a_rank():
    """Two firsts are followed by a third."""
    fusion = build_fusion("rrf", {"top_bonus": 0, "near_top_bonus": 0})
    fused = scores(fusion.fuse(legs_of([(9, 1.0), (3, 1.0), (5, 0.0)])))
    assert pytest.approx({3: 1 / 61, 9: 1 / 61, 5: 1 / 63}) == fused


def test_rrf_refuses_a_larger_bonus_for_a_lower_rank():
    """Else the second could overtake the first."""
    with pytest.raises(InvalidParameterError, match="near_top_bonus") as caught:
        build_fusion("rrf", {"top_bonus": 0.01})
    assert "legal values are 0 to the top_bonus, 0.01; set both" == caught.value.hint


def test_score_variance_takes_from_the_leg_that_cannot_decide():
    """The flat leg loses half of its weight to the other; the weights still add up to 1."""
    clear = [(1, 10.0), (2, 0.0)]
    flat = [(2, 1.0), *((key, 0.99) for key in range(3, 12)), (12, 0.0)]
    fusion = build_fusion("score_variance", {"lexical_weight": 0.5, "semantic_weight": 0.5})
    first = fusion.fuse(legs_of(clear, flat))[0]
    assert (1, "weight, by variance * 1.33") == (first.key, first.parts[0].inputs[0].description)
    assert pytest.approx(2 / 3) == first.parts[0].inputs[0].value


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("parseQuery", QueryClass.FACTUAL),
        ("max_depth of the tree", QueryClass.FACTUAL),
        ("what does `sync` do", QueryClass.FACTUAL),
        ("upgrade to 3.11", QueryClass.FACTUAL),
        ('the "exact words" of it', QueryClass.FACTUAL),
        ("installation guide", QueryClass.OTHER),
        ("how do I brew tea", QueryClass.OTHER),
        ("Tea", QueryClass.OTHER),
        ("", QueryClass.OTHER),
    ],
)
def test_queries_are_classified(query: str, expected: QueryClass):
    """Names, versions and quotes are for the words; the meaning for all else."""
    assert expected == classify_query(query)


def test_query_type_weighs_the_leg_that_fits():
    """The same legs, another question: another first."""
    fusion = build_fusion("query_type", {"lexical_weight": 0.5, "semantic_weight": 0.5})
    legs = {"lexical": [(1, 1.0), (2, 0.0)], "semantic": [(2, 1.0), (1, 0.0)]}
    assert 1 == fusion.fuse(legs_of(**legs, query="parse_query"))[0].key
    assert 2 == fusion.fuse(legs_of(**legs, query="how to read a question"))[0].key


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ((6.0, 1.0), True),
        ((1.0, 6.0), True),
        ((5.0, 1.0), False),
        ((3.0,), True),
        ((), False),
        ((0.0,), False),
    ],
)
def test_a_signal_is_strong_when_the_first_is_far_ahead(values: tuple[float, ...], expected: bool):
    """Six times the second is enough at 0.85, five times is not; a lone hit is."""
    assert expected != build_fusion("strong_signal").needs_semantic(values)


def test_strong_signal_leaves_the_vectors_out():
    """Far ahead by words: the meaning has no say. Otherwise it is linear fusion."""
    fusion = build_fusion("strong_signal", {"lexical_weight": 0.1, "semantic_weight": 0.9})
    semantic = [(2, 0.9), (1, 0.1)]
    assert [1, 2] == list(scores(fusion.fuse(legs_of([(1, 60.0), (2, 1.0)], semantic))))
    assert [2, 1] == list(scores(fusion.fuse(legs_of([(1, 1.5), (2, 1.0)], semantic))))


def test_two_lists_do_not_mix():
    """What the words found comes first, whatever the meaning says; the rest follows by meaning."""
    fused = build_fusion("two_lists").fuse(LEGS)
    assert [1, 2, 3, 4] == [item.key for item in fused]
    assert [True, True, True, False] == [one.parts[0].name == FIRST_LIST for one in fused]


def test_explanations_name_legs_weights_and_scores():
    """A person can follow the sum."""
    first = build_fusion("linear", {"lexical_weight": 0.25, "semantic_weight": 0.75}).fuse(LEGS)[0]
    assert [
        "0.85  sum of the legs",
        "  0.1  lexical = weight * (score - lowest) / (highest - lowest)",
        "    0.25  weight",
        "    0.4  scaled",
        "    6  score",
        "    2  lowest",
        "    12  highest",
        "  0.75  semantic = weight * (score - lowest) / (highest - lowest)",
        "    0.75  weight",
        "    1  scaled",
        "    0.9  score",
        "    0.5  lowest",
        "    0.9  highest",
    ] == list(first.explain().lines())
