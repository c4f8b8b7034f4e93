"""Compiled twin of `reference/piece_cutting.py`: words to the pieces of a model's vocabulary."""

import numpy as np

from libc.stdint cimport int32_t, uint8_t, uint32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

cdef enum:
    SPACE = 0
    MARK = 1
    PLAIN = 2
    OTHER = 3
    WHOLE = 0  # the node where words begin
    INNER = 1  # the node where the rest of a word begins

cdef uint8_t KINDS[256]


cdef void fill_kinds() noexcept:
    cdef int byte
    for byte in range(256):
        if byte in (9, 10, 13, 32):
            KINDS[byte] = SPACE
        elif 48 <= byte <= 57 or 65 <= byte <= 90 or 97 <= byte <= 122:
            KINDS[byte] = PLAIN
        elif 32 < byte < 127:
            KINDS[byte] = MARK
        else:
            KINDS[byte] = OTHER


fill_kinds()


cdef class PieceCutter:
    # Edges of a trie in a hash table: (node, byte) to node. Immutable once built, so threads may share it.
    cdef int32_t* _keys
    cdef int32_t* _nodes
    cdef int32_t* _numbers
    cdef uint32_t _mask
    cdef Py_ssize_t _max_word_chars

    def __cinit__(self, pieces, str inner_mark, Py_ssize_t max_word_chars):
        roots = [(piece, WHOLE) for piece in pieces]
        roots += [(piece, INNER) for piece in pieces if piece.startswith(inner_mark) and piece != inner_mark]
        cdef list entries = [
            ((piece[len(inner_mark):] if root == INNER else piece).encode(), root, pieces[piece])
            for piece, root in roots
            if piece and piece.isascii()
        ]
        cdef Py_ssize_t edges = sum([len(entry[0]) for entry in entries]), size = 1024
        while size < 2 * edges:
            size *= 2
        self._mask, self._max_word_chars = <uint32_t>(size - 1), max_word_chars
        self._keys = <int32_t*>malloc(size * sizeof(int32_t))
        self._nodes = <int32_t*>malloc(size * sizeof(int32_t))
        self._numbers = <int32_t*>malloc((edges + 2) * sizeof(int32_t))
        if self._keys == NULL or self._nodes == NULL or self._numbers == NULL:
            raise MemoryError
        cdef Py_ssize_t i
        for i in range(size):
            self._keys[i] = -1
        self._numbers[WHOLE] = self._numbers[INNER] = -1
        cdef int32_t count = 2, node
        cdef uint32_t slot
        cdef bytes letters
        for letters, root, number in entries:
            node = root
            for i in range(len(letters)):
                slot = self.find(node, letters[i])
                if self._keys[slot] < 0:
                    self._keys[slot] = node * 128 + letters[i]
                    self._nodes[slot] = count
                    self._numbers[count] = -1
                    count += 1
                node = self._nodes[slot]
            self._numbers[node] = number

    def __init__(self, pieces, inner_mark, max_word_chars):
        pass

    def __dealloc__(self):
        free(self._keys)
        free(self._nodes)
        free(self._numbers)

    cdef inline uint32_t find(self, int32_t node, uint8_t letter) noexcept nogil:
        """Returns the place of an edge, or the free one where it would be."""
        cdef int32_t key = node * 128 + letter
        cdef uint32_t slot = (<uint32_t>key * <uint32_t>2654435769) & self._mask
        while self._keys[slot] != key and self._keys[slot] >= 0:
            slot = (slot + 1) & self._mask
        return slot

    cdef Py_ssize_t cut_word(self, const uint8_t* word, Py_ssize_t size, int32_t* tokens) noexcept nogil:
        """Writes the longest pieces from the left; returns how many, 0 when there are none."""
        cdef Py_ssize_t start = 0, end, best_end, count = 0
        cdef int32_t node, best
        cdef uint32_t slot
        cdef uint8_t letter
        while start < size:
            node, best, best_end = INNER if start else WHOLE, -1, start
            for end in range(start, size):
                letter = word[end]
                if 65 <= letter <= 90:
                    letter += 32
                slot = self.find(node, letter)
                if self._keys[slot] < 0:
                    break
                node = self._nodes[slot]
                if self._numbers[node] >= 0:
                    best, best_end = self._numbers[node], end + 1
            if best < 0:
                return 0
            tokens[count] = best
            count += 1
            start = best_end
        return count

    def cut(self, const uint8_t[::1] text not None, Py_ssize_t at_most):
        cdef Py_ssize_t size = text.shape[0], start = 0, end, count = 0, gap_count = 0, found
        cdef uint8_t kind
        if not size:
            return np.zeros(0, np.int32), np.zeros((0, 3), np.int32)
        cdef int32_t* tokens = <int32_t*>malloc(size * sizeof(int32_t))
        cdef int32_t* gaps = <int32_t*>malloc(3 * size * sizeof(int32_t))
        if tokens == NULL or gaps == NULL:
            free(tokens)
            free(gaps)
            raise MemoryError
        with nogil:
            while start < size and count < at_most:
                kind = KINDS[text[start]]
                if kind == SPACE:
                    start += 1
                    continue
                end = start + 1
                if kind != MARK:
                    while end < size and KINDS[text[end]] >= PLAIN:
                        kind = max(kind, KINDS[text[end]])
                        end += 1
                found = 0
                if kind != OTHER and end - start <= self._max_word_chars:
                    found = self.cut_word(&text[start], end - start, tokens + count)
                if found:
                    count += found
                else:
                    gaps[3 * gap_count] = <int32_t>count
                    gaps[3 * gap_count + 1] = <int32_t>start
                    gaps[3 * gap_count + 2] = <int32_t>end
                    gap_count += 1
                start = end
        try:
            return copy_of(tokens, count), copy_of(gaps, 3 * gap_count).reshape(-1, 3)
        finally:
            free(tokens)
            free(gaps)


cdef object copy_of(const int32_t* values, Py_ssize_t count):
    copied = np.empty(count, np.int32)
    cdef int32_t[::1] out = copied
    if count:
        memcpy(&out[0], values, count * sizeof(int32_t))
    return copied
