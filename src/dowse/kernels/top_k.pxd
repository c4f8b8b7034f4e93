"""The best rows of a query: a heap of them, and the scoring of a query that has one group only."""

from libc.math cimport INFINITY
from libc.stdint cimport uint8_t, uint32_t, uint64_t

from .posting_lists cimport List, NO_ROW, gallop, table_value


cdef struct Best:
    double score
    uint32_t row


# The best rows of a query that scores one thing only, and what that thing must have to get into it.
cdef struct TopK:
    Best* heap
    int k, found
    double floor, threshold
    double weight, saturation
    bint is_finished  # the tables' values are not saturated again
    double least  # a row whose fields add up to less cannot enter
    double known  # the `least` that `least_freq` was found for
    uint32_t least_freq  # a row of the longest list that has it less often cannot enter by it alone


cdef inline bint is_worse(Best* left, Best* right) noexcept nogil:
    return left.score < right.score or (left.score == right.score and left.row > right.row)


cdef inline void sift_down(Best* heap, int size, int at) noexcept nogil:
    cdef int child
    cdef Best moved = heap[at]
    while True:
        child = 2 * at + 1
        if child >= size:
            break
        if child + 1 < size and is_worse(&heap[child + 1], &heap[child]):
            child += 1
        if not is_worse(&heap[child], &moved):
            break
        heap[at] = heap[child]
        at = child
    heap[at] = moved


cdef inline void push(Best* heap, int* size, int capacity, double score, uint32_t row) noexcept nogil:
    """Keeps the best `capacity` entries; the worst is at the root."""
    cdef int at, parent
    cdef Best entry
    entry.score = score
    entry.row = row
    if size[0] < capacity:
        at = size[0]
        size[0] += 1
        while at:
            parent = (at - 1) >> 1
            if not is_worse(&entry, &heap[parent]):
                break
            heap[at] = heap[parent]
            at = parent
        heap[at] = entry
    elif is_worse(&heap[0], &entry):
        heap[0] = entry
        sift_down(heap, size[0], 0)


cdef inline void update_threshold(TopK* top) noexcept nogil:
    """Works out what a row must have at least; a little less, so that rounding loses nothing."""
    cdef double share = top.threshold / top.weight * (1.0 - 1e-9)
    if share <= 0.0:
        top.least = 0.0
    elif top.is_finished:
        top.least = share
    elif share >= 1.0:
        top.least = INFINITY
    else:
        top.least = share * top.saturation / (1.0 - share) * (1.0 - 1e-9)


cdef inline void collect(TopK* top, double part, uint32_t row) noexcept nogil:
    """Keeps a row if it is good enough."""
    cdef double score
    if top.is_finished:
        score = top.weight * part
    else:
        score = top.weight * (part / (part + top.saturation))
    if score > top.floor and score >= top.threshold:
        push(top.heap, &top.found, top.k, score, row)
        if top.found == top.k:
            top.threshold = top.heap[0].score
            update_threshold(top)


cdef inline uint64_t collect_run(TopK* top, List* entry, uint32_t stop, const uint8_t* mask,
                        uint32_t row_count) noexcept nogil:
    """Offers the rows of a list up to an index, which no other list has; returns how many there were.

    Most rows of a long list have a frequency that cannot get them in however short they are. Those cost one
    comparison: neither their length nor, without a mask, their number is looked at.
    """
    cdef uint32_t at = entry.at, row, freq, least_freq = top.least_freq
    cdef uint64_t matched = stop - at
    cdef double part
    while at < stop:
        if top.least != top.known:
            top.known = top.least
            while least_freq < entry.table_rows and (
                    entry.table[256 * <size_t>least_freq + entry.min_bucket] < top.least):
                least_freq += 1
            if least_freq == entry.table_rows:
                least_freq = 256
            top.least_freq = least_freq
        freq = entry.freqs[at]
        if freq < least_freq and mask == NULL:
            at += 1
            continue
        row = entry.rows[at]
        if row >= row_count:
            break
        if mask != NULL and not mask[row]:
            matched -= 1
        elif freq >= least_freq:
            if freq >= entry.table_rows:
                freq = entry.table_rows - 1
            part = entry.table[256 * <size_t>freq + entry.buckets[row]]
            if part >= top.least:
                collect(top, part, row)
        at += 1
    matched -= stop - at
    entry.at = stop
    return matched


cdef inline uint64_t collect_valued(TopK* top, List* entry, const uint8_t* mask, uint32_t row_count) noexcept nogil:
    """Offers the rows of a list that brings its own values; returns how many there were."""
    cdef uint64_t matched = 0
    cdef uint32_t at, row
    for at in range(entry.size):
        row = entry.rows[at]
        if row >= row_count:
            break
        if mask == NULL or mask[row]:
            matched += 1
            if entry.values[at] >= top.least:
                collect(top, entry.values[at], row)
    return matched


cdef inline uint64_t collect_merged(TopK* top, List* lists, int count, const uint8_t* mask,
                           uint32_t row_count) noexcept nogil:
    """Offers the rows of several lists, one a field; returns how many there were.

    The longest list is taken in runs, from one row that another list has to the next.
    """
    cdef uint64_t matched = 0, row
    cdef uint32_t stop
    cdef int i, main_list = 0
    cdef double part
    for i in range(1, count):
        if lists[i].size >= lists[main_list].size:
            main_list = i
    while True:
        row = NO_ROW
        for i in range(count):
            if i != main_list and lists[i].at < lists[i].size and lists[i].rows[lists[i].at] < row:
                row = lists[i].rows[lists[i].at]
        if row >= row_count:
            return matched + collect_run(top, &lists[main_list], lists[main_list].size, mask, row_count)
        if lists[main_list].at < lists[main_list].size:
            stop = lists[main_list].at
            if lists[main_list].rows[stop] < row:
                stop = gallop(lists[main_list].rows, stop, lists[main_list].size, <uint32_t>row)
            matched += collect_run(top, &lists[main_list], stop, mask, row_count)
        part = 0.0
        for i in range(count):
            if lists[i].at < lists[i].size and lists[i].rows[lists[i].at] == row:
                part += table_value(&lists[i], lists[i].at, <uint32_t>row)
                lists[i].at += 1
        if mask == NULL or mask[row]:
            matched += 1
            if part >= top.least:
                collect(top, part, <uint32_t>row)
