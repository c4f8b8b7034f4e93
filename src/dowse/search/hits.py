"""Fills in what a hit shows: its document, its place, its snippet."""

from collections.abc import Sequence

from msgspec.structs import replace

from dowse.planning import Analyzers
from dowse.results import cut_snippet
from dowse.schema import Anchor, Explanation, Hit, Snippet
from dowse.search.lexical.ranking import Ranked
from dowse.storage.segment_reader import SegmentReader
from dowse.storage.snapshot import Snapshot
from dowse.storage.stored_chunks import StoredChunk, read_chunks


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
        chunks = read_chunks(snapshot, keys)
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
    snapshot: Snapshot, hit: Hit, chunk: StoredChunk, terms: frozenset[str], analyzers: Analyzers
) -> Hit:
    text = chunk.text.decode("utf-8", "replace")
    analyzer = analyzers.get(snapshot.trees[chunk.tree_id].analysis)
    snippet, highlights, lines_before = cut_snippet(text, terms, analyzer)
    bytes_before = sum(len(line.encode()) + 1 for line in text.split("\n", lines_before)[:lines_before])
    return replace(
        hit,
        title=chunk.title,
        file=chunk.file,
        section_path=chunk.section_path,
        slug=chunk.slug,
        line_start=chunk.line_start,
        line_end=chunk.line_end,
        snippet=Snippet(snippet, highlights, chunk.line_start + lines_before),
        file_stamp=chunk.file_stamp,
        has_source_lines=chunk.has_source_lines,
        locator=source_locator(chunk.anchors, chunk.byte_start + bytes_before),
    )


# What holds other things: whatever it holds begins anew with it.
_HOLDERS = ("message", "member", "part")


def source_locator(anchors: Sequence[Anchor], offset: int) -> str:
    """Returns where in its source a byte of the stored text is: ``page 12``; empty when lines say it."""
    place: dict[str, str] = {}
    for start, kind, label in anchors:
        if start > offset:
            continue
        if kind in _HOLDERS:
            outer = _HOLDERS[: _HOLDERS.index(kind)]
            place = {name: place[name] for name in outer if name in place}
        place[kind] = label
    if "cell" in place:
        place.pop("sheet", None)  # a cell's label begins with its sheet
    return ", ".join(f"{kind} {label}" for kind, label in place.items())
