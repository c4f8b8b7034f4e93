"""Two configurations side by side, question by question; and the questions one of them fails."""

from typing import NamedTuple

from msgspec import Struct

from dowse.evaluation.judged import JudgedQuery
from dowse.evaluation.metrics import Metric
from dowse.evaluation.running import Run
from dowse.evaluation.significance import randomisation_p, student_t_p

# Differences below this are rounding.
_NO_DIFFERENCE = 1e-9


class QueryDifference(NamedTuple):
    """One question in two runs."""

    query: JudgedQuery
    before: float
    after: float

    @property
    def change(self) -> float:
        """What the second run is better by."""
        return self.after - self.before


class Comparison(Struct, frozen=True):
    """Two runs by one measure.

    Attributes:
        differences: One for each question, the largest loss first and the largest gain last.
        randomisation_p: How likely chance alone makes a difference of the means as large as this.
        student_t_p: The same by Student's t.
    """

    metric: Metric
    before: Run
    after: Run
    differences: tuple[QueryDifference, ...]
    randomisation_p: float
    student_t_p: float

    @property
    def change(self) -> float:
        """What the second run's mean is better by."""
        return sum(row.change for row in self.differences) / len(self.differences)

    @property
    def losses(self) -> tuple[QueryDifference, ...]:
        """The questions that got worse, worst first."""
        return tuple(row for row in self.differences if row.change < -_NO_DIFFERENCE)

    @property
    def gains(self) -> tuple[QueryDifference, ...]:
        """The questions that got better, best first."""
        return tuple(row for row in reversed(self.differences) if row.change > _NO_DIFFERENCE)


def compare(before: Run, after: Run, metric: Metric) -> Comparison:
    """Compares two runs over the same collection."""
    assert before.collection == after.collection, "two collections cannot be compared question by question"
    first, second = before.values(metric), after.values(metric)
    queries = before.collection.queries
    rows = [QueryDifference(query, first[query.key], second[query.key]) for query in queries]
    changes = [row.change for row in rows]
    ordered = tuple(sorted(rows, key=lambda row: row.change))
    return Comparison(metric, before, after, ordered, randomisation_p(changes), student_t_p(changes))


class Failure(NamedTuple):
    """A question that is answered badly.

    Attributes:
        value: The measure.
        first: What was put first; empty when nothing was found.
        missed: The relevant documents that the measure's depth does not reach, best grade first.
    """

    query: JudgedQuery
    value: float
    first: str
    missed: tuple[str, ...]


def find_failures(run: Run, metric: Metric, below: float = 0.5) -> tuple[Failure, ...]:
    """Returns the questions whose measure is below a value, worst first."""
    values = run.values(metric)
    found = []
    for query in run.collection.queries:
        if values[query.key] >= below:
            continue
        ranking = run.rankings[query.key]
        relevant = sorted((-grade, key) for key, grade in query.grades.items() if grade > 0)
        missed = tuple(key for _, key in relevant if key not in ranking[: metric.depth])
        found.append(Failure(query, values[query.key], ranking[0] if ranking else "", missed))
    return tuple(sorted(found, key=lambda failure: (failure.value, failure.query.key)))
