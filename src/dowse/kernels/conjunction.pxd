"""Top-k of the rows that have all clauses, or enough of them.

Clauses of similar length are counted a window at a time. Where one has far fewest postings it proposes a row,
and each of the others says where it can go on.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from .disjunction cimport Query, score_row, sum_bounds
from .minimum_match cimport Counting, count_window
from .posting_lists cimport SLACK, WINDOW, Clause, List, advance, look_up, seek
from .top_k cimport push


# The clauses of one call, those with fewest postings first, and what is excluded last.
cdef struct Clauses:
    Clause* heads
    List* lists
    int count, list_count


cdef inline void order_clauses(Clauses* clauses) noexcept nogil:
    """Puts the clauses with fewest postings first; what is excluded stays last."""
    cdef Clause moved
    cdef int i, j
    for i in range(1, clauses.count - 1):
        moved, j = clauses.heads[i], i
        while j > 0 and clauses.heads[j - 1].postings > moved.postings:
            clauses.heads[j] = clauses.heads[j - 1]
            j -= 1
        clauses.heads[j] = moved


cdef inline uint64_t seek_clauses(Query* query, Clauses* clauses, uint64_t row_count, const uint8_t* mask,
                                  double floor) noexcept nogil:
    """Takes the rows that have all clauses from one to the next; returns how many there are."""
    cdef uint64_t row = 0, reached, matched = 0
    cdef int c, clause_count = clauses.count - 1
    cdef double threshold = floor
    while True:
        row = seek(&clauses.heads[0], clauses.lists, row)
        reached = row
        if row >= row_count:
            return matched
        for c in range(1, clause_count):
            reached = seek(&clauses.heads[c], clauses.lists, row)
            if reached != row:
                break
        if reached >= row_count:
            return matched
        if reached != row:
            row = reached
            continue
        if ((mask == NULL or mask[row])
                and seek(&clauses.heads[clause_count], clauses.lists, row) != row):
            matched += 1
            score_row(query, <uint32_t>row, floor, &threshold)
        row += 1

cdef inline uint64_t count_all_clauses(Query* query, Clauses* clauses, Counting* counting, uint64_t row_count,
                                       const uint8_t* mask, double floor) noexcept nogil:
    """Does the same for clauses of which none has far fewer postings than the next."""
    cdef uint64_t base = 0, matched = 0
    cdef int c, clause_count = clauses.count - 1
    cdef uint32_t i, kept, row
    cdef double threshold = floor
    while True:
        base = seek(&clauses.heads[0], clauses.lists, base)
        if base >= row_count:
            return matched
        for c in range(1, counting.counted):
            advance(&clauses.lists[clauses.heads[c].first_list], clauses.heads[c].list_count, <uint32_t>base)
        kept = count_window(counting, clauses.heads, clauses.lists, <uint32_t>base,
                            <uint32_t>min(row_count - base, <uint64_t>WINDOW))
        for i in range(kept):
            row = counting.rows[i]
            if ((mask == NULL or mask[row])
                    and seek(&clauses.heads[clause_count], clauses.lists, row) != row):
                matched += 1
                score_row(query, row, floor, &threshold)
        base += WINDOW


cdef inline uint64_t score_minimum_match(Query* query, Clauses* clauses, Counting* counting, uint32_t row_count,
                                         const uint8_t* mask, double floor) noexcept nogil:
    """Scores the rows that have enough clauses, each by the share that it has; returns how many there are."""
    cdef uint32_t base = 0, i, kept, row
    cdef uint64_t matched = 0
    cdef int g, group_count = query.group_count
    cdef double score, share, threshold = floor
    # A term in a field that does not count is worth nothing, and so may be a row.
    cdef bint all_count = query.list_count == clauses.list_count
    sum_bounds(query)
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
