"""Matches words that stand together."""

from collections.abc import Sequence

from dowse.matching.fields import ALL_FIELDS, Fields
from dowse.matching.leaf import Leaf, ListSource, SegmentLists, count_live
from dowse.schema import FIELD_COUNT
from dowse.storage.segment_reader import SegmentReader
from dowse.storage.snapshot import Snapshot


def match_phrase(
    snapshot: Snapshot,
    label: str,
    words: Sequence[tuple[str, int]],
    slop: int = 0,
    fields: Fields = ALL_FIELDS,
) -> Leaf:
    """Finds the rows in which terms stand at given places relative to each other, within one field.

    Args:
        snapshot: What to search.
        label: What explanations call it.
        words: Each term with its position in the phrase; at least one.
        slop: By how many positions in all the words may be out of place.
        fields: Where to look.
    """
    lists = [_match_segment(segment.reader, words, slop, fields) for segment in snapshot.segments]
    doc_freq = sum(map(count_live, snapshot.segments, lists))
    return Leaf(label, snapshot.segments, lists, doc_freq)


def _match_segment(
    reader: SegmentReader, words: Sequence[tuple[str, int]], slop: int, fields: Fields
) -> SegmentLists:
    postings = reader.postings
    by_field: list[list[int]] = [[] for _ in range(FIELD_COUNT)]
    for term, _ in words:
        number = postings.find_term(term.encode("utf-8", "replace"))
        if number < 0:
            return []
        for index, field in postings.lists_of(number):
            by_field[field].append(index)
    offsets = [position for _, position in words]
    found: list[tuple[ListSource, int]] = []
    for field, indices in enumerate(by_field):
        if len(indices) == len(words) and field in fields:
            if slop and len(words) > 1:
                rows, freqs = postings.sloppy_phrase(indices, offsets, slop)
            else:
                rows, freqs = postings.phrase(indices, offsets)
            if len(rows):
                found.append(((rows, freqs, field), field))
    return found
