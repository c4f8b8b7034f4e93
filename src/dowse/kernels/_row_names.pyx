"""Compiled twin of `reference/row_names.py`: what the hits of a page are called."""

from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport uint8_t, uint32_t, uint64_t


cdef class RowNames:
    """Tree, document and place of each row of a segment; see the plain twin."""

    cdef const uint64_t[::1] key_offsets
    cdef const uint8_t[::1] key_bytes
    cdef const uint32_t[::1] tree_ids, ordinals

    def __init__(self, key_offsets, key_bytes, tree_ids, ordinals):
        self.key_offsets, self.key_bytes = key_offsets, key_bytes
        self.tree_ids, self.ordinals = tree_ids, ordinals
        if not tree_ids.shape[0] == ordinals.shape[0] == key_offsets.shape[0] - 1:
            raise ValueError("the columns are not of one length")

    def read(self, list rows):
        """Returns (tree id, document key, place in the document) of some rows."""
        cdef Py_ssize_t row
        cdef list found = []
        for row in rows:
            if not 0 <= row < self.tree_ids.shape[0]:
                raise IndexError(f"there is no row {row}")
            found.append((self.tree_ids[row], self.key(row), self.ordinals[row]))
        return found

    cdef str key(self, Py_ssize_t row):
        cdef uint64_t start = self.key_offsets[row], stop = self.key_offsets[row + 1]
        if start >= stop or stop > <uint64_t>self.key_bytes.shape[0]:
            return ""  # damaged, for no key is empty
        return PyUnicode_DecodeUTF8(<const char*>&self.key_bytes[start], <Py_ssize_t>(stop - start), "replace")
