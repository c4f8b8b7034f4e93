"""Compiled twin of `reference/spans.py`: which spans stand near each other.

Starts are tried from the right. A start is worth a look only if every set has a span after it that ends
before the answer found last, and near enough; so windows of common words are short, and a rare word's
position is not approached from every common word before it.
"""

import numpy as np

from dowse.kernels._sorted_sets import intersect

from libc.stdint cimport int32_t, int64_t, uint32_t
from libc.stdlib cimport free, malloc, qsort, realloc

cdef enum:
    MAX_UNORDERED = 10

cdef int64_t NEVER = 1 << 40


cdef struct Member:
    int64_t start
    int64_t end
    int32_t number


cdef struct Source:
    const uint32_t* rows
    const uint32_t* starts
    const uint32_t* ends
    Py_ssize_t size, at


cdef struct Row:
    Member* members  # by end, start, number
    Py_ssize_t size
    int64_t* nearest  # by set: the smallest end among its spans from the present start on
    int64_t* longest  # by set: its longest span
    int count
    int64_t gap
    bint is_ordered


cdef struct Tables:
    int64_t* ends
    int32_t* lengths  # `states` numbers for each end; -1 for what cannot be covered
    Py_ssize_t room, size
    Py_ssize_t states


cdef struct Answers:
    uint32_t* values  # row, start, end
    size_t size, room


cdef int by_end(const void* left, const void* right) noexcept nogil:
    cdef Member* one = <Member*>left
    cdef Member* other = <Member*>right
    if one.end != other.end:
        return 1 if one.end > other.end else -1
    if one.start != other.start:
        return 1 if one.start > other.start else -1
    return (one.number > other.number) - (one.number < other.number)


cdef int by_start(const void* left, const void* right) noexcept nogil:
    cdef Member* one = <Member*>left
    cdef Member* other = <Member*>right
    return (one.start > other.start) - (one.start < other.start)


cdef bint add_answer(Answers* answers, uint32_t row, int64_t start, int64_t end) noexcept nogil:
    cdef uint32_t* values
    if answers.size == answers.room:
        answers.room = 2 * answers.room + 64
        values = <uint32_t*>realloc(answers.values, 3 * answers.room * sizeof(uint32_t))
        if values == NULL:
            return False
        answers.values = values
    values = answers.values + 3 * answers.size
    values[0], values[1], values[2] = row, <uint32_t>start, <uint32_t>end
    answers.size += 1
    return True


cdef bint add_table(Tables* tables, int64_t end) noexcept nogil:
    """Begins the table of a new end as a copy of the one before; -1 everywhere in the first."""
    cdef int64_t* ends
    cdef int32_t* lengths
    cdef Py_ssize_t i, at = tables.size * tables.states
    if tables.size == tables.room:
        tables.room = 2 * tables.room + 16
        ends = <int64_t*>realloc(tables.ends, tables.room * sizeof(int64_t))
        if ends == NULL:
            return False
        tables.ends = ends
        lengths = <int32_t*>realloc(tables.lengths, tables.room * tables.states * sizeof(int32_t))
        if lengths == NULL:
            return False
        tables.lengths = lengths
    for i in range(tables.states):
        tables.lengths[at + i] = tables.lengths[at + i - tables.states] if tables.size else -1
    tables.ends[tables.size] = end
    tables.size += 1
    return True


cdef Py_ssize_t table_before(Tables* tables, int64_t start) noexcept nogil:
    """Returns the last table whose end is not above `start`; the first one's never is."""
    cdef Py_ssize_t low = 0, high = tables.size, middle
    while high - low > 1:
        middle = (low + high) >> 1
        if tables.ends[middle] <= start:
            low = middle
        else:
            high = middle
    return low


cdef int64_t first_end(Row* row, Py_ssize_t first, int64_t start, int64_t before, Tables* tables) noexcept nogil:
    """Returns the smallest end, below `before`, of an answer that starts at `start`; NEVER for none.

    Returns -1 when there is no memory.

    Ordered, a state is how many sets are covered; otherwise it is which ones, as bits.
    """
    cdef Py_ssize_t i, state, low, high, after, last = tables.states - 1
    cdef int32_t length
    cdef Member* member
    cdef int32_t* earlier
    tables.size = 0
    if not add_table(tables, start):
        return -1
    tables.lengths[0] = 0
    for i in range(first, row.size):
        member = &row.members[i]
        if member.end >= before:
            break
        if member.start < start:
            continue
        if tables.ends[tables.size - 1] != member.end and not add_table(tables, member.end):
            return -1
        earlier = tables.lengths + table_before(tables, member.start) * tables.states
        low = member.number if row.is_ordered else 0
        high = low if row.is_ordered else last
        for state in range(low, high + 1):
            if earlier[state] < 0 or (state == 0 and member.start != start):
                continue
            if not row.is_ordered and state >> member.number & 1:
                continue
            after = state + 1 if row.is_ordered else state | 1 << member.number
            length = earlier[state] + <int32_t>(member.end - member.start)
            if after == last and member.end - start - length <= row.gap:
                return member.end
            if length > tables.lengths[(tables.size - 1) * tables.states + after]:
                tables.lengths[(tables.size - 1) * tables.states + after] = length
    return NEVER


cdef int run_row(Row* row, Member* ordered, uint32_t number, Tables* tables, Answers* answers) noexcept nogil:
    """Adds one row's answers, from the last to the first; -1 when there is no memory.

    `ordered` are the members by start.
    """
    cdef Py_ssize_t at = row.size - 1, first = row.size
    cdef int64_t start, end, before = NEVER, farthest, reach = row.gap
    cdef int i
    for i in range(row.count):
        row.nearest[i] = NEVER
        reach += row.longest[i]
    while at >= 0:
        start = ordered[at].start
        while at >= 0 and ordered[at].start == start:
            i = ordered[at].number
            row.nearest[i] = min(row.nearest[i], ordered[at].end)
            at -= 1
        farthest = 0
        for i in range(row.count):
            farthest = max(farthest, row.nearest[i])
        if farthest >= before or farthest - start > reach:
            continue
        # Members end after they start, so those that end at or before the start cannot belong to it.
        while first > 0 and row.members[first - 1].end > start:
            first -= 1
        end = first_end(row, first, start, min(before, start + reach + 1), tables)
        if end < 0:
            return -1
        if end < NEVER:
            before = end
            if not add_answer(answers, number, start, end):
                return -1
    return 0


def near_spans(sets, gap, bint is_ordered):
    """Returns the smallest spans that hold one span of every set, close together."""
    if not sets or gap < 0 or (not is_ordered and len(sets) > MAX_UNORDERED):
        raise ValueError(f"cannot bring {len(sets)} sets of spans together, {gap} apart")
    cdef list views = [checked(spans) for spans in sets]
    cdef int count = len(views), i
    cdef Py_ssize_t largest = sum(len(view[0]) for view in views)
    cdef Row row
    cdef Tables tables
    cdef Answers answers
    cdef uint32_t number
    row.count, row.gap, row.is_ordered = count, min(gap, 1 << 33), is_ordered
    row.members = <Member*>malloc(max(1, largest) * sizeof(Member))
    cdef Member* ordered = <Member*>malloc(max(1, largest) * sizeof(Member))
    row.nearest = <int64_t*>malloc(count * sizeof(int64_t))
    row.longest = <int64_t*>malloc(count * sizeof(int64_t))
    cdef Source* sources = <Source*>malloc(count * sizeof(Source))
    tables.ends, tables.lengths, tables.room, tables.size = NULL, NULL, 0, 0
    tables.states = count + 1 if is_ordered else 1 << count
    answers.values, answers.size, answers.room = NULL, 0, 0
    cdef size_t done
    try:
        if (row.members == NULL or ordered == NULL or row.nearest == NULL or row.longest == NULL
                or sources == NULL):
            raise MemoryError
        for i in range(count):
            point_at(&sources[i], views[i])
        for number in common_rows(views):
            row.size = 0
            for i in range(count):
                take_members(&row, i, &sources[i], number)
            copy_members(ordered, row.members, row.size)
            qsort(row.members, row.size, sizeof(Member), by_end)
            qsort(ordered, row.size, sizeof(Member), by_start)
            done = answers.size
            if run_row(&row, ordered, number, &tables, &answers):
                raise MemoryError
            turn_around(&answers, done)
        found = np.empty((answers.size, 3), dtype=np.uint32)
        copy_answers(found, &answers)
        return tuple(np.ascontiguousarray(found[:, i]) for i in range(3))
    finally:
        free(row.members)
        free(ordered)
        free(row.nearest)
        free(row.longest)
        free(sources)
        free(tables.ends)
        free(tables.lengths)
        free(answers.values)


cdef tuple checked(spans):
    """Returns three arrays of one length that can be read without checks."""
    arrays = tuple(np.ascontiguousarray(column, dtype=np.uint32) for column in spans)
    if len(arrays) != 3 or not len(arrays[0]) == len(arrays[1]) == len(arrays[2]):
        raise ValueError("a span set is three arrays of one length")
    return arrays


cdef list common_rows(list views):
    common = distinct(views[0][0])
    for view in views[1:]:
        common = intersect(common, distinct(view[0]))
    return common.tolist()


cdef object distinct(rows):
    """Returns ascending rows once each; `np.unique` would not know that they are in order."""
    is_new = np.ones(len(rows), dtype=bool)
    is_new[1:] = np.diff(rows) != 0
    return rows[is_new]


cdef int point_at(Source* source, tuple view) except -1:
    cdef const uint32_t[::1] rows = view[0], starts = view[1], ends = view[2]
    source.size, source.at = rows.shape[0], 0
    if source.size:
        source.rows, source.starts, source.ends = &rows[0], &starts[0], &ends[0]
    return 0


cdef void take_members(Row* row, int number, Source* source, uint32_t wanted) noexcept:
    """Adds a set's spans in one row and moves the source behind them."""
    cdef Py_ssize_t at = source.at, size = source.size, step = 1
    while at + step < size and source.rows[at + step] < wanted:
        at += step
        step += step
    row.longest[number] = 0
    while at < size and source.rows[at] < wanted:
        at += 1
    while at < size and source.rows[at] == wanted:
        if source.starts[at] < source.ends[at]:
            row.members[row.size].start, row.members[row.size].end = source.starts[at], source.ends[at]
            row.members[row.size].number = number
            row.longest[number] = max(row.longest[number], <int64_t>source.ends[at] - source.starts[at])
            row.size += 1
        at += 1
    source.at = at


cdef void copy_members(Member* out, const Member* members, Py_ssize_t size) noexcept:
    cdef Py_ssize_t i
    for i in range(size):
        out[i] = members[i]


cdef void turn_around(Answers* answers, size_t first) noexcept:
    """Puts the answers from `first` on into ascending order."""
    cdef size_t last = answers.size
    cdef int i
    cdef uint32_t kept
    while first + 1 < last:
        last -= 1
        for i in range(3):
            kept = answers.values[3 * first + i]
            answers.values[3 * first + i] = answers.values[3 * last + i]
            answers.values[3 * last + i] = kept
        first += 1


cdef object copy_answers(uint32_t[:, ::1] out, Answers* answers):
    cdef size_t i
    cdef int column
    for i in range(answers.size):
        for column in range(3):
            out[i, column] = answers.values[3 * i + column]


def first_spans(spans, count):
    """Returns the spans that end within the first `count` positions of the field."""
    rows, starts, ends = checked(spans)
    kept = ends <= count
    return rows[kept], starts[kept], ends[kept]


def union_spans(sets):
    """Returns the spans of all sets, each once."""
    columns = [np.concatenate([np.zeros(0, np.uint32), *(checked(spans)[i] for spans in sets)]) for i in range(3)]
    order = np.lexsort((columns[2], columns[1], columns[0]))
    rows, starts, ends = (column[order] for column in columns)
    is_new = np.ones(len(rows), dtype=bool)
    is_new[1:] = (np.diff(rows) | np.diff(starts) | np.diff(ends)) != 0
    return rows[is_new], starts[is_new], ends[is_new]
