"""Matches one term."""

from dowse.matching.leaf import Leaf, SegmentLists, count_live
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
        found: SegmentLists = postings.lists_of(number)
        lists.append(found)
        # Without deletions the dictionary knows the answer; with them, the dead must not be counted.
        if segment.live is None:
            doc_freq += segment.reader.term_doc_freq.item(number)
        else:
            doc_freq += count_live(segment, found)
    return Leaf(term, lists, doc_freq)
