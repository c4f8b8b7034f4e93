"""Finds a term in a segment's sorted dictionary."""

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memcmp


cdef struct TermDictionary:
    const uint64_t* offsets
    const uint8_t* text
    uint64_t text_size
    Py_ssize_t count


cdef inline int compare_term(const TermDictionary* terms, Py_ssize_t term, const uint8_t* text,
                             uint64_t size) noexcept nogil:
    """Says whether a term comes before (-1) or after (1) a text, or is the same (0); damaged ones come after."""
    cdef uint64_t own = terms.offsets[term], own_size = terms.offsets[term + 1] - own
    cdef int order
    if own > terms.text_size or own_size > terms.text_size - own:
        return 1
    order = memcmp(terms.text + own, text, min(own_size, size))
    return order if order else (own_size > size) - (own_size < size)


cdef inline Py_ssize_t find_term(const TermDictionary* terms, const uint8_t* text, uint64_t size, Py_ssize_t low,
                                 Py_ssize_t high, Py_ssize_t* nearest) noexcept nogil:
    """Returns a term's ordinal among those from `low` to `high`, or -1; `nearest` is where it would be."""
    cdef Py_ssize_t middle
    cdef int order
    while low < high:
        middle = (low + high) >> 1
        order = compare_term(terms, middle, text, size)
        if order == 0:
            nearest[0] = middle
            return middle
        if order < 0:
            low = middle + 1
        else:
            high = middle
    nearest[0] = low
    return -1


cdef inline Py_ssize_t find_behind(const TermDictionary* terms, const uint8_t* text, uint64_t size, Py_ssize_t low,
                                   Py_ssize_t* nearest) noexcept nogil:
    """Does the same for a term not before `low`, near it first: in steps that grow."""
    cdef Py_ssize_t step = 1
    while low + step < terms.count and compare_term(terms, low + step, text, size) < 0:
        low += step
        step += step
    return find_term(terms, text, size, low, min(low + step + 1, terms.count), nearest)
