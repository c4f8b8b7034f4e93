"""Where a term stands in a row: positions as varints, with a skip to every 64th posting."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy

from .posting_lists cimport lowest_bit

cdef extern from *:
    """
    /* The lowest bit of each of eight bytes. */
    #define LOW_BITS ((uint64_t)0x0101010101010101)
    """
    uint64_t LOW_BITS

cdef enum:
    SKIP_EVERY = 64
    MAX_POSITIONS = 65536


# The positions of a segment.
cdef struct PositionBytes:
    const uint8_t* start
    uint64_t size


cdef struct Cursor:
    const uint8_t* skips  # where each block but the first begins, from `first`; NULL when outside the file
    uint64_t first  # where the positions of the list begin
    uint64_t byte  # where the positions of `posting` begin
    uint32_t posting


cdef inline void skip_postings(const uint8_t* data, uint64_t end, uint64_t* at, uint32_t left) noexcept nogil:
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


cdef inline uint64_t block_start(const Cursor* cursor, uint32_t posting) noexcept nogil:
    """Returns where the positions of a posting's block begin."""
    cdef uint32_t block = posting // SKIP_EVERY
    cdef const uint8_t* skip
    if block == 0 or cursor.skips == NULL:
        return cursor.first
    skip = cursor.skips + 4 * <size_t>(block - 1)
    return cursor.first + (skip[0] | <uint32_t>skip[1] << 8 | <uint32_t>skip[2] << 16 | <uint32_t>skip[3] << 24)


cdef inline void open_cursor(const PositionBytes* positions, Cursor* cursor, uint64_t start, uint32_t size) noexcept nogil:
    """Puts a cursor at the first posting of a list of so many, whose positions begin at `start`."""
    cdef uint64_t end = positions.size
    cdef uint64_t table = 4 * ((<uint64_t>size - 1) // SKIP_EVERY) if size else 0
    cursor.posting = 0
    if start >= end or table > end - start:
        cursor.skips, cursor.first, cursor.byte = NULL, end, end
    else:
        cursor.skips = positions.start + start
        cursor.first = cursor.byte = start + table

cdef inline Py_ssize_t read_positions(const PositionBytes* positions, Cursor* cursor, uint32_t posting, uint16_t* out) noexcept nogil:
    """Decodes one posting's positions; stops at the end of the file and at 65,536 of them.

    Goes on from the posting read last when that is nearer than the skip.
    """
    cdef uint64_t end = positions.size, at
    cdef uint32_t value, position = 0
    cdef Py_ssize_t count = 0
    cdef const uint8_t* data
    if cursor.skips == NULL:
        return 0
    data = positions.start
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
