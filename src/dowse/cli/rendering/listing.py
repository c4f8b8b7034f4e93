"""Lists of trees, documents and chunks, and verdicts about paths."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from dowse.cli.terminal import Style, count, without_controls
from dowse.schema import ListedChunk, ListedDocument

if TYPE_CHECKING:
    from dowse.ingest.explain_discovery import Verdict


class ListedTree(Struct, frozen=True):
    """A tree in a list."""

    name: str
    root: str | None
    language: str
    documents: int
    chunks: int


ListedRow: TypeAlias = ListedTree | ListedDocument | ListedChunk


def iter_lines(rows: Sequence[ListedRow], style: Style) -> Iterator[str]:
    """Yields a line for each tree, document or chunk."""
    for row in rows:
        if isinstance(row, ListedTree):
            size = f"{count(row.documents, 'document')}, {count(row.chunks, 'chunk')}"
            root = without_controls(row.root or "(texts added by a program)")
            yield f"{style.paint(without_controls(row.name), 'path')}  {root}  {style.paint(size, 'dim')}"
        elif isinstance(row, ListedDocument):
            facts = f"{row.format}, {count(row.chunk_count, 'chunk')}"
            title = without_controls(row.title).replace("\n", " ")
            key = style.paint(without_controls(row.doc_key), "path")
            yield f"{key}  {style.paint(facts, 'dim')}  {title}"
        else:
            place = f"{row.doc_key}:{row.line_start}-{row.line_end}"
            sections = without_controls(" > ".join(row.sections)).replace("\n", " ")
            size = f"{row.byte_end - row.byte_start:,} bytes"
            yield f"{style.paint(without_controls(place), 'path')}  {style.paint(size, 'dim')}  {sections}"


def name_rows(kind: str, rows: Sequence[ListedRow]) -> dict[str, Sequence[ListedRow]]:
    """Returns ``{"documents": [...]}`` and the like."""
    key = "documents" if kind == "docs" else kind
    return {key: rows}


def iter_verdict_lines(
    path: str, root: Path, verdict: "Verdict", standing: str, style: Style
) -> Iterator[str]:
    """Yields whether a path is in or out, the rule with its source, and how it stands in the index."""
    word = style.paint("in", "good") if verdict.is_included else style.paint("out", "error")
    yield f"{style.paint(without_controls(path), 'path')}: {word}"
    subject = "" if verdict.subject in (path, ".") else f"{verdict.subject}: "
    yield without_controls(f"  {subject}{verdict.message} ({verdict.rule})")
    if verdict.source:
        yield without_controls(f"  {verdict.source}")
    yield without_controls(f"  folder {root}; {standing}")
