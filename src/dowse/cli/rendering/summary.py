"""The words after the answer: how many, how fast, what went wrong."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from dowse.cli.remedies import word_hint
from dowse.cli.terminal import count, format_duration, without_controls

if TYPE_CHECKING:
    from dowse.schema import Coverage, IndexStatus, Problem, SearchResponse, SyncReport

SHOWN_PROBLEMS = 5
ALL_IN_STATUS = "dowse status --json"
ALL_IN_JSON = "--json shows all"


def summarise_search(response: "SearchResponse", file_problems: int) -> str:
    """Returns ``10 of 2,345 in 3.1 ms · meaning: 62 % of chunks · 2 problems (dowse status)``."""
    first, shown = response.request.offset, len(response.hits)
    total = f"{response.total:,}" + ("" if response.total_is_exact else "+")
    which = f"{shown}" if first == 0 else f"{first + 1:,}–{first + shown:,}"
    text = f"{which} of {total} in {response.ms:.1f} ms"
    coverage = response.coverage
    if coverage is not None and coverage.static + coverage.model < coverage.chunks:
        text += f" · meaning: {describe_share(coverage.static + coverage.model, coverage.chunks)} of chunks"
    if file_problems:
        text += f" · {count(file_problems, 'problem')} (dowse status)"
    return text


def describe_coverage(coverage: "Coverage") -> str:
    """Returns ``62 % by the model, 38 % static``."""
    chunks, static, model = coverage.chunks, coverage.static, coverage.model
    if not chunks:
        return "no chunks"
    if model == chunks:
        return "all by the model"
    kinds = ((model, "by the model"), (static, "static"), (chunks - static - model, "not yet"))
    return ", ".join(f"{describe_share(part, chunks)} {kind}" for part, kind in kinds if part)


def describe_share(part: int, whole: int) -> str:
    """Returns a share in per cent, never as more than it is."""
    percent = 100 * part // max(1, whole)
    return f"{percent} %" if percent or not part else "under 1 %"


def explain_nothing_found(response: "SearchResponse", place: str) -> tuple[str, str]:
    """Returns the line that says nothing was found, and a hint that fits the query."""
    query = shorten(without_controls(response.request.query.strip()))
    if response.request.offset and response.total:
        return (
            f"There are only {count(response.total, 'hit')} for “{query}”.",
            f"ask for a smaller --offset than {response.request.offset}",
        )
    message = f"Nothing found for “{query}” in {place}."
    if '"' in query:
        return message, "without the quotes the words may stand anywhere"
    if any(word.startswith("-") for word in query.split()):
        return message, "words after a dash are left out; try without them"
    if len(query.split()) > 1:
        return message, "try fewer or other words"
    return message, "check the spelling, or try another word"


def iter_second_looks(response: "SearchResponse") -> Iterator[str]:
    """Yields what was searched for instead, and what was likely meant."""
    if response.is_fuzzy:
        yield "nothing matches as typed; showing similar words"
    if response.suggestion:
        yield f"did you mean: {shorten(without_controls(response.suggestion))}?"


def is_empty(report: "SyncReport | None") -> bool:
    """Says whether a run found no file at all that could be searched."""
    return report is not None and not any(
        (report.added, report.changed, report.moved, report.unchanged)
    )


def shorten(text: str, most_chars: int = 60) -> str:
    """Returns the text, cut where it is too long to be quoted."""
    return text if len(text) <= most_chars else text[: most_chars - 1] + "…"


def summarise_sync(report: "SyncReport", label: str) -> str:
    """Returns what an indexing run did, in one line."""
    done = [
        text
        for number, text in (
            (report.added, f"{report.added:,} added"),
            (report.changed, f"{report.changed:,} changed"),
            (report.moved, f"{report.moved:,} moved"),
            (report.removed, f"{report.removed:,} removed"),
            (report.unchanged, f"{report.unchanged:,} unchanged"),
        )
        if number
    ]
    files = ", ".join(done) if done else "no files to index"
    if not report.chunks_added:
        return f"{label}: {files}"
    chunks = count(report.chunks_added, "new chunk")
    return f"{label}: {files} ({chunks}) in {format_duration(report.seconds)}"


def iter_skipped(report: "SyncReport") -> Iterator[str]:
    """Yields a line that counts the files passed over, by reason."""
    if report.skipped:
        reasons = ", ".join(f"{number:,} {reason}" for reason, number in report.skipped)
        yield f"passed over: {reasons.replace('-', ' ')}"


def iter_problems(
    problems: Sequence["Problem"], shown: int = SHOWN_PROBLEMS, *, all_in: str = ALL_IN_STATUS
) -> Iterator[str]:
    """Yields a line for each of the first problems, and one that counts the others.

    Args:
        all_in: What shows all of them: those of files are kept in the index, those of an answer are not.
    """
    for problem in problems[:shown]:
        hint = f" ({word_hint(problem.hint)})" if problem.hint else ""
        message = word_hint(problem.message)  # which may carry the remedy of what it could not do
        yield without_controls(f"problem: {problem.location}: {message}{hint}")
    if len(problems) > shown:
        yield f"and {count(len(problems) - shown, 'more problem')}: {all_in}"


def describe_interruption(status: "IndexStatus", tree: str) -> str:
    """Returns what was kept when a run was stopped: what the index holds, not what was read."""
    kept = sum(entry.documents for entry in status.trees if entry.name == tree)
    if not kept:
        return "interrupted before anything was kept; the next run starts again"
    documents = count(kept, "document")
    return f"interrupted; {documents} are kept and can be searched, the next run goes on"
