"""Matches one term."""

from dowse.matching.fields import ALL_FIELDS, Fields
from dowse.matching.scored_term import ScoredTerm, SegmentLists, count_live
from dowse.storage.snapshot import Snapshot
from dowse.storage.term_lookup import live_doc_freq


def match_term(snapshot: Snapshot, term: str, fields: Fields = ALL_FIELDS) -> ScoredTerm:
    """Finds the posting lists of a term, as analysis made it, in every segment."""
    encoded = term.encode("utf-8", "replace")
    lists: list[SegmentLists] = []
    doc_freq = 0
    for segment in snapshot.segments:
        postings = segment.reader.postings
        number = postings.find_term(encoded)
        found: SegmentLists = postings.lists_of(number) if number >= 0 else []
        if fields == ALL_FIELDS:
            doc_freq += live_doc_freq(segment, number) if number >= 0 else 0
        else:
            found = [entry for entry in found if entry[1] in fields]
            doc_freq += count_live(segment, found)
        lists.append(found)
    return ScoredTerm(term, snapshot.segments, lists, doc_freq)
