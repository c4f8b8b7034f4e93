"""Keeps the number of segments small: which neighbours to merge, and how.

Tiered merging as LSM stores do it: a segment's tier is the logarithm of its live rows, and as soon as
`FANOUT` neighbouring segments of one tier are there they become one, with smaller ones that lie between
them. Larger ones are left alone: a large index that gets one document at a time must not be written again
with every seventh commit. Only neighbours merge, so rows keep ascending by chunk key (S6). A segment that
is mostly deleted is rewritten alone.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from msgspec import Struct

from dowse.kernels import Merger
from dowse.kernels.layout import DROPPED, U8, U32, U64, Lists
from dowse.storage.columns import merge_columns
from dowse.storage.directory import Directory
from dowse.storage.segment_reader import SegmentReader
from dowse.storage.segment_writer import WrittenSegment, join_columns, write_segment
from dowse.storage.signatures import iter_blocks
from dowse.storage.word_dictionary import merge_word_dictionaries

FANOUT = 8
MOST_SEGMENTS = 3 * FANOUT
SMALLEST_TIER_ROWS = 256
MOSTLY_DELETED = 0.5
BLOCK_BYTES = 8 << 20


class SegmentSize(Struct, frozen=True):
    """What the merge policy looks at."""

    folder: str
    rows: int
    deleted: int

    @property
    def live(self) -> int:
        """Rows that count."""
        return self.rows - self.deleted


def choose_merge(segments: Sequence[SegmentSize]) -> list[str]:
    """Returns the folders of the segments to merge next, in key order; empty when all is well.

    Args:
        segments: All live segments, in ascending chunk-key order.
    """
    for segment in segments:
        if segment.deleted and segment.deleted >= MOSTLY_DELETED * segment.rows:
            return [segment.folder]
    tiers = [_tier(segment.live) for segment in segments]
    # Small segments between large ones could pile up; beyond this many, the smaller tiers count too.
    counts_smaller = len(segments) > MOST_SEGMENTS
    for tier in sorted(set(tiers)):
        run: list[str] = []
        counted = 0
        for segment, own_tier in zip(segments, tiers, strict=True):
            if own_tier > tier:
                run, counted = [], 0
                continue
            run.append(segment.folder)
            counted += own_tier == tier or counts_smaller
            if counted == FANOUT:
                return run
    return []


def _tier(live: int) -> int:
    tier, limit = 0, SMALLEST_TIER_ROWS
    while live > limit:
        tier, limit = tier + 1, limit * FANOUT
    return tier


def merge_segments(
    directory: Directory, folder: str, sources: Sequence[tuple[SegmentReader, U8]]
) -> WrittenSegment | None:
    """Writes the live rows of neighbouring segments as one segment.

    Args:
        directory: Where the segments are and the new one goes.
        folder: Name of the new segment.
        sources: Readers in key order, each with its deletion marks (one byte a row).

    Returns:
        The new segment, not yet named by any generation; None when no row is live.
    """
    kept = [np.flatnonzero(marks == 0) for _, marks in sources]
    if not sum(map(len, kept)):
        return None
    buckets = np.concatenate(
        [reader.buckets[:, rows] for (reader, _), rows in zip(sources, kept, strict=True)], axis=1
    )
    columns = join_columns(
        [reader.columns.take(rows) for (reader, _), rows in zip(sources, kept, strict=True)]
    )
    buckets = np.ascontiguousarray(buckets)
    terms = [reader.expand_terms() for reader, _ in sources]
    merger = Merger(
        [
            (*own_terms, reader.postings.lists, row_map)
            for own_terms, (reader, _), row_map in zip(terms, sources, _row_maps(sources), strict=True)
        ],
        buckets,
    )
    words = [
        (reader.expand_words(), *own_terms) for own_terms, (reader, _) in zip(terms, sources, strict=True)
    ]
    signatures = iter_blocks(_live_signatures(sources))
    document_columns = merge_columns([(reader.document_columns, marks) for reader, marks in sources])
    return write_segment(
        directory,
        folder,
        _blocks(merger),
        buckets,
        columns,
        document_columns,
        merge_word_dictionaries(words),
        signatures,
    )


def _live_signatures(sources: Sequence[tuple[SegmentReader, U8]]) -> Iterator[U8]:
    """Yields the signatures of live rows, a block of a source at a time."""
    for reader, marks in sources:
        first = 0
        for rows in reader.signatures.iter_rows():
            yield rows[marks[first : first + len(rows)] == 0]
            first += len(rows)


def _blocks(merger: Merger) -> Iterator[tuple[U64, U8, Lists]]:
    while (block := merger.next_block(BLOCK_BYTES)) is not None:
        yield block


def _row_maps(sources: Sequence[tuple[SegmentReader, U8]]) -> Iterator[U32]:
    base = 0
    for reader, marks in sources:
        row_map = np.full(reader.row_count, DROPPED, np.uint32)
        live = np.flatnonzero(marks == 0)
        row_map[live] = np.arange(base, base + len(live), dtype=np.uint32)
        base += len(live)
        yield row_map


def carry_deletions(
    sources: Sequence[tuple[SegmentReader, U8]], now: Sequence[U8], rows: int
) -> U8:
    """Returns the deletion marks of a merged segment for what was deleted while it was being written."""
    marks = np.zeros(rows, np.uint8)
    for row_map, (_, before), after in zip(_row_maps(sources), sources, now, strict=True):
        marks[row_map[np.flatnonzero((after != 0) & (before == 0))]] = 1
    return marks
