"""Dictionaries of words become one, when their segments do."""

from itertools import pairwise

import numpy as np

from dowse.kernels.layout import DROPPED, U8, U32, U64, WordArrays


def map_terms(offsets: U64, spellings: U8, new_offsets: U64, new_spellings: U8) -> U32:
    """Returns the place of each term of one dictionary in another; `DROPPED` when it is not there.

    Caller guarantees: both are sorted bytewise, without repetition.

    Raises:
        ValueError: Offsets do not ascend or lie outside of the spellings.
    """
    places = {term: place for place, term in enumerate(_spellings(new_offsets, new_spellings))}
    found = [places.get(term, DROPPED) for term in _spellings(offsets, spellings)]
    return np.array(found, np.uint32)


def merge_words(sources: list[WordArrays]) -> WordArrays:
    """Joins words by spelling and term; their frequencies are added, `DROPPED` terms left out.

    Caller guarantees: each source is sorted by spelling, then by term, and equal words have equal sounds.

    Raises:
        ValueError: Offsets do not ascend or lie outside of the spellings, or a column is too short.
    """
    frequencies: dict[tuple[bytes, int], int] = {}
    sounds: dict[bytes, list[int]] = {}
    for source in sources:
        words = _spellings(source.word_offsets, source.word_bytes)
        if not len(words) == len(source.word_terms) == len(source.word_doc_freq) == len(source.word_sounds):
            raise ValueError("there must be a term, a frequency and sounds for each word")
        columns = source.word_terms.tolist(), source.word_doc_freq.tolist(), source.word_sounds.tolist()
        for word, term, doc_freq, codes in zip(words, *columns, strict=True):
            if term != DROPPED:
                frequencies[word, term] = frequencies.get((word, term), 0) + doc_freq
                sounds.setdefault(word, codes)
    names = sorted(frequencies)
    offsets = np.cumsum([0, *(len(word) for word, _ in names)], dtype=np.uint64)
    return WordArrays(
        offsets,
        np.frombuffer(b"".join(word for word, _ in names), np.uint8),
        np.array([term for _, term in names], np.uint32),
        np.array([frequencies[name] & 0xFFFFFFFF for name in names], np.uint32),
        np.array([sounds[word] for word, _ in names], np.uint32).reshape(-1, 2),
    )


def _spellings(offsets: U64, spellings: U8) -> list[bytes]:
    ends = offsets.tolist()
    if not ends or ends[-1] > len(spellings) or any(end < start for start, end in pairwise(ends)):
        raise ValueError("offsets must ascend and lie inside of the spellings")
    raw = spellings.tobytes()
    return [raw[start:end] for start, end in pairwise(ends)]
