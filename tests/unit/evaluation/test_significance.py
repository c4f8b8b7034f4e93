"""Paired tests, by hand and beside SciPy."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.evaluation.significance import randomisation_p, student_t_p


def test_no_difference_is_chance():
    """Also when there is nothing, or only one question."""
    assert 1.0 == randomisation_p([0.0, 0.0]) == student_t_p([0.0, 0.0])
    assert 1.0 == randomisation_p([]) == student_t_p([])
    assert 1.0 == randomisation_p([0.3]) == student_t_p([0.3])


def test_few_differences_are_counted_exactly():
    """Three gains and no loss: of eight ways to flip, two are as extreme."""
    assert 2 / 8 == randomisation_p([0.1, 0.2, 0.3])
    assert 1.0 == randomisation_p([0.5, -0.5])


def test_many_small_gains_are_no_chance():
    """And the same numbers always give the same p."""
    gains = [0.01] * 40
    assert randomisation_p(gains) < 0.001
    assert randomisation_p(gains) == randomisation_p(gains)
    assert 0.0 == student_t_p(gains)


def test_noise_is_chance():
    """Differences around 0 are not significant by either test, and both agree about."""
    noise = random.Random(5)
    differences = [noise.gauss(0, 1) for _ in range(60)]
    assert randomisation_p(differences) > 0.05
    assert pytest.approx(student_t_p(differences), abs=0.02) == randomisation_p(differences)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.floats(-1, 1).map(lambda value: round(value, 3)), min_size=2, max_size=40))
def test_students_t_is_that_of_scipy(differences: list[float]):
    """Our incomplete beta function is right wherever a comparison can get."""
    stats = pytest.importorskip("scipy.stats")
    if len(set(differences)) > 1:
        expected = stats.ttest_1samp(differences, 0.0).pvalue
        assert pytest.approx(expected, rel=1e-6, abs=1e-12) == student_t_p(differences)
