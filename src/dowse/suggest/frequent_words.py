"""The likeliest of many words, over all segments, without looking at each.

Each segment gives its best few; what they are worth in all segments together is then looked up. A word can be
missed only if no segment has it among its best, although all of them together would.
"""

import numpy as np

from dowse.kernels.layout import U32
from dowse.matching import Choose
from dowse.matching.expansions import Found
from dowse.schema import SpellingCandidate
from dowse.storage.snapshot import LiveSegment, Snapshot
from dowse.storage.term_lookup import live_doc_freq
from dowse.storage.word_dictionary import WordDictionary

# Given by each segment for each word wanted, and at most when too many of them turn out to be deleted.
GIVEN_PER_WORD = 4
_MOST_GIVEN = 4_096
# Divisible by one more than any distance: scores are whole numbers.
_SCALE = 12


def find_frequent(snapshot: Snapshot, choose: Choose, count: int) -> list[SpellingCandidate]:
    """Returns the likeliest words among those chosen, best first, none that only deleted chunks have.

    Args:
        snapshot: What to look at.
        choose: Picks words of a segment, with distances.
        count: Most words to return.
    """
    pools = [choose(segment.reader.words) for segment in snapshot.segments]
    most, given = max(len(pool.words) for pool in pools) if pools else 0, GIVEN_PER_WORD * count
    while True:
        found = _everywhere(snapshot, [_best(*pair, given) for pair in _pairs(snapshot, pools)])
        if len(found) >= count or given >= min(most, _MOST_GIVEN):
            return found[:count]
        given *= 8


def _pairs(snapshot: Snapshot, pools: list[Found]) -> list[tuple[WordDictionary, Found]]:
    return [(s.reader.words, pool) for s, pool in zip(snapshot.segments, pools, strict=True)]


def _best(words: WordDictionary, pool: Found, count: int) -> list[tuple[int, int]]:
    """Returns ordinals and distances of the best words of a segment; of equal ones, the first in order."""
    places = np.arange(len(pool.words))
    if count < len(places):
        scores = words.doc_freqs[pool.words]
        if pool.distances.any():
            scores = scores * np.uint64(_SCALE) // (pool.distances + np.uint64(1))
        # Two passes over the scores are faster than one that orders them by alphabet as well.
        worst = np.partition(scores, len(scores) - count)[len(scores) - count]
        better = np.flatnonzero(scores > worst)
        places = np.concatenate([better, np.flatnonzero(scores == worst)[: count - len(better)]])
    return list(zip(pool.words[places].tolist(), pool.distances[places].tolist(), strict=True))


def _everywhere(snapshot: Snapshot, given: list[list[tuple[int, int]]]) -> list[SpellingCandidate]:
    """Returns the words given by any segment with their frequencies in all of them, best first."""
    distances: dict[bytes, int] = {}
    ordinals: list[dict[bytes, int]] = []
    for segment, own in zip(snapshot.segments, given, strict=True):
        vocabulary = segment.reader.words.vocabulary
        named = {vocabulary.spelling(ordinal): (ordinal, distance) for ordinal, distance in own}
        ordinals.append({spelling: ordinal for spelling, (ordinal, _) in named.items()})
        distances.update((spelling, distance) for spelling, (_, distance) in named.items())
    found = []
    for spelling, distance in distances.items():
        doc_freq = 0
        for segment, known in zip(snapshot.segments, ordinals, strict=True):
            ordinal = known.get(spelling, -1)
            ordinal = _find_word(segment.reader.words, spelling) if ordinal < 0 else ordinal
            doc_freq += _count_in(segment, ordinal)
        if doc_freq:
            found.append(SpellingCandidate(spelling.decode("utf-8", "replace"), distance, doc_freq))
    return sorted(found, key=lambda entry: (-entry.score, entry.distance, entry.word))


def is_alive(snapshot: Snapshot, word: str) -> bool:
    """Says whether a chunk that is not deleted has a word, or another form of it."""
    spelling = word.encode("utf-8", "replace")
    return any(_count_in(s, _find_word(s.reader.words, spelling)) for s in snapshot.segments)


def _find_word(words: WordDictionary, spelling: bytes) -> int:
    """Returns the ordinal of a word, -1 when the segment does not have it."""
    ordinal, stop = words.vocabulary.prefix_range(spelling)
    is_there = ordinal < stop and words.vocabulary.spelling(ordinal) == spelling
    return ordinal if is_there else -1


def _count_in(segment: LiveSegment, ordinal: int) -> int:
    """Returns in how many chunks a word occurs in this very form; 0 when all of them are deleted."""
    if ordinal < 0:
        return 0
    words = segment.reader.words
    doc_freq = int(words.doc_freqs[ordinal])
    # A word that more chunks have than are deleted is surely alive; to count is to read its list.
    if segment.live is None or doc_freq > segment.deleted_count:
        return doc_freq
    return min(doc_freq, live_doc_freq(segment, int(words.terms[ordinal])))


def in_ranges(ranges: U32) -> U32:
    """Returns all ordinals of half-open ranges, [ranges, 2]."""
    starts = ranges[:, 0].astype(np.int64)
    sizes = ranges[:, 1].astype(np.int64) - starts
    before = np.cumsum(sizes) - sizes
    ordinals: U32 = (np.arange(int(sizes.sum())) + np.repeat(starts - before, sizes)).astype(np.uint32)
    return ordinals
