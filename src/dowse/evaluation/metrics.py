"""Measures of a ranking against graded judgements, as trec_eval has them.

A grade of 1 or more is relevant; what was not judged is not. Gain is linear in the grade. Each function takes
a ranking without repetitions, best first, the grades by document, of which at least one is 1 or more, and how
many ranks are looked at; it returns 0 to 1.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from dowse.errors import InvalidParameterError

Grades = Mapping[str, int]


def ndcg(ranking: Sequence[str], grades: Grades, depth: int) -> float:
    """Returns the discounted gain as a share of the best possible (Järvelin and Kekäläinen 2002)."""
    best = sorted((grade for grade in grades.values() if grade > 0), reverse=True)[:depth]
    return _gain([max(0, grades.get(key, 0)) for key in ranking[:depth]]) / _gain(best)


def _gain(values: Sequence[int]) -> float:
    return math.fsum(value / math.log2(rank + 1) for rank, value in enumerate(values, 1))


def reciprocal_rank(ranking: Sequence[str], grades: Grades, depth: int) -> float:
    """Returns 1 / rank of the first relevant document, 0 when there is none up to `depth`."""
    ranks = (rank for rank, key in enumerate(ranking[:depth], 1) if grades.get(key, 0) > 0)
    return 1.0 / next(ranks, math.inf)


def recall(ranking: Sequence[str], grades: Grades, depth: int) -> float:
    """Returns which share of the relevant documents is found up to `depth`."""
    return _found(ranking, grades, depth) / _relevant(grades)


def precision(ranking: Sequence[str], grades: Grades, depth: int) -> float:
    """Returns which share of `depth` ranks is relevant; ranks that the ranking does not fill are not."""
    return _found(ranking, grades, depth) / depth


def average_precision(ranking: Sequence[str], grades: Grades, depth: int) -> float:
    """Returns the mean of the precisions at each relevant document; one that is not found counts 0."""
    found, total = 0, 0.0
    for rank, key in enumerate(ranking[:depth], 1):
        if grades.get(key, 0) > 0:
            found += 1
            total += found / rank
    return total / _relevant(grades)


def _found(ranking: Sequence[str], grades: Grades, depth: int) -> int:
    return sum(grades.get(key, 0) > 0 for key in ranking[:depth])


def _relevant(grades: Grades) -> int:
    return sum(grade > 0 for grade in grades.values())


class Metric(NamedTuple):
    """A measure at a depth, under the name people know."""

    label: str
    measure: Callable[[Sequence[str], Grades, int], float]
    depth: int

    def value(self, ranking: Sequence[str], grades: Grades) -> float:
        """Returns the measure of one ranking, 0 to 1."""
        return self.measure(ranking, grades, self.depth)


METRICS: tuple[Metric, ...] = (
    Metric("nDCG@10", ndcg, 10),
    Metric("nDCG@5", ndcg, 5),
    Metric("MRR@10", reciprocal_rank, 10),
    Metric("MAP@10", average_precision, 10),
    Metric("P@5", precision, 5),
    Metric("P@10", precision, 10),
    Metric("R@5", recall, 5),
    Metric("R@10", recall, 10),
    Metric("R@100", recall, 100),
)
DEEPEST = max(metric.depth for metric in METRICS)


def get_metric(label: str) -> Metric:
    """Returns a measure by its name, in any letter case.

    Raises:
        InvalidParameterError: There is none of that name.
    """
    for metric in METRICS:
        if metric.label.lower() == label.lower():
            return metric
    known = ", ".join(metric.label for metric in METRICS)
    raise InvalidParameterError(name="the measure", value=label, legal=f"known: {known}")
