# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Compiled twin of `reference/folding.py`: folded texts and their signatures.

A signature is gathered as one byte a bit, which is written and never read back, and packed at the end:
setting single bits would wait for the bit before.
"""

import numpy as np

from cpython.unicode cimport PyUnicode_FromKindAndData
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy, memset

cdef extern from "Python.h":
    unsigned int PyUnicode_KIND(object text)
    void* PyUnicode_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)
    int PyUnicode_4BYTE_KIND

cdef enum:
    SIGNATURE_BITS = 4096
    PAGE_COUNT = 8704
    # Character classes, numbered as in tools/make_unicode_table.py.
    SPACE = 1
    UNSEGMENTED = 12
    LETTER = 13
    MARK = 16
    IGNORED = 17

cdef uint32_t IS_SEQUENCE = 0x80000000
cdef uint64_t MIX = 0x9E3779B97F4A7C15
cdef uint64_t PAIR = <uint64_t>1 << 63
cdef uint64_t PAIR_BITS = (<uint64_t>1 << 42) - 1
cdef uint64_t TRIPLE_BITS = (<uint64_t>1 << 63) - 1


cdef struct Text:
    const void* characters
    Py_ssize_t length
    unsigned int width


cdef struct Folded:
    uint32_t* codes
    Py_ssize_t count
    Py_ssize_t capacity
    bint is_doubtful


cdef int reserve(Folded* folded, Py_ssize_t needed) noexcept nogil:
    """Makes room for so many code points; returns -1 when there is no memory."""
    cdef void* moved
    if needed <= folded.capacity:
        return 0
    needed += needed // 2 + 64
    moved = realloc(folded.codes, needed * sizeof(uint32_t))
    if not moved:
        return -1
    folded.codes = <uint32_t*>moved
    folded.capacity = needed
    return 0


cdef void mark_bits(const uint32_t* codes, Py_ssize_t count, uint8_t* seen) noexcept nogil:
    """Sets a byte for each bit of a folded text."""
    cdef uint64_t key = 0
    cdef Py_ssize_t i
    if count < 2:
        return
    key = <uint64_t>codes[0] << 21 | codes[1]
    seen[(PAIR | key) * MIX >> 52] = 1
    for i in range(2, count):
        key = (key << 21 | codes[i]) & TRIPLE_BITS
        seen[key * MIX >> 52] = 1
        seen[(PAIR | (key & PAIR_BITS)) * MIX >> 52] = 1


cdef void pack_bits(const uint8_t* seen, uint8_t* out) noexcept nogil:
    """Packs bytes of 0 and 1 into bits; the product brings the eight of a word side by side."""
    cdef uint64_t word
    cdef Py_ssize_t i
    for i in range(SIGNATURE_BITS // 8):
        memcpy(&word, seen + 8 * i, 8)
        out[i] = <uint8_t>(word * <uint64_t>0x0102040810204080 >> 56)


def signature_bits(str folded not None):
    cdef Py_ssize_t count = PyUnicode_GET_LENGTH(folded), i
    cdef uint8_t seen[SIGNATURE_BITS]
    cdef uint32_t* codes = <uint32_t*>malloc((count + 1) * sizeof(uint32_t))
    if not codes:
        raise MemoryError
    for i in range(count):
        codes[i] = <uint32_t>folded[i]
    memset(seen, 0, SIGNATURE_BITS)
    mark_bits(codes, count, seen)
    free(codes)
    return np.flatnonzero(np.frombuffer(seen[:SIGNATURE_BITS], np.uint8)).astype(np.uint32)


def find_uncomposed(list texts not None):
    cdef list found = []
    cdef Py_ssize_t place, i, length
    cdef const uint16_t* narrow
    cdef const uint32_t* wide
    cdef unsigned int is_doubtful
    cdef str text
    for place in range(len(texts)):
        text = texts[place]
        length, is_doubtful = PyUnicode_GET_LENGTH(text), 0
        if PyUnicode_KIND(text) == 2:  # no branches inside: compilers make vector code of these
            narrow = <const uint16_t*>PyUnicode_DATA(text)
            for i in range(length):
                is_doubtful |= (narrow[i] >= 0x300) & (<uint16_t>(narrow[i] - 0x2010) > 0x17)
        elif PyUnicode_KIND(text) == 4:
            wide = <const uint32_t*>PyUnicode_DATA(text)
            for i in range(length):
                is_doubtful |= (wide[i] >= 0x300) & (wide[i] - 0x2010 > 0x17)
        if is_doubtful:
            found.append(place)
    return found


cdef class Folder:
    """See `reference/folding.py`, whose docstrings hold for both."""

    cdef const uint16_t[::1] pages_view
    cdef const uint32_t[::1] entries_view
    cdef const uint32_t[::1] pool_view
    cdef const uint16_t* pages
    cdef const uint32_t* entries
    cdef const uint32_t* pool
    cdef uint8_t latin_classes[256]
    cdef uint32_t latin_codes[256]

    def __init__(self, pages, entries, pool):
        if self.pages:
            raise ValueError("a Folder is built once")
        if len(pages) != PAGE_COUNT or len(entries) != (int(pages.max()) + 1) * 128:
            raise ValueError("these arrays are not a Unicode table")
        self.pages_view, self.entries_view, self.pool_view = pages, entries, pool
        self.entries = &self.entries_view[0]
        self.pool = &self.pool_view[0] if len(pool) else NULL
        self.pages = &self.pages_view[0]
        cdef uint32_t code
        for code in range(256):
            self.latin_classes[code] = self.look_up(code, &self.latin_codes[code])

    def fold(self, str text not None):
        cdef Folded folded
        cdef Text given
        folded.codes = NULL
        folded.capacity = 0
        given.length = PyUnicode_GET_LENGTH(text)
        given.width = PyUnicode_KIND(text)
        given.characters = PyUnicode_DATA(text)
        try:
            if self.fold_into(&given, &folded) != 0:
                raise MemoryError
            return PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, folded.codes, folded.count)
        finally:
            free(folded.codes)

    def sign_all(self, list texts not None):
        cdef Py_ssize_t total = len(texts), done = 0, i
        cdef Text* given = <Text*>malloc((total + 1) * sizeof(Text))
        cdef Folded folded
        cdef uint8_t seen[SIGNATURE_BITS]
        cdef str text
        if not given:
            raise MemoryError
        folded.codes = NULL
        folded.capacity = 0
        try:
            signatures = np.empty((total, SIGNATURE_BITS // 8), np.uint8)
            doubtful = np.empty(total, np.uint8)
            for i in range(total):
                text = texts[i]
                given[i].length = PyUnicode_GET_LENGTH(text)
                given[i].width = PyUnicode_KIND(text)
                given[i].characters = PyUnicode_DATA(text)
            done = self.sign_into(given, total, &folded, seen, signatures, doubtful)
        finally:
            free(given)
            free(folded.codes)
        if done < total:
            raise MemoryError
        return signatures, doubtful

    cdef Py_ssize_t sign_into(
        self, const Text* given, Py_ssize_t total, Folded* folded, uint8_t* seen,
        uint8_t[:, ::1] signatures, uint8_t[::1] doubtful
    ):
        """Signs all texts, and returns how many there was memory for."""
        cdef Py_ssize_t i
        with nogil:
            for i in range(total):
                if self.fold_into(&given[i], folded) != 0:
                    return i
                memset(seen, 0, SIGNATURE_BITS)
                mark_bits(folded.codes, folded.count, seen)
                pack_bits(seen, &signatures[i, 0])
                doubtful[i] = folded.is_doubtful
        return total

    cdef inline uint8_t look_up(self, uint32_t char, uint32_t* code) noexcept nogil:
        """Class of a character; its folded code goes to `code`, a place in the pool if it is long."""
        cdef uint32_t entry = self.entries[self.pages[char >> 7] * 128 + (char & 127)]
        cdef uint32_t fold = entry >> 21 & 3
        cdef uint8_t kind = entry >> 24
        if fold == 0:
            code[0] = c" " if kind == SPACE else char
        elif fold == 1:
            code[0] = entry & 0x1FFFFF
        else:
            code[0] = IS_SEQUENCE | (entry & 0x1FFFFF)
        return kind

    cdef int fold_into(self, const Text* text, Folded* folded) noexcept nogil:
        """Folds one text; returns -1 when there is no memory."""
        if reserve(folded, text.length + 1) != 0:
            return -1
        folded.is_doubtful = False
        if text.width == 1:
            return self.fold_narrow(<const uint8_t*>text.characters, text.length, folded)
        return self.fold_wide(text, folded)

    cdef int fold_narrow(self, const uint8_t* text, Py_ssize_t length, Folded* folded) noexcept nogil:
        """Folds Latin-1, which has nothing that combines: every character but ß and ½ is one or none."""
        cdef Py_ssize_t i, n = 0
        cdef uint32_t* codes = folded.codes
        cdef uint32_t code
        cdef uint8_t kind
        cdef bint in_space = False, is_space
        for i in range(length):
            kind = self.latin_classes[text[i]]
            code = self.latin_codes[text[i]]
            if code & IS_SEQUENCE:
                n = self.unfold(code, folded, n, length - i)
                if n < 0:
                    return -1
                codes = folded.codes
                in_space = False
                continue
            is_space = kind == SPACE
            codes[n] = code
            n += kind != IGNORED and not (is_space and in_space)
            in_space = (in_space and kind == IGNORED) or is_space
        folded.count = n
        return 0

    cdef int fold_wide(self, const Text* text, Folded* folded) noexcept nogil:
        """Folds any text, and says whether its folded form may be in no normal form."""
        cdef Py_ssize_t i, k, n = 0, start
        cdef uint32_t char, code
        cdef uint8_t kind
        cdef bint in_space = False, has_changes = False, can_combine = False
        for i in range(text.length):
            if text.width == 2:
                char = (<const uint16_t*>text.characters)[i]
            else:
                char = (<const uint32_t*>text.characters)[i]
            if char < 256:
                kind = self.latin_classes[char]
                code = self.latin_codes[char]
            else:
                kind = self.look_up(char, &code)
            if kind == IGNORED:
                has_changes = True
                continue
            if kind == SPACE:
                folded.codes[n] = c" "
                n += not in_space
                in_space = True
                continue
            in_space = False
            has_changes = has_changes or (code != char and char >= 0x80)
            if code & IS_SEQUENCE:
                start = n
                n = self.unfold(code, folded, n, text.length - i)
                if n < 0:
                    return -1
                for k in range(start, n):
                    can_combine = can_combine or (char > 0xFF and folded.codes[k] >= 0x300)
                continue
            folded.codes[n] = code
            n += 1
            if kind == MARK or kind == UNSEGMENTED or (kind == LETTER and code >= 0x10000):
                can_combine = True
        folded.count = n
        folded.is_doubtful = has_changes and can_combine
        return 0

    cdef Py_ssize_t unfold(
        self, uint32_t code, Folded* folded, Py_ssize_t n, Py_ssize_t left
    ) noexcept nogil:
        """Writes a sequence from the pool; returns where the next code goes, or -1 without memory."""
        cdef const uint32_t* sequence = self.pool + (code & 0x1FFFFF)
        cdef Py_ssize_t size = sequence[0], k
        if reserve(folded, n + size + left) != 0:
            return -1
        for k in range(size):
            folded.codes[n + k] = sequence[1 + k]
        return n + size
