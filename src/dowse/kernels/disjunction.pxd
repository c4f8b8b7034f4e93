"""Top-k of the rows that have any group, a window of rows at a time.

Groups that can still lift a new row into the answer (*essential*, in the sense of MaxScore: Turtle and
Flood 1995) are added to the sums of a window; the others can only add to rows already seen, and are looked up.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from .posting_lists cimport SLACK, WINDOW, Group, List, advance, look_up, table_value
from .top_k cimport Best, TopK, collect_merged, collect_run, collect_valued, push, update_threshold

cdef extern from *:
    """
    /* Looking a row up in a list costs as much as adding some twenty postings. Setting a list aside pays only
       when few rows are left to look up, that is when what it can still give is small beside the threshold.
       Measured on 100k passages, top 10: p95 384 us at 1.0, 254 at 0.5, 177 at 0.25. */
    #define NONESSENTIAL_RATIO 0.25
    """
    double NONESSENTIAL_RATIO


# The groups of one call, and the best rows found so far.
cdef struct Query:
    Group* heads
    List* lists
    Best* heap
    int group_count, list_count, k, found


# The arrays one call works in: all zero before and after it.
cdef struct Workspace:
    double* sums
    double* parts
    # Offsets of the rows with a sum, in the order they got it. One place more than there are rows: the
    # last row is noted before it is known to be new, and postings that repeat rows must not go beyond.
    uint32_t* matched


cdef inline void set_bound(Query* query, Group* head) noexcept nogil:
    """Sets the most a group can give a row."""
    cdef double bound = 0.0
    cdef List* entry
    cdef int i
    cdef uint32_t freq, p
    for i in range(head.first_list, head.first_list + head.list_count):
        entry = &query.lists[i]
        if entry.values != NULL:
            for p in range(entry.size):
                bound = max(bound, entry.values[p])
        else:
            freq = min(<uint32_t>entry.max_freq, entry.table_rows - 1)
            bound += entry.table[256 * <size_t>freq + entry.min_bucket]
    if head.list_count > 1:
        bound = bound / (bound + head.saturation)
    head.bound = bound * head.weight


cdef inline void sum_bounds(Query* query) noexcept nogil:
    """Sets what each group and those after it can give a row together."""
    cdef double rest = 0.0
    cdef int g
    for g in range(query.group_count - 1, -1, -1):
        rest += query.heads[g].bound
        query.heads[g].rest = rest


cdef inline void score_row(Query* query, uint32_t row, double floor, double* threshold) noexcept nogil:
    """Keeps a row if it scores enough; rows must come in ascending order."""
    cdef double score = 0.0
    cdef int g = 0
    while g < query.group_count and (score + query.heads[g].rest) * SLACK >= threshold[0]:
        score += look_up(&query.heads[g], query.lists, row, True)
        g += 1
    if g == query.group_count and score > floor and score >= threshold[0]:
        push(query.heap, &query.found, query.k, score, row)
        if query.found == query.k:
            threshold[0] = query.heap[0].score


cdef inline uint32_t add_single(Group* group, List* entry, uint32_t base, uint32_t span, Workspace* workspace,
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
    cdef double* sums = workspace.sums
    cdef uint32_t* matched = workspace.matched
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


cdef inline uint32_t add_valued(Group* group, List* entry, uint32_t base, uint32_t span, Workspace* workspace,
                         uint32_t count) noexcept nogil:
    """Adds a group whose list brings its own values."""
    cdef uint32_t at = entry.at, offset
    while at < entry.size:
        offset = entry.rows[at] - base
        if offset >= span or count > WINDOW:
            break
        workspace.matched[count] = offset
        count += workspace.sums[offset] == 0.0
        workspace.sums[offset] += group.weight * entry.values[at]
        at += 1
    entry.at = at
    return count


cdef inline uint32_t add_several(Group* group, List* lists, uint32_t base, uint32_t span, Workspace* workspace,
                          uint32_t count) noexcept nogil:
    """Adds a group of several lists: field values are summed per row first, then saturated together.

    The last list is nearly always the longest (body), so it is walked once: the others leave their values
    in `parts` for it to pick up, and what it did not pick up is finished after it.
    """
    cdef uint32_t at, size, offset, freq, last
    cdef int i, main_list = group.first_list + group.list_count - 1
    cdef double part, before, weight = group.weight, saturation = group.saturation
    cdef double* sums = workspace.sums
    cdef double* parts = workspace.parts
    cdef uint32_t* matched = workspace.matched
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


cdef inline void run_query(Query* query, uint32_t row_count, const uint8_t* mask, double floor, uint64_t* matched,
                           bint* is_exact, Workspace* workspace) noexcept nogil:
    """Finds the best rows that score above `floor`; `is_exact` says whether `matched` counts all that match."""
    sum_bounds(query)
    if query.group_count == 1:
        query.found = run_one(query, row_count, mask, floor, matched, is_exact)
    else:
        query.found = run_windows(query.heads, query.group_count, query.lists, row_count, mask, query.heap, query.k,
                                  floor, matched, is_exact, workspace)


cdef inline int run_windows(Group* heads, int group_count, List* lists, uint32_t row_count, const uint8_t* mask,
                            Best* heap, int k, double floor, uint64_t* matched, bint* is_exact,
                            Workspace* workspace) noexcept nogil:
    cdef uint32_t base = 0, span, row, i, count
    cdef int g, essential = group_count, found = 0
    cdef double threshold = floor, score, limit, rest_after = 0.0
    while base < row_count:
        while essential and heads[essential - 1].rest * SLACK < NONESSENTIAL_RATIO * threshold:
            essential -= 1
            rest_after = heads[essential].rest
            is_exact[0] = False
        if essential == 0:
            break
        span = row_count - base if row_count - base < WINDOW else WINDOW
        count = 0
        for g in range(essential):
            if lists[heads[g].first_list].values != NULL:
                count = add_valued(&heads[g], &lists[heads[g].first_list], base, span, workspace, count)
            elif heads[g].list_count == 1:
                count = add_single(&heads[g], &lists[heads[g].first_list], base, span, workspace, count)
            else:
                count = add_several(&heads[g], lists, base, span, workspace, count)
        for g in range(essential, group_count):
            advance(&lists[heads[g].first_list], heads[g].list_count, base)
        limit = threshold / SLACK - rest_after
        for i in range(count):
            row = workspace.matched[i]
            score = workspace.sums[row]
            workspace.sums[row] = 0.0
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


cdef inline int run_one(Query* query, uint32_t row_count, const uint8_t* mask, double floor, uint64_t* matched,
                        bint* is_exact) noexcept nogil:
    """Does what `run_windows` does for one group, which needs no sums."""
    cdef TopK top
    cdef Group* head = &query.heads[0]
    cdef List* entry = query.lists + head.first_list
    if row_count and head.bound * SLACK < NONESSENTIAL_RATIO * floor:
        is_exact[0] = False
        return 0
    top.heap, top.k, top.found = query.heap, query.k, 0
    top.floor = top.threshold = floor
    top.weight, top.saturation, top.is_finished = head.weight, head.saturation, head.list_count == 1
    top.known, top.least_freq = -1.0, 0
    update_threshold(&top)
    if entry.values != NULL:
        matched[0] = collect_valued(&top, entry, mask, row_count)
    elif head.list_count == 1:
        matched[0] = collect_run(&top, entry, entry.size, mask, row_count)
    else:
        matched[0] = collect_merged(&top, entry, head.list_count, mask, row_count)
    return top.found
