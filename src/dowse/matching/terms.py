"""Matches one term."""

from dowse.matching.leaf import Leaf, SegmentLists, live_doc_freq
from dowse.storage.snapshot import Snapshot


def match_term(snapshot: Snapshot, term: str) -> Leaf:
    """Finds the posting lists of a term, as analysis made it, in every segment."""
    encoded = term.encode("utf-8", "replace")
    lists: list[SegmentLists] = []
    doc_freq = 0
    for segment in snapshot.segments:
        postings = segment.reader.postings
        number = postings.find_term(encoded)
        if number < 0:
            lists.append([])
            continue
        lists.append(postings.lists_of(number))
        doc_freq += live_doc_freq(segment, number)
    return Leaf(term, lists, doc_freq)
