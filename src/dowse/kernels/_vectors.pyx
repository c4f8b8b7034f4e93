# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Compiled twin of `reference/vectors.py`: which vectors come near a query.

`vector_scan.h` has the loops for wide registers, and says when they run.
"""

import numpy as np

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

cdef extern from "processor.h" nogil:
    int has_avx2()

cdef extern from "vector_scan.h" nogil:
    void prefetch_row(const void* row, long size)
    void sum_block_plain(const uint8_t* block, const uint8_t* pairs, long width, uint16_t* sums)
    void sum_block_avx2(const uint8_t* block, const uint8_t* lookup, long width, uint16_t* sums)
    int32_t dot_plain(const int8_t* row, const int16_t* query, long width)
    int32_t dot_avx2(const int8_t* row, const int16_t* query, long width)
    int32_t sum_remainders_plain(
        const uint8_t* packed, const int16_t* evens, const int16_t* odds, long count)
    int32_t sum_remainders_avx2(
        const uint8_t* packed, const int16_t* evens, const int16_t* odds, long count)
    uint32_t estimate_block_plain(
        const uint16_t* sums, const float* factors, const float* biases, float step, int32_t middle,
        float floor, int lanes, float* estimates)
    uint32_t estimate_block_avx2(
        const uint16_t* sums, const float* factors, const float* biases, float step, int32_t middle,
        float floor, float* estimates)
    int lowest_bit(uint32_t word)
    uint64_t rank_of(float score, uint32_t row)
    float score_of(uint64_t rank)

cdef enum:
    VECTOR_LANES = 32
    MAX_VECTOR_WIDTH = 4096
    HALF_WIDTH = 2048
    MAX_QUERY_LEVEL = 2047
    AHEAD = 8  # rows that are fetched from memory before they are looked at

cdef float LOWEST = float("-inf")
cdef bint HAS_AVX2 = has_avx2()


def _use_wide_registers(bint is_wanted):
    """Switches the loops for AVX2 off or on again, for tests; returns whether they run now."""
    global HAS_AVX2
    HAS_AVX2 = is_wanted and has_avx2()
    return bool(HAS_AVX2)


cdef struct Best:
    uint64_t* ranks  # room for twice as many as are kept, and for as many again to sort them out
    Py_ssize_t kept
    Py_ssize_t count
    float floor  # nothing at or below it can be among the kept
    uint64_t state


cdef void keep_largest(Best* best) noexcept nogil:
    """Moves the `kept` largest ranks to the front and forgets the others.

    Quickselect with pivots drawn at random (xorshift), so that no order of rows makes it slow. Each rank is
    written to both ends of what is free, and one of the ends moves: a branch would be guessed wrong half of
    the time, which takes three times as long as all the rest.
    """
    cdef uint64_t* ranks = best.ranks
    cdef uint64_t* parted = best.ranks + 2 * best.kept
    cdef Py_ssize_t low = 0, high = best.count, i, front, back
    cdef uint64_t pivot, rank
    while low < best.kept < high:  # what is before `low` stays, what is from `high` on goes
        best.state ^= best.state << 13
        best.state ^= best.state >> 7
        best.state ^= best.state << 17
        pivot = ranks[low + <Py_ssize_t>(best.state % <uint64_t>(high - low))]
        front, back = low, high - 1
        for i in range(low, high):
            rank = ranks[i]
            parted[front] = rank
            parted[back] = rank
            front += rank >= pivot
            back -= rank < pivot
        memcpy(ranks + low, parted + low, (high - low) * sizeof(uint64_t))
        if front <= best.kept:
            low = front
        else:
            high = front
    best.count = best.kept
    pivot = ranks[0]
    for i in range(1, best.kept):
        pivot = min(pivot, ranks[i])
    best.floor = score_of(pivot)


cdef inline void offer(Best* best, float score, uint32_t row) noexcept nogil:
    """Takes a row whose score is above the floor. A score equal to it loses, for rows ascend."""
    if not score > best.floor:
        return
    best.ranks[best.count] = rank_of(score, row)
    best.count += 1
    if best.count == 2 * best.kept:
        keep_largest(best)


cdef bint has_any(const uint8_t* allowed, Py_ssize_t count) noexcept nogil:
    cdef uint64_t words[4]
    cdef Py_ssize_t i
    if count == VECTOR_LANES:
        memcpy(words, allowed, VECTOR_LANES)
        return (words[0] | words[1] | words[2] | words[3]) != 0
    for i in range(count):
        if allowed[i]:
            return True
    return False


cdef Best* new_best(Py_ssize_t kept) except NULL:
    cdef Best* best = <Best*>malloc(sizeof(Best))
    if best == NULL:
        raise MemoryError
    best.ranks = <uint64_t*>malloc(4 * kept * sizeof(uint64_t))
    if best.ranks == NULL:
        free(best)
        raise MemoryError
    best.kept, best.count, best.floor, best.state = kept, 0, LOWEST, 0x9E3779B97F4A7C15ULL
    return best


cdef object kept_ranks(Best* best):
    """Returns the ranks of the best, in no order."""
    cdef uint64_t[::1] out
    if best.count > best.kept:
        keep_largest(best)
    found = np.empty(best.count, np.uint64)
    if best.count:
        out = found
        memcpy(&out[0], best.ranks, best.count * sizeof(uint64_t))
    return found


cdef void scan_blocks(
    const uint8_t* bits, const float* factors, const float* biases, const uint8_t* lookup,
    const uint8_t* pairs, float step, const uint8_t* allowed, Py_ssize_t rows, Py_ssize_t width, Best* best
) noexcept nogil:
    cdef Py_ssize_t first = 0, lanes, lane
    cdef uint16_t sums[VECTOR_LANES]
    cdef float estimates[VECTOR_LANES]
    cdef int32_t middle = <int32_t>(15 * 8 * width)
    cdef uint32_t found
    while first < rows:
        lanes = min(<Py_ssize_t>VECTOR_LANES, rows - first)
        if allowed == NULL or has_any(allowed + first, lanes):
            if HAS_AVX2:
                sum_block_avx2(bits + first * width, lookup, width, sums)
            else:
                sum_block_plain(bits + first * width, pairs, width, sums)
            if HAS_AVX2 and lanes == VECTOR_LANES:
                found = estimate_block_avx2(
                    sums, factors + first, biases + first, step, middle, best.floor, estimates)
            else:
                found = estimate_block_plain(
                    sums, factors + first, biases + first, step, middle, best.floor, <int>lanes, estimates)
            while found:
                lane = lowest_bit(found)
                found &= found - 1
                if allowed == NULL or allowed[first + lane]:
                    offer(best, estimates[lane], <uint32_t>(first + lane))
        first += VECTOR_LANES


def scan_bits(
    const uint8_t[:, :, ::1] bits not None, const float[::1] factors not None,
    const float[::1] biases not None, const uint8_t[:, ::1] lookup not None, float step,
    const uint8_t[::1] allowed, Py_ssize_t count
):
    cdef Py_ssize_t rows = factors.shape[0], width = bits.shape[1]
    cdef const uint8_t* allowed_rows = NULL
    if (
        bits.shape[0] != (rows + VECTOR_LANES - 1) // VECTOR_LANES or bits.shape[2] != VECTOR_LANES
        or biases.shape[0] != rows or lookup.shape[0] != 2 * width or lookup.shape[1] != 16
        or (allowed is not None and allowed.shape[0] != rows) or 8 * width > MAX_VECTOR_WIDTH
    ):
        raise ValueError("codes, rows and query do not fit together")
    if not rows or not width or count <= 0:
        return np.zeros(0, np.uint32)
    if allowed is not None:
        allowed_rows = &allowed[0]
    pair_array = np.zeros(1, np.uint8) if HAS_AVX2 else pairs_of(np.asarray(lookup))
    cdef const uint8_t[::1] pairs = pair_array
    cdef Best* best = new_best(min(count, rows))
    try:
        with nogil:
            scan_blocks(
                &bits[0, 0, 0], &factors[0], &biases[0], &lookup[0, 0], &pairs[0], step, allowed_rows,
                rows, width, best)
        found = rows_of(kept_ranks(best))
    finally:
        free(best.ranks)
        free(best)
    found.sort()
    return found


def pairs_of(lookup):
    """Returns what each byte gives, [width, 256], as one run."""
    whole = lookup[1::2, :, None] + lookup[::2, None, :]
    return np.ascontiguousarray(whole.reshape(-1))


cdef object rows_of(object ranks):
    return ~(ranks & 0xFFFFFFFF).astype(np.uint32)


cdef void score_all(
    const int8_t* levels, const float* scales, const float* biases, const int16_t* query, float step,
    const uint32_t* rows, Py_ssize_t count, Py_ssize_t width, Best* best
) noexcept nogil:
    cdef Py_ssize_t i
    cdef uint32_t row
    cdef int32_t dot
    cdef float score
    for i in range(count):
        row = rows[i]
        if i + AHEAD < count:
            prefetch_row(levels + rows[i + AHEAD] * width, width)
        if HAS_AVX2:
            dot = dot_avx2(levels + row * width, query, width)
        else:
            dot = dot_plain(levels + row * width, query, width)
        score = (biases[row] + scales[row] * (step * <float>dot)) + <float>0.0
        offer(best, score, row)


def score_levels(
    const int8_t[:, ::1] levels not None, const float[::1] scales not None,
    const float[::1] biases not None, const int16_t[::1] query not None, float step,
    const uint32_t[::1] rows not None, Py_ssize_t count
):
    cdef Py_ssize_t total = levels.shape[0], width = levels.shape[1], size = rows.shape[0], i
    if (
        scales.shape[0] != total or biases.shape[0] != total or query.shape[0] != width or width % 64
        or width > MAX_VECTOR_WIDTH
    ):
        raise ValueError("levels, rows and query do not fit together")
    for i in range(width):
        if query[i] > MAX_QUERY_LEVEL or query[i] < -MAX_QUERY_LEVEL:
            raise ValueError("a level of the query is out of range")
    for i in range(size):
        if rows[i] >= total or (i and rows[i] <= rows[i - 1]):
            raise ValueError("rows must ascend and be there")
    if not size or not width or count <= 0:
        return np.zeros(0, np.uint32), np.zeros(0, np.float32)
    cdef Best* best = new_best(min(count, size))
    try:
        with nogil:
            score_all(
                &levels[0, 0], &scales[0], &biases[0], &query[0], step, &rows[0], size, width, best)
        ranks = kept_ranks(best)
    finally:
        free(best.ranks)
        free(best)
    ranks = np.sort(ranks)[::-1]
    found = rows_of(ranks)
    high = (ranks >> np.uint64(32)).astype(np.uint32)
    is_negative = high < np.uint32(0x80000000)
    return found, np.where(is_negative, ~high, high & np.uint32(0x7FFFFFFF)).view(np.float32)


cdef void sum_all(
    const int8_t* levels, const uint8_t* remainders, const int16_t* query, const int16_t* evens,
    const int16_t* odds, const uint32_t* rows, Py_ssize_t count, Py_ssize_t width, int64_t* sums
) noexcept nogil:
    cdef Py_ssize_t i, half = width // 2
    cdef const int8_t* row
    cdef const uint8_t* rest
    for i in range(count):
        if i + AHEAD < count:
            prefetch_row(levels + rows[i + AHEAD] * width, width)
            prefetch_row(remainders + rows[i + AHEAD] * half, half)
        row, rest = levels + rows[i] * width, remainders + rows[i] * half
        if HAS_AVX2:
            sums[i] += 16 * <int64_t>dot_avx2(row, query, width)
            sums[i] += sum_remainders_avx2(rest, evens, odds, half)
        else:
            sums[i] += 16 * <int64_t>dot_plain(row, query, width)
            sums[i] += sum_remainders_plain(rest, evens, odds, half)


def score_int12(
    const int8_t[:, ::1] levels not None, const uint8_t[:, ::1] remainders not None,
    const int16_t[::1] query not None, const uint32_t[::1] rows not None
):
    cdef Py_ssize_t total = levels.shape[0], width = levels.shape[1], size = rows.shape[0], i
    if (
        remainders.shape[0] != total or 2 * remainders.shape[1] != width or query.shape[0] != width
        or width % 64 or width > MAX_VECTOR_WIDTH
    ):
        raise ValueError("levels, rows and query do not fit together")
    cdef int64_t middle = 0
    for i in range(width):
        if query[i] > MAX_QUERY_LEVEL or query[i] < -MAX_QUERY_LEVEL:
            raise ValueError("a level of the query is out of range")
        middle += 8 * query[i]
    for i in range(size):
        if rows[i] >= total:
            raise ValueError("rows must be there")
    # Side by side, as the halves of a byte are looked at.
    cdef int16_t evens[HALF_WIDTH]
    cdef int16_t odds[HALF_WIDTH]
    for i in range(width // 2):
        evens[i], odds[i] = query[2 * i], query[2 * i + 1]
    sums = np.full(size, -middle, np.int64)
    cdef int64_t[::1] out = sums
    if width and size:
        with nogil:
            sum_all(
                &levels[0, 0], &remainders[0, 0], &query[0], evens, odds, &rows[0], size, width, &out[0])
    return sums
