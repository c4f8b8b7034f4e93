"""Fills in what a hit shows: its document, its place, its snippet."""

from collections.abc import Container, Iterable, Mapping, Sequence

from msgspec.structs import replace

from dowse.errors import CorruptFileError
from dowse.planning import Analyzers
from dowse.results import cut_snippet
from dowse.schema import Anchor, Hit, SearchRequest, Snippet
from dowse.search.batch import Retrieved
from dowse.search.context import SearchContext
from dowse.search.lexical.row_addresses import find_addresses
from dowse.search.stages.candidate import Candidate, FoundAt
from dowse.storage.snapshot import Snapshot
from dowse.storage.stored_chunks import StoredChunk, read_chunks


def build_hits(
    context: SearchContext,
    page: Sequence[Candidate],
    retrieved: Retrieved,
    request: SearchRequest,
    groups: Mapping[int, tuple[int, ...]],
) -> list[Hit]:
    """Returns the hits of a page, in order.

    Args:
        page: The candidates to show.
        retrieved: Where they come from; it explains and highlights them.
        groups: By the key of a candidate, the keys of those it stands for.
    """
    snapshot, trees = context.snapshot, context.snapshot.trees
    names = _names(snapshot, _locate(snapshot, page))
    _check_known(trees, (tree_id for tree_id, _, _ in names), "tree")
    hits = [
        Hit(rank, one.score, trees[tree_id].name, doc_key, ordinal)
        for rank, (one, (tree_id, doc_key, ordinal)) in enumerate(
            zip(page, names, strict=True), request.offset + 1
        )
    ]
    if request.snippets and hits:
        hits = _describe_all(context, page, hits, retrieved.find_highlights())
    if request.explain:
        hits = [
            replace(hit, explanation=one.explain(retrieved.explain(one.key)))
            for hit, one in zip(hits, page, strict=True)
        ]
    if groups:
        hits = [
            replace(hit, duplicate_count=len(groups[one.key])) if one.key in groups else hit
            for hit, one in zip(hits, page, strict=True)
        ]
    return hits


def _locate(snapshot: Snapshot, page: Sequence[Candidate]) -> Sequence[FoundAt]:
    """Returns where the chunks of a page are."""
    known = [one.address for one in page if one.address is not None]
    if len(known) == len(page):
        return known
    addresses = find_addresses(snapshot, [one.key for one in page])
    return [addresses[one.key] for one in page]


def _names(snapshot: Snapshot, addresses: Sequence[FoundAt]) -> list[tuple[int, str, int]]:
    """Returns tree id, document key and number in the document of each chunk."""
    segments = snapshot.segments
    if len(segments) == 1:
        return segments[0].reader.names.read([address[1] for address in addresses])
    return [segments[address[0]].reader.names.read([address[1]])[0] for address in addresses]


def _check_known(known: Container[int], found: Iterable[int], what: str) -> None:
    """Raises CorruptFileError when a segment names something that the catalogue does not have."""
    for number in found:
        if number not in known:
            expectation = f"it names {what} {number}, which the catalogue does not have"
            raise CorruptFileError(path="columns", expectation=expectation)


def _describe_all(
    context: SearchContext, page: Sequence[Candidate], hits: Sequence[Hit], terms: frozenset[str]
) -> list[Hit]:
    keys = [one.key for one in page]
    chunks = read_chunks(context.snapshot, keys)
    _check_known(chunks, keys, "chunk")
    return [
        _describe(context.snapshot, hit, chunks[key], terms, context.analyzers)
        for hit, key in zip(hits, keys, strict=True)
    ]


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
