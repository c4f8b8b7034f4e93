"""Measures, by hand and beside ir-measures."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.errors import InvalidParameterError
from dowse.evaluation import METRICS, get_metric
from dowse.evaluation.metrics import average_precision, ndcg, precision, recall, reciprocal_rank

RANKING = ("a", "b", "c", "d")
GRADES = {"a": 0, "b": 2, "d": 1, "e": 1}


def test_measures_of_an_example_worked_by_hand():
    """b is second, d fourth, e is not found; the ideal is 2, 1, 1."""
    gain = 2 / math.log2(3) + 1 / math.log2(5)
    best = 2 + 1 / math.log2(3) + 1 / 2
    assert pytest.approx(gain / best) == ndcg(RANKING, GRADES, 10)
    assert 1 / 2 == reciprocal_rank(RANKING, GRADES, 10)
    assert 0.0 == reciprocal_rank(RANKING, GRADES, 1)
    assert 2 / 3 == recall(RANKING, GRADES, 10)
    assert 2 / 10 == precision(RANKING, GRADES, 10)
    assert pytest.approx((1 / 2 + 2 / 4) / 3) == average_precision(RANKING, GRADES, 10)


def test_a_perfect_and_an_empty_ranking_are_the_ends():
    """1 when the best come first, 0 when nothing is found."""
    assert 1.0 == ndcg(("b", "d", "e"), GRADES, 10) == average_precision(("b", "d", "e"), GRADES, 10)
    assert [0.0] * len(METRICS) == [metric.value((), GRADES) for metric in METRICS]


ORACLE = {
    "nDCG@10": "nDCG@10", "nDCG@5": "nDCG@5", "MRR@10": "RR@10", "MAP@10": "AP@10",
    "P@5": "P@5", "P@10": "P@10", "R@5": "R@5", "R@10": "R@10", "R@100": "R@100",
}  # fmt: skip
KEYS = st.sampled_from([f"d{number}" for number in range(25)])
JUDGED = st.dictionaries(KEYS, st.integers(0, 3), min_size=1).filter(lambda grades: any(grades.values()))


@settings(max_examples=60, deadline=None)
@given(ranking=st.lists(KEYS, unique=True, min_size=1), grades=JUDGED)
def test_measures_are_those_of_ir_measures(ranking: list[str], grades: dict[str, int]):
    """Every row of METRICS gives what trec_eval's own code gives."""
    ir_measures = pytest.importorskip("ir_measures")
    judged = [ir_measures.Qrel("q", key, grade) for key, grade in grades.items()]
    found = [ir_measures.ScoredDoc("q", key, -place) for place, key in enumerate(ranking)]
    names = {ir_measures.parse_measure(oracle): label for label, oracle in ORACLE.items()}
    expected = ir_measures.calc_aggregate(list(names), judged, found)
    actual = {label: get_metric(label).value(ranking, grades) for label in ORACLE}
    assert pytest.approx({names[measure]: value for measure, value in expected.items()}) == actual


def test_every_measure_has_an_oracle():
    """A new row is compared, too."""
    assert [metric.label for metric in METRICS] == list(ORACLE)


def test_measures_are_found_in_any_letter_case():
    """People write ndcg@10; what there is not is refused with what there is."""
    assert "nDCG@10" == get_metric("ndcg@10").label
    with pytest.raises(InvalidParameterError) as caught:
        get_metric("nDCG@11")
    assert "nDCG@10" in caught.value.hint
