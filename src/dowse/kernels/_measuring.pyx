"""Compiled twin of `reference/measuring.py`: line starts, word counts and edges of a text."""

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


cdef inline bint is_space(unsigned char code) noexcept nogil:
    """The white space of bytes.split: space, and tab to carriage return."""
    return (code == 32) | (<unsigned char>(code - 9) <= 4)


cdef bint has_long_run(const unsigned char* base, Py_ssize_t size, Py_ssize_t long_run) noexcept nogil:
    """Says whether more than `long_run` bytes in a row are no white space; looks at few of them."""
    cdef Py_ssize_t after = 0, at
    while after + long_run < size:
        at = after + long_run
        while at >= after and not is_space(base[at]):
            at -= 1
        if at < after:
            return True
        after = at + 1
    return False


def measure_text(bytes text not None, Py_ssize_t long_run, Py_ssize_t bytes_per_word):
    cdef const unsigned char* base = <const unsigned char*>PyBytes_AS_STRING(text)
    cdef Py_ssize_t size = PyBytes_GET_SIZE(text), start = 0, line_start = 0, end = size, at
    cdef Py_ssize_t words = 1, first_line = 1, last_line
    while start < size and is_space(base[start]):
        start += 1
        if base[start - 1] == 10:
            first_line += 1
            line_start = start
    if start == size:
        return 0, 0, 0, 0, 1, 1
    while is_space(base[end - 1]):
        end -= 1
    last_line = first_line
    for at in range(start + 1, end):  # no branches: compilers make vector code of this
        words += is_space(base[at - 1]) & (not is_space(base[at]))
        last_line += base[at] == 10
    if has_long_run(base + start, end - start, long_run):
        words = count_words(text, start, end, long_run, bytes_per_word)
    return words, line_start, start, end, first_line, last_line
