"""Compiled twin of `reference/postings.py`: look up, score, and check positions in one segment.

Scoring walks the segment in windows of rows small enough that the accumulators stay in the first-level
cache, and keeps the terms that can still lift a new row into the answer (*essential*, in the sense of
MaxScore: Turtle and Flood 1995) apart from those that can only add to rows already seen.
"""

import numpy as np

from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcmp, memcpy, memset

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
    """
    int lowest_bit(unsigned long long bits) noexcept nogil
    void fetch_soon(const void* address) noexcept nogil

cdef enum:
    SKIP_EVERY = 64
    AT_ONCE = 8  # rows that are compared with a target without a branch
    WINDOW = 8192
    WINDOW_WORDS = 128  # of 64 bits, one a row
    MAX_POSITIONS = 65536
    MAX_LOOSE_WORDS = 64
    MAX_SPARE = 8  # rooms for positions that are kept for later
    MEETINGS = 256  # rows of a phrase's rarest word that are looked up in the others before positions are read
    TOGETHER = 16  # of those rows that are looked up at the same time
    FAR = 16  # how many times as long a list is in which they are
    SOON = 4  # rows by which the memory of positions is asked for in advance
    NEVER = 1 << 30
    FIELD_SLOTS = 8
    COUNT_PLANES = 15  # bits of a count
    LOOK_UP = 16  # postings that can be counted in the time one row is looked up in a clause

# Sums are compared with bounds that were added in another order; this covers the rounding.
cdef double SLACK = 1.0 + 1e-9

# Above every row.
cdef uint64_t NO_ROW = <uint64_t>1 << 40

# The lowest bit of each of eight bytes.
cdef uint64_t LOW_BITS = 0x0101010101010101


# Looking a row up in a list costs as much as adding some twenty postings. Setting a list aside pays only
# when few rows are left to look up, that is when what it can still give is small beside the threshold.
# Measured on 100k passages, top 10: p95 384 µs at 1.0, 254 at 0.5, 177 at 0.25.
cdef double WORTHWHILE = 0.25


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


cdef struct Group:
    double weight
    double saturation
    double bound
    double rest  # sum of the bounds of this group and all later ones
    int first_list
    int list_count


cdef struct Cursor:
    const uint8_t* skips  # where each block but the first begins, from `first`; NULL when outside the file
    uint64_t first  # where the positions of the list begin
    uint64_t byte  # where the positions of `posting` begin
    uint32_t posting


cdef struct Word:
    List postings
    Cursor cursor
    uint32_t* met  # its postings in rows that have all words
    uint32_t shift  # its place in the phrase


# The positions of a loose phrase's words in one row, and the work of counting its matches.
cdef struct Loose:
    int words
    int32_t slop
    int32_t offsets[MAX_LOOSE_WORDS]
    uint16_t* places[MAX_LOOSE_WORDS]
    Py_ssize_t sizes[MAX_LOOSE_WORDS]
    Py_ssize_t next_start[MAX_LOOSE_WORDS]  # the first position that implies a window not yet tried
    Py_ssize_t at[MAX_LOOSE_WORDS]  # the first position in the window
    int32_t owned[MAX_LOOSE_WORDS]  # the position a word has, -1 for none
    bint is_tried[MAX_LOOSE_WORDS]


cdef struct Best:
    double score
    uint32_t row


# The answer to a query that scores one thing only, and what that thing must have to get into it.
cdef struct Answer:
    Best* heap
    int k, found
    double floor, threshold
    double weight, saturation
    bint is_finished  # the tables' values are not saturated again
    double least  # a row whose fields add up to less cannot enter
    double known  # the `least` that `least_freq` was found for
    uint32_t least_freq  # a row of the longest list that has it less often cannot enter by it alone


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


cdef inline bint is_worse(Best* left, Best* right) noexcept nogil:
    return left.score < right.score or (left.score == right.score and left.row > right.row)


cdef void sift_down(Best* heap, int size, int at) noexcept nogil:
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


cdef void push(Best* heap, int* size, int capacity, double score, uint32_t row) noexcept nogil:
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


cdef void raise_bar(Answer* answer) noexcept nogil:
    """Works out what a row must have at least; a little less, so that rounding loses nothing."""
    cdef double share = answer.threshold / answer.weight * (1.0 - 1e-9)
    if share <= 0.0:
        answer.least = 0.0
    elif answer.is_finished:
        answer.least = share
    elif share >= 1.0:
        answer.least = INFINITY
    else:
        answer.least = share * answer.saturation / (1.0 - share) * (1.0 - 1e-9)


cdef void offer(Answer* answer, double part, uint32_t row) noexcept nogil:
    """Keeps a row if it is good enough."""
    cdef double score
    if answer.is_finished:
        score = answer.weight * part
    else:
        score = answer.weight * (part / (part + answer.saturation))
    if score > answer.floor and score >= answer.threshold:
        push(answer.heap, &answer.found, answer.k, score, row)
        if answer.found == answer.k:
            answer.threshold = answer.heap[0].score
            raise_bar(answer)


cdef uint64_t offer_run(Answer* answer, List* entry, uint32_t stop, const uint8_t* mask,
                        uint32_t row_count) noexcept nogil:
    """Offers the rows of a list up to an index, which no other list has; returns how many there were.

    Most rows of a long list have a frequency that cannot get them in however short they are. Those cost one
    comparison: neither their length nor, without a mask, their number is looked at.
    """
    cdef uint32_t at = entry.at, row, freq, least_freq = answer.least_freq
    cdef uint64_t matched = stop - at
    cdef double part
    while at < stop:
        if answer.least != answer.known:
            answer.known = answer.least
            while least_freq < entry.table_rows and (
                    entry.table[256 * <size_t>least_freq + entry.min_bucket] < answer.least):
                least_freq += 1
            if least_freq == entry.table_rows:
                least_freq = 256
            answer.least_freq = least_freq
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
            if part >= answer.least:
                offer(answer, part, row)
        at += 1
    matched -= stop - at
    entry.at = stop
    return matched


cdef uint64_t offer_valued(Answer* answer, List* entry, const uint8_t* mask, uint32_t row_count) noexcept nogil:
    """Offers the rows of a list that brings its own values; returns how many there were."""
    cdef uint64_t matched = 0
    cdef uint32_t at, row
    for at in range(entry.size):
        row = entry.rows[at]
        if row >= row_count:
            break
        if mask == NULL or mask[row]:
            matched += 1
            if entry.values[at] >= answer.least:
                offer(answer, entry.values[at], row)
    return matched


cdef uint64_t offer_merged(Answer* answer, List* lists, int count, const uint8_t* mask,
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
            return matched + offer_run(answer, &lists[main_list], lists[main_list].size, mask, row_count)
        if lists[main_list].at < lists[main_list].size:
            stop = lists[main_list].at
            if lists[main_list].rows[stop] < row:
                stop = gallop(lists[main_list].rows, stop, lists[main_list].size, <uint32_t>row)
            matched += offer_run(answer, &lists[main_list], stop, mask, row_count)
        part = 0.0
        for i in range(count):
            if lists[i].at < lists[i].size and lists[i].rows[lists[i].at] == row:
                part += table_value(&lists[i], lists[i].at, <uint32_t>row)
                lists[i].at += 1
        if mask == NULL or mask[row]:
            matched += 1
            if part >= answer.least:
                offer(answer, part, <uint32_t>row)


cdef class Scratch:
    """The arrays one call works in: all zero before and after it, used by one thread at a time."""

    cdef double* sums
    cdef double* parts
    # Offsets of the rows with a sum, in the order they got it. One place more than there are rows: the
    # last row is noted before it is known to be new, and postings that repeat rows must not go beyond.
    cdef uint32_t* matched

    def __cinit__(self):
        self.sums = <double*>calloc(WINDOW, sizeof(double))
        self.parts = <double*>calloc(WINDOW, sizeof(double))
        self.matched = <uint32_t*>calloc(WINDOW + 1, sizeof(uint32_t))
        if self.sums == NULL or self.parts == NULL or self.matched == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.sums)
        free(self.parts)
        free(self.matched)


cdef class Places:
    """Room for the positions of two words in one row."""

    cdef uint16_t* starts
    cdef uint16_t* others

    def __cinit__(self):
        self.starts = <uint16_t*>malloc(MAX_POSITIONS * sizeof(uint16_t))
        self.others = <uint16_t*>malloc(MAX_POSITIONS * sizeof(uint16_t))
        if self.starts == NULL or self.others == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.starts)
        free(self.others)


cdef class RunRoom:
    """Room for a run's words in one row: where the rarest stands, where another does, and how far runs go."""

    cdef uint16_t* starts
    cdef uint16_t* others
    cdef uint32_t* alive  # which of the starts go on so far
    cdef uint32_t* first  # the first word of the run around each start

    def __cinit__(self):
        self.alive = <uint32_t*>malloc(MAX_POSITIONS * 2 * (sizeof(uint32_t) + sizeof(uint16_t)))
        if self.alive == NULL:
            raise MemoryError
        self.first = self.alive + MAX_POSITIONS
        self.starts = <uint16_t*>(self.first + MAX_POSITIONS)
        self.others = self.starts + MAX_POSITIONS

    def __dealloc__(self):
        free(self.alive)


cdef class Words:
    """The words of a phrase in one field, rarest first, and where they meet."""

    cdef Word* entries
    cdef uint32_t* met
    cdef int count

    def __cinit__(self, int count):
        self.entries = <Word*>malloc((count + 1) * sizeof(Word))
        self.met = <uint32_t*>malloc((count + 1) * MEETINGS * sizeof(uint32_t))
        if self.entries == NULL or self.met == NULL:
            raise MemoryError
        self.count = count

    def __dealloc__(self):
        free(self.entries)
        free(self.met)


cdef class FoundRows:
    """The rows of one field that have a phrase, ascending, and how often each has it."""

    cdef uint32_t* rows
    cdef uint8_t* freqs
    cdef uint32_t size
    cdef int field

    def __cinit__(self, size_t room):
        self.rows = <uint32_t*>malloc((room + 1) * (sizeof(uint32_t) + 1))
        if self.rows == NULL:
            raise MemoryError
        self.freqs = <uint8_t*>(self.rows + room)

    def __dealloc__(self):
        free(self.rows)

    cdef copy(self):
        """Returns rows and frequencies as arrays."""
        if not self.size:
            return NO_ROWS  # nearly all fields, for most phrases
        freqs_array = np.empty(self.size, dtype=np.uint8)
        cdef uint8_t[::1] out = freqs_array
        memcpy(&out[0], self.freqs, self.size)
        return copy_numbers(self.rows, self.size), freqs_array


NO_ROWS = np.empty(0, dtype=np.uint32), np.empty(0, dtype=np.uint8)

# Scratches nobody uses now. Fresh ones cost 16 page faults, more than scoring a rare term.
cdef list _SPARE = []
cdef list _SPARE_PLACES = []
cdef list _SPARE_RUN_ROOMS = []


cdef uint32_t add_single(Group* group, List* entry, uint32_t base, uint32_t span, Scratch scratch,
                         uint32_t count) noexcept nogil:
    """Adds a group that has one list: the table already holds the finished value.

    Returns the number of rows with a sum. Taking note of a new row has no branch: whether a row is new
    cannot be predicted, and a wrong guess costs more than the addition.
    """
    cdef uint32_t at = entry.at, size = entry.size, offset, freq, last = entry.table_rows - 1
    cdef const uint32_t* rows = entry.rows
    cdef const uint8_t* freqs = entry.freqs
    cdef const uint8_t* buckets = entry.buckets + base
    cdef const double* table = entry.table
    cdef double* sums = scratch.sums
    cdef uint32_t* matched = scratch.matched
    cdef double before, weight = group.weight
    while at < size:
        offset = rows[at] - base  # wraps to a huge value below `base`: also out of the window
        if offset >= span or count > WINDOW:
            break
        freq = freqs[at]
        if freq > last:
            freq = last
        before = sums[offset]
        matched[count] = offset
        count += before == 0.0
        sums[offset] = before + weight * table[256 * <size_t>freq + buckets[offset]]
        at += 1
    entry.at = at
    return count


cdef uint32_t add_valued(Group* group, List* entry, uint32_t base, uint32_t span, Scratch scratch,
                         uint32_t count) noexcept nogil:
    """Adds a group whose list brings its own values."""
    cdef uint32_t at = entry.at, offset
    while at < entry.size:
        offset = entry.rows[at] - base
        if offset >= span or count > WINDOW:
            break
        scratch.matched[count] = offset
        count += scratch.sums[offset] == 0.0
        scratch.sums[offset] += group.weight * entry.values[at]
        at += 1
    entry.at = at
    return count


cdef uint32_t add_several(Group* group, List* lists, uint32_t base, uint32_t span, Scratch scratch,
                          uint32_t count) noexcept nogil:
    """Adds a group of several lists: field values are summed per row first, then saturated together.

    The last list is nearly always the longest (body), so it is walked once: the others leave their values
    in `parts` for it to pick up, and what it did not pick up is finished after it.
    """
    cdef uint32_t at, size, offset, freq, last
    cdef int i, main_list = group.first_list + group.list_count - 1
    cdef double part, before, weight = group.weight, saturation = group.saturation
    cdef double* sums = scratch.sums
    cdef double* parts = scratch.parts
    cdef uint32_t* matched = scratch.matched
    cdef const uint32_t* rows
    cdef const uint8_t* freqs
    cdef const uint8_t* buckets
    cdef const double* table
    cdef List* entry
    for i in range(group.first_list, main_list):
        entry = &lists[i]
        at = entry.at
        while at < entry.size:
            offset = entry.rows[at] - base
            if offset >= span:
                break
            parts[offset] += table_value(entry, at, base + offset)
            at += 1
    entry = &lists[main_list]
    at = entry.at
    size = entry.size
    last = entry.table_rows - 1
    rows, freqs, table, buckets = entry.rows, entry.freqs, entry.table, entry.buckets + base
    while at < size:
        offset = rows[at] - base
        if offset >= span or count > WINDOW:
            break
        freq = freqs[at]
        if freq > last:
            freq = last
        part = parts[offset] + table[256 * <size_t>freq + buckets[offset]]
        parts[offset] = 0.0
        before = sums[offset]
        matched[count] = offset
        count += before == 0.0
        sums[offset] = before + weight * (part / (part + saturation))
        at += 1
    entry.at = at
    for i in range(group.first_list, main_list):
        entry = &lists[i]
        at = entry.at
        while at < entry.size:
            offset = entry.rows[at] - base
            if offset >= span:
                break
            part = parts[offset]
            if part != 0.0 and count <= WINDOW:
                matched[count] = offset
                count += sums[offset] == 0.0
                sums[offset] += weight * (part / (part + saturation))
            parts[offset] = 0.0
            at += 1
        entry.at = at
    return count


cdef void advance(Group* group, List* lists, uint32_t base) noexcept nogil:
    """Moves a group's lists to the first row of a window."""
    cdef int i
    for i in range(group.first_list, group.first_list + group.list_count):
        if lists[i].at < lists[i].size and lists[i].rows[lists[i].at] < base:
            lists[i].at = gallop(lists[i].rows, lists[i].at, lists[i].size, base)


cdef double look_up(Group* group, List* lists, uint32_t row, bint moves) noexcept nogil:
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


cdef uint64_t leap(Group* clause, List* lists, uint64_t row) noexcept nogil:
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


cdef Counting* begin_counting(Group* clauses, int clause_count, Py_ssize_t least) except NULL:
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
        candidates += clauses[c].bound
    while (0 < counting.counted < clause_count
            and clauses[counting.counted].bound < LOOK_UP * candidates):
        counting.counted += 1
    return counting


cdef void mark_clause(Counting* counting, Group* clause, List* lists, uint32_t base, uint32_t span) noexcept nogil:
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


cdef void add_marks(Counting* counting, int before) noexcept nogil:
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


cdef uint64_t counted_enough(const Counting* counting, int word, uint32_t least) noexcept nogil:
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


cdef uint32_t count_window(Counting* counting, Group* clauses, List* lists, uint32_t base,
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
                count += leap(&clauses[c], lists, offset) == offset
            if count >= counting.least:
                counting.rows[kept], counting.counts[kept] = offset, <uint16_t>count
                kept += 1
    return kept


cdef Py_ssize_t add_freqs(List* entry, uint8_t* sums, uint64_t* seen, uint32_t row_count) noexcept nogil:
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


cdef void take_marked(const uint8_t* sums, const uint64_t* seen, Py_ssize_t words, Py_ssize_t size, uint32_t* rows,
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


cdef class FieldTables:
    """A scoring model's tables for the fields of one snapshot, kept as addresses.

    Args:
        summed: By field, the table whose values are added before saturation; None for a field that does
            not count.
        finished: By field, the table to use when the field stands alone.
        saturation: See `Postings.score_top_k`.
    """

    cdef const double* summed[FIELD_SLOTS]
    cdef const double* finished[FIELD_SLOTS]
    cdef double saturation
    cdef list keep_alive

    def __init__(self, summed, finished, double saturation):
        cdef const double[:, ::1] table
        cdef int field
        self.saturation, self.keep_alive = saturation, []
        for field in range(FIELD_SLOTS):
            self.summed[field] = self.finished[field] = NULL
        for field in range(len(summed)):
            if summed[field] is None:
                continue
            table = summed[field]
            self.keep_alive.append(table)
            self.summed[field] = whole_table(table)
            table = finished[field]
            self.keep_alive.append(table)
            self.finished[field] = whole_table(table)


cdef const double* whole_table(const double[:, ::1] table) except NULL:
    if table.shape[0] != 256 or table.shape[1] != 256:
        raise ValueError("a field's table has 256 x 256 values")
    return &table[0, 0]


cdef class Query:
    """The groups of one call and the best rows found so far."""

    cdef Group* heads
    cdef List* lists
    cdef Best* heap
    cdef int group_count, list_count, k, found
    cdef list keep_alive

    def __cinit__(self, Py_ssize_t groups, Py_ssize_t lists, int k):
        self.heads = <Group*>malloc((groups + 1) * sizeof(Group))
        self.lists = <List*>malloc((lists + 1) * sizeof(List))
        self.heap = <Best*>malloc((k + 1) * sizeof(Best)) if k > 0 else NULL
        if self.heads == NULL or self.lists == NULL or self.heap == NULL:
            raise MemoryError
        self.k, self.keep_alive = k, []

    def __dealloc__(self):
        free(self.heads)
        free(self.lists)
        free(self.heap)

    cdef void bound(self, Group* head) noexcept:
        """Sets the most a group can give a row."""
        cdef double bound = 0.0
        cdef List* entry
        cdef int i
        cdef uint32_t freq, p
        for i in range(head.first_list, head.first_list + head.list_count):
            entry = &self.lists[i]
            if entry.values != NULL:
                for p in range(entry.size):
                    bound = max(bound, entry.values[p])
            else:
                freq = min(<uint32_t>entry.max_freq, entry.table_rows - 1)
                bound += entry.table[256 * <size_t>freq + entry.min_bucket]
        if head.list_count > 1:
            bound = bound / (bound + head.saturation)
        head.bound = bound * head.weight

    cdef void sum_bounds(self) noexcept nogil:
        """Sets what each group and those after it can give a row together."""
        cdef double rest = 0.0
        cdef int g
        for g in range(self.group_count - 1, -1, -1):
            rest += self.heads[g].bound
            self.heads[g].rest = rest

    cdef void score_row(self, uint32_t row, double floor, double* threshold) noexcept nogil:
        """Keeps a row if it scores enough; rows must come in ascending order."""
        cdef double score = 0.0
        cdef int g = 0
        while g < self.group_count and (score + self.heads[g].rest) * SLACK >= threshold[0]:
            score += look_up(&self.heads[g], self.lists, row, True)
            g += 1
        if g == self.group_count and score > floor and score >= threshold[0]:
            push(self.heap, &self.found, self.k, score, row)
            if self.found == self.k:
                threshold[0] = self.heap[0].score

    cdef best(self):
        """Takes the rows out of the heap, best first, as (rows, scores)."""
        cdef int i
        cdef list rows = [None] * self.found, scores = [None] * self.found
        for i in range(self.found - 1, -1, -1):
            rows[i], scores[i] = self.heap[0].row, self.heap[0].score
            self.heap[0] = self.heap[i]
            sift_down(self.heap, i, 0)
        self.found = 0
        return rows, scores


cdef class Postings:
    """One segment's dictionary, postings, positions and lengths, ready to be searched.

    Caller guarantees that the arrays are those of one segment (checksums verified); offsets into them are
    checked all the same, so that damage gives an error or a wrong row, never a stray memory access.
    """

    cdef readonly object term_offsets, term_bytes, lists, buckets
    cdef readonly Py_ssize_t term_count, row_count
    cdef const uint64_t[::1] offsets
    cdef const uint8_t[::1] text
    cdef const uint32_t[::1] term_lists, list_doc_freq
    cdef const uint8_t[::1] list_field, list_max_freq, list_min_bucket, postings, positions
    cdef const uint64_t[::1] list_postings, list_positions
    cdef const uint8_t[:, ::1] lengths

    def __init__(self, term_offsets, term_bytes, lists, buckets):
        self.term_offsets, self.term_bytes, self.lists, self.buckets = term_offsets, term_bytes, lists, buckets
        self.offsets, self.text = term_offsets, term_bytes
        self.term_lists, self.list_doc_freq = lists.term_lists, lists.list_doc_freq
        self.list_field = lists.list_field
        self.list_max_freq, self.list_min_bucket = lists.list_max_freq, lists.list_min_bucket
        self.list_postings, self.list_positions = lists.list_postings, lists.list_positions
        self.postings, self.positions = lists.postings, lists.positions
        self.lengths = buckets
        self.term_count = self.offsets.shape[0] - 1
        self.row_count = self.lengths.shape[1]

    def find_term(self, bytes term):
        """Returns the term's ordinal, or -1."""
        return self.locate(term)

    cdef Py_ssize_t locate(self, bytes term):
        """Searches the sorted dictionary by halves."""
        cdef const uint8_t* wanted = term
        cdef Py_ssize_t size = len(term), low = 0, high = self.term_count, middle
        cdef uint64_t start, stop, text_size = self.text.shape[0]
        cdef int order
        while low < high:
            middle = (low + high) >> 1
            start, stop = self.offsets[middle], self.offsets[middle + 1]
            if stop > text_size or start > stop:
                return -1
            order = memcmp(&self.text[start], wanted, min(<uint64_t>size, stop - start))
            if order == 0:
                order = (<Py_ssize_t>(stop - start) > size) - (<Py_ssize_t>(stop - start) < size)
            if order == 0:
                return middle
            if order < 0:
                low = middle + 1
            else:
                high = middle
        return -1

    def find_terms(self, terms):
        """Returns the ordinal of each term, -1 for those that are not here."""
        return [self.locate(term) for term in terms]

    def find_terms_of(self, Postings other, const uint32_t[::1] terms):
        """Returns the ordinals here of another segment's terms, -1 for those that are not here."""
        cdef Py_ssize_t i, low = 0, high, middle, term, step
        cdef uint64_t start, size
        cdef int order
        found_array = np.full(terms.shape[0], -1, dtype=np.int64)
        cdef int64_t[::1] found = found_array
        for i in range(terms.shape[0]):
            term = terms[i]
            if term >= other.term_count:
                raise ValueError(f"there is no term {term}")
            start, size = other.offsets[term], other.offsets[term + 1] - other.offsets[term]
            if start > <uint64_t>other.text.shape[0] or size > other.text.shape[0] - start:
                continue
            if i and term < <Py_ssize_t>terms[i - 1]:
                low = 0
            # Terms ascend, so each is looked for behind the one before, in steps that grow.
            step = 1
            while low + step < self.term_count and self.compare(low + step, other.text, start, size) < 0:
                low += step
                step += step
            high = min(low + step + 1, self.term_count)
            while low < high:
                middle = (low + high) >> 1
                order = self.compare(middle, other.text, start, size)
                if order == 0:
                    found[i] = low = middle
                    break
                if order < 0:
                    low = middle + 1
                else:
                    high = middle
        return found_array

    cdef int compare(self, Py_ssize_t term, const uint8_t[::1] text, uint64_t start,
                     uint64_t size) noexcept nogil:
        """Says whether a term comes before (-1) or after (1) a text, or is the same (0)."""
        cdef uint64_t own = self.offsets[term], own_size = self.offsets[term + 1] - own
        cdef int order
        if own > <uint64_t>self.text.shape[0] or own_size > self.text.shape[0] - own:
            return 1
        order = memcmp(&self.text[own], &text[start], min(own_size, size))
        return order if order else (own_size > size) - (own_size < size)

    def lists_of(self, Py_ssize_t term):
        """Returns (list, field) pairs of a term, in field order."""
        cdef uint32_t index, start = self.term_lists[term], stop = self.term_lists[term + 1]
        cdef list pairs = []
        if stop > <uint64_t>self.list_field.shape[0]:
            raise ValueError(f"term {term} points outside the lists")
        for index in range(start, stop):
            pairs.append((index, self.list_field[index]))
        return pairs

    cdef int point_at(self, List* entry, uint32_t index) except -1:
        """Fills in where a list's postings are, after checking that they are inside the file."""
        if index >= <uint64_t>self.list_field.shape[0]:
            raise ValueError(f"there is no posting list {index}")
        cdef uint64_t start = self.list_postings[index], size = self.list_doc_freq[index]
        cdef uint64_t end = self.postings.shape[0]
        # Written so that no sum can wrap around.
        if start > end or 5 * size > end - start or self.list_field[index] >= self.lengths.shape[0]:
            raise ValueError(f"posting list {index} points outside the file")
        entry.rows = <const uint32_t*>&self.postings[start]
        entry.freqs = &self.postings[start] + 4 * size
        entry.buckets = &self.lengths[self.list_field[index], 0]
        entry.size = <uint32_t>size
        entry.at = 0
        entry.values = NULL
        entry.max_freq = self.list_max_freq[index]
        entry.min_bucket = self.list_min_bucket[index]
        return 0

    def rows_of(self, uint32_t index):
        """Returns a list's rows, ascending, as a read-only view."""
        if index >= <uint64_t>self.list_field.shape[0]:
            raise ValueError(f"there is no posting list {index}")
        cdef uint64_t start = self.list_postings[index], size = self.list_doc_freq[index]
        return np.frombuffer(self.lists.postings, np.uint32, size, start)

    def freq_at(self, uint32_t index, uint32_t row):
        """Returns the term frequency of a list in one row, 0 when the row is not in the list."""
        cdef List entry
        self.point_at(&entry, index)
        cdef uint32_t at = gallop(entry.rows, 0, entry.size, row) if entry.size else 0
        return entry.freqs[at] if at < entry.size and entry.rows[at] == row else 0

    def score_top_k(self, groups, allowed, int k, double floor):
        """Returns (rows, scores, matched, is_exact) of the best `k` rows scoring above `floor`.

        See `reference/postings.py` for the arguments and the meaning.
        """
        cdef Query query = Query(len(groups), sum([len(group[2]) for group in groups]), k)
        self.add_groups(query, groups)
        return self.answer(query, allowed, floor)

    def score_terms(self, terms, weights, FieldTables tables, allowed, int k, double floor):
        """Scores the terms with these ordinals (-1: not here); as `score_top_k`, without its objects."""
        cdef Query query = Query(len(terms), FIELD_SLOTS * len(terms), k)
        self.add_terms(query, terms, weights, tables)
        return self.answer(query, allowed, floor)

    cdef int add_terms(self, Query query, terms, weights, FieldTables tables) except -1:
        """Adds a group for each term that is here."""
        cdef Py_ssize_t i, term
        cdef uint32_t index, start, stop, first, field
        cdef Group* head
        cdef List* entry
        for i in range(len(terms)):
            term = terms[i]
            if not 0 <= term < self.term_count:
                continue
            start, stop = self.term_lists[term], self.term_lists[term + 1]
            if stop > <uint64_t>self.list_field.shape[0] or stop - start > FIELD_SLOTS:
                raise ValueError(f"term {term} points outside the lists")
            first = query.list_count
            for index in range(start, stop):
                self.point_at(&query.lists[query.list_count], index)
                query.list_count += tables.summed[self.list_field[index]] != NULL
            if first == query.list_count:
                continue
            head = &query.heads[query.group_count]
            query.group_count += 1
            head.weight, head.saturation, head.bound = weights[i], tables.saturation, 0.0
            head.first_list, head.list_count = first, query.list_count - first
            stop -= start
            for index in range(start, start + stop):
                field = self.list_field[index]
                if tables.summed[field] == NULL:
                    continue
                entry = &query.lists[first]
                entry.table = tables.finished[field] if head.list_count == 1 else tables.summed[field]
                entry.table_rows = 256
                first += 1
            query.bound(head)
        return 0

    def score_clauses(self, groups, needed, excluded, allowed, int k, double floor):
        """Returns (rows, scores, matched) of the best `k` rows that have one list of each clause.

        See `reference/postings.py`. Clauses of similar length are counted a window at a time. Where one has
        far fewest postings rows are met by leaping: it proposes a row, each of the others says where it can
        go on.
        """
        cdef Query query = Query(len(groups), sum([len(group[2]) for group in groups]), k)
        cdef Query clauses = Query(len(needed) + 1, sum(map(len, needed)) + len(excluded), 1)
        self.add_groups(query, groups)
        self.add_clauses(clauses, needed, excluded)
        return self.answer_clauses(query, clauses, allowed, floor)

    def score_term_clauses(self, terms, weights, FieldTables tables, needed, excluded, allowed, int k,
                           double floor):
        """Scores whole terms of rows that have one term of each clause; as `score_clauses`, without its objects."""
        cdef Query query = Query(len(terms), FIELD_SLOTS * len(terms), k)
        cdef Py_ssize_t count = len(excluded)
        for clause in needed:
            count += len(clause)
        cdef Query clauses = Query(len(needed) + 1, FIELD_SLOTS * count, 1)
        self.add_terms(query, terms, weights, tables)
        for clause in needed:
            self.add_clause(clauses, clause)
        self.add_clause(clauses, excluded)
        self.order_clauses(clauses)
        return self.answer_clauses(query, clauses, allowed, floor)

    cdef int add_clause(self, Query query, terms) except -1:
        """Adds a clause of all lists of some terms."""
        cdef Group* head = &query.heads[query.group_count]
        cdef Py_ssize_t term
        cdef uint32_t index, start, stop
        query.group_count += 1
        head.first_list, head.bound = query.list_count, 0.0
        for term in terms:
            if not 0 <= term < self.term_count:
                continue
            start, stop = self.term_lists[term], self.term_lists[term + 1]
            if stop > <uint64_t>self.list_field.shape[0] or stop - start > FIELD_SLOTS:
                raise ValueError(f"term {term} points outside the lists")
            for index in range(start, stop):
                self.point_at(&query.lists[query.list_count], index)
                head.bound += query.lists[query.list_count].size
                query.list_count += 1
        head.list_count = query.list_count - head.first_list
        return 0

    cdef answer_clauses(self, Query query, Query clauses, allowed, double floor):
        cdef const uint8_t[::1] allowed_view
        cdef const uint8_t* mask = NULL
        cdef uint64_t matched = 0
        cdef Counting* counting = NULL
        try:
            if allowed is not None:
                allowed_view = allowed
                mask = &allowed_view[0] if allowed_view.shape[0] else NULL
            counting = begin_counting(clauses.heads, clauses.group_count - 1, clauses.group_count - 1)
            with nogil:
                query.sum_bounds()
                if counting.counted == 1:
                    matched = self.leap_clauses(query, clauses, mask, floor)
                else:
                    matched = self.mark_clauses(query, clauses, counting, mask, floor)
        finally:
            free(counting)
        rows, scores = query.best()
        return rows, scores, matched

    cdef int add_clauses(self, Query query, needed, excluded) except -1:
        """Adds the lists of all clauses, those with fewest postings first, and what is excluded last."""
        cdef const uint32_t[::1] outside
        cdef Group* head
        cdef List* entry
        for sources in (*needed, excluded):
            head = &query.heads[query.group_count]
            query.group_count += 1
            head.first_list, head.list_count, head.bound = query.list_count, len(sources), 0.0
            for source in sources:
                entry = &query.lists[query.list_count]
                query.list_count += 1
                if type(source) is int:
                    self.point_at(entry, source)
                else:
                    outside = source
                    query.keep_alive.append(outside)
                    entry.rows = &outside[0] if outside.shape[0] else NULL
                    entry.size, entry.at = outside.shape[0], 0
                head.bound += entry.size
        self.order_clauses(query)
        return 0

    cdef void order_clauses(self, Query query) noexcept:
        """Puts the clauses with fewest postings first; what is excluded stays last."""
        cdef Group moved
        cdef int i
        for i in range(1, query.group_count - 1):
            moved = query.heads[i]
            while i > 0 and query.heads[i - 1].bound > moved.bound:
                query.heads[i] = query.heads[i - 1]
                i -= 1
            query.heads[i] = moved

    cdef uint64_t leap_clauses(self, Query query, Query clauses, const uint8_t* mask,
                               double floor) noexcept nogil:
        """Takes the rows that have all clauses from one to the next; returns how many there are."""
        cdef uint64_t row = 0, reached, row_count = self.row_count, matched = 0
        cdef int c, clause_count = clauses.group_count - 1
        cdef double threshold = floor
        while True:
            row = leap(&clauses.heads[0], clauses.lists, row)
            reached = row
            if row >= row_count:
                return matched
            for c in range(1, clause_count):
                reached = leap(&clauses.heads[c], clauses.lists, row)
                if reached != row:
                    break
            if reached >= row_count:
                return matched
            if reached != row:
                row = reached
                continue
            if ((mask == NULL or mask[row])
                    and leap(&clauses.heads[clause_count], clauses.lists, row) != row):
                matched += 1
                query.score_row(<uint32_t>row, floor, &threshold)
            row += 1

    cdef uint64_t mark_clauses(self, Query query, Query clauses, Counting* counting, const uint8_t* mask,
                               double floor) noexcept nogil:
        """Does the same for clauses of which none has far fewer postings than the next."""
        cdef uint64_t base = 0, row_count = self.row_count, matched = 0
        cdef int c, clause_count = clauses.group_count - 1
        cdef uint32_t i, kept, row
        cdef double threshold = floor
        while True:
            base = leap(&clauses.heads[0], clauses.lists, base)
            if base >= row_count:
                return matched
            for c in range(1, counting.counted):
                advance(&clauses.heads[c], clauses.lists, <uint32_t>base)
            kept = count_window(counting, clauses.heads, clauses.lists, <uint32_t>base,
                                <uint32_t>min(row_count - base, <uint64_t>WINDOW))
            for i in range(kept):
                row = counting.rows[i]
                if ((mask == NULL or mask[row])
                        and leap(&clauses.heads[clause_count], clauses.lists, row) != row):
                    matched += 1
                    query.score_row(row, floor, &threshold)
            base += WINDOW

    def sum_rows(self, groups, const uint32_t[::1] rows):
        """Returns the score of each of the given rows, ascending; 0 for those that no group touches."""
        cdef Query query = Query(len(groups), sum([len(group[2]) for group in groups]), 1)
        cdef Py_ssize_t i
        cdef int g
        self.add_groups(query, groups)
        sums_array = np.zeros(rows.shape[0], dtype=np.float64)
        cdef double[::1] sums = sums_array
        with nogil:
            for g in range(query.group_count):
                for i in range(rows.shape[0]):
                    if rows[i] < <uint64_t>self.row_count:
                        sums[i] += look_up(&query.heads[g], query.lists, rows[i], True)
        return sums_array

    def count_clauses(self, clauses, Py_ssize_t least):
        """Returns (rows, counts) of the rows that have a list of at least so many clauses."""
        cdef Query query = Query(len(clauses) + 1, sum(map(len, clauses)), 1)
        cdef Counting* counting = NULL
        cdef uint32_t base = 0, kept, row_count = <uint32_t>self.row_count
        cdef list rows = [], counts = []
        try:
            self.add_clauses(query, clauses, ())
            counting = begin_counting(query.heads, query.group_count - 1, least)
            while counting.counted and base < row_count:
                with nogil:
                    kept = count_window(counting, query.heads, query.lists, base,
                                        min(row_count - base, <uint32_t>WINDOW))
                if kept:
                    rows.append(copy_numbers(counting.rows, kept))
                    counts.append(np.frombuffer(<bytes>(<char*>counting.counts)[:2 * kept], np.uint16))
                base += WINDOW
        finally:
            free(counting)
        if not rows:
            return np.zeros(0, np.uint32), np.zeros(0, np.uint32)
        return np.concatenate(rows), np.concatenate(counts).astype(np.uint32)

    def score_term_quorum(self, terms, weights, FieldTables tables, Py_ssize_t least, allowed, int k, double floor):
        """Returns (rows, scores, matched) of the best `k` rows that have at least so many of the terms.

        See `reference/postings.py`.
        """
        cdef int count = len(terms)
        cdef Query query = Query(count, FIELD_SLOTS * count, k)
        cdef Query clauses = Query(count + 1, FIELD_SLOTS * count, 1)
        cdef const uint8_t[::1] allowed_view
        cdef const uint8_t* mask = NULL
        cdef uint64_t matched = 0
        cdef Counting* counting = NULL
        try:
            if allowed is not None:
                allowed_view = allowed
                mask = &allowed_view[0] if allowed_view.shape[0] else NULL
            self.add_terms(query, terms, weights, tables)
            for term in terms:
                self.add_clause(clauses, (term,))
            self.add_clause(clauses, ())
            self.order_clauses(clauses)
            counting = begin_counting(clauses.heads, count, least)
            with nogil:
                matched = self.run_quorum(query, clauses, counting, mask, floor)
        finally:
            free(counting)
        rows, scores = query.best()
        return rows, scores, matched

    cdef uint64_t run_quorum(self, Query query, Query clauses, Counting* counting, const uint8_t* mask,
                             double floor) noexcept nogil:
        cdef uint32_t base = 0, i, kept, row, row_count = <uint32_t>self.row_count
        cdef uint64_t matched = 0
        cdef int g, group_count = query.group_count
        cdef double score, share, threshold = floor
        # A term in a field that does not count is worth nothing, and so may be a row.
        cdef bint all_count = query.list_count == clauses.list_count
        query.sum_bounds()
        while counting.counted and base < row_count:
            kept = count_window(counting, clauses.heads, clauses.lists, base,
                                min(row_count - base, <uint32_t>WINDOW))
            for i in range(kept):
                row = counting.rows[i]
                if mask != NULL and not mask[row]:
                    continue
                share = counting.counts[i] / <double>counting.clause_count
                score, g = 0.0, 0
                while g < group_count and (
                        (score + query.heads[g].rest) * share * SLACK >= threshold
                        or not all_count and score == 0.0):
                    score += look_up(&query.heads[g], query.lists, row, True)
                    g += 1
                matched += all_count or score > 0.0
                score *= share
                if g == group_count and score > max(floor, 0.0) and score >= threshold:
                    push(query.heap, &query.found, query.k, score, row)
                    if query.found == query.k:
                        threshold = query.heap[0].score
            base += WINDOW
        return matched

    cdef int add_groups(self, Query query, groups) except -1:
        cdef const double[:, ::1] table
        cdef const double[::1] outside_values
        cdef const uint32_t[::1] outside_rows
        cdef const uint8_t[::1] outside_freqs
        cdef Group* head
        cdef List* entry
        for weight, saturation, members in groups:
            if len(members) == 1 and members[0][1] is None and not len(members[0][0][0]):
                continue
            head = &query.heads[query.group_count]
            query.group_count += 1
            head.weight, head.saturation, head.bound = weight, saturation, 0.0
            head.first_list, head.list_count = query.list_count, len(members)
            for source, values in members:
                entry = &query.lists[query.list_count]
                query.list_count += 1
                if type(source) is int:
                    self.point_at(entry, source)
                else:
                    outside_rows = source[0]
                    query.keep_alive.append(outside_rows)
                    entry.rows = &outside_rows[0] if outside_rows.shape[0] else NULL
                    entry.size = outside_rows.shape[0]
                    entry.at, entry.max_freq, entry.min_bucket, entry.values = 0, 255, 0, NULL
                    if values is None:
                        outside_values = source[1]
                        query.keep_alive.append(outside_values)
                        if outside_values.shape[0] != outside_rows.shape[0] or len(members) != 1:
                            raise ValueError("a list with values stands alone and has one for each row")
                        entry.values = &outside_values[0]
                        continue
                    outside_freqs = source[1]
                    query.keep_alive.append(outside_freqs)
                    entry.freqs = &outside_freqs[0] if outside_freqs.shape[0] else NULL
                    entry.buckets = &self.lengths[<int>source[2], 0]
                table = values
                entry.table = &table[0, 0]
                entry.table_rows = table.shape[0]
            query.bound(head)
        return 0

    cdef answer(self, Query query, allowed, double floor):
        cdef const uint8_t[::1] allowed_view
        cdef const uint8_t* mask = NULL
        cdef bint is_exact = True
        cdef uint64_t matched = 0
        cdef Scratch scratch = _SPARE.pop() if _SPARE else Scratch()
        try:
            if allowed is not None:
                allowed_view = allowed
                mask = &allowed_view[0] if allowed_view.shape[0] else NULL
            with nogil:
                query.found = self.run(query.heads, query.group_count, query.lists, mask, query.heap, query.k,
                                       floor, &matched, &is_exact, scratch)
        finally:
            _SPARE.append(scratch)
        rows, scores = query.best()
        return rows, scores, matched, is_exact

    cdef int run(self, Group* heads, int group_count, List* lists, const uint8_t* mask, Best* heap, int k,
                 double floor, uint64_t* matched, bint* is_exact, Scratch scratch) noexcept nogil:
        cdef uint32_t base = 0, span, row, i, count, row_count = <uint32_t>self.row_count
        cdef int g, essential = group_count, found = 0
        cdef double threshold = floor, score, limit, rest = 0.0, rest_after = 0.0
        for g in range(group_count - 1, -1, -1):
            rest += heads[g].bound
            heads[g].rest = rest
        if group_count == 1:
            return self.run_one(heads, lists, mask, heap, k, floor, matched, is_exact)
        while base < row_count:
            while essential and heads[essential - 1].rest * SLACK < WORTHWHILE * threshold:
                essential -= 1
                rest_after = heads[essential].rest
                is_exact[0] = False
            if essential == 0:
                break
            span = row_count - base if row_count - base < WINDOW else WINDOW
            count = 0
            for g in range(essential):
                if lists[heads[g].first_list].values != NULL:
                    count = add_valued(&heads[g], &lists[heads[g].first_list], base, span, scratch, count)
                elif heads[g].list_count == 1:
                    count = add_single(&heads[g], &lists[heads[g].first_list], base, span, scratch, count)
                else:
                    count = add_several(&heads[g], lists, base, span, scratch, count)
            for g in range(essential, group_count):
                advance(&heads[g], lists, base)
            limit = threshold / SLACK - rest_after
            for i in range(count):
                row = scratch.matched[i]
                score = scratch.sums[row]
                scratch.sums[row] = 0.0
                row += base
                if mask != NULL and not mask[row]:
                    continue
                matched[0] += 1
                if score < limit:
                    continue
                g = essential
                while g < group_count and (score + heads[g].rest) * SLACK >= threshold:
                    score += look_up(&heads[g], lists, row, False)
                    g += 1
                # Rows come in no order, so a tie with the worst one kept is for `push` to settle.
                if g == group_count and score > floor and score >= threshold:
                    push(heap, &found, k, score, row)
                    if found == k:
                        threshold = heap[0].score
                        limit = threshold / SLACK - rest_after
            base += WINDOW
        return found

    cdef int run_one(self, Group* head, List* lists, const uint8_t* mask, Best* heap, int k, double floor,
                     uint64_t* matched, bint* is_exact) noexcept nogil:
        """Does what `run` does for one group, which needs no sums."""
        cdef Answer answer
        cdef uint32_t row_count = <uint32_t>self.row_count
        cdef List* entry = lists + head.first_list
        if row_count and head.bound * SLACK < WORTHWHILE * floor:
            is_exact[0] = False
            return 0
        answer.heap, answer.k, answer.found = heap, k, 0
        answer.floor = answer.threshold = floor
        answer.weight, answer.saturation, answer.is_finished = head.weight, head.saturation, head.list_count == 1
        answer.known, answer.least_freq = -1.0, 0
        raise_bar(&answer)
        if entry.values != NULL:
            matched[0] = offer_valued(&answer, entry, mask, row_count)
        elif head.list_count == 1:
            matched[0] = offer_run(&answer, entry, entry.size, mask, row_count)
        else:
            matched[0] = offer_merged(&answer, entry, head.list_count, mask, row_count)
        return answer.found

    def phrase(self, list_indices, offsets):
        """Returns (rows, freqs) where the lists' terms stand at the given relative positions."""
        return self.find_exactly(list_indices, offsets).copy()

    cdef FoundRows find_exactly(self, list_indices, offsets):
        cdef Words words = self.point_at_words(list_indices, offsets)
        cdef Places places = _SPARE_PLACES.pop() if _SPARE_PLACES else Places()
        cdef FoundRows found = FoundRows(words.entries[0].postings.size)
        with nogil:
            found.size = self.run_phrase(words, places, found.rows, found.freqs)
        _SPARE_PLACES.append(places)
        return found

    cdef Words point_at_words(self, list_indices, offsets):
        """Returns the words of a phrase; at least one."""
        cdef Words words = Words(len(list_indices))
        cdef Word added
        cdef uint32_t index
        cdef int i, j
        for i in range(words.count):
            index, added.shift = list_indices[i], offsets[i]
            self.point_at(&added.postings, index)
            self.open_cursor(&added.cursor, index, added.postings.size)
            # Rarest first: a row that lacks one is done with soonest.
            j = i
            while j and words.entries[j - 1].postings.size > added.postings.size:
                words.entries[j] = words.entries[j - 1]
                j -= 1
            words.entries[j] = added
        for i in range(words.count):
            words.entries[i].met = words.met + MEETINGS * <size_t>i
        return words

    cdef uint32_t run_phrase(self, Words words, Places places, uint32_t* out_rows,
                             uint8_t* out_freqs) noexcept nogil:
        """Looks at the rows of the first word, the rarest one; returns how many rows have the phrase."""
        cdef uint32_t first = 0, kept = 0, meetings, m
        cdef Word* entries = words.entries
        cdef int i
        cdef Py_ssize_t alive
        while first < entries[0].postings.size:
            meetings = meet(words, &first)
            for m in range(SOON):
                self.fetch_positions(words, m, meetings)
            for m in range(meetings):
                self.fetch_positions(words, m + SOON, meetings)
                alive = self.read_positions(&entries[0].cursor, entries[0].met[m], places.starts)
                alive = shift_back(places.starts, alive, entries[0].shift)
                for i in range(1, words.count):
                    if not alive:
                        break
                    alive = keep_common(places.starts, alive, places.others, self.read_positions(
                        &entries[i].cursor, entries[i].met[m], places.others), entries[i].shift)
                if alive:
                    out_rows[kept] = entries[0].postings.rows[entries[0].met[m]]
                    out_freqs[kept] = <uint8_t>(alive if alive < 255 else 255)
                    kept += 1
        return kept

    def phrase_lists(self, terms, offsets, int slop):
        """Returns (rows, freqs, field) for each field that has the phrase of these terms, in field order."""
        cdef FoundRows found
        return [(*found.copy(), found.field) for found in self.find_in_fields(terms, offsets, slop)]

    def find_phrase(self, terms, offsets, int slop):
        """Returns what `phrase_lists` finds, to be counted and scored without becoming arrays."""
        return FoundPhrase(self, self.find_in_fields(terms, offsets, slop))

    cdef list find_in_fields(self, terms, offsets, int slop):
        cdef uint32_t first, stop, index
        cdef Py_ssize_t term
        cdef list found = [], by_field = [None] * FIELD_SLOTS, own
        cdef FoundRows rows
        cdef int field, count = 0
        for term in terms:
            if not 0 <= term < self.term_count:
                return found
            first, stop = self.term_lists[term], self.term_lists[term + 1]
            if stop > <uint64_t>self.list_field.shape[0]:
                raise ValueError(f"term {term} points outside the lists")
            for index in range(first, stop):
                field = self.list_field[index]
                if field >= FIELD_SLOTS:
                    raise ValueError(f"list {index} is of no field")
                own = by_field[field]
                if count == 0 and own is None:
                    by_field[field] = [index]
                elif own is not None and len(own) == count:
                    own.append(index)
            count += 1
        for field in range(FIELD_SLOTS):
            own = by_field[field]
            if own is not None and len(own) == count:
                rows = self.find_near(own, offsets, slop)
                if rows.size:
                    rows.field = field
                    found.append(rows)
        return found

    def positions_at(self, uint32_t index, uint32_t row):
        """Returns the positions of a list's term in one row, ascending; empty when it is not there."""
        cdef List entry
        self.point_at(&entry, index)
        cdef uint32_t at = gallop(entry.rows, 0, entry.size, row) if entry.size else 0
        out_array = np.empty(MAX_POSITIONS, dtype=np.uint16)
        cdef uint16_t[::1] out = out_array
        cdef Py_ssize_t count = 0
        cdef Cursor cursor
        self.open_cursor(&cursor, index, entry.size)
        if at < entry.size and entry.rows[at] == row:
            count = self.read_positions(&cursor, at, &out[0])
        return out_array[:count].copy()

    def merge_lists(self, indices):
        """Returns (rows, freqs) of the union of lists; frequencies are added and saturate at 255."""
        cdef const uint32_t[::1] chosen = np.asarray(indices, dtype=np.uint32)
        cdef Py_ssize_t i, size = 0, words = (self.row_count + 63) >> 6
        cdef uint8_t* sums = <uint8_t*>calloc(self.row_count + 1, 1)
        cdef uint64_t* seen = <uint64_t*>calloc(words + 1, sizeof(uint64_t))
        cdef uint32_t[::1] rows
        cdef uint8_t[::1] freqs
        cdef List entry
        try:
            if sums == NULL or seen == NULL:
                raise MemoryError
            for i in range(chosen.shape[0]):
                self.point_at(&entry, chosen[i])
                with nogil:
                    size += add_freqs(&entry, sums, seen, <uint32_t>self.row_count)
            rows_array, freqs_array = np.empty(size, dtype=np.uint32), np.empty(size, dtype=np.uint8)
            rows, freqs = rows_array, freqs_array
            if size:
                with nogil:
                    take_marked(sums, seen, words, size, &rows[0], &freqs[0])
            return rows_array, freqs_array
        finally:
            free(sums)
            free(seen)

    def positions_in(self, uint32_t index, const uint32_t[::1] rows):
        """Returns (offsets, positions): those of row ``i`` are ``positions[offsets[i]:offsets[i + 1]]``."""
        cdef List entry
        self.point_at(&entry, index)
        offsets_array = np.zeros(rows.shape[0] + 1, dtype=np.uint32)
        cdef uint32_t[::1] offsets = offsets_array
        cdef uint16_t* buffer = <uint16_t*>malloc(MAX_POSITIONS * sizeof(uint16_t))
        cdef uint16_t* found = NULL
        cdef uint16_t* larger
        cdef size_t size = 0, room = 0
        cdef Py_ssize_t i, count
        cdef uint32_t at = 0
        cdef Cursor cursor
        self.open_cursor(&cursor, index, entry.size)
        try:
            if buffer == NULL:
                raise MemoryError
            for i in range(rows.shape[0]):
                if at < entry.size and entry.rows[at] < rows[i]:
                    at = gallop(entry.rows, at, entry.size, rows[i])
                if at < entry.size and entry.rows[at] == rows[i]:
                    count = self.read_positions(&cursor, at, buffer)
                    if size + count > room:
                        room = 2 * room + count + 1024
                        larger = <uint16_t*>realloc(found, room * sizeof(uint16_t))
                        if larger == NULL:
                            raise MemoryError
                        found = larger
                    memcpy(found + size, buffer, count * sizeof(uint16_t))
                    size += count
                offsets[i + 1] = <uint32_t>size
            positions = np.empty(size, dtype=np.uint16)
            if size:
                copy_into(positions, found, size)
            return offsets_array, positions
        finally:
            free(buffer)
            free(found)

    def run_shares(self, terms, offsets, const double[::1] sums, Py_ssize_t rarest, int least,
                   const uint32_t[::1] rows):
        """Returns for each row the most that a run around the rarest term gives; see `reference/postings.py`."""
        cdef Py_ssize_t i, count = len(terms)
        cdef uint32_t index
        cdef Words words = Words(count)
        cdef RunRoom room
        shares_array = np.zeros(rows.shape[0])
        cdef double[::1] shares = shares_array
        if not 0 <= rarest < count or sums.shape[0] != count + 1:
            raise ValueError("the rarest is one of the terms, and there is a sum before and behind each")
        if not 0 <= <Py_ssize_t>terms[rarest] < self.term_count:
            return shares_array
        for i in range(count):
            words.entries[i].shift = offsets[i]
        room = _SPARE_RUN_ROOMS.pop() if _SPARE_RUN_ROOMS else RunRoom()
        for index in range(self.term_lists[terms[rarest]], self.term_lists[terms[rarest] + 1]):
            if index >= <uint64_t>self.list_field.shape[0]:
                raise ValueError(f"term {terms[rarest]} points outside the lists")
            for i in range(count):
                self.point_at_word(&words.entries[i], terms[i], self.list_field[index])
            with nogil:
                for i in range(rows.shape[0]):
                    shares[i] = max(shares[i], self.best_run(words, rarest, least, rows[i], sums, room))
        _SPARE_RUN_ROOMS.append(room)
        return shares_array

    cdef int point_at_word(self, Word* word, Py_ssize_t term, int field) except -1:
        """Fills in a word's list in a field; an empty one where it has none."""
        cdef uint32_t index
        word.postings.size = word.postings.at = 0
        if not 0 <= term < self.term_count:
            return 0
        for index in range(self.term_lists[term], self.term_lists[term + 1]):
            if index < <uint64_t>self.list_field.shape[0] and self.list_field[index] == field:
                self.point_at(&word.postings, index)
                self.open_cursor(&word.cursor, index, word.postings.size)
        return 0

    cdef double best_run(self, Words words, Py_ssize_t rarest, int least, uint32_t row, const double[::1] sums,
                         RunRoom room) noexcept nogil:
        """Returns the most that a run of one row gives, 0 without one; rows must ascend."""
        cdef Py_ssize_t i, k, size = self.places_in(&words.entries[rarest], row, room.starts), alive = size
        cdef double best = 0.0
        for k in range(size):
            room.alive[k], room.first[k] = <uint32_t>k, <uint32_t>rarest
        i = rarest
        while alive and i:
            i -= 1
            alive = self.follow(words, rarest, i, row, room, alive)
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
            alive = self.follow(words, rarest, i, row, room, alive) if i < words.count else 0
        return best

    cdef Py_ssize_t follow(self, Words words, Py_ssize_t rarest, Py_ssize_t other, uint32_t row, RunRoom room,
                           Py_ssize_t alive) noexcept nogil:
        """Keeps alive what has another word as far from the rarest as the query has it; returns how many."""
        cdef Py_ssize_t k, at = 0, kept = 0, size = self.places_in(&words.entries[other], row, room.others)
        cdef int64_t distance = <int64_t>words.entries[other].shift - words.entries[rarest].shift, wanted
        for k in range(alive):
            wanted = room.starts[room.alive[k]] + distance
            while at < size and room.others[at] < wanted:
                at += 1
            if at < size and room.others[at] == wanted:
                room.alive[kept] = room.alive[k]
                kept += 1
        return kept

    cdef Py_ssize_t places_in(self, Word* word, uint32_t row, uint16_t* out) noexcept nogil:
        """Reads a word's positions in a row that is not before the one read last; returns how many."""
        cdef List* own = &word.postings
        if own.at < own.size and own.rows[own.at] < row:
            own.at = gallop(own.rows, own.at, own.size, row)
        if own.at >= own.size or own.rows[own.at] != row:
            return 0
        return self.read_positions(&word.cursor, own.at, out)

    cdef void open_cursor(self, Cursor* cursor, uint32_t index, uint32_t size) noexcept nogil:
        """Puts a cursor at the first posting of a list of so many."""
        cdef uint64_t start = self.list_positions[index], end = self.positions.shape[0]
        cdef uint64_t table = 4 * ((<uint64_t>size - 1) // SKIP_EVERY) if size else 0
        cursor.posting = 0
        if start >= end or table > end - start:
            cursor.skips, cursor.first, cursor.byte = NULL, end, end
        else:
            cursor.skips = &self.positions[start]
            cursor.first = cursor.byte = start + table

    cdef void fetch_positions(self, Words words, uint32_t meeting, uint32_t meetings) noexcept nogil:
        """Asks for the memory of a coming meeting's positions, which is then there when they are read.

        Where they begin is asked for even sooner.
        """
        cdef const uint8_t* block
        cdef Word* entry
        cdef int i
        if meeting + SOON < meetings:
            for i in range(words.count):
                entry = &words.entries[i]
                fetch_soon(entry.cursor.skips + 4 * <size_t>(entry.met[meeting + SOON] // SKIP_EVERY))
        if meeting < meetings:
            for i in range(words.count):
                block = &self.positions[0] + block_start(&words.entries[i].cursor, words.entries[i].met[meeting])
                fetch_soon(block)
                fetch_soon(block + 64)

    cdef Py_ssize_t read_positions(self, Cursor* cursor, uint32_t posting, uint16_t* out) noexcept nogil:
        """Decodes one posting's positions; stops at the end of the file and at 65,536 of them.

        Goes on from the posting read last when that is nearer than the skip.
        """
        cdef uint64_t end = self.positions.shape[0], at
        cdef uint32_t value, position = 0
        cdef Py_ssize_t count = 0
        cdef const uint8_t* data
        if cursor.skips == NULL:
            return 0
        data = &self.positions[0]
        if posting < cursor.posting or posting // SKIP_EVERY != cursor.posting // SKIP_EVERY:
            cursor.byte, cursor.posting = block_start(cursor, posting), posting // SKIP_EVERY * SKIP_EVERY
        if posting != cursor.posting:
            skip_postings(data, end, &cursor.byte, posting - cursor.posting)
        at = cursor.byte
        while at < end:
            value = data[at]
            if value < 128:  # nearly all are
                at += 1
            else:
                value = next_varint(data, end, &at)
            position += value >> 1
            if count < MAX_POSITIONS:
                out[count] = <uint16_t>position
                count += 1
            if value & 1:
                break
        cursor.byte = at
        cursor.posting = posting + 1
        return count

    def sloppy_phrase(self, list_indices, offsets, int slop):
        """Returns (rows, freqs) where the lists' terms stand near the given relative positions."""
        return self.find_near(list_indices, offsets, slop).copy()

    cdef FoundRows find_near(self, list_indices, offsets, int slop):
        if slop == 0:
            return self.find_exactly(list_indices, offsets)
        cdef int count = len(list_indices), i
        if slop < 0 or not 0 < count <= MAX_LOOSE_WORDS:
            raise ValueError(f"a loose phrase has 1 to {MAX_LOOSE_WORDS} words, not {count}, and slop from 0")
        cdef Words words = self.point_at_words(list_indices, [min(max(0, offset), 1 << 17) for offset in offsets])
        cdef FoundRows found = FoundRows(words.entries[0].postings.size)
        cdef Loose loose
        cdef Places places
        cdef list held = []
        try:
            loose.words, loose.slop = count, min(slop, 1 << 17)
            for i in range(count):
                loose.offsets[i] = words.entries[i].shift
                if i & 1:
                    loose.places[i] = places.others
                else:
                    places = _SPARE_PLACES.pop() if _SPARE_PLACES else Places()
                    held.append(places)
                    loose.places[i] = places.starts
            with nogil:
                found.size = self.run_loose(words, &loose, found.rows, found.freqs)
            return found
        finally:
            _SPARE_PLACES.extend(held[:max(0, <int>MAX_SPARE - <int>len(_SPARE_PLACES))])

    cdef uint32_t run_loose(self, Words words, Loose* loose, uint32_t* out_rows, uint8_t* out_freqs) noexcept nogil:
        """Does for a loose phrase what `run_phrase` does."""
        cdef uint32_t first = 0, kept = 0, meetings, m, freq
        cdef Word* entries = words.entries
        cdef int i
        while first < entries[0].postings.size:
            meetings = meet(words, &first)
            for m in range(SOON):
                self.fetch_positions(words, m, meetings)
            for m in range(meetings):
                self.fetch_positions(words, m + SOON, meetings)
                for i in range(words.count):
                    loose.sizes[i] = self.read_positions(&entries[i].cursor, entries[i].met[m], loose.places[i])
                    if not stands_near(loose, i):
                        break  # most rows end here
                else:
                    freq = count_loose(loose) if may_stand(loose) else 0
                    if freq:
                        out_rows[kept] = entries[0].postings.rows[entries[0].met[m]]
                        out_freqs[kept] = <uint8_t>min(freq, <uint32_t>255)
                        kept += 1
        return kept


cdef class FoundPhrase:
    """The rows of one segment that have a phrase; see `reference/postings.py`."""

    cdef Postings postings
    cdef list fields

    def __init__(self, Postings postings, list fields):
        self.postings, self.fields = postings, fields

    def count(self, live):
        """Returns in how many live rows the phrase is; None for all rows."""
        cdef const uint8_t[::1] live_view
        cdef const uint8_t* mask = NULL
        cdef uint64_t size = NO_ROW
        cdef FoundRows found
        if live is None and len(self.fields) == 1:
            found = self.fields[0]
            return found.size
        if live is not None:
            live_view = live
            size = live_view.shape[0]
            mask = &live_view[0] if size else NULL
        return self.count_merged(mask, size)

    cdef uint64_t count_merged(self, const uint8_t* mask, uint64_t size):
        cdef uint32_t at[FIELD_SLOTS]
        cdef uint64_t row, count = 0
        cdef FoundRows found
        cdef int i
        for i in range(FIELD_SLOTS):
            at[i] = 0
        while True:
            row = NO_ROW
            for i, found in enumerate(self.fields):
                if at[i] < found.size and found.rows[at[i]] < row:
                    row = found.rows[at[i]]
            if row >= size:
                return count
            for i, found in enumerate(self.fields):
                at[i] += at[i] < found.size and found.rows[at[i]] == row
            count += mask == NULL or mask[row] != 0

    def score(self, double weight, FieldTables tables, allowed, int k, double floor):
        """Returns what `Postings.score_top_k` does for the phrase alone."""
        cdef Query query = Query(1, FIELD_SLOTS, k)
        cdef Group* head = &query.heads[0]
        cdef FoundRows found
        cdef List* entry
        cdef list counted = [found for found in self.fields if tables.summed[(<FoundRows>found).field] != NULL]
        head.weight, head.saturation, head.first_list, head.list_count = weight, tables.saturation, 0, len(counted)
        for found in counted:
            entry = &query.lists[query.list_count]
            query.list_count += 1
            if found.field >= self.postings.lengths.shape[0]:
                raise ValueError(f"there are no lengths of field {found.field}")
            entry.rows, entry.freqs, entry.size, entry.at = found.rows, found.freqs, found.size, 0
            entry.buckets = &self.postings.lengths[found.field, 0]
            entry.values, entry.max_freq, entry.min_bucket = NULL, 255, 0
            entry.table = tables.finished[found.field] if head.list_count == 1 else tables.summed[found.field]
            entry.table_rows = 256
        if head.list_count:
            query.group_count = 1
            query.bound(head)
        return self.postings.answer(query, allowed, floor)


cdef object copy_numbers(const uint32_t* values, size_t size):
    copied = np.empty(size, dtype=np.uint32)
    cdef uint32_t[::1] out = copied
    if size:
        memcpy(&out[0], values, size * sizeof(uint32_t))
    return copied


cdef object copy_into(uint16_t[::1] out, const uint16_t* values, size_t size):
    memcpy(&out[0], values, size * sizeof(uint16_t))


cdef void skip_postings(const uint8_t* data, uint64_t end, uint64_t* at, uint32_t left) noexcept nogil:
    """Moves behind `left` postings, eight bytes at a time: a posting ends with a number whose lowest bit is 1.

    That bit is in a number's first byte; a byte is a first one when the byte before it has no high bit.
    """
    cdef uint64_t word, ends, counts, is_inside = 0
    cdef uint32_t count
    while at[0] + 8 <= end:
        memcpy(&word, data + at[0], 8)
        ends = word & ~((word >> 7 & LOW_BITS) << 8 | is_inside) & LOW_BITS
        counts = ends * LOW_BITS  # each byte: how many postings end up to here
        count = <uint32_t>(counts >> 56)
        if count >= left:
            # The first byte whose count, at most 8 as `left` is, is not below it.
            at[0] += lowest_bit((counts + (128 - left) * LOW_BITS) & LOW_BITS << 7) >> 3
            left = 0
            is_inside = 1
            break
        left -= count
        is_inside = word >> 63
        at[0] += 8
    while is_inside and at[0] < end:
        is_inside = data[at[0]] >> 7
        at[0] += 1
    while left and at[0] < end:
        left -= next_varint(data, end, at) & 1


cdef inline uint32_t next_varint(const uint8_t* data, uint64_t end, uint64_t* at) noexcept nogil:
    cdef uint32_t value = 0, shift = 0
    cdef uint8_t byte
    while at[0] < end:
        byte = data[at[0]]
        at[0] += 1
        value |= <uint32_t>(byte & 127) << shift
        shift += 7
        if not byte & 128 or shift > 21:
            break
    return value


cdef uint64_t block_start(const Cursor* cursor, uint32_t posting) noexcept nogil:
    """Returns where the positions of a posting's block begin."""
    cdef uint32_t block = posting // SKIP_EVERY
    cdef const uint8_t* skip
    if block == 0 or cursor.skips == NULL:
        return cursor.first
    skip = cursor.skips + 4 * <size_t>(block - 1)
    return cursor.first + (skip[0] | <uint32_t>skip[1] << 8 | <uint32_t>skip[2] << 16 | <uint32_t>skip[3] << 24)


cdef uint32_t meet(Words words, uint32_t* first) noexcept nogil:
    """Takes the next rows of the rarest word and keeps those that all words have; returns how many.

    One word after the other, without a branch for what is kept: whether a row has a word cannot be predicted.
    """
    cdef Word* entries = words.entries
    cdef const uint32_t* own_rows = entries[0].postings.rows
    cdef uint32_t meetings = min(entries[0].postings.size - first[0], <uint32_t>MEETINGS), kept, m, at, row, count
    cdef uint32_t[TOGETHER] targets
    cdef uint32_t[TOGETHER] places
    cdef List* entry
    cdef int i, j
    cdef bint is_far
    for m in range(meetings):
        entries[0].met[m] = first[0] + m
    first[0] += meetings
    for i in range(1, words.count):
        entry, kept = &entries[i].postings, 0
        is_far = entry.size // FAR > entries[0].postings.size
        for m in range(meetings):
            row = own_rows[entries[0].met[m]]
            if is_far:
                if m % TOGETHER == 0:
                    count = min(meetings - m, <uint32_t>TOGETHER)
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
        meetings = kept
    return meetings


cdef void find_rows(List* entry, const uint32_t* targets, uint32_t count, uint32_t* places) noexcept nogil:
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


cdef bint stands_near(const Loose* loose, int word) noexcept nogil:
    """Says whether a word stands near enough to the first one anywhere; a match of all words needs that."""
    cdef Py_ssize_t i = 0, j = 0
    cdef int32_t distance
    while i < loose.sizes[0] and j < loose.sizes[word]:
        distance = (loose.places[0][i] - loose.offsets[0]) - (loose.places[word][j] - loose.offsets[word])
        if distance > loose.slop:
            j += 1
        elif -distance > loose.slop:
            i += 1
        else:
            return True
    return False


cdef bint may_stand(Loose* loose) noexcept nogil:
    """Says whether some window has a position of every word; whether they are different ones is not asked.

    The word whose implied start comes first moves on until all starts are within the slop of each other.
    """
    cdef int32_t start, lowest, highest
    cdef int i, first
    for i in range(loose.words):
        if not loose.sizes[i]:
            return False
        loose.at[i] = 0
    while True:
        lowest, highest, first = NEVER, -NEVER, 0
        for i in range(loose.words):
            start = <int32_t>loose.places[i][loose.at[i]] - loose.offsets[i]
            if start < lowest:
                lowest, first = start, i
            highest = max(highest, start)
        if highest - lowest <= loose.slop:
            return True
        while <int32_t>loose.places[first][loose.at[first]] - loose.offsets[first] < highest - loose.slop:
            loose.at[first] += 1
            if loose.at[first] == loose.sizes[first]:
                return False


cdef uint32_t count_loose(Loose* loose) noexcept nogil:
    """Counts matches as `reference/loose_phrases.py` defines them; linear unless words share positions.

    Windows ``start .. start + slop`` of implied starts are tried in ascending order. The one whose match
    ends first wins; no window from which a match would end later needs a look.
    """
    cdef int32_t start, following, end, best, last = -1, widest = 0
    cdef uint32_t found = 0
    cdef int i
    for i in range(loose.words):
        loose.at[i] = 0
        loose.next_start[i] = 0
        widest = max(widest, loose.offsets[i])
    while True:
        best, start = NEVER, -NEVER
        while True:
            following = NEVER
            for i in range(loose.words):
                while (loose.next_start[i] < loose.sizes[i] and (
                        loose.places[i][loose.next_start[i]] <= last
                        or loose.places[i][loose.next_start[i]] - loose.offsets[i] <= start)):
                    loose.next_start[i] += 1
                if loose.next_start[i] < loose.sizes[i]:
                    following = min(following, loose.places[i][loose.next_start[i]] - loose.offsets[i])
            start = following
            if start == NEVER or start + widest >= best:
                break
            end = first_end(loose, start, last)
            best = min(best, end)
        if best == NEVER:
            return found
        found += 1
        last = best


cdef int32_t first_end(Loose* loose, int32_t start, int32_t last) noexcept nogil:
    """Returns the smallest last position of a match in one window, after `last`; NEVER for none."""
    cdef int32_t end = -1, place
    cdef int i, j
    cdef bint are_distinct = True
    for i in range(loose.words):
        while loose.at[i] < loose.sizes[i] and (
                loose.places[i][loose.at[i]] <= last
                or loose.places[i][loose.at[i]] < start + loose.offsets[i]):
            loose.at[i] += 1
        if loose.at[i] >= loose.sizes[i]:
            return NEVER
        place = loose.places[i][loose.at[i]]
        if place > start + loose.offsets[i] + loose.slop:
            return NEVER
        loose.owned[i] = -1
        end = max(end, place)
        for j in range(i):
            are_distinct = are_distinct and place != loose.places[j][loose.at[j]]
    if are_distinct:
        return end
    return first_distinct_end(loose, start)


cdef int32_t first_distinct_end(Loose* loose, int32_t start) noexcept nogil:
    """Hands positions out in ascending order until every word has its own; earlier owners may move on.

    A word needs to look at no more positions than there are words: one of them is free.
    """
    cdef int32_t place = -1, following
    cdef int i, placed = 0
    cdef Py_ssize_t k
    while True:
        following = NEVER
        for i in range(loose.words):
            k = loose.at[i]
            while k < loose.sizes[i] and loose.places[i][k] <= place:
                k += 1
            if (k < min(loose.sizes[i], loose.at[i] + loose.words)
                    and loose.places[i][k] <= start + loose.offsets[i] + loose.slop):
                following = min(following, loose.places[i][k])
        place = following
        if place == NEVER:
            return NEVER
        for i in range(loose.words):
            loose.is_tried[i] = False
        placed += hand_out(loose, start, place)
        if placed == loose.words:
            return place


cdef bint hand_out(Loose* loose, int32_t start, int32_t place) noexcept nogil:
    """Gives a position to a word that can stand there, moving others if need be (Kuhn 1955)."""
    cdef int i
    cdef Py_ssize_t k
    for i in range(loose.words):
        if loose.is_tried[i] or place > start + loose.offsets[i] + loose.slop:
            continue
        k = loose.at[i]
        while k < loose.sizes[i] and loose.places[i][k] < place:
            k += 1
        if k >= min(loose.sizes[i], loose.at[i] + loose.words) or loose.places[i][k] != place:
            continue
        loose.is_tried[i] = True
        if loose.owned[i] < 0 or hand_out(loose, start, loose.owned[i]):
            loose.owned[i] = place
            return True
    return False


cdef Py_ssize_t shift_back(uint16_t* positions, Py_ssize_t count, uint32_t shift) noexcept nogil:
    """Turns a word's positions into those where its phrase would start; drops impossible ones."""
    cdef Py_ssize_t i, kept = 0
    for i in range(count):
        if positions[i] >= shift:
            positions[kept] = <uint16_t>(positions[i] - shift)
            kept += 1
    return kept


cdef Py_ssize_t keep_common(uint16_t* starts, Py_ssize_t count, const uint16_t* others,
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
