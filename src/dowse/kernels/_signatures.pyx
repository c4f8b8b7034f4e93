# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Compiled twin of `reference/signatures.py`: signatures turned on their side."""

import numpy as np

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

cdef enum:
    SIGNATURE_BITS = 4096
    SIGNATURE_BYTES = 512
    BLOCK_ROWS = 512
    BLOCK_BYTES = 4096 * 64
    SLICE_BYTES = 64


cdef inline uint64_t transposed(uint64_t word) noexcept nogil:
    """Swaps rows and columns of eight bytes of eight bits, in three rounds of swapping squares."""
    cdef uint64_t swap = (word ^ word >> 7) & <uint64_t>0x00AA00AA00AA00AA
    word ^= swap ^ swap << 7
    swap = (word ^ word >> 14) & <uint64_t>0x0000CCCC0000CCCC
    word ^= swap ^ swap << 14
    swap = (word ^ word >> 28) & <uint64_t>0x00000000F0F0F0F0
    return word ^ swap ^ swap << 28


cdef Py_ssize_t sliced_bytes(Py_ssize_t rows) noexcept nogil:
    return SIGNATURE_BITS * (rows // BLOCK_ROWS * SLICE_BYTES + (rows % BLOCK_ROWS + 7) // 8)


cdef int check(Py_ssize_t size, Py_ssize_t rows) except -1:
    if rows < 0 or rows >= <Py_ssize_t>1 << 32 or size != sliced_bytes(rows):
        raise ValueError("these are not the signatures of so many rows")
    return 0


cdef void slice_block(const uint8_t* rows, Py_ssize_t count, uint8_t* out) noexcept nogil:
    """Slices the rows of one block, eight rows and eight bits at a time."""
    cdef Py_ssize_t width = (count + 7) // 8, group, column, k, many
    cdef uint64_t word
    cdef uint8_t* bytes_of_word = <uint8_t*>&word
    for group in range(width):
        many = min(<Py_ssize_t>8, count - 8 * group)
        for column in range(SIGNATURE_BYTES):
            word = 0
            for k in range(many):
                bytes_of_word[k] = rows[(8 * group + k) * SIGNATURE_BYTES + column]
            word = transposed(word)
            for k in range(8):
                out[(8 * column + k) * width + group] = bytes_of_word[k]


cdef void unslice_block(const uint8_t* slices, Py_ssize_t count, uint8_t* out) noexcept nogil:
    """Brings the rows of one block back."""
    cdef Py_ssize_t width = (count + 7) // 8, group, column, k, many
    cdef uint64_t word = 0
    cdef uint8_t* bytes_of_word = <uint8_t*>&word
    for group in range(width):
        many = min(<Py_ssize_t>8, count - 8 * group)
        for column in range(SIGNATURE_BYTES):
            for k in range(8):
                bytes_of_word[k] = slices[(8 * column + k) * width + group]
            word = transposed(word)
            for k in range(many):
                out[(8 * group + k) * SIGNATURE_BYTES + column] = bytes_of_word[k]


def slice_rows(const uint8_t[:, ::1] signatures not None):
    cdef Py_ssize_t total = signatures.shape[0], first = 0
    if signatures.shape[1] != SIGNATURE_BYTES:
        raise ValueError("a signature has 512 bytes")
    found = np.empty(sliced_bytes(total), np.uint8)
    cdef uint8_t[::1] out = found
    with nogil:
        while first < total:
            slice_block(
                &signatures[first, 0], min(<Py_ssize_t>BLOCK_ROWS, total - first),
                &out[first * SIGNATURE_BYTES],
            )
            first += BLOCK_ROWS
    return found


def unslice_rows(const uint8_t[::1] blocks not None, Py_ssize_t row_count):
    cdef Py_ssize_t first = 0
    check(blocks.shape[0], row_count)
    found = np.empty((row_count, SIGNATURE_BYTES), np.uint8)
    cdef uint8_t[:, ::1] out = found
    with nogil:
        while first < row_count:
            unslice_block(
                &blocks[first * SIGNATURE_BYTES], min(<Py_ssize_t>BLOCK_ROWS, row_count - first),
                &out[first, 0],
            )
            first += BLOCK_ROWS
    return found


def find_candidates(
    const uint8_t[::1] blocks not None, Py_ssize_t row_count, const uint32_t[::1] bits not None
):
    cdef Py_ssize_t first = 0, count, i, size = bits.shape[0]
    cdef Py_ssize_t found = 0
    check(blocks.shape[0], row_count)
    for i in range(size):
        if bits[i] >= SIGNATURE_BITS:
            raise ValueError("a signature has no such bit")
    rows = np.empty(row_count, np.uint32)
    cdef uint32_t[::1] out = rows
    with nogil:
        while first < row_count:
            count = min(<Py_ssize_t>BLOCK_ROWS, row_count - first)
            found = search_block(&blocks[first * SIGNATURE_BYTES], first, count, bits, out, found)
            first += BLOCK_ROWS
    return rows[:found].copy()


cdef Py_ssize_t search_block(
    const uint8_t* slices, Py_ssize_t first, Py_ssize_t count, const uint32_t[::1] bits,
    uint32_t[::1] out, Py_ssize_t found
) noexcept nogil:
    """Writes the rows of one block that have every bit; returns how many rows there are now."""
    cdef Py_ssize_t width = (count + 7) // 8, i, k
    cdef uint64_t left[8]
    cdef uint64_t slice_words[8]
    cdef uint64_t any_left
    cdef uint32_t row
    memset(left, 255, SLICE_BYTES)
    memset(slice_words, 0, SLICE_BYTES)
    for i in range(bits.shape[0]):
        memcpy(slice_words, slices + bits[i] * width, SLICE_BYTES if width == SLICE_BYTES else width)
        any_left = 0
        for k in range(8):
            left[k] &= slice_words[k]
            any_left |= left[k]
        if any_left == 0:
            return found
    for k in range(8):
        row = <uint32_t>(64 * k)
        while left[k] and row < count:
            if left[k] & 1:
                out[found] = <uint32_t>first + row
                found += 1
            left[k] >>= 1
            row += 1
    return found
