"""``dowse suggest`` and ``dowse terms``, for people and as JSON."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from dowse.cli.terminal import Style, count, without_controls

if TYPE_CHECKING:
    from dowse.schema import Completion, SpellingReport, TermPage

SHOWN_FORMS = 5


def iter_completion_lines(completions: "Sequence[Completion]", style: Style) -> Iterator[str]:
    """Yields ``watering  3 chunks`` and ``Tomatoes  title``, one completion a line."""
    for entry in completions:
        if entry.kind == "word":
            note = count(entry.doc_freq, "chunk")
        else:
            note = "title" if entry.doc_freq == 1 else f"title of {count(entry.doc_freq, 'document')}"
        if entry.is_corrected:
            note += ", if mistyped"
        yield f"{style.paint(without_controls(entry.text), 'path')}  {style.paint(note, 'dim')}"


def iter_misspelling_lines(report: "SpellingReport", style: Style) -> Iterator[str]:
    """Yields ``recieve: receive, received``, one misspelling a line."""
    for entry in report.misspellings:
        word = style.paint(without_controls(entry.word), "highlight")
        near = ", ".join(without_controls(candidate.word) for candidate in entry.candidates)
        yield f"{word}: {near or style.paint('nothing near it is known', 'dim')}"


def iter_term_lines(page: "TermPage", style: Style) -> Iterator[str]:
    """Yields the terms in columns: term, chunks, times, forms."""
    names = [without_controls(entry.term) for entry in page.terms]
    width = max(map(len, names), default=0)
    chunks = max((len(f"{entry.doc_freq:,}") for entry in page.terms), default=0)
    times = max((len(f"{entry.total_term_freq:,}") for entry in page.terms), default=0)
    for name, entry in zip(names, page.terms, strict=True):
        forms = ", ".join(without_controls(form) for form in entry.forms[:SHOWN_FORMS])
        more = f" and {len(entry.forms) - SHOWN_FORMS} more" if len(entry.forms) > SHOWN_FORMS else ""
        padding = " " * (width - len(name))
        yield (
            f"{style.paint(name, 'path')}{padding}  {entry.doc_freq:>{chunks},}"
            f"  {entry.total_term_freq:>{times},}  {style.paint(forms + more, 'dim')}"
        )


def summarise_terms(page: "TermPage", offset: int) -> str:
    """Returns ``50 of 2,345 terms: term, chunks, times, words``."""
    shown = len(page.terms)
    which = f"{shown:,}" if not offset else f"{offset + 1:,}–{offset + shown:,}"
    total = count(page.total, "term")
    about = "" if page.total_is_exact else "at most "
    return f"{which} of {about}{total}: term, chunks, times, words"
