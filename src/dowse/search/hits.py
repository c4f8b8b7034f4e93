"""Fills in what a hit shows: its document, its place, its snippet."""

from collections.abc import Sequence

from msgspec.structs import replace

from dowse.explanation import Explanation
from dowse.planning import Analyzers
from dowse.results import cut_snippet
from dowse.search.ranking import Ranked
from dowse.search.request import Hit, Snippet
from dowse.storage.catalog import Catalog, Row, decode_path
from dowse.storage.segment_reader import SegmentReader
from dowse.storage.snapshot import Snapshot, find_chunks


def build_hits(
    snapshot: Snapshot,
    ranked: Sequence[Ranked],
    explanations: Sequence[Explanation],
    first_rank: int,
    terms: frozenset[str],
    analyzers: Analyzers | None,
) -> list[Hit]:
    """Returns the hits of a page, in order.

    Args:
        explanations: One for each row, or none at all.
        analyzers: For snippets; None leaves title, lines and snippet out.
    """
    readers, trees = [segment.reader for segment in snapshot.segments], snapshot.trees
    hits = [
        Hit(rank, entry.score, trees[tree_id].name, doc_key, ordinal)
        for rank, (entry, (tree_id, doc_key, ordinal)) in enumerate(
            zip(ranked, _names(readers, ranked), strict=True), first_rank
        )
    ]
    if analyzers is not None and hits:
        keys = [int(readers[entry.segment].columns.chunk_keys[entry.row]) for entry in ranked]
        chunks = find_chunks(snapshot.catalog, keys)
        hits = [
            _describe(snapshot, hit, chunks[key], terms, analyzers)
            for hit, key in zip(hits, keys, strict=True)
        ]
    if explanations:
        hits = [
            replace(hit, explanation=explanation)
            for hit, explanation in zip(hits, explanations, strict=True)
        ]
    return hits


def _names(readers: Sequence[SegmentReader], ranked: Sequence[Ranked]) -> list[tuple[int, str, int]]:
    """Returns tree id, document key and place in the document of each row."""
    if len(readers) == 1:
        return readers[0].names.read([entry.row for entry in ranked])
    return [readers[entry.segment].names.read([entry.row])[0] for entry in ranked]


def _describe(
    snapshot: Snapshot, hit: Hit, chunk: Row, terms: frozenset[str], analyzers: Analyzers
) -> Hit:
    doc_id, section, line_start, line_end, byte_start, byte_end, title, file, tree_id, *rest = chunk
    size, mtime_ns, keeps_lines = rest
    catalog, analyzer = snapshot.catalog, analyzers.get(snapshot.trees[tree_id].analysis)
    path, slug = section_place(catalog, doc_id, section)
    text = chunk_text(catalog, doc_id, byte_start, byte_end)
    snippet, highlights, lines_before = cut_snippet(text, terms, analyzer)
    bytes_before = sum(len(line.encode()) + 1 for line in text.split("\n", lines_before)[:lines_before])
    return replace(
        hit,
        title=title,
        file=None if file is None else decode_path(file),
        section_path=path,
        slug=slug,
        line_start=line_start,
        line_end=line_end,
        snippet=Snippet(snippet, highlights, line_start + lines_before),
        file_stamp=None if file is None else (size, mtime_ns),
        keeps_lines=bool(keeps_lines),
        place=source_place(catalog, doc_id, byte_start + bytes_before),
    )


def chunk_text(catalog: Catalog, doc_id: int, byte_start: int, byte_end: int) -> str:
    """Returns the text of a chunk from the stored text of its document."""
    sql = "SELECT substr(text, ?, ?) FROM texts WHERE doc_id = ?"
    row = catalog.fetch_one(sql, (byte_start + 1, byte_end - byte_start, doc_id))
    # SQLite makes NULL of an empty part.
    return "" if row is None or row[0] is None else bytes(row[0]).decode("utf-8", "replace")


# What holds other things: whatever it holds begins anew with it.
_HOLDERS = ("message", "member", "part")


def source_place(catalog: Catalog, doc_id: int, offset: int) -> str:
    """Returns where in its source a byte of the stored text is: ``page 12``; empty when lines say it."""
    sql = "SELECT kind, label FROM anchors WHERE doc_id = ? AND byte_start <= ? ORDER BY ordinal"
    place: dict[str, str] = {}
    for kind, label in catalog.fetch(sql, (doc_id, offset)):
        if kind in _HOLDERS:
            outer = _HOLDERS[: _HOLDERS.index(kind)]
            place = {name: place[name] for name in outer if name in place}
        place[kind] = label
    if "cell" in place:
        place.pop("sheet", None)  # a cell's label begins with its sheet
    return ", ".join(f"{kind} {label}" for kind, label in place.items())


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
