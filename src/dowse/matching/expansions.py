"""Matches all words of the vocabulary that fit a pattern: prefixes, wildcards, similar words, sounds.

A pattern is compared with words as they are written; a word then stands for its term, as everywhere. All
forms are scored together as one word: their frequencies in a chunk are added, and they count as one in how
rare it is. Forms that are further from what was typed weigh less, and a chunk that has nearer ones is
scored by those: so no misspelling, however rare, is worth more than the word itself.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from dowse.kernels import difference, merge_terms, nearest_terms
from dowse.kernels.layout import I64, U8, U32
from dowse.matching.fields import ALL_FIELDS, Fields
from dowse.matching.scored_term import ListSource, ScoredTerm, SegmentLists, any_rows, count_live
from dowse.matching.spans import SpanTerms
from dowse.storage.segment_reader import SegmentReader
from dowse.storage.snapshot import Snapshot
from dowse.storage.word_dictionary import WordDictionary

MAX_EXPANSIONS = 1_024
_MOST_COMPARED = 4 * MAX_EXPANSIONS
_MOST_CHUNKS = np.uint32(2**32 - 1)
# What a form weighs by its distance from what was typed; halved with each edit.
PENALTIES = (1.0, 0.5, 0.25, 0.125)


class Found(NamedTuple):
    """The words of one segment that fit.

    Attributes:
        words: Their ordinals.
        distances: How far each is from what was typed, 0 to 3.
        is_complete: False when the search for them was cut short.
    """

    words: U32
    distances: U8
    is_complete: bool = True


Choose = Callable[[WordDictionary], Found]


class Expansion(NamedTuple):
    """All forms of a pattern.

    Attributes:
        leaves: One for each distance at which there are chunks, nearest first, with its penalty.
        found: Different terms that fit.
        kept: Those that are searched for; fewer than `found` when there are too many.
        is_complete: False when there may be more than were found.
        terms: Per segment, the ordinals of the terms kept.
    """

    leaves: tuple[tuple[ScoredTerm, float], ...]
    found: int
    kept: int
    is_complete: bool
    terms: Sequence[U32]

    def spans(self, snapshot: Snapshot) -> SpanTerms:
        """Returns where any of the terms stands."""
        spellings = {
            spelling
            for segment, terms in zip(snapshot.segments, self.terms, strict=True)
            for spelling in spell_terms(segment.reader, terms)
        }
        return SpanTerms(tuple(sorted(spellings)))


def match_expansion(
    snapshot: Snapshot, label: str, choose: Choose, fields: Fields = ALL_FIELDS
) -> Expansion:
    """Finds the chunks that have any of the words which `choose` picks from each segment's vocabulary."""
    nearest, is_complete, found = [], True, 0
    for segment in snapshot.segments:
        fitting = choose(segment.reader.words)
        is_complete &= fitting.is_complete
        nearest.append(nearest_terms(segment.reader.words.terms, fitting.words, fitting.distances))
        found = max(found, len(nearest[-1][0]))
    # With one segment the best of it are the best of all.
    limit = MAX_EXPANSIONS if len(nearest) == 1 else _MOST_COMPARED
    cut = [_cut(s.reader, *own, limit) for s, own in zip(snapshot.segments, nearest, strict=True)]
    total, chosen = (found, cut) if len(nearest) == 1 else _everywhere(snapshot, cut)
    found = max(found, total)
    present = b"".join(own.tobytes() for _, own in chosen)
    distances = [distance for distance in range(len(PENALTIES)) if distance in present] or [0]
    family, doc_freq = [], 0
    for segment, (terms, _) in zip(snapshot.segments, chosen, strict=True):
        lists, rows = _merge(segment.reader, terms, fields)
        family.append(lists)
        doc_freq += rows if segment.live is None else count_live(segment, lists)
    by_distance: Iterable[tuple[int, Sequence[SegmentLists]]] = (
        [(distances[0], family)]
        if len(distances) == 1
        else _by_distance(snapshot, chosen, distances, fields)
    )
    leaves = tuple(
        (ScoredTerm(_name(label, d), snapshot.segments, lists, doc_freq, family), PENALTIES[d])
        for d, lists in by_distance
    )
    return Expansion(leaves, found, min(total, MAX_EXPANSIONS), is_complete, [terms for terms, _ in chosen])


def _name(label: str, distance: int) -> str:
    return label if not distance else f"{label}, {distance} edit{'s' * (distance > 1)} away"


def _cut(reader: SegmentReader, terms: U32, distances: U8, limit: int) -> tuple[U32, U8]:
    """Leaves out what cannot be among those kept: nearest first, then those that most chunks have.

    Of terms that are alike in both, those that come first in the order of letters are kept.
    """
    if len(terms) <= limit:
        return terms, distances
    keys = distances.astype(np.int64) << 32 | (_MOST_CHUNKS - reader.term_doc_freqs[terms])
    last = np.partition(keys, limit - 1)[limit - 1]
    is_kept = keys < last
    tied = np.flatnonzero(keys == last)
    is_kept[tied[: limit - np.count_nonzero(is_kept)]] = True
    return terms[is_kept], distances[is_kept]


def _everywhere(
    snapshot: Snapshot, chosen: Sequence[tuple[U32, U8]]
) -> tuple[int, list[tuple[U32, U8]]]:
    """Returns how many different terms there are, and those kept, in every segment that has them.

    A term counts in all segments once it was found in one: another form of its word may have fitted there.
    """
    readers = [segment.reader for segment in snapshot.segments]
    fresh = _first_found(readers, chosen)
    sources = [(reader, terms) for reader, (terms, _) in zip(readers, fresh, strict=True)]
    numbers = [
        np.concatenate([_numbers_in(reader, other, terms) for other, terms in sources])
        for reader in readers
    ]
    distances = np.concatenate([np.zeros(0, np.uint8), *(own for _, own in fresh)])
    total = len(distances)
    if total > MAX_EXPANSIONS:
        frequencies = np.zeros(total, np.int64)
        for reader, own in zip(readers, numbers, strict=True):
            frequencies[own >= 0] += reader.term_doc_freqs[own[own >= 0]]
        kept = _best_forms(distances, frequencies, readers, numbers)
        distances, numbers = distances[kept], [own[kept] for own in numbers]
    return total, [(own[own >= 0].astype(np.uint32), distances[own >= 0]) for own in numbers]


def _first_found(
    readers: Sequence[SegmentReader], chosen: Sequence[tuple[U32, U8]]
) -> list[tuple[U32, U8]]:
    """Returns for each segment the terms that no segment before it chose, with their smallest distance."""
    fresh: list[tuple[U32, U8]] = []
    for reader, (terms, distances) in zip(readers, chosen, strict=True):
        for other, (known, nearest) in zip(readers, fresh, strict=False):
            if not len(known) or not len(terms):
                continue
            there = other.postings.find_terms_of(reader.postings, terms)
            at = np.minimum(np.searchsorted(known, there), len(known) - 1)
            is_known = known[at] == there
            np.minimum.at(nearest, at[is_known], distances[is_known])
            terms, distances = terms[~is_known], distances[~is_known]
        fresh.append((terms, distances.copy()))
    return fresh


def _numbers_in(reader: SegmentReader, other: SegmentReader, terms: U32) -> I64:
    if reader is other:
        return terms.astype(np.int64)
    return reader.postings.find_terms_of(other.postings, terms)


def _best_forms(
    distances: U8, frequencies: I64, readers: Sequence[SegmentReader], numbers: Sequence[I64]
) -> I64:
    """Returns which forms are kept: nearest first, then the most frequent, then in the order of letters."""
    order = np.lexsort((-frequencies, distances))
    last = order[MAX_EXPANSIONS - 1]
    is_tied = (distances == distances[last]) & (frequencies == frequencies[last])
    better = order[:MAX_EXPANSIONS][~is_tied[order[:MAX_EXPANSIONS]]]
    tied = np.flatnonzero(is_tied)
    spellings: dict[int, bytes] = {}
    for reader, own in zip(readers, numbers, strict=True):
        here = tied[own[tied] >= 0]
        spellings.update(zip(here.tolist(), spell_terms(reader, own[here]), strict=True))
    tied_order = sorted(spellings, key=spellings.__getitem__)
    return np.sort(np.concatenate([better, tied_order[: MAX_EXPANSIONS - len(better)]]).astype(np.int64))


def spell_terms(reader: SegmentReader, terms: U32 | I64) -> list[bytes]:
    """Returns the spelling of each term."""
    return reader.postings.spell(terms.tolist())


def _merge(reader: SegmentReader, terms: U32, fields: Fields) -> tuple[SegmentLists, int]:
    """Returns one list a field with the rows of all terms, and how many rows there are in any field."""
    if len(terms) == 1 and fields == ALL_FIELDS:  # nothing to merge, and the dictionary knows the rest
        only = int(terms[0])
        return reader.postings.lists_of(only), reader.doc_freqs[only]
    return merge_terms(reader.postings.lists, reader.postings.row_count, terms, fields)


def _by_distance(
    snapshot: Snapshot, chosen: Sequence[tuple[U32, U8]], distances: Sequence[int], fields: Fields
) -> Iterator[tuple[int, list[SegmentLists]]]:
    """Yields for each distance the lists of the chunks whose nearest form is that far."""
    nearer: list[list[U32]] = [[] for _ in snapshot.segments]
    for distance in distances:
        lists: list[SegmentLists] = []
        for number, segment in enumerate(snapshot.segments):
            terms, own = chosen[number]
            merged, _ = _merge(segment.reader, terms[own == distance], fields)
            rows = any_rows(segment.reader, merged)
            for before in nearer[number]:
                merged = [
                    (_leave_out(segment.reader, source, before, field), field)
                    for source, field in merged
                ]
            nearer[number].append(rows)
            lists.append([entry for entry in merged if not _is_empty(entry[0])])
        yield distance, lists


def _is_empty(source: ListSource) -> bool:
    return isinstance(source, tuple) and not len(source[0])


def _leave_out(reader: SegmentReader, source: ListSource, rows: U32, field: int) -> ListSource:
    own, freqs, _ = source if isinstance(source, tuple) else (*reader.postings.merge_lists([source]), field)
    kept = difference(own, rows)
    return kept, freqs[np.searchsorted(own, kept)], field
