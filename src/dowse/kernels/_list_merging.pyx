"""Compiled twin of `reference/list_merging.py`: posting lists of several segments to merged lists.

All of a block is made without the GIL: merging runs in the background, and queries must not wait for it.
"""

import numpy as np

from dowse.kernels.layout import Lists

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcmp, memcpy

cdef enum:
    SKIP_EVERY = 64
    FIELD_SLOTS = 8
    DROPPED = 0xFFFFFFFF

# What can go wrong without the GIL.
cdef enum Outcome:
    DONE = 0
    NO_MEMORY = 1
    DAMAGED = 2


# Bytes that grow at their end.
cdef struct Buffer:
    uint8_t* start
    size_t size
    size_t capacity


# The parts of a block, as `Lists` has them, and its terms.
cdef struct Block:
    Buffer term_sizes
    Buffer term_bytes
    Buffer term_lists
    Buffer term_doc_freq
    Buffer list_field
    Buffer list_max_freq
    Buffer list_min_bucket
    Buffer list_doc_freq
    Buffer list_postings
    Buffer list_positions
    Buffer postings
    Buffer positions


# The list that is being merged: what stands behind its rows is not known to have its place before they are.
cdef struct Merged:
    Buffer freqs
    Buffer skips
    Buffer stream
    uint32_t kept
    uint32_t found  # rows of the term, in any field
    uint8_t max_freq
    uint8_t min_bucket


cdef struct Source:
    const uint64_t* term_offsets
    const uint8_t* term_bytes
    uint64_t text_size
    const uint32_t* term_lists
    const uint8_t* list_field
    const uint32_t* list_doc_freq
    const uint64_t* list_postings
    const uint64_t* list_positions
    uint32_t list_count
    const uint8_t* postings
    const uint8_t* positions
    uint64_t postings_size
    uint64_t positions_size
    const uint32_t* row_map
    uint32_t row_count
    uint32_t term_count
    uint32_t next_term
    bint is_holder  # has the term that is being merged


cdef inline int reserve(Buffer* buffer, size_t more) noexcept nogil:
    """Makes room for so many bytes more."""
    cdef size_t capacity
    cdef uint8_t* moved
    if buffer.size + more <= buffer.capacity:
        return DONE
    capacity = max(buffer.size + more, buffer.capacity + buffer.capacity // 2, <size_t>256)
    moved = <uint8_t*>realloc(buffer.start, capacity)
    if moved == NULL:
        return NO_MEMORY
    buffer.start, buffer.capacity = moved, capacity
    return DONE


cdef inline int append(Buffer* buffer, const void* bytes, size_t size) noexcept nogil:
    if reserve(buffer, size):
        return NO_MEMORY
    if size:
        memcpy(buffer.start + buffer.size, bytes, size)
    buffer.size += size
    return DONE


cdef inline int append_u8(Buffer* buffer, uint8_t value) noexcept nogil:
    return append(buffer, &value, 1)


cdef inline int append_u32(Buffer* buffer, uint32_t value) noexcept nogil:
    return append(buffer, &value, 4)


cdef inline int append_u64(Buffer* buffer, uint64_t value) noexcept nogil:
    return append(buffer, &value, 8)


cdef inline const uint8_t* skip_posting(const uint8_t* at, const uint8_t* end) noexcept nogil:
    """Steps over the positions of one posting."""
    cdef bint is_last = False
    while not is_last and at < end:
        is_last = at[0] & 1
        while at < end and at[0] & 128:
            at += 1
        at += at < end
    return at


cdef int check_source(const Source* source) noexcept nogil:
    """Says whether terms and lists lie inside of the files; postings are looked at when they are read."""
    cdef uint32_t i
    for i in range(source.term_count):
        if source.term_offsets[i] > source.term_offsets[i + 1] or source.term_lists[i] > source.term_lists[i + 1]:
            return DAMAGED
    if source.term_offsets[source.term_count] > source.text_size:
        return DAMAGED
    return DAMAGED if source.term_lists[source.term_count] > source.list_count else DONE


cdef int check_list(const Source* source, uint32_t index) noexcept nogil:
    cdef uint64_t start = source.list_postings[index], size = source.list_doc_freq[index]
    if start > source.postings_size or 5 * size > source.postings_size - start or not size:
        return DAMAGED
    start = source.list_positions[index]
    if start > source.positions_size or 4 * ((size - 1) // SKIP_EVERY) > source.positions_size - start:
        return DAMAGED
    return DONE


cdef const uint8_t* address_u8(const uint8_t[::1] array):
    return &array[0] if array.shape[0] else NULL

cdef const uint32_t* address_u32(const uint32_t[::1] array):
    return &array[0] if array.shape[0] else NULL

cdef const uint64_t* address_u64(const uint64_t[::1] array):
    return &array[0] if array.shape[0] else NULL


cdef object take(Buffer* buffer, dtype):
    """Returns a buffer's bytes as an array of its own."""
    taken = np.empty(buffer.size, np.uint8)
    cdef uint8_t[::1] out = taken
    if buffer.size:
        with nogil:
            memcpy(&out[0], buffer.start, buffer.size)
    return taken.view(dtype)


cdef class Merger:
    """Merges the lists of several segments, a block of terms at a time; see the reference twin."""

    cdef Source* sources
    cdef int source_count
    cdef object keep_alive
    cdef const uint8_t[:, ::1] buckets
    cdef uint32_t[::1] seen
    cdef uint32_t stamp
    cdef Block block
    cdef Merged merged

    def __cinit__(self, sources, const uint8_t[:, ::1] buckets):
        self.source_count = len(sources)
        self.sources = <Source*>malloc((self.source_count + 1) * sizeof(Source))
        if self.sources == NULL:
            raise MemoryError
        self.keep_alive = sources
        self.buckets = buckets
        self.seen = np.zeros(buckets.shape[1] + 1, dtype=np.uint32)
        cdef Source* source
        cdef int s
        for s in range(self.source_count):
            (term_offsets, term_bytes, lists, row_map) = sources[s]
            source = &self.sources[s]
            source.term_offsets, source.term_bytes = address_u64(term_offsets), address_u8(term_bytes)
            source.text_size, source.term_count, source.next_term = len(term_bytes), len(term_offsets) - 1, 0
            source.term_lists, source.list_field = address_u32(lists.term_lists), address_u8(lists.list_field)
            source.list_doc_freq, source.list_count = address_u32(lists.list_doc_freq), len(lists.list_field)
            source.list_postings = address_u64(lists.list_postings)
            source.list_positions = address_u64(lists.list_positions)
            source.postings, source.postings_size = address_u8(lists.postings), len(lists.postings)
            source.positions, source.positions_size = address_u8(lists.positions), len(lists.positions)
            source.row_map, source.row_count = address_u32(row_map), len(row_map)
            if check_source(source):
                raise ValueError("a segment's terms or lists point outside of it")

    def __dealloc__(self):
        free(self.sources)
        cdef Buffer* buffers = <Buffer*>&self.block
        cdef size_t i
        for i in range(sizeof(Block) // sizeof(Buffer)):
            free(buffers[i].start)
        free(self.merged.freqs.start)
        free(self.merged.skips.start)
        free(self.merged.stream.start)

    def next_block(self, uint64_t limit_bytes):
        """Returns (sizes, spellings, lists) of the next terms, about `limit_bytes` of postings; None at the end."""
        cdef Block* block = &self.block
        cdef bint is_end = False
        cdef int outcome
        with nogil:
            outcome = self.fill(limit_bytes, &is_end)
        if outcome == NO_MEMORY:
            raise MemoryError
        if outcome == DAMAGED:
            raise ValueError("a posting list points outside of its file")
        if is_end and not block.term_sizes.size:
            return None
        return take(&block.term_sizes, np.uint64), take(&block.term_bytes, np.uint8), Lists(
            take(&block.term_lists, np.uint32), take(&block.term_doc_freq, np.uint32),
            take(&block.list_field, np.uint8), take(&block.list_max_freq, np.uint8),
            take(&block.list_min_bucket, np.uint8), take(&block.list_doc_freq, np.uint32),
            take(&block.list_postings, np.uint64), take(&block.list_positions, np.uint64),
            take(&block.postings, np.uint8), take(&block.positions, np.uint8))

    cdef int fill(self, uint64_t limit_bytes, bint* is_end) noexcept nogil:
        """Merges term after term into an empty block."""
        cdef Block* block = &self.block
        cdef Buffer* buffers = <Buffer*>block
        cdef const uint8_t* term
        cdef uint64_t size
        cdef size_t i
        cdef int outcome, s
        for i in range(sizeof(Block) // sizeof(Buffer)):
            buffers[i].size = 0
        if append_u32(&block.term_lists, 0):
            return NO_MEMORY
        while block.postings.size + block.positions.size < limit_bytes:
            if not self.choose_term(&term, &size):
                is_end[0] = True
                return DONE
            outcome = self.merge_term(term, size)
            if outcome:
                return outcome
            for s in range(self.source_count):
                self.sources[s].next_term += self.sources[s].is_holder
        return DONE

    cdef bint choose_term(self, const uint8_t** term, uint64_t* size) noexcept nogil:
        """Finds the smallest of the sources' next terms and who has it; says whether there is one."""
        cdef const uint8_t* own
        cdef uint64_t own_size
        cdef Source* source
        cdef int s, other, order
        cdef bint is_found = False
        for s in range(self.source_count):
            source = &self.sources[s]
            source.is_holder = False
            if source.next_term == source.term_count:
                continue
            own = source.term_bytes + source.term_offsets[source.next_term]
            own_size = source.term_offsets[source.next_term + 1] - source.term_offsets[source.next_term]
            order = -1
            if is_found:
                order = memcmp(own, term[0], min(own_size, size[0]))
                if order == 0:
                    order = (own_size > size[0]) - (own_size < size[0])
            if order > 0:
                continue
            if order < 0:
                for other in range(s):
                    self.sources[other].is_holder = False
            source.is_holder = is_found = True
            term[0], size[0] = own, own_size
        return is_found

    cdef int merge_term(self, const uint8_t* term, uint64_t size) noexcept nogil:
        """Adds a term with its lists, or nothing when no row of it is kept."""
        cdef Block* block = &self.block
        cdef int field, outcome
        self.stamp += 1
        self.merged.found = 0
        for field in range(FIELD_SLOTS):
            outcome = self.merge_list(field)
            if outcome:
                return outcome
        if not self.merged.found:
            return DONE
        return (append_u64(&block.term_sizes, size) or append(&block.term_bytes, term, size)
                or append_u32(&block.term_lists, <uint32_t>block.list_field.size)
                or append_u32(&block.term_doc_freq, self.merged.found))

    cdef int merge_list(self, int field) noexcept nogil:
        """Concatenates one field's lists of the current term over all that have it, dropped rows left out."""
        cdef Block* block = &self.block
        cdef Merged* merged = &self.merged
        cdef size_t start = block.postings.size
        cdef Source* source
        cdef uint32_t index
        cdef int s, outcome
        merged.freqs.size = merged.skips.size = merged.stream.size = 0
        merged.kept, merged.max_freq, merged.min_bucket = 0, 0, 255
        for s in range(self.source_count):
            source = &self.sources[s]
            if not source.is_holder:
                continue
            for index in range(source.term_lists[source.next_term], source.term_lists[source.next_term + 1]):
                if source.list_field[index] == field:
                    outcome = self.add_rows(source, index, field)
                    if outcome:
                        return outcome
        if not merged.kept:
            return DONE
        if (append_u8(&block.list_field, <uint8_t>field) or append_u8(&block.list_max_freq, merged.max_freq)
                or append_u8(&block.list_min_bucket, merged.min_bucket)
                or append_u32(&block.list_doc_freq, merged.kept) or append_u64(&block.list_postings, start)
                or append_u64(&block.list_positions, block.positions.size)
                or append(&block.postings, merged.freqs.start, merged.freqs.size)
                or append(&block.positions, merged.skips.start, merged.skips.size)
                or append(&block.positions, merged.stream.start, merged.stream.size)):
            return NO_MEMORY
        while block.postings.size & 3:
            if append_u8(&block.postings, 0):
                return NO_MEMORY
        return DONE

    cdef int add_rows(self, Source* source, uint32_t index, int field) noexcept nogil:
        """Adds the rows of one list that are kept: their new numbers, frequencies and positions."""
        cdef Merged* merged = &self.merged
        cdef Buffer* out = &self.block.postings
        cdef uint32_t doc_freq = source.list_doc_freq[index], i, row
        cdef const uint32_t* rows
        cdef const uint8_t* freqs
        cdef const uint8_t* at
        cdef const uint8_t* end = source.positions + source.positions_size
        cdef const uint8_t* after
        if check_list(source, index):
            return DAMAGED
        rows = <const uint32_t*>(source.postings + source.list_postings[index])
        freqs = source.postings + source.list_postings[index] + 4 * <uint64_t>doc_freq
        at = source.positions + source.list_positions[index] + 4 * <uint64_t>((doc_freq - 1) // SKIP_EVERY)
        if reserve(out, 4 * <size_t>doc_freq) or reserve(&merged.freqs, doc_freq):
            return NO_MEMORY
        for i in range(doc_freq):
            after = skip_posting(at, end)
            if rows[i] >= source.row_count:
                return DAMAGED
            row = source.row_map[rows[i]]
            if row != <uint32_t>DROPPED:
                if row >= self.buckets.shape[1] or field >= self.buckets.shape[0]:
                    return DAMAGED
                if merged.kept and merged.kept % SKIP_EVERY == 0:
                    if append_u32(&merged.skips, <uint32_t>merged.stream.size):
                        return NO_MEMORY
                memcpy(out.start + out.size, &row, 4)
                out.size += 4
                merged.freqs.start[merged.freqs.size] = freqs[i]
                merged.freqs.size += 1
                merged.max_freq = max(merged.max_freq, freqs[i])
                merged.min_bucket = min(merged.min_bucket, self.buckets[field, row])
                if append(&merged.stream, at, after - at):
                    return NO_MEMORY
                if self.seen[row] != self.stamp:
                    self.seen[row] = self.stamp
                    merged.found += 1
                merged.kept += 1
            at = after
        return DONE
