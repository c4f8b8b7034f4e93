"""Rows where words stand one after the other: those that have all words, then their positions."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t

from .positions cimport SKIP_EVERY, Cursor, PositionBytes, block_start, read_positions
from .posting_lists cimport List, fetch_soon, gallop

cdef enum:
    BLOCK_MATCHES = 256  # rows of a phrase's rarest word that are looked up in the others before positions are read
    TOGETHER = 16  # of those rows that are looked up at the same time
    FAR = 16  # how many times as long a list is in which they are
    SOON = 4  # rows by which the memory of positions is asked for in advance


cdef struct Word:
    List postings
    Cursor cursor
    uint32_t* met  # its postings in rows that have all words
    uint32_t shift  # its place in the phrase


# The words of a phrase in one field, rarest first.
cdef struct PhraseTerms:
    Word* entries
    int count


cdef inline uint32_t intersect_block(PhraseTerms* words, uint32_t* first) noexcept nogil:
    """Takes the next rows of the rarest word and keeps those that all words have; returns how many.

    One word after the other, without a branch for what is kept: whether a row has a word cannot be predicted.
    """
    cdef Word* entries = words.entries
    cdef const uint32_t* own_rows = entries[0].postings.rows
    cdef uint32_t matches = min(entries[0].postings.size - first[0], <uint32_t>BLOCK_MATCHES), kept, m, at, row, count
    cdef uint32_t[TOGETHER] targets
    cdef uint32_t[TOGETHER] places
    cdef List* entry
    cdef int i, j
    cdef bint is_far
    for m in range(matches):
        entries[0].met[m] = first[0] + m
    first[0] += matches
    for i in range(1, words.count):
        entry, kept = &entries[i].postings, 0
        is_far = entry.size // FAR > entries[0].postings.size
        for m in range(matches):
            row = own_rows[entries[0].met[m]]
            if is_far:
                if m % TOGETHER == 0:
                    count = min(matches - m, <uint32_t>TOGETHER)
                    for j in range(<int>count):
                        targets[j] = own_rows[entries[0].met[m + j]]
                    find_rows(entry, targets, count, places)
                at = places[m % TOGETHER]
            else:
                if entry.at < entry.size and entry.rows[entry.at] < row:
                    entry.at = gallop(entry.rows, entry.at, entry.size, row)
                at = entry.at
            if at == entry.size:
                break
            for j in range(i):
                entries[j].met[kept] = entries[j].met[m]
            entries[i].met[kept] = at
            kept += entry.rows[at] == row
        matches = kept
    return matches


cdef inline void find_rows(List* entry, const uint32_t* targets, uint32_t count, uint32_t* places) noexcept nogil:
    """Finds, from where the list stands on, the first row not below each of some ascending targets.

    All are looked for together, in halves of the same size: their reads do not wait for each other, so
    memory that is in no cache is waited for once, not once for each target.
    """
    cdef const uint32_t* rows = entry.rows
    cdef uint32_t stop = gallop(rows, entry.at, entry.size, targets[count - 1])
    cdef uint32_t left = stop - entry.at, half, i
    for i in range(count):
        places[i] = entry.at
    while left:
        half = (left + 1) >> 1
        for i in range(count):
            places[i] += half if rows[places[i] + half - 1] < targets[i] else 0
        left -= half
    entry.at = stop


cdef inline void fetch_positions(const PositionBytes* positions, PhraseTerms* words, uint32_t match, uint32_t matches) noexcept nogil:
    """Asks for the memory of a coming match's positions, which is then there when they are read.

    Where they begin is asked for even sooner.
    """
    cdef const uint8_t* block
    cdef Word* entry
    cdef int i
    if match + SOON < matches:
        for i in range(words.count):
            entry = &words.entries[i]
            fetch_soon(entry.cursor.skips + 4 * <size_t>(entry.met[match + SOON] // SKIP_EVERY))
    if match < matches:
        for i in range(words.count):
            block = positions.start + block_start(&words.entries[i].cursor, words.entries[i].met[match])
            fetch_soon(block)
            fetch_soon(block + 64)


cdef inline uint32_t find_phrase_rows(const PositionBytes* positions, PhraseTerms* words, uint16_t* starts, uint16_t* others,
                                      uint32_t* out_rows, uint8_t* out_freqs) noexcept nogil:
    """Looks at the rows of the first word, the rarest one; returns how many rows have the phrase."""
    cdef uint32_t first = 0, kept = 0, matches, m
    cdef Word* entries = words.entries
    cdef int i
    cdef Py_ssize_t alive
    while first < entries[0].postings.size:
        matches = intersect_block(words, &first)
        for m in range(SOON):
            fetch_positions(positions, words, m, matches)
        for m in range(matches):
            fetch_positions(positions, words, m + SOON, matches)
            alive = read_positions(positions, &entries[0].cursor, entries[0].met[m], starts)
            alive = shift_back(starts, alive, entries[0].shift)
            for i in range(1, words.count):
                if not alive:
                    break
                alive = keep_common(starts, alive, others, read_positions(positions, 
                    &entries[i].cursor, entries[i].met[m], others), entries[i].shift)
            if alive:
                out_rows[kept] = entries[0].postings.rows[entries[0].met[m]]
                out_freqs[kept] = <uint8_t>(alive if alive < 255 else 255)
                kept += 1
    return kept


cdef inline Py_ssize_t shift_back(uint16_t* positions, Py_ssize_t count, uint32_t shift) noexcept nogil:
    """Turns a word's positions into those where its phrase would start; drops impossible ones."""
    cdef Py_ssize_t i, kept = 0
    for i in range(count):
        if positions[i] >= shift:
            positions[kept] = <uint16_t>(positions[i] - shift)
            kept += 1
    return kept


cdef inline Py_ssize_t keep_common(uint16_t* starts, Py_ssize_t count, const uint16_t* others,
                            Py_ssize_t other_count, uint32_t shift) noexcept nogil:
    """Keeps the starts that have a partner in `others` exactly `shift` later."""
    cdef Py_ssize_t i = 0, j = 0, kept = 0
    while i < count and j < other_count:
        if starts[i] + shift < others[j]:
            i += 1
        elif starts[i] + shift > others[j]:
            j += 1
        else:
            starts[kept] = starts[i]
            kept += 1
            i += 1
            j += 1
    return kept
