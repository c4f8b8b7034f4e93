"""Runs of a query's words in a row, in the query's order and at its distances, around its rarest word."""

from libc.stdint cimport int64_t, uint16_t, uint32_t

from .phrases cimport PhraseTerms, Word
from .positions cimport PositionBytes, read_positions
from .posting_lists cimport List, gallop


# Room for one row: where the rarest word stands, where another does, and how far n-grams go.
cdef struct NgramWorkspace:
    uint16_t* starts
    uint16_t* others
    uint32_t* alive  # which of the starts go on so far
    uint32_t* first  # the first word of the n-gram around each start


cdef inline double best_ngram(const PositionBytes* positions, PhraseTerms* words, Py_ssize_t rarest, int least,
                              uint32_t row, const double* sums, NgramWorkspace* room) noexcept nogil:
    """Returns the most that a run of one row gives, 0 without one; rows must ascend."""
    cdef Py_ssize_t i, k, size = places_in(positions, &words.entries[rarest], row, room.starts), alive = size
    cdef double best = 0.0
    for k in range(size):
        room.alive[k], room.first[k] = <uint32_t>k, <uint32_t>rarest
    i = rarest
    while alive and i:
        i -= 1
        alive = follow(positions, words, rarest, i, row, room, alive)
        for k in range(alive):
            room.first[room.alive[k]] = <uint32_t>i
    alive = size
    for k in range(size):
        room.alive[k] = <uint32_t>k
    i = rarest
    while alive:
        for k in range(alive):
            if i - <Py_ssize_t>room.first[room.alive[k]] + 1 >= least:
                best = max(best, sums[i + 1] - sums[room.first[room.alive[k]]])
        i += 1
        alive = follow(positions, words, rarest, i, row, room, alive) if i < words.count else 0
    return best

cdef inline Py_ssize_t follow(const PositionBytes* positions, PhraseTerms* words, Py_ssize_t rarest, Py_ssize_t other,
                              uint32_t row, NgramWorkspace* room, Py_ssize_t alive) noexcept nogil:
    """Keeps alive what has another word as far from the rarest as the query has it; returns how many."""
    cdef Py_ssize_t k, at = 0, kept = 0, size = places_in(positions, &words.entries[other], row, room.others)
    cdef int64_t distance = <int64_t>words.entries[other].shift - words.entries[rarest].shift, wanted
    for k in range(alive):
        wanted = room.starts[room.alive[k]] + distance
        while at < size and room.others[at] < wanted:
            at += 1
        if at < size and room.others[at] == wanted:
            room.alive[kept] = room.alive[k]
            kept += 1
    return kept

cdef inline Py_ssize_t places_in(const PositionBytes* positions, Word* word, uint32_t row, uint16_t* out) noexcept nogil:
    """Reads a word's positions in a row that is not before the one read last; returns how many."""
    cdef List* own = &word.postings
    if own.at < own.size and own.rows[own.at] < row:
        own.at = gallop(own.rows, own.at, own.size, row)
    if own.at >= own.size or own.rows[own.at] != row:
        return 0
    return read_positions(positions, &word.cursor, own.at, out)
