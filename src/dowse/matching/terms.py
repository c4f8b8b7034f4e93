"""Matches one term."""

from collections.abc import Container

from dowse.matching.leaf import Leaf, SegmentLists, count_live
from dowse.schema import FIELD_COUNT
from dowse.storage.snapshot import LiveSegment, Snapshot

ALL_FIELDS = range(FIELD_COUNT)


def match_term(snapshot: Snapshot, term: str, fields: Container[int] = ALL_FIELDS) -> Leaf:
    """Finds a term's posting lists in every segment.

    Args:
        snapshot: What to search.
        term: As analysis made it.
        fields: The fields that count.
    """
    encoded = term.encode("utf-8", "replace")
    lists, doc_freq = [], 0
    for segment in snapshot.segments:
        postings = segment.reader.postings
        number = postings.find_term(encoded)
        if number < 0:
            lists.append([])
            continue
        all_lists = postings.lists_of(number)
        found: SegmentLists = [entry for entry in all_lists if entry[1] in fields]
        lists.append(found)
        doc_freq += _doc_freq(segment, number, found, is_whole=len(found) == len(all_lists))
    return Leaf(term, lists, doc_freq)


def _doc_freq(segment: LiveSegment, number: int, lists: SegmentLists, *, is_whole: bool) -> int:
    # Without deletions the dictionary knows the answer; with them, the dead must not be counted.
    if is_whole and segment.live is None:
        return int(segment.reader.term_doc_freq[number])
    return count_live(segment, lists)
