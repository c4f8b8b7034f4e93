"""Compiled twin of `reference/inversion.py`: tokens to posting lists."""

import numpy as np

from dowse.kernels.layout import DROPPED, Lists

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memcpy

cdef enum:
    SKIP_EVERY = 64
    MAX_TERM_FREQ = 255
    FIELD_SLOTS = 8

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define dowse_prefetch(address) __builtin_prefetch(address)
    #else
    #define dowse_prefetch(address) ((void)(address))
    #endif
    """
    void dowse_prefetch(const void* address) noexcept nogil

cdef enum:
    # How far ahead of its use a token's place is looked up, and then its destination.
    AHEAD = 32


cdef inline uint8_t* put_varint(uint8_t* out, uint32_t value) noexcept nogil:
    while value >= 128:
        out[0] = <uint8_t>(value | 128)
        out += 1
        value >>= 7
    out[0] = <uint8_t>value
    return out + 1


cdef uint32_t order_positions(uint16_t* positions, uint32_t count) noexcept nogil:
    """Sorts and removes duplicates in place; input is nearly always sorted already."""
    cdef uint32_t i, j, kept = 0
    cdef uint16_t value
    for i in range(1, count):
        value = positions[i]
        j = i
        while j > 0 and positions[j - 1] > value:
            positions[j] = positions[j - 1]
            j -= 1
        positions[j] = value
    for i in range(count):
        if i == 0 or positions[i] != positions[kept - 1]:
            positions[kept] = positions[i]
            kept += 1
    return kept


def invert(uint32_t[::1] list_ids, uint32_t[::1] rows, uint16_t[::1] positions,
           Py_ssize_t term_count, uint8_t[:, ::1] buckets, Py_ssize_t first_term=0):
    """Groups tokens by (term, field) and encodes their posting lists.

    Caller guarantees: rows ascend within each list id; rows index `buckets`; a term number fits in 29 bits.
    See `reference/inversion.py` for the plain version.
    """
    cdef Py_ssize_t all_tokens = list_ids.shape[0], n, key_count = term_count * FIELD_SLOTS
    cdef Py_ssize_t i, key, start, stop, first, list_count = 0
    cdef uint32_t base = <uint32_t>(first_term * FIELD_SLOTS), slot, at
    cdef uint32_t other = <uint32_t>key_count
    # Tokens of other terms go to a slot, and a place, of their own behind the last: no branch to guess.
    starts_array = np.zeros(key_count + 2, dtype=np.uint32)
    cdef uint32_t[::1] starts = starts_array
    with nogil:
        for i in range(all_tokens):
            slot = min(list_ids[i] - base, other)
            starts[slot + 1] += 1
        for key in range(key_count):
            if starts[key + 1]:
                list_count += 1
            starts[key + 1] += starts[key]
    n = starts[key_count]
    cursor_array = starts_array[:key_count + 1].copy()
    cdef uint32_t[::1] cursor = cursor_array
    sorted_rows_array = np.empty(n + 1, dtype=np.uint32)
    sorted_positions_array = np.empty(n + 1, dtype=np.uint16)
    cdef uint32_t[::1] sorted_rows = sorted_rows_array
    cdef uint16_t[::1] sorted_positions = sorted_positions_array
    with nogil:
        for i in range(all_tokens):
            if i + 2 * AHEAD < all_tokens:
                dowse_prefetch(&cursor[min(list_ids[i + 2 * AHEAD] - base, other)])
                at = cursor[min(list_ids[i + AHEAD] - base, other)]
                dowse_prefetch(&sorted_rows[at])
                dowse_prefetch(&sorted_positions[at])
            slot = min(list_ids[i] - base, other)
            at = cursor[slot]
            cursor[slot] = at + (slot != other)
            sorted_rows[at] = rows[i]
            sorted_positions[at] = positions[i]

    term_lists_array = np.zeros(term_count + 1, dtype=np.uint32)
    term_doc_freq_array = np.zeros(term_count, dtype=np.uint32)
    list_field_array = np.empty(list_count, dtype=np.uint8)
    list_max_freq_array = np.empty(list_count, dtype=np.uint8)
    list_min_bucket_array = np.empty(list_count, dtype=np.uint8)
    list_doc_freq_array = np.empty(list_count, dtype=np.uint32)
    list_postings_array = np.empty(list_count, dtype=np.uint64)
    list_positions_array = np.empty(list_count, dtype=np.uint64)
    postings_array = np.empty(5 * n + 3 * list_count, dtype=np.uint8)
    positions_array = np.empty(3 * n + 4 * (n // SKIP_EVERY + list_count), dtype=np.uint8)
    seen_array = np.full(buckets.shape[1], DROPPED, dtype=np.uint32)
    cdef uint32_t[::1] term_lists = term_lists_array, term_doc_freq = term_doc_freq_array
    cdef uint8_t[::1] list_field = list_field_array, list_max_freq = list_max_freq_array
    cdef uint8_t[::1] list_min_bucket = list_min_bucket_array
    cdef uint32_t[::1] list_doc_freq = list_doc_freq_array, seen = seen_array
    cdef uint64_t[::1] list_postings = list_postings_array, list_positions = list_positions_array
    cdef uint8_t[::1] postings_out = postings_array, positions_out = positions_array

    if list_count == 0:
        return Lists(term_lists_array, term_doc_freq_array, list_field_array, list_max_freq_array,
                     list_min_bucket_array, list_doc_freq_array, list_postings_array,
                     list_positions_array, postings_array[:0], positions_array[:0])

    cdef uint8_t* posting_base = &postings_out[0]
    cdef uint8_t* position_base = &positions_out[0]
    cdef uint8_t* position_at = position_base
    cdef uint64_t posting_at = 0
    cdef uint32_t* row_out
    cdef uint8_t* freq_out
    cdef uint8_t* skip_out
    cdef uint8_t* stream_start
    cdef uint32_t doc_freq, posting, count, previous, delta, offset, term, index = 0
    cdef uint8_t max_freq, min_bucket, bucket
    cdef int field
    with nogil:
        for key in range(key_count):
            start, stop = starts[key], starts[key + 1]
            term = <uint32_t>(key // FIELD_SLOTS)
            field = <int>(key % FIELD_SLOTS)
            if field == 0:
                term_lists[term] = index
            if start == stop:
                continue
            doc_freq = 1
            for i in range(start + 1, stop):
                doc_freq += sorted_rows[i] != sorted_rows[i - 1]
            list_field[index] = field
            list_doc_freq[index] = doc_freq
            list_postings[index] = posting_at
            list_positions[index] = position_at - position_base
            row_out = <uint32_t*>(posting_base + posting_at)
            freq_out = posting_base + posting_at + 4 * <uint64_t>doc_freq
            skip_out = position_at
            position_at += 4 * ((doc_freq - 1) // SKIP_EVERY)
            stream_start = position_at
            max_freq, min_bucket = 0, 255
            posting, first = 0, start
            while first < stop:
                i = first + 1
                while i < stop and sorted_rows[i] == sorted_rows[first]:
                    i += 1
                if posting and posting % SKIP_EVERY == 0:
                    offset = <uint32_t>(position_at - stream_start)
                    memcpy(skip_out, &offset, 4)
                    skip_out += 4
                count = order_positions(&sorted_positions[first], <uint32_t>(i - first))
                previous = 0
                for at in range(count):
                    delta = sorted_positions[first + at] - previous
                    previous = sorted_positions[first + at]
                    position_at = put_varint(position_at, delta << 1 | (at == count - 1))
                row_out[posting] = sorted_rows[first]
                freq_out[posting] = <uint8_t>(count if count < MAX_TERM_FREQ else MAX_TERM_FREQ)
                if freq_out[posting] > max_freq:
                    max_freq = freq_out[posting]
                bucket = buckets[field, sorted_rows[first]]
                if bucket < min_bucket:
                    min_bucket = bucket
                if seen[sorted_rows[first]] != term:
                    seen[sorted_rows[first]] = term
                    term_doc_freq[term] += 1
                posting += 1
                first = i
            for at in range(doc_freq, (doc_freq + 3) & ~<uint32_t>3):
                freq_out[at] = 0
            posting_at += 4 * <uint64_t>doc_freq + ((doc_freq + 3) & ~<uint32_t>3)
            list_max_freq[index] = max_freq
            list_min_bucket[index] = min_bucket
            index += 1
    term_lists[term_count] = index
    return Lists(term_lists_array, term_doc_freq_array, list_field_array, list_max_freq_array,
                 list_min_bucket_array, list_doc_freq_array, list_postings_array,
                 list_positions_array, postings_array[:posting_at],
                 positions_array[:position_at - position_base])
