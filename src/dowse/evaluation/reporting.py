"""From runs and comparisons to the plain values that faces show."""

from collections.abc import Mapping, Sequence

from dowse.evaluation.comparing import Comparison, Failure
from dowse.evaluation.judged import Collection
from dowse.evaluation.metrics import METRICS
from dowse.evaluation.running import Run
from dowse.evaluation.tuning import Proposal
from dowse.schema import Coverage
from dowse.schema.evaluation_reports import (
    ComparisonReport,
    CountedProblem,
    EvaluationReport,
    FailedQuery,
    ProposalReport,
    QueryChange,
    RunReport,
)


def report_evaluation(
    collection: Collection,
    runs: Sequence[Run],
    *,
    documents: int,
    unindexed: Sequence[str],
    coverage: Coverage | None,
    comparison: Comparison | None,
    failures: Mapping[str, Sequence[Failure]],
) -> EvaluationReport:
    """Returns everything that was measured; comparison and failures as far as they were asked for."""
    return EvaluationReport(
        collection.name,
        documents,
        len(collection.queries),
        collection.unanswerable,
        tuple(unindexed),
        tuple(report_run(run) for run in runs),
        coverage,
        None if comparison is None else report_comparison(comparison),
        {name: tuple(map(_report_failure, failed)) for name, failed in failures.items()},
    )


def report_run(run: Run) -> RunReport:
    """Returns the means, those of each category, what each question got, and what could not be done."""
    values = {metric.label: run.values(metric) for metric in METRICS}
    return RunReport(
        run.configuration.name,
        run.configuration.mode,
        run.configuration.parameters,
        dict(run.configuration.changes),
        {metric.label: run.mean(metric) for metric in METRICS},
        {
            kind: {metric.label: run.mean(metric, kind) for metric in METRICS}
            for kind in run.collection.categories
        },
        run.median_ms,
        {key: {label: of_query[key] for label, of_query in values.items()} for key in run.rankings},
        tuple(CountedProblem(problem, times) for problem, times in run.problems.items()),
    )


def report_comparison(comparison: Comparison) -> ComparisonReport:
    """Returns the change of the mean, both p, and the change of every question, largest loss first."""
    return ComparisonReport(
        comparison.metric.label,
        comparison.before.configuration.name,
        comparison.after.configuration.name,
        comparison.change,
        comparison.randomisation_p,
        comparison.student_t_p,
        tuple(
            QueryChange(row.query.key, row.query.text, row.before, row.after)
            for row in comparison.differences
        ),
    )


def report_proposal(proposal: Proposal) -> ProposalReport:
    """Returns the parameters, whether they are worth it, and the proof."""
    comparison = report_comparison(proposal.comparison)
    return ProposalReport(proposal.parameters, proposal.is_worth_it, comparison)


def _report_failure(failure: Failure) -> FailedQuery:
    query = failure.query
    return FailedQuery(query.key, query.text, failure.value, failure.first, failure.missed)
