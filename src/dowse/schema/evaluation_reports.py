"""What measuring reports: how well ways to search answer judged questions."""

from msgspec import Struct

from dowse.schema.coverage import Coverage
from dowse.schema.problem import Problem


class CountedProblem(Struct, frozen=True):
    """A problem, and how many answers had it."""

    problem: Problem
    times: int


class RunReport(Struct, frozen=True):
    """What one way to search achieved.

    Attributes:
        changes: What of the request was different, by name.
        means: The mean of each measure, by its name.
        categories: The same for each category of questions.
        queries: Each measure of each question.
    """

    name: str
    mode: str
    parameters: tuple[tuple[str, float], ...]
    changes: dict[str, str | bool | float]
    means: dict[str, float]
    categories: dict[str, dict[str, float]]
    median_ms: float
    queries: dict[str, dict[str, float]]
    problems: tuple[CountedProblem, ...] = ()


class QueryChange(Struct, frozen=True):
    """One question in two runs."""

    query: str
    text: str
    before: float
    after: float


class ComparisonReport(Struct, frozen=True):
    """Two ways to search by one measure.

    Attributes:
        change: What the mean of the second is better by.
        randomisation_p: How likely chance alone makes a difference as large as this.
        student_t_p: The same by Student's t.
        queries: Every question, the largest loss first.
    """

    metric: str
    before: str
    after: str
    change: float
    randomisation_p: float
    student_t_p: float
    queries: tuple[QueryChange, ...] = ()


class FailedQuery(Struct, frozen=True):
    """A question that is answered badly.

    Attributes:
        value: The measure.
        first: What was put first; empty when nothing was found.
        missed: The relevant documents that the measure's depth does not reach, best grade first.
    """

    query: str
    text: str
    value: float
    first: str
    missed: tuple[str, ...]


class EvaluationReport(Struct, frozen=True):
    """Ways to search, measured on one collection.

    Attributes:
        documents: Of the collection, in the index.
        questions: How many were asked.
        unanswerable: How many were left out, because nothing relevant was judged.
        unindexed: Relevant documents that are not in the index.
        comparison: Of two ways; None when it was not asked for.
        failures: Questions answered badly, by the name of the run; empty when they were not asked for.
    """

    collection: str
    documents: int
    questions: int
    unanswerable: int
    unindexed: tuple[str, ...]
    runs: tuple[RunReport, ...]
    coverage: Coverage | None = None
    comparison: ComparisonReport | None = None
    failures: dict[str, tuple[FailedQuery, ...]] = {}


class ProposalReport(Struct, frozen=True):
    """Parameters that answer better, and the proof.

    Attributes:
        is_worth_it: Whether questions that did not choose them got better answers, beyond chance.
    """

    parameters: tuple[tuple[str, float], ...]
    is_worth_it: bool
    comparison: ComparisonReport
