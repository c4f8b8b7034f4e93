"""Compiled twin of `reference/inversion.py`: tokens to posting lists, and lists to merged lists."""

import numpy as np

from dowse.kernels.layout import Lists

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

cdef uint32_t DROPPED = 0xFFFFFFFF


cdef inline uint8_t* put_varint(uint8_t* out, uint32_t value) noexcept nogil:
    while value >= 128:
        out[0] = <uint8_t>(value | 128)
        out += 1
        value >>= 7
    out[0] = <uint8_t>value
    return out + 1


cdef inline const uint8_t* skip_posting(const uint8_t* at, const uint8_t* end) noexcept nogil:
    """Steps over the positions of one posting."""
    cdef bint is_last = False
    while not is_last and at < end:
        is_last = at[0] & 1
        while at < end and at[0] & 128:
            at += 1
        at += 1
    return at


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


cdef struct Source:
    const uint64_t* term_offsets
    const uint8_t* term_bytes
    const uint32_t* term_lists
    const uint8_t* list_field
    const uint32_t* list_doc_freq
    const uint64_t* list_postings
    const uint64_t* list_positions
    const uint8_t* postings
    const uint8_t* positions
    uint64_t postings_size
    uint64_t positions_size
    const uint32_t* row_map
    uint32_t term_count
    uint32_t next_term


cdef const uint8_t* address_u8(const uint8_t[::1] array):
    return &array[0] if array.shape[0] else NULL

cdef const uint32_t* address_u32(const uint32_t[::1] array):
    return &array[0] if array.shape[0] else NULL

cdef const uint64_t* address_u64(const uint64_t[::1] array):
    return &array[0] if array.shape[0] else NULL


cdef class Merger:
    """Merges the lists of several segments, a block of terms at a time; see the reference twin."""

    cdef Source* sources
    cdef int source_count
    cdef object keep_alive
    cdef const uint8_t[:, ::1] buckets
    cdef uint32_t[::1] seen
    cdef uint32_t stamp

    def __cinit__(self, sources, const uint8_t[:, ::1] buckets):
        self.source_count = len(sources)
        self.sources = <Source*>malloc(max(1, self.source_count) * sizeof(Source))
        self.keep_alive = sources
        self.buckets = buckets
        self.seen = np.zeros(buckets.shape[1], dtype=np.uint32)
        self.stamp = 0
        cdef int s
        for s in range(self.source_count):
            (term_offsets, term_bytes, lists, row_map) = sources[s]
            self.sources[s].term_offsets = address_u64(term_offsets)
            self.sources[s].term_bytes = address_u8(term_bytes)
            self.sources[s].term_lists = address_u32(lists.term_lists)
            self.sources[s].list_field = address_u8(lists.list_field)
            self.sources[s].list_doc_freq = address_u32(lists.list_doc_freq)
            self.sources[s].list_postings = address_u64(lists.list_postings)
            self.sources[s].list_positions = address_u64(lists.list_positions)
            self.sources[s].postings = address_u8(lists.postings)
            self.sources[s].positions = address_u8(lists.positions)
            self.sources[s].postings_size = len(lists.postings)
            self.sources[s].positions_size = len(lists.positions)
            self.sources[s].row_map = address_u32(row_map)
            self.sources[s].term_count = len(term_offsets) - 1
            self.sources[s].next_term = 0

    def __dealloc__(self):
        free(self.sources)

    cdef bytes term_of(self, int s):
        cdef Source* source = &self.sources[s]
        cdef uint64_t start = source.term_offsets[source.next_term]
        cdef uint64_t stop = source.term_offsets[source.next_term + 1]
        return (<const char*>source.term_bytes)[start:stop]

    cdef bytes smallest_term(self):
        """Returns the smallest of the sources' next terms, or None at the end."""
        cdef int s, best = -1, order
        cdef uint64_t start, size, best_start = 0, best_size = 0
        cdef Source* source
        for s in range(self.source_count):
            source = &self.sources[s]
            if source.next_term == source.term_count:
                continue
            start = source.term_offsets[source.next_term]
            size = source.term_offsets[source.next_term + 1] - start
            if best >= 0:
                order = memcmp(source.term_bytes + start, self.sources[best].term_bytes + best_start,
                               min(size, best_size))
                if order > 0 or (order == 0 and size >= best_size):
                    continue
            best, best_start, best_size = s, start, size
        return self.term_of(best) if best >= 0 else None

    def next_block(self, uint64_t limit_bytes):
        """Returns (terms, Lists) of the next terms, about `limit_bytes` of postings; None at the end."""
        cdef bytes term
        terms = []
        term_lists, term_doc_freq = [0], []
        fields, max_freqs, min_buckets, doc_freqs, posting_offsets, position_offsets = (
            [], [], [], [], [], [])
        cdef bytearray postings = bytearray(), positions = bytearray()
        cdef int s, field
        cdef uint32_t found
        while len(postings) + len(positions) < limit_bytes:
            term = self.smallest_term()
            if term is None:
                break
            holders = [s for s in range(self.source_count)
                       if self.sources[s].next_term < self.sources[s].term_count
                       and self.term_of(s) == term]
            self.stamp += 1
            found = 0
            for field in range(FIELD_SLOTS):
                merged = self.merge_list(holders, field, &found)
                if merged is None:
                    continue
                row_bytes, freq_bytes, skip_bytes, stream, max_freq, min_bucket, doc_freq = merged
                fields.append(field)
                max_freqs.append(max_freq)
                min_buckets.append(min_bucket)
                doc_freqs.append(doc_freq)
                posting_offsets.append(len(postings))
                position_offsets.append(len(positions))
                postings += row_bytes
                postings += freq_bytes
                postings += b"\0" * (-len(postings) & 3)  # not % 4: in C that is negative
                positions += skip_bytes
                positions += stream
            for s in holders:
                self.sources[s].next_term += 1
            if found:
                terms.append(term)
                term_lists.append(len(fields))
                term_doc_freq.append(found)
        if not terms and term is None:
            return None
        return terms, Lists(
            np.array(term_lists, np.uint32), np.array(term_doc_freq, np.uint32),
            np.array(fields, np.uint8), np.array(max_freqs, np.uint8),
            np.array(min_buckets, np.uint8), np.array(doc_freqs, np.uint32),
            np.array(posting_offsets, np.uint64), np.array(position_offsets, np.uint64),
            np.frombuffer(bytes(postings), np.uint8), np.frombuffer(bytes(positions), np.uint8))

    cdef object merge_list(self, list holders, int field, uint32_t* found):
        """Concatenates one field's lists of the current term over all holders, dropped rows left out."""
        cdef Source* source
        cdef uint32_t index, doc_freq, i, row, kept = 0, total = 0, offset
        cdef uint64_t stream_bytes = 0
        cdef uint8_t max_freq = 0, min_bucket = 255
        cdef const uint32_t* rows
        cdef const uint8_t* freqs
        cdef const uint8_t* at
        cdef const uint8_t* end
        cdef const uint8_t* after
        cdef int s
        parts = []
        for s in holders:
            source = &self.sources[s]
            for index in range(source.term_lists[source.next_term], source.term_lists[source.next_term + 1]):
                if source.list_field[index] == field:
                    parts.append((s, index))
                    total += source.list_doc_freq[index]
                    stream_bytes += self.stream_bound(s, index)
        if not parts:
            return None
        cdef bytearray row_bytes = bytearray(4 * total), freq_bytes = bytearray(total)
        cdef bytearray stream = bytearray(stream_bytes)
        skips = []
        cdef uint8_t* row_raw = <uint8_t*><char*>row_bytes
        cdef uint32_t* row_out = <uint32_t*>row_raw
        cdef uint8_t* freq_out = <uint8_t*><char*>freq_bytes
        cdef uint8_t* stream_base = <uint8_t*><char*>stream
        cdef uint8_t* stream_at = stream_base
        for s, index in parts:
            source = &self.sources[s]
            doc_freq = source.list_doc_freq[index]
            rows = <const uint32_t*>(source.postings + source.list_postings[index])
            freqs = source.postings + source.list_postings[index] + 4 * <uint64_t>doc_freq
            at = source.positions + source.list_positions[index] + 4 * ((doc_freq - 1) // SKIP_EVERY)
            end = source.positions + source.positions_size
            for i in range(doc_freq):
                after = skip_posting(at, end)
                row = source.row_map[rows[i]]
                if row != DROPPED:
                    if kept and kept % SKIP_EVERY == 0:
                        offset = <uint32_t>(stream_at - stream_base)
                        skips.append(offset)
                    row_out[kept] = row
                    freq_out[kept] = freqs[i]
                    max_freq = max(max_freq, freqs[i])
                    min_bucket = min(min_bucket, self.buckets[field, row])
                    memcpy(stream_at, at, after - at)
                    stream_at += after - at
                    if self.seen[row] != self.stamp:
                        self.seen[row] = self.stamp
                        found[0] += 1
                    kept += 1
                at = after
        if not kept:
            return None
        return (row_bytes[:4 * kept], freq_bytes[:kept], np.array(skips, np.uint32).tobytes(),
                stream[:stream_at - stream_base], max_freq, min_bucket, kept)

    cdef uint64_t stream_bound(self, int s, uint32_t index):
        """Bytes from the start of a list's positions to the start of the next list's."""
        cdef Source* source = &self.sources[s]
        cdef uint32_t list_count = source.term_lists[source.term_count]
        if index + 1 < list_count:
            return source.list_positions[index + 1] - source.list_positions[index]
        return source.positions_size - source.list_positions[index]
