"""Terms in the dictionaries of a snapshot, and in how many live chunks each occurs."""

from collections.abc import Sequence
from functools import reduce
from typing import NamedTuple

from dowse.kernels import union
from dowse.storage.snapshot import LiveSegment, Snapshot


class FoundTerms(NamedTuple):
    """Terms of a query as a snapshot knows them.

    Attributes:
        doc_freqs: Live chunks that have each term, in any field.
        ordinals: Per segment, the terms' places in its dictionary; -1 where it does not have one.
    """

    doc_freqs: list[int]
    ordinals: list[list[int]]


def find_terms(snapshot: Snapshot, terms: Sequence[bytes]) -> FoundTerms:
    """Looks terms up in every segment."""
    doc_freqs, ordinals = [0] * len(terms), []
    for segment in snapshot.segments:
        found = segment.reader.postings.find_terms(terms)
        ordinals.append(found)
        for place, ordinal in enumerate(found):
            if ordinal >= 0:
                doc_freqs[place] += live_doc_freq(segment, ordinal)
    return FoundTerms(doc_freqs, ordinals)


def live_doc_freq(segment: LiveSegment, ordinal: int) -> int:
    """Returns in how many live rows a term of the dictionary occurs."""
    # Without deletions the dictionary knows the answer; with them, the dead must not be counted.
    if segment.live is None:
        return segment.reader.doc_freqs[ordinal]
    postings = segment.reader.postings
    lists = [postings.rows_of(number) for number, _ in postings.lists_of(ordinal)]
    return int(segment.live[reduce(union, lists)].sum()) if lists else 0
