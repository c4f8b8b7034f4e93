"""What is expected of chunks that have no vector."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.fusion import impute_semantic_scores

SCORES = st.dictionaries(st.integers(0, 12), st.floats(-50, 50), max_size=10)


def test_a_chunk_is_expected_to_mean_what_others_do_whose_words_match_as_well():
    """On the line through those that both legs have."""
    lexical = {1: 2.0, 2: 4.0, 3: 6.0, 4: 5.0, 5: 10.0}
    semantic = {1: 0.3, 2: 0.5, 3: 0.7, 9: 0.1}
    assert {4: pytest.approx(0.6), 5: pytest.approx(1.1)} == impute_semantic_scores(lexical, semantic)


def test_better_words_never_mean_less():
    """A line that would fall is level."""
    lexical, semantic = {1: 1.0, 2: 2.0, 3: 3.0, 4: 9.0, 5: 0.5}, {1: 0.6, 2: 0.5, 3: 0.1}
    assert {4: pytest.approx(0.4), 5: pytest.approx(0.4)} == impute_semantic_scores(lexical, semantic)


def test_without_enough_to_compare_the_leg_is_taken_as_a_whole():
    """Of fewer than three no line is drawn; words that are all alike have none either."""
    assert {1: pytest.approx(0.3)} == impute_semantic_scores({1: 5.0}, {7: 0.2, 8: 0.4})
    alike = impute_semantic_scores({1: 2.0, 2: 2.0, 3: 2.0, 4: 7.0}, {1: 0.2, 2: 0.3, 3: 0.4})
    assert {4: pytest.approx(0.3)} == alike


@given(SCORES, SCORES)
def test_exactly_what_has_no_vector_is_guessed(lexical, semantic):
    """Each by a finite number, in the order of the words, whatever the order of the legs."""
    found = impute_semantic_scores(lexical, semantic)
    assert (lexical.keys() - semantic.keys() if semantic else set()) == found.keys()
    assert all(map(math.isfinite, found.values()))
    ordered = sorted(found, key=lambda key: lexical[key])
    assert sorted(found.values()) == [found[key] for key in ordered]
    backwards = (dict(reversed(leg.items())) for leg in (lexical, semantic))
    assert found == impute_semantic_scores(*backwards)
