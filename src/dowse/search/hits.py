"""Fills in what a hit shows: its document, its place, its snippet."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from dowse.analysis import Analyzer
from dowse.explanation import Explanation
from dowse.planning import Analyzers
from dowse.results import cut_snippet
from dowse.search.request import Hit, Snippet
from dowse.storage.catalog import Catalog, Row
from dowse.storage.snapshot import Snapshot, find_chunks


@dataclass(frozen=True, slots=True)
class Ranked:
    """A row that made it onto the page."""

    segment: int
    row: int
    score: float


def build_hits(
    snapshot: Snapshot,
    ranked: Sequence[Ranked],
    explanations: Sequence[Explanation | None],
    first_rank: int,
    terms: frozenset[str],
    analyzers: Analyzers | None,
) -> list[Hit]:
    """Returns the hits of a page, in order.

    Args:
        analyzers: For snippets; None leaves title, lines and snippet out.
    """
    keys = [
        int(snapshot.segments[entry.segment].reader.columns.chunk_keys[entry.row])
        for entry in ranked
    ]
    chunks = find_chunks(snapshot.catalog, keys) if keys else {}
    hits = []
    for i, (entry, key) in enumerate(zip(ranked, keys, strict=True)):
        chunk = chunks.get(key)
        if chunk is None:
            continue
        tree = snapshot.trees[chunk[10]]
        hit = Hit(first_rank + i, entry.score, tree.name, chunk[7], chunk[1], file=chunk[9])
        if analyzers is not None:
            hit = _describe(snapshot.catalog, hit, chunk, terms, analyzers.get(tree.analysis))
        if explanations[i] is not None:
            hit = replace(hit, explanation=explanations[i])
        hits.append(hit)
    return hits


def _describe(
    catalog: Catalog, hit: Hit, chunk: Row, terms: frozenset[str], analyzer: Analyzer
) -> Hit:
    doc_id, _, section, line_start, line_end, byte_start, byte_end, _, title = chunk[:9]
    path, slug = section_place(catalog, doc_id, section)
    text = chunk_text(catalog, doc_id, byte_start, byte_end)
    snippet, highlights, lines_before = cut_snippet(text, terms, analyzer)
    return replace(
        hit,
        title=title,
        section_path=path,
        slug=slug,
        line_start=line_start,
        line_end=line_end,
        snippet=Snippet(snippet, highlights, line_start + lines_before),
    )


def chunk_text(catalog: Catalog, doc_id: int, byte_start: int, byte_end: int) -> str:
    """Returns the text of a chunk from the stored text of its document."""
    sql = "SELECT substr(text, ?, ?) FROM texts WHERE doc_id = ?"
    row = catalog.fetch_one(sql, (byte_start + 1, byte_end - byte_start, doc_id))
    return "" if row is None else bytes(row[0]).decode("utf-8", "replace")


def section_place(catalog: Catalog, doc_id: int, section: int) -> tuple[tuple[str, ...], str]:
    """Returns the titles down to a section, without the document's, and the section's slug."""
    titles: list[str] = []
    slug, at = "", section
    while at:
        row = catalog.fetch_one(
            "SELECT parent, title, slug FROM sections WHERE doc_id = ? AND ordinal = ?", (doc_id, at)
        )
        if row is None:
            break
        titles.append(row[1])
        slug = slug or row[2]
        at = row[0]
    return tuple(reversed(titles)), slug
