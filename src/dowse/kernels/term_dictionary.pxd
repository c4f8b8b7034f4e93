"""Finds a term in a segment's sorted, front-coded dictionary (`reference/front_coding.py`).

By halves among the restarts, then along one block of 16. No term is put together for that: while a term is below
the wanted text, only what it shares with the term before and what comes behind that can matter.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

cdef enum:
    RESTART_EVERY = 16


cdef struct TermDictionary:
    const uint32_t* restarts
    const uint8_t* codes
    uint64_t size
    Py_ssize_t count


# Where a reader of codes stands: what the text shares with the one before, and the rest of it.
cdef struct Code:
    uint64_t at  # behind the code
    uint64_t shared
    const uint8_t* rest
    uint64_t rest_size


cdef inline bint take_number(const TermDictionary* terms, uint64_t* at, uint64_t* value) noexcept nogil:
    """Reads a varint; says whether it was all there."""
    cdef int shift = 0
    value[0] = 0
    while at[0] < terms.size and shift < 63:
        value[0] |= <uint64_t>(terms.codes[at[0]] & 127) << shift
        shift += 7
        at[0] += 1
        if not terms.codes[at[0] - 1] & 128:
            return True
    return False


cdef inline bint next_code(const TermDictionary* terms, Code* code, bint is_restart) noexcept nogil:
    """Reads the code of the next text; says whether it was all there."""
    code.shared = 0
    if not is_restart and not take_number(terms, &code.at, &code.shared):
        return False
    if not take_number(terms, &code.at, &code.rest_size) or code.rest_size > terms.size - code.at:
        return False
    code.rest = terms.codes + code.at
    code.at += code.rest_size
    return True


cdef inline int compare_rest(const Code* code, const uint8_t* text, uint64_t size, uint64_t* common) noexcept nogil:
    """Compares the rest of a text with a wanted one behind its first `common` bytes, and moves these on."""
    cdef uint64_t i = 0
    while i < code.rest_size and common[0] < size and code.rest[i] == text[common[0]]:
        i += 1
        common[0] += 1
    if i < code.rest_size:
        return 1 if common[0] == size or code.rest[i] > text[common[0]] else -1
    return -1 if common[0] < size else 0


cdef inline Py_ssize_t find_term(const TermDictionary* terms, const uint8_t* text, uint64_t size,
                                 Py_ssize_t* first_block) noexcept nogil:
    """Returns a term's ordinal, or -1; looks from a block on, and leaves there the one where the term would be."""
    cdef Py_ssize_t low = first_block[0], high = (terms.count + RESTART_EVERY - 1) // RESTART_EVERY, middle, i
    cdef uint64_t common
    cdef Code code
    cdef int order
    # The last block whose first term is not above the text.
    while low < high:
        middle = (low + high) >> 1
        code.at, common = terms.restarts[middle], 0
        if not next_code(terms, &code, True):
            return -1
        order = compare_rest(&code, text, size, &common)
        if order == 0:
            first_block[0] = middle
            return middle * RESTART_EVERY
        if order < 0:
            low = middle + 1
        else:
            high = middle
    if low == 0:
        return -1
    first_block[0] = low - 1
    return find_in_block(terms, text, size, low - 1)


cdef inline Py_ssize_t find_in_block(const TermDictionary* terms, const uint8_t* text, uint64_t size,
                                     Py_ssize_t block) noexcept nogil:
    """Returns a term's ordinal in a block that begins below it, or -1."""
    cdef Py_ssize_t i = block * RESTART_EVERY, end = min(i + RESTART_EVERY, terms.count)
    cdef uint64_t common = 0
    cdef Code code
    cdef int order
    code.at = terms.restarts[block]
    while i < end:
        if not next_code(terms, &code, i % RESTART_EVERY == 0) or code.shared < common:
            return -1  # it shares less with a smaller term than the text does: it is above
        if code.shared == common:
            order = compare_rest(&code, text, size, &common)
            if order >= 0:
                return i if order == 0 else -1
        i += 1
    return -1


cdef inline Py_ssize_t spell_term(const TermDictionary* terms, Py_ssize_t term, uint8_t* out,
                                  uint64_t room) noexcept nogil:
    """Writes a term out; returns its size, -1 for a damaged one, -2 for one that needs more room."""
    cdef Py_ssize_t i = term - term % RESTART_EVERY
    cdef uint64_t size = 0
    cdef Code code
    code.at = terms.restarts[i // RESTART_EVERY]
    while i <= term:
        if not next_code(terms, &code, i % RESTART_EVERY == 0) or code.shared > size:
            return -1
        size = code.shared + code.rest_size
        if size > room:
            return -2
        memcpy(out + code.shared, code.rest, code.rest_size)
        i += 1
    return size
