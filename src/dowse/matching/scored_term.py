"""A leaf: one thing that is matched and scored, with its posting lists in every segment."""

from collections.abc import Sequence
from functools import reduce
from typing import NamedTuple

import numpy as np

from dowse.kernels import union
from dowse.kernels.layout import U8, U32
from dowse.storage.segment_reader import SegmentReader
from dowse.storage.snapshot import LiveSegment

NO_ROWS: U32 = np.zeros(0, np.uint32)

# A posting list of the segment by number, or one made for this query: rows, frequencies, field.
ListSource = int | tuple[U32, U8, int]
# The lists of one segment, in field order, each with its field number.
SegmentLists = Sequence[tuple[ListSource, int]]


class ScoredTerm(NamedTuple):
    """A term, a phrase or the forms of a word in a snapshot.

    Attributes:
        label: What explanations call it.
        segments: Those of the snapshot, in its order.
        lists: Per segment.
        doc_freq: Live chunks that count for how rare it is: those that match in any field, or that match
            any leaf of the same family.
        family: Per segment, the lists that statistics are taken from; None for its own. Forms of a word
            that are weighed apart share a family, so that a rare misspelling is worth no more than the
            word it stands for.
    """

    label: str
    segments: Sequence[LiveSegment]
    lists: Sequence[SegmentLists]
    doc_freq: int
    family: Sequence[SegmentLists] | None = None

    def rows_in(self, segment: int) -> U32:
        """Returns the rows that match in any field, ascending."""
        return any_rows(self.segments[segment].reader, self.lists[segment])


def any_rows(reader: SegmentReader, lists: SegmentLists) -> U32:
    """Returns the rows that any of the lists has, ascending."""
    if not lists:
        return NO_ROWS
    return reduce(union, [rows_of(reader, source) for source, _ in lists])


def rows_of(reader: SegmentReader, source: ListSource) -> U32:
    """Returns the rows of a list, ascending."""
    if isinstance(source, tuple):
        return source[0]
    rows: U32 = reader.postings.rows_of(source)
    return rows


def freq_at(reader: SegmentReader, source: ListSource, row: int) -> int:
    """Returns the frequency in one row, 0 when the list does not have it."""
    if isinstance(source, tuple):
        at = int(np.searchsorted(source[0], row))
        is_there = at < len(source[0]) and source[0][at] == row
        return int(source[1][at]) if is_there else 0
    return int(reader.postings.freq_at(source, row))


def count_live(segment: LiveSegment, lists: SegmentLists) -> int:
    """Returns in how many live rows any of the lists occurs."""
    found = any_rows(segment.reader, lists)
    return len(found) if segment.live is None else int(segment.live[found].sum())
