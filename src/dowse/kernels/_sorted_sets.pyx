"""Compiled twin of `reference/sorted_sets.py`: set operations on ascending uint32 arrays."""

import numpy as np

from libc.stdint cimport uint32_t


cdef inline Py_ssize_t gallop(const uint32_t[::1] values, Py_ssize_t start, uint32_t target) noexcept nogil:
    """Returns the first index at or after `start` whose value is not below `target`."""
    cdef Py_ssize_t step = 1, low = start, high, middle, size = values.shape[0]
    while low + step < size and values[low + step] < target:
        low += step
        step += step
    high = min(low + step, size)
    while low < high:
        middle = (low + high) >> 1
        if values[middle] < target:
            low = middle + 1
        else:
            high = middle
    return low


def intersect(const uint32_t[::1] left, const uint32_t[::1] right):
    """Returns the values in both; gallops through the longer one, O(short · log(long / short))."""
    if left.shape[0] > right.shape[0]:
        left, right = right, left
    out_array = np.empty(left.shape[0], dtype=np.uint32)
    cdef uint32_t[::1] out = out_array
    cdef Py_ssize_t i, at = 0, kept = 0
    with nogil:
        for i in range(left.shape[0]):
            at = gallop(right, at, left[i])
            if at == right.shape[0]:
                break
            if right[at] == left[i]:
                out[kept] = left[i]
                kept += 1
    return out_array[:kept]


def union(const uint32_t[::1] left, const uint32_t[::1] right):
    """Returns the values in either, ascending, without duplicates."""
    out_array = np.empty(left.shape[0] + right.shape[0], dtype=np.uint32)
    cdef uint32_t[::1] out = out_array
    cdef Py_ssize_t i = 0, j = 0, kept = 0
    with nogil:
        while i < left.shape[0] and j < right.shape[0]:
            if left[i] < right[j]:
                out[kept] = left[i]
                i += 1
            elif right[j] < left[i]:
                out[kept] = right[j]
                j += 1
            else:
                out[kept] = left[i]
                i += 1
                j += 1
            kept += 1
        while i < left.shape[0]:
            out[kept] = left[i]
            i += 1
            kept += 1
        while j < right.shape[0]:
            out[kept] = right[j]
            j += 1
            kept += 1
    return out_array[:kept]


def difference(const uint32_t[::1] left, const uint32_t[::1] right):
    """Returns the values of `left` that are not in `right`; gallops through `right`."""
    out_array = np.empty(left.shape[0], dtype=np.uint32)
    cdef uint32_t[::1] out = out_array
    cdef Py_ssize_t i, at = 0, kept = 0
    with nogil:
        for i in range(left.shape[0]):
            at = gallop(right, at, left[i])
            if at == right.shape[0] or right[at] != left[i]:
                out[kept] = left[i]
                kept += 1
    return out_array[:kept]
