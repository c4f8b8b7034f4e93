"""What a posting list is to the kernels: where its rows are, and how to find one of them.

Everything here is inline, so that each loop that uses it is compiled with it.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

cdef extern from *:
    """
    #if defined(_MSC_VER)
    #include <intrin.h>
    static int lowest_bit(unsigned long long bits) {
        unsigned long at;
        _BitScanForward64(&at, bits);
        return (int)at;
    }
    #define fetch_soon(address)
    #else
    #define lowest_bit __builtin_ctzll
    #define fetch_soon(address) __builtin_prefetch(address)
    #endif
    /* Sums are compared with bounds that were added in another order; this covers the rounding. */
    #define SLACK (1.0 + 1e-9)
    /* Above every row. */
    #define NO_ROW ((uint64_t)1 << 40)
    """
    int lowest_bit(unsigned long long bits) noexcept nogil
    void fetch_soon(const void* address) noexcept nogil
    double SLACK
    uint64_t NO_ROW

cdef enum:
    AT_ONCE = 8  # rows that are compared with a target without a branch
    WINDOW = 8192  # rows that are scored or counted together: their sums stay in the first-level cache
    FIELD_SLOTS = 8


cdef struct List:
    const uint32_t* rows
    const uint8_t* freqs
    const uint8_t* buckets
    const double* table
    const double* values  # instead of frequencies and a table: what each row gets
    uint32_t table_rows
    uint32_t size
    uint32_t at
    uint8_t max_freq
    uint8_t min_bucket


# What is scored as one: a term or a phrase in some fields, or a list that brings its own values.
cdef struct Group:
    double weight
    double saturation
    double bound  # the most it can give a row
    double rest  # sum of the bounds of this group and all later ones
    int first_list
    int list_count


# What a row must have, or must not: any of some lists.
cdef struct Clause:
    uint64_t postings  # in all its lists
    int first_list
    int list_count


cdef inline uint32_t gallop(const uint32_t* rows, uint32_t start, uint32_t size, uint32_t target) noexcept nogil:
    """Returns the first index at or after `start` whose row is not below `target`.

    The last rows are compared all at once, without a branch: most targets are near, and which of some rows
    is the first one cannot be predicted.
    """
    cdef uint32_t step = AT_ONCE, low = start, high, middle, below = 0, i
    while low + step < size and rows[low + step] < target:
        low += step
        step += step
    high = low + step if low + step < size else size
    while high - low > AT_ONCE:
        middle = (low + high) >> 1
        if rows[middle] < target:
            low = middle + 1
        else:
            high = middle
    if low + AT_ONCE <= size:
        for i in range(AT_ONCE):
            below += rows[low + i] < target
    else:
        for i in range(low, size):
            below += rows[i] < target
    return low + below


cdef inline double table_value(List* entry, uint32_t posting, uint32_t row) noexcept nogil:
    if entry.values != NULL:
        return entry.values[posting]
    cdef uint32_t freq = entry.freqs[posting]
    if freq >= entry.table_rows:
        freq = entry.table_rows - 1
    return entry.table[256 * <size_t>freq + entry.buckets[row]]


cdef inline void advance(List* lists, int count, uint32_t base) noexcept nogil:
    """Moves lists to the first row of a window."""
    cdef int i
    for i in range(count):
        if lists[i].at < lists[i].size and lists[i].rows[lists[i].at] < base:
            lists[i].at = gallop(lists[i].rows, lists[i].at, lists[i].size, base)


cdef inline double look_up(Group* group, List* lists, uint32_t row, bint moves) noexcept nogil:
    """Returns what a group gives one row of the window its lists stand at.

    With `moves` the lists stay where they were found: for rows that come in ascending order.
    """
    cdef double part = 0.0
    cdef uint32_t at
    cdef int i
    for i in range(group.first_list, group.first_list + group.list_count):
        if lists[i].at == lists[i].size:
            continue
        at = gallop(lists[i].rows, lists[i].at, lists[i].size, row)
        if moves:
            lists[i].at = at
        if at < lists[i].size and lists[i].rows[at] == row:
            part += table_value(&lists[i], at, row)
    if part == 0.0:
        return 0.0
    if group.list_count == 1:
        return group.weight * part
    return group.weight * (part / (part + group.saturation))


cdef inline uint64_t seek(Clause* clause, List* lists, uint64_t row) noexcept nogil:
    """Moves a clause's lists to a row; returns the first row at or after it that any of them has."""
    cdef uint64_t nearest = NO_ROW
    cdef List* entry
    cdef int i
    for i in range(clause.first_list, clause.first_list + clause.list_count):
        entry = &lists[i]
        if entry.at < entry.size and entry.rows[entry.at] < row:
            entry.at = gallop(entry.rows, entry.at, entry.size, <uint32_t>row)
        if entry.at < entry.size and entry.rows[entry.at] < nearest:
            nearest = entry.rows[entry.at]
    return nearest


cdef inline Py_ssize_t add_freqs(List* entry, uint8_t* sums, uint64_t* seen, uint32_t row_count) noexcept nogil:
    """Adds a list's frequencies row by row, saturating, and marks its rows; returns how many were not marked."""
    cdef uint32_t p, row, freq
    cdef uint64_t bit
    cdef Py_ssize_t fresh = 0
    for p in range(entry.size):
        row = entry.rows[p]
        if row >= row_count:
            break
        freq = <uint32_t>sums[row] + entry.freqs[p]
        sums[row] = <uint8_t>(freq if freq < 255 else 255)
        bit = <uint64_t>1 << (row & 63)
        fresh += not seen[row >> 6] & bit
        seen[row >> 6] |= bit
    return fresh


cdef inline void take_marked(const uint8_t* sums, const uint64_t* seen, Py_ssize_t words, Py_ssize_t size, uint32_t* rows,
                      uint8_t* freqs) noexcept nogil:
    """Writes out the marked rows, ascending, with their sums; room for `size` of them."""
    cdef Py_ssize_t word, kept = 0
    cdef uint64_t bits
    cdef uint32_t row
    for word in range(words):
        bits = seen[word]
        while bits and kept < size:
            row = <uint32_t>(64 * word + lowest_bit(bits))
            bits &= bits - 1
            rows[kept], freqs[kept] = row, sums[row]
            kept += 1
