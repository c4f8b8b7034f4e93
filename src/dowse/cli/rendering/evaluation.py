"""``dowse eval`` and ``dowse tune``, for people."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from dowse.cli.terminal import Style, count, without_controls

if TYPE_CHECKING:
    from dowse.evaluation import Collection, Comparison, Metric, Run
    from dowse.evaluation.comparing import Failure, QueryDifference
    from dowse.evaluation.tuning import Proposal
    from dowse.schema import Coverage, Problem

SHOWN_DIFFERENCES = 10
CHANCE = 0.05


class Found(NamedTuple):
    """What was measured on.

    Attributes:
        documents: Of the collection, in the index.
        unindexed: Those judged relevant that are not in the index.
        coverage: How many chunks have which vectors; None when there are none.
    """

    documents: int
    unindexed: tuple[str, ...]
    coverage: "Coverage | None"


def iter_evaluation_lines(
    collection: "Collection",
    runs: "Sequence[Run]",
    metric: "Metric",
    comparison: "Comparison | None",
    failures: "Sequence[tuple[Run, tuple[Failure, ...]]]",
    style: Style,
) -> Iterator[str]:
    """Yields the tables of measures and categories, then comparison and failures as far as asked for."""
    from dowse.evaluation import METRICS

    means = [[f"{run.mean(one):.3f}" for one in METRICS] + [f"{run.median_ms:.1f}"] for run in runs]
    yield from iter_table(runs, [*(one.label for one in METRICS), "ms"], means, style)
    if collection.categories:
        yield ""
        by_kind = [[f"{run.mean(metric, kind):.3f}" for kind in collection.categories] for run in runs]
        yield from iter_table(runs, list(collection.categories), by_kind, style, corner=metric.label)
    if comparison is not None:
        yield ""
        yield from iter_comparison_lines(comparison, style)
    for run, failed in failures:
        yield ""
        yield style.paint(f"{run.configuration.name}: {count(len(failed), 'question')} below 0.5", "bold")
        yield from map(describe_failure, failed)


def iter_table(
    runs: "Sequence[Run]", labels: list[str], cells: list[list[str]], style: Style, corner: str = ""
) -> Iterator[str]:
    """Yields a row for each run, under the labels."""
    first = max(len(corner), *(len(run.configuration.name) for run in runs))
    widths = [max(len(label), *(len(row[place]) for row in cells)) for place, label in enumerate(labels)]
    head = "  ".join(f"{label:>{width}}" for label, width in zip(labels, widths, strict=True))
    yield style.paint(f"{corner:<{first}}  {head}", "dim")
    for run, row in zip(runs, cells, strict=True):
        values = "  ".join(f"{cell:>{width}}" for cell, width in zip(row, widths, strict=True))
        name = without_controls(run.configuration.name)
        yield f"{style.paint(name, 'path')}{' ' * (first - len(name))}  {values}"


def iter_comparison_lines(comparison: "Comparison", style: Style) -> Iterator[str]:
    """Yields what changed, how likely that is chance, and the questions that changed most."""
    before, after = comparison.before.configuration.name, comparison.after.configuration.name
    yield style.paint(f"{comparison.metric.label}: {before} → {after} {comparison.change:+.4f}", "bold")
    p, t = comparison.randomisation_p, comparison.student_t_p
    verdict = "unlikely to be chance" if p < CHANCE else "may be chance"
    yield f"p = {p:.3f} by randomisation, {t:.3f} by Student's t: {verdict}"
    losses, gains = comparison.losses, comparison.gains
    same = len(comparison.differences) - len(losses) - len(gains)
    yield f"{len(gains)} better, {len(losses)} worse, {same} the same"
    for row in (*losses[:SHOWN_DIFFERENCES], *reversed(gains[:SHOWN_DIFFERENCES])):
        yield describe_difference(row)


def describe_difference(row: "QueryDifference") -> str:
    """Returns ``-0.387  1.000 → 0.613  k03  retry limit``."""
    text = without_controls(row.query.text)
    return f"{row.change:+.3f}  {row.before:.3f} → {row.after:.3f}  {row.query.key}  {text}"


def describe_failure(failure: "Failure") -> str:
    """Returns ``0.000  c07  question: first found.md; missed a.md, b.md``."""
    first = failure.first or "nothing found"
    missed = f"; missed {', '.join(failure.missed)}" if failure.missed else ""
    question = f"{failure.query.key}  {failure.query.text}"
    return without_controls(f"{failure.value:.3f}  {question}: first {first}{missed}")


def iter_problem_lines(run: "Run") -> Iterator[str]:
    """Yields what a way to search could not do: a line for each kind of problem, how often, and the first."""
    kinds: dict[str, tuple[Problem, int]] = {}
    for problem, times in run.problems.items():
        first, before = kinds.get(problem.code, (problem, 0))
        kinds[problem.code] = first, before + times
    for first, times in kinds.values():
        example = f"{first.location}: {first.message}"
        yield without_controls(f"problem: {run.configuration.name}: {count(times, 'time')}: {example}")


def iter_found_lines(found: Found) -> Iterator[str]:
    """Yields what numbers depend on: documents that nothing can find, and which vectors there are."""
    from dowse.cli.rendering.summary import describe_coverage

    if found.unindexed:
        missing = count(len(found.unindexed), "relevant document")
        yield without_controls(f"problem: not in the index, so missed: {missing}, first {found.unindexed[0]}")
    if found.coverage is not None:
        yield f"vectors: {describe_coverage(found.coverage)}"


def iter_proposal_lines(proposal: "Proposal", style: Style) -> Iterator[str]:
    """Yields before and after for each kind of question, how likely it is chance, and the flags."""
    comparison = proposal.comparison
    runs = (comparison.before, comparison.after)
    kinds = runs[0].collection.categories
    cells = [[f"{run.mean(comparison.metric, kind):.3f}" for kind in (*kinds, None)] for run in runs]
    yield from iter_table(runs, [*kinds, "all"], cells, style, corner=comparison.metric.label)
    questions = count(len(comparison.differences), "question")
    yield f"{questions} that had no say; p = {comparison.randomisation_p:.3f} by randomisation"
    if proposal.parameters:
        mode = runs[0].configuration.mode
        words = [f"--param {name}={value:g}" for name, value in proposal.parameters]
        flags = " ".join(words if mode == "auto" else [f"--mode {mode}", *words])
        yield style.paint(f"proposed: {flags}" if proposal.is_worth_it else f"tried best: {flags}", "bold")
