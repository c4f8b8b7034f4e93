"""Counts how many clauses each row has, a window of rows at a time, bit by bit for 64 rows at once."""

from libc.stdint cimport int64_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport malloc
from libc.string cimport memcpy, memset

from .posting_lists cimport WINDOW, Clause, List, lowest_bit, seek

cdef enum:
    WINDOW_WORDS = 128  # of 64 bits, one per row
    COUNT_PLANES = 15  # bits of a count
    LOOK_UP = 16  # postings that can be counted in the time one row is looked up in a clause


# What the counting of clauses works in, a window at a time. Counts lie in planes, bit by bit: a plane has one
# bit of the counts of all rows, so that 64 rows are counted at once.
cdef struct Counting:
    uint64_t marks[WINDOW_WORDS]  # a bit for each row that has the clause being added; then what is carried
    uint64_t planes[COUNT_PLANES][WINDOW_WORDS]
    int clause_count, counted  # the clauses after the first `counted` are only looked up
    int plane_count
    int64_t least
    uint32_t rows[WINDOW]  # those of the window that have enough clauses, and how many
    uint16_t counts[WINDOW]


cdef inline Counting* begin_counting(Clause* clauses, int clause_count, Py_ssize_t least) except NULL:
    """Returns room for counting, to be freed, and decides which clauses are counted; those with fewest postings come first.

    A row with `least` of n clauses has one of the first n - least + 1: the rest need only be looked up for
    those rows. Counting a posting is that much cheaper that it is worth it all the same while there are few.
    """
    cdef Counting* counting
    cdef double candidates = 0.0
    cdef int c
    if clause_count >> COUNT_PLANES:
        raise ValueError(f"{clause_count} clauses are too many to count")
    counting = <Counting*>malloc(sizeof(Counting))
    if counting == NULL:
        raise MemoryError
    counting.least, counting.clause_count = max(least, 1), clause_count
    counting.counted = <int>max(clause_count - counting.least + 1, 0)
    for c in range(counting.counted):
        candidates += clauses[c].postings
    while (0 < counting.counted < clause_count
            and clauses[counting.counted].postings < LOOK_UP * candidates):
        counting.counted += 1
    return counting


cdef inline void mark_clause(Counting* counting, Clause* clause, List* lists, uint32_t base, uint32_t span) noexcept nogil:
    """Marks the rows of a window that any list of a clause has."""
    cdef uint32_t at, offset
    cdef List* entry
    cdef int i
    memset(counting.marks, 0, sizeof(counting.marks))
    for i in range(clause.first_list, clause.first_list + clause.list_count):
        entry = &lists[i]
        at = entry.at
        while at < entry.size:
            offset = entry.rows[at] - base
            if offset >= span:
                break
            counting.marks[offset >> 6] |= <uint64_t>1 << (offset & 63)
            at += 1
        entry.at = at


cdef inline void add_marks(Counting* counting, int before) noexcept nogil:
    """Adds one to the count of each marked row; no row was marked more than `before` times."""
    cdef uint64_t carried
    cdef int plane = 0, word
    while before:
        for word in range(WINDOW_WORDS):
            carried = counting.planes[plane][word] & counting.marks[word]
            counting.planes[plane][word] ^= counting.marks[word]
            counting.marks[word] = carried
        before >>= 1
        plane += 1
    memcpy(counting.planes[plane], counting.marks, sizeof(counting.marks))
    counting.plane_count = plane + 1


cdef inline uint64_t counted_enough(const Counting* counting, int word, uint32_t least) noexcept nogil:
    """Returns a bit for each of 64 rows that was counted at least so often."""
    cdef uint64_t more = 0, same = ~<uint64_t>0, bits
    cdef int plane
    if least >> counting.plane_count:
        return 0
    for plane in range(counting.plane_count - 1, -1, -1):
        bits = counting.planes[plane][word]
        if least >> plane & 1:
            same &= bits
        else:
            more |= same & bits
            same &= ~bits
    return more | same


cdef inline uint32_t count_window(Counting* counting, Clause* clauses, List* lists, uint32_t base,
                           uint32_t span) noexcept nogil:
    """Finds the rows of a window that have enough clauses, ascending; returns how many there are."""
    cdef int c, word, plane
    cdef uint32_t kept = 0, offset, count
    cdef uint64_t bits
    # Those not counted may all be there.
    cdef uint32_t least = <uint32_t>(counting.least - (counting.clause_count - counting.counted))
    for c in range(counting.counted):
        mark_clause(counting, &clauses[c], lists, base, span)
        add_marks(counting, c)
    for word in range(WINDOW_WORDS):
        bits = counted_enough(counting, word, least)
        while bits:
            offset = lowest_bit(bits)
            bits &= bits - 1
            count = 0
            for plane in range(counting.plane_count):
                count |= <uint32_t>(counting.planes[plane][word] >> offset & 1) << plane
            offset += base + 64 * word
            for c in range(counting.counted, counting.clause_count):
                if count + counting.clause_count - c < counting.least:
                    break
                count += seek(&clauses[c], lists, offset) == offset
            if count >= counting.least:
                counting.rows[kept], counting.counts[kept] = offset, <uint16_t>count
                kept += 1
    return kept
