"""Matches words that stand together."""

from collections.abc import Sequence
from typing import NamedTuple

from dowse.kernels import FoundPhrase
from dowse.matching.fields import ALL_FIELDS, Fields
from dowse.matching.scored_term import ScoredTerm, SegmentLists, count_live
from dowse.storage.snapshot import Snapshot


class PhraseAlone(NamedTuple):
    """A phrase that is the whole query: what its leaf would say, in the kernel's own form.

    Attributes:
        found: Per segment.
        doc_freq: Live chunks that have it.
    """

    found: Sequence[FoundPhrase]
    doc_freq: int


def find_phrase(snapshot: Snapshot, words: Sequence[tuple[str, int]], slop: int) -> PhraseAlone:
    """Finds what `match_phrase` does in all fields, for a query that is nothing else; at least two words."""
    encoded = [term.encode("utf-8", "replace") for term, _ in words]
    offsets = [position for _, position in words]
    found: list[FoundPhrase] = []
    doc_freq = 0
    for segment in snapshot.segments:
        postings = segment.reader.postings
        own = postings.find_phrase(postings.find_terms(encoded), offsets, slop)
        doc_freq += own.count(segment.live)
        found.append(own)
    return PhraseAlone(found, doc_freq)


def match_phrase(
    snapshot: Snapshot,
    label: str,
    words: Sequence[tuple[str, int]],
    slop: int = 0,
    fields: Fields = ALL_FIELDS,
) -> ScoredTerm:
    """Finds the rows in which terms stand at given places relative to each other, within one field.

    Args:
        snapshot: What to search.
        label: What explanations call it.
        words: Each term with its position in the phrase; at least one.
        slop: By how many positions in all the words may be out of place.
        fields: Where to look.
    """
    encoded = [term.encode("utf-8", "replace") for term, _ in words]
    offsets = [position for _, position in words]
    slop = slop if len(words) > 1 else 0
    lists: list[SegmentLists] = []
    doc_freq = 0
    for segment in snapshot.segments:
        postings = segment.reader.postings
        found: SegmentLists = [
            (entry, entry[2])
            for entry in postings.phrase_lists(postings.find_terms(encoded), offsets, slop)
            if entry[2] in fields
        ]
        doc_freq += count_live(segment, found)
        lists.append(found)
    return ScoredTerm(label, snapshot.segments, lists, doc_freq)
