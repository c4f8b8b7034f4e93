"""Compiled twin of `reference/front_coding.py`: sorted texts without the beginnings they share."""

import numpy as np

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

cdef enum:
    RESTART_EVERY = 16


cdef inline int put_varint(uint8_t* out, uint64_t value) noexcept nogil:
    """Writes a number, seven bits to a byte; returns how many bytes that took, at most 10."""
    cdef int size = 0
    while value > 127:
        out[size] = <uint8_t>(value & 127 | 128)
        value >>= 7
        size += 1
    out[size] = <uint8_t>value
    return size + 1


cdef inline bint take_varint(const uint8_t* codes, uint64_t end, uint64_t* at, uint64_t* value) noexcept nogil:
    """Reads a number; says whether it was all there."""
    cdef int shift = 0
    value[0] = 0
    while at[0] < end and shift < 63:
        value[0] |= <uint64_t>(codes[at[0]] & 127) << shift
        shift += 7
        at[0] += 1
        if not codes[at[0] - 1] & 128:
            return True
    return False


def front_code(const uint64_t[::1] offsets not None, const uint8_t[::1] spellings not None):
    """Returns (restarts, codes) of sorted texts; see the reference twin."""
    cdef Py_ssize_t count = offsets.shape[0] - 1, i
    cdef uint64_t start, size, before = 0, before_size = 0, shared, used = 0
    for i in range(count):
        if offsets[i] > offsets[i + 1] or offsets[i + 1] > <uint64_t>spellings.shape[0]:
            raise ValueError("offsets must ascend and lie inside of the spellings")
    restarts_array = np.empty((count + RESTART_EVERY - 1) // RESTART_EVERY, np.uint32)
    # Two numbers and the text of each are the most that there can be.
    codes_array = np.empty(20 * count + spellings.shape[0] + 1, np.uint8)
    cdef uint32_t[::1] restarts = restarts_array
    cdef uint8_t[::1] codes = codes_array
    with nogil:
        for i in range(count):
            start, size, shared = offsets[i], offsets[i + 1] - offsets[i], 0
            if i % RESTART_EVERY == 0:
                restarts[i // RESTART_EVERY] = <uint32_t>used
            else:
                while (shared < size and shared < before_size
                        and spellings[start + shared] == spellings[before + shared]):
                    shared += 1
                used += put_varint(&codes[used], shared)
            used += put_varint(&codes[used], size - shared)
            if size > shared:
                memcpy(&codes[used], &spellings[start + shared], size - shared)
            used += size - shared
            before, before_size = start, size
    if used > 0xFFFFFFFF:
        raise ValueError("the texts of a segment take at most 4 GB")
    return restarts_array, codes_array[:used].copy()


def expand_texts(const uint32_t[::1] restarts not None, const uint8_t[::1] codes not None, Py_ssize_t count):
    """Returns (offsets, spellings) of front-coded texts; see the reference twin."""
    offsets_array = np.zeros(count + 1, np.uint64)
    cdef uint64_t[::1] offsets = offsets_array
    cdef uint8_t[::1] spellings
    cdef bint is_whole
    if restarts.shape[0] != (count + RESTART_EVERY - 1) // RESTART_EVERY:
        raise ValueError("the restarts are not those of so many texts")
    with nogil:
        is_whole = measure(&restarts[0] if count else NULL, &codes[0] if codes.shape[0] else NULL,
                           codes.shape[0], count, &offsets[0])
    if not is_whole:
        raise ValueError("front-coded texts are damaged")
    spellings_array = np.empty(offsets[count], np.uint8)
    spellings = spellings_array
    if spellings.shape[0]:
        with nogil:
            copy_texts(&codes[0], codes.shape[0], count, &offsets[0], &spellings[0])
    return offsets_array, spellings_array


cdef bint measure(const uint32_t* restarts, const uint8_t* codes, uint64_t end, Py_ssize_t count,
                  uint64_t* offsets) noexcept nogil:
    """Fills in where each text begins once it is written out; says whether the codes are whole."""
    cdef uint64_t at = 0, shared, rest, before = 0
    cdef Py_ssize_t i
    for i in range(count):
        shared = 0
        if i % RESTART_EVERY == 0:
            if restarts[i // RESTART_EVERY] != at:
                return False
        elif not take_varint(codes, end, &at, &shared):
            return False
        if not take_varint(codes, end, &at, &rest) or shared > before or rest > end - at:
            return False
        at += rest
        before = shared + rest
        offsets[i + 1] = offsets[i] + before
    return at == end


cdef void copy_texts(const uint8_t* codes, uint64_t end, Py_ssize_t count, const uint64_t* offsets,
                     uint8_t* out) noexcept nogil:
    """Writes the texts out; `measure` has found the codes whole."""
    cdef uint64_t at = 0, shared, rest
    cdef Py_ssize_t i
    for i in range(count):
        shared = 0
        if i % RESTART_EVERY:
            take_varint(codes, end, &at, &shared)
            memcpy(out + offsets[i], out + offsets[i - 1], shared)
        take_varint(codes, end, &at, &rest)
        memcpy(out + offsets[i] + shared, codes + at, rest)
        at += rest
