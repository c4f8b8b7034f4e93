"""Compiled twin of `reference/columns.py`: filters, counts and orders over columns."""

import numpy as np

from libc.math cimport isnan
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memchr, memcmp, memset

ctypedef fused number_t:
    uint8_t
    uint16_t
    uint32_t

cdef uint8_t SEPARATOR = 0xFF


def mark_entries(const uint8_t[::1] entries, bytes wanted):
    """Marks the dictionary entries that contain some bytes; looks for the first byte, compares the rest."""
    cdef Py_ssize_t size = entries.shape[0], length = len(wanted), at = 0, number = 0, counted = 0
    cdef const uint8_t* text = &entries[0] if size else NULL
    cdef const uint8_t* needle = wanted
    cdef const uint8_t* found
    cdef Py_ssize_t separators = 0
    with nogil:
        for at in range(size):
            separators += text[at] == SEPARATOR
    marks_array = np.zeros(max(separators, 1), dtype=np.uint8)
    cdef uint8_t[::1] marks = marks_array
    at = 0
    with nogil:
        while at + length <= size:
            found = <const uint8_t*>memchr(text + at, needle[0], size - length - at + 1)
            if found == NULL:
                break
            at = found - text
            if memcmp(found, needle, length) != 0:
                at += 1
                continue
            while counted <= at:
                number += text[counted] == SEPARATOR
                counted += 1
            if 0 < number < separators:
                marks[number] = 1
            # One match is enough: the next may be in the next entry.
            if at + 1 >= size:
                break
            found = <const uint8_t*>memchr(text + at + 1, SEPARATOR, size - at - 1)
            if found == NULL:
                break
            at = found - text
    return marks_array


def mark_numbers(const number_t[::1] numbers, const uint8_t[::1] marks):
    """Returns the marks of a dense column's documents, given those of its dictionary by number."""
    cdef Py_ssize_t i, size = numbers.shape[0], known = marks.shape[0]
    found_array = np.empty(size, dtype=np.uint8)
    cdef uint8_t[::1] found = found_array
    cdef bint is_damaged = False
    with nogil:
        for i in range(size):
            if numbers[i] >= known:
                is_damaged = True
                break
            found[i] = marks[numbers[i]]
    if is_damaged:
        raise ValueError("a number is beyond the dictionary")
    return found_array


def mark_pairs(const uint32_t[::1] docs, const number_t[::1] numbers, const uint8_t[::1] marks, Py_ssize_t doc_count):
    """Returns the marks of documents that have a marked number among theirs."""
    cdef Py_ssize_t i, size = numbers.shape[0], known = marks.shape[0]
    if docs.shape[0] != size:
        raise ValueError("documents and numbers do not fit")
    found_array = np.zeros(doc_count, dtype=np.uint8)
    cdef uint8_t[::1] found = found_array
    cdef bint is_damaged = False
    with nogil:
        for i in range(size):
            if numbers[i] >= known or docs[i] >= doc_count:
                is_damaged = True
                break
            if marks[numbers[i]]:
                found[docs[i]] = 1
    if is_damaged:
        raise ValueError("documents and numbers do not fit")
    return found_array


def mark_prefix(const uint64_t[::1] offsets, const uint8_t[::1] entries, bytes prefix):
    """Marks the texts that start with some bytes."""
    cdef Py_ssize_t i, size = max(offsets.shape[0] - 1, 0), length = len(prefix)
    cdef uint64_t known = entries.shape[0], stop
    cdef const uint8_t* wanted = prefix
    found_array = np.zeros(size, dtype=np.uint8)
    cdef uint8_t[::1] found = found_array
    with nogil:
        for i in range(size):
            stop = offsets[i + 1] if offsets[i + 1] < known else known
            if stop < <uint64_t>length or offsets[i] > stop - length:
                continue
            found[i] = length == 0 or memcmp(&entries[offsets[i]], wanted, length) == 0
    return found_array


def spread_marks(const uint8_t[::1] marks, const uint32_t[::1] doc_rows, Py_ssize_t row_count):
    """Returns the marks of rows, given those of their documents."""
    cdef Py_ssize_t i, size = marks.shape[0]
    if doc_rows.shape[0] != size + 1 or doc_rows[size] != row_count:
        raise ValueError("documents and rows do not fit")
    found_array = np.zeros(row_count, dtype=np.uint8)
    cdef uint8_t[::1] found = found_array
    cdef bint is_damaged = False
    with nogil:
        for i in range(size):
            if doc_rows[i] > doc_rows[i + 1] or doc_rows[i + 1] > row_count:
                is_damaged = True
                break
            if marks[i] and doc_rows[i] < doc_rows[i + 1]:
                memset(&found[doc_rows[i]], marks[i], doc_rows[i + 1] - doc_rows[i])
    if is_damaged:
        raise ValueError("documents and rows do not fit")
    return found_array


def count_numbers(const number_t[::1] numbers, docs, marks, Py_ssize_t entry_count):
    """Counts the values of each dictionary entry under a mask."""
    cdef Py_ssize_t i, size = numbers.shape[0]
    cdef const uint32_t[::1] places = docs if docs is not None else np.zeros(0, np.uint32)
    cdef const uint8_t[::1] allowed = marks if marks is not None else np.zeros(0, np.uint8)
    cdef bint is_dense = docs is None, has_marks = marks is not None, is_damaged = False
    cdef Py_ssize_t place
    if not is_dense and places.shape[0] != size:
        raise ValueError("documents and numbers do not fit")
    counts_array = np.zeros(entry_count + 1, dtype=np.int64)
    cdef int64_t[::1] counts = counts_array
    with nogil:
        for i in range(size):
            place = i if is_dense else places[i]
            if numbers[i] > entry_count or (has_marks and place >= allowed.shape[0]):
                is_damaged = True
                break
            if not has_marks or allowed[place]:
                counts[numbers[i]] += 1
    if is_damaged:
        raise ValueError("a document or number is out of range")
    return counts_array


def count_ranges(const double[::1] values, marks, const double[::1] edges):
    """Counts the values in each range between two edges under a mask."""
    cdef Py_ssize_t i, low, high, middle, size = values.shape[0], last = edges.shape[0] - 1
    cdef const uint8_t[::1] allowed = marks if marks is not None else np.zeros(0, np.uint8)
    cdef bint has_marks = marks is not None
    if has_marks and allowed.shape[0] != size:
        raise ValueError("marks and values do not fit")
    counts_array = np.zeros(last, dtype=np.int64)
    cdef int64_t[::1] counts = counts_array
    with nogil:
        for i in range(size):
            if (has_marks and not allowed[i]) or not (edges[0] <= values[i] < edges[last]):
                continue
            low, high = 0, last
            while high - low > 1:
                middle = (low + high) >> 1
                if edges[middle] <= values[i]:
                    low = middle
                else:
                    high = middle
            counts[low] += 1
    return counts_array


def order_by_value(const double[::1] values, marks, Py_ssize_t most, bint is_descending):
    """Returns the places of the smallest (or largest) values under a mask, in order, by a heap of the best."""
    cdef Py_ssize_t i, size = values.shape[0], kept = 0
    cdef const uint8_t[::1] allowed = marks if marks is not None else np.zeros(0, np.uint8)
    cdef bint has_marks = marks is not None
    cdef double sign = -1.0 if is_descending else 1.0
    if has_marks and allowed.shape[0] != size:
        raise ValueError("marks and values do not fit")
    most = max(min(most, size), 0)
    keys_array, heap_array = np.empty(most), np.empty(most, dtype=np.uint32)
    cdef double[::1] keys = keys_array
    cdef uint32_t[::1] heap = heap_array
    with nogil:
        for i in range(size if most else 0):
            if (has_marks and not allowed[i]) or isnan(values[i]):
                continue
            if kept < most:
                keys[kept], heap[kept] = sign * values[i], <uint32_t>i
                kept += 1
                sift_up(keys, heap, kept - 1)
            elif sign * values[i] < keys[0]:
                keys[0], heap[0] = sign * values[i], <uint32_t>i
                sift_down(keys, heap, kept)
    order = np.lexsort((heap_array[:kept], keys_array[:kept]))
    return heap_array[:kept][order]


cdef inline bint is_worse(double[::1] keys, uint32_t[::1] heap, Py_ssize_t one, Py_ssize_t other) noexcept nogil:
    """Says whether one entry of the heap leaves before another: a larger key, or the later place."""
    return keys[one] > keys[other] or (keys[one] == keys[other] and heap[one] > heap[other])


cdef inline void swap(double[::1] keys, uint32_t[::1] heap, Py_ssize_t one, Py_ssize_t other) noexcept nogil:
    keys[one], keys[other] = keys[other], keys[one]
    heap[one], heap[other] = heap[other], heap[one]


cdef void sift_up(double[::1] keys, uint32_t[::1] heap, Py_ssize_t at) noexcept nogil:
    cdef Py_ssize_t parent
    while at > 0:
        parent = (at - 1) >> 1
        if not is_worse(keys, heap, at, parent):
            return
        swap(keys, heap, at, parent)
        at = parent


cdef void sift_down(double[::1] keys, uint32_t[::1] heap, Py_ssize_t size) noexcept nogil:
    cdef Py_ssize_t at = 0, worst, child
    while True:
        worst = at
        for child in range(2 * at + 1, 2 * at + 3):
            if child < size and is_worse(keys, heap, child, worst):
                worst = child
        if worst == at:
            return
        swap(keys, heap, at, worst)
        at = worst
