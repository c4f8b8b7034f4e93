"""Compiled twin of `reference/measuring.py`: line starts and word counts of a text."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE

cdef extern from "string.h" nogil:
    void* memchr(const void* text, int wanted, size_t size)


def line_starts(bytes text not None):
    cdef const char* base = PyBytes_AS_STRING(text)
    cdef const char* end = base + PyBytes_GET_SIZE(text)
    cdef const char* at = base
    cdef list starts = [0]
    while True:
        at = <const char*>memchr(at, 10, end - at)
        if at == NULL:
            return starts
        at += 1
        if at == end:
            return starts  # a final line feed ends a line; it does not start another
        starts.append(at - base)


def count_words(bytes text not None, Py_ssize_t start, Py_ssize_t stop, Py_ssize_t long_run,
                Py_ssize_t bytes_per_word):
    cdef const unsigned char* base = <const unsigned char*>PyBytes_AS_STRING(text)
    cdef Py_ssize_t at, run = 0, words = 0
    stop = min(stop, PyBytes_GET_SIZE(text))
    for at in range(max(start, 0), stop):
        # The white space of bytes.split: space, and tab to carriage return.
        if base[at] == 32 or 9 <= base[at] <= 13:
            if run:
                words += 1 if run <= long_run else (run + bytes_per_word - 1) // bytes_per_word
                run = 0
        else:
            run += 1
    if run:
        words += 1 if run <= long_run else (run + bytes_per_word - 1) // bytes_per_word
    return words
