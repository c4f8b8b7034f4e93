# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Compiled twin of `reference/word_merging.py`: one pass over sorted dictionaries."""

import numpy as np

from dowse.kernels.layout import WordArrays

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memcpy

cdef enum:
    DROPPED = 0xFFFFFFFF


cdef struct Source:
    const uint64_t* offsets
    const uint8_t* spellings
    const uint32_t* terms
    const uint32_t* doc_freqs
    const uint32_t* sounds
    Py_ssize_t count
    # The word that comes next: its place, its first eight bytes as one number, and itself.
    Py_ssize_t at
    uint64_t prefix
    const uint8_t* word
    Py_ssize_t size


cdef int check(const uint64_t[::1] offsets, Py_ssize_t size) except -1:
    cdef Py_ssize_t i, count = offsets.shape[0]
    cdef bint ascends = count > 0 and offsets[count - 1] <= <uint64_t>size
    if ascends:
        for i in range(1, count):
            ascends = ascends and offsets[i - 1] <= offsets[i]
    if not ascends:
        raise ValueError("offsets must ascend and lie inside of the spellings")
    return 0


cdef inline int compare(
    const uint8_t* one, Py_ssize_t one_size, const uint8_t* other, Py_ssize_t other_size
) noexcept nogil:
    """Orders spellings bytewise; a prefix comes first."""
    cdef int order = memcmp(one, other, min(one_size, other_size))
    if order != 0:
        return order
    return (one_size > other_size) - (one_size < other_size)


def map_terms(
    const uint64_t[::1] offsets not None, const uint8_t[::1] spellings not None,
    const uint64_t[::1] new_offsets not None, const uint8_t[::1] new_spellings not None
):
    check(offsets, spellings.shape[0])
    check(new_offsets, new_spellings.shape[0])
    cdef Py_ssize_t count = offsets.shape[0] - 1, new_count = new_offsets.shape[0] - 1, i, at = 0
    cdef const uint8_t* texts = &spellings[0] if spellings.shape[0] else NULL
    cdef const uint8_t* new_texts = &new_spellings[0] if new_spellings.shape[0] else NULL
    cdef int order
    found = np.empty(count, np.uint32)
    cdef uint32_t[::1] out = found
    with nogil:
        for i in range(count):
            order = -1
            while at < new_count:
                order = compare(
                    texts + offsets[i], offsets[i + 1] - offsets[i],
                    new_texts + new_offsets[at], new_offsets[at + 1] - new_offsets[at],
                )
                if order <= 0:
                    break
                at += 1
            out[i] = <uint32_t>at if order == 0 and at < new_count else <uint32_t>DROPPED
    return found


cdef void settle(Source* source) noexcept nogil:
    """Goes to the next word that is kept, from where the source stands."""
    cdef Py_ssize_t k
    while source.at < source.count and source.terms[source.at] == <uint32_t>DROPPED:
        source.at += 1
    if source.at >= source.count:
        return
    source.word = source.spellings + source.offsets[source.at]
    source.size = source.offsets[source.at + 1] - source.offsets[source.at]
    source.prefix = 0
    for k in range(8):
        source.prefix = source.prefix << 8 | (source.word[k] if k < source.size else 0)


cdef inline bint is_before(const Source* one, const Source* other) noexcept nogil:
    """Orders the next words of two sources by spelling, then by term."""
    cdef int order
    if one.prefix != other.prefix:
        return one.prefix < other.prefix
    order = compare(one.word, one.size, other.word, other.size)
    if order != 0:
        return order < 0
    return one.terms[one.at] < other.terms[other.at]


def merge_words(list sources not None):
    cdef Py_ssize_t count = len(sources), i, words = 0, total_bytes = 0
    cdef const uint64_t[::1] offsets
    cdef const uint8_t[::1] spellings
    cdef const uint32_t[::1] terms, doc_freqs
    cdef const uint32_t[:, ::1] sounds
    cdef Source* heads = <Source*>malloc((count + 1) * sizeof(Source))
    if not heads:
        raise MemoryError
    try:
        for i in range(count):
            offsets, spellings, terms, doc_freqs, sounds = sources[i]
            check(offsets, spellings.shape[0])
            heads[i].count = offsets.shape[0] - 1
            if not heads[i].count == terms.shape[0] == doc_freqs.shape[0] == sounds.shape[0]:
                raise ValueError("there must be a term, a frequency and sounds for each word")
            if heads[i].count and sounds.shape[1] != 2:
                raise ValueError("a word has two sounds")
            heads[i].at = 0
            if heads[i].count:
                heads[i].offsets = &offsets[0]
                heads[i].spellings = &spellings[0] if spellings.shape[0] else NULL
                heads[i].terms, heads[i].doc_freqs = &terms[0], &doc_freqs[0]
                heads[i].sounds = &sounds[0, 0]
            words += heads[i].count
            total_bytes += spellings.shape[0]
        return merged(heads, count, words, total_bytes)
    finally:
        free(heads)


cdef object merged(Source* heads, Py_ssize_t count, Py_ssize_t words, Py_ssize_t total_bytes):
    """Takes the first of the next words until there is none left."""
    new_offsets, new_bytes = np.zeros(words + 1, np.uint64), np.empty(total_bytes, np.uint8)
    new_terms, new_freqs = np.empty(words, np.uint32), np.empty(words, np.uint32)
    new_sounds = np.empty((words, 2), np.uint32)
    cdef uint64_t[::1] offsets = new_offsets
    cdef uint8_t[::1] spellings = new_bytes
    cdef uint32_t[::1] terms = new_terms, freqs = new_freqs
    cdef uint32_t[:, ::1] sounds = new_sounds
    cdef Py_ssize_t i, n = 0, used = 0
    cdef Source* best
    cdef const uint8_t* word = NULL
    with nogil:
        for i in range(count):
            settle(&heads[i])
        while True:
            best = NULL
            for i in range(count):
                if heads[i].at < heads[i].count and (best == NULL or is_before(&heads[i], best)):
                    best = &heads[i]
            if best == NULL:
                break
            if (
                n > 0 and terms[n - 1] == best.terms[best.at]
                and compare(word, used - offsets[n - 1], best.word, best.size) == 0
            ):
                freqs[n - 1] += best.doc_freqs[best.at]
            else:
                if best.size:
                    memcpy(&spellings[used], best.word, best.size)
                terms[n], freqs[n] = best.terms[best.at], best.doc_freqs[best.at]
                sounds[n, 0], sounds[n, 1] = best.sounds[2 * best.at], best.sounds[2 * best.at + 1]
                word = best.word
                used += best.size
                n += 1
                offsets[n] = used
            best.at += 1
            settle(best)
    return WordArrays(
        new_offsets[: n + 1].copy(), new_bytes[:used].copy(), new_terms[:n].copy(),
        new_freqs[:n].copy(), new_sounds[:n].copy(),
    )
