"""Compiled twin of `reference/form_merging.py`: adds up frequencies in one byte a row and field."""

import numpy as np

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

cdef extern from *:
    """
    #if defined(_MSC_VER)
    #include <intrin.h>
    static int lowest_bit(unsigned long long bits) {
        unsigned long at;
        _BitScanForward64(&at, bits);
        return (int)at;
    }
    #else
    #define lowest_bit __builtin_ctzll
    #endif
    """
    int lowest_bit(unsigned long long bits) noexcept nogil

cdef enum:
    FIELD_SLOTS = 8
    MOST_SPARED = 1 << 24  # bytes

# Zeros for the next call: new memory would cost more than the merging of short lists. Whoever takes them
# leaves NULL; the GIL is held then.
cdef uint64_t* spare = NULL
cdef Py_ssize_t spare_size = 0


cdef struct Field:
    uint8_t* sums  # by row; NULL where the field does not count
    uint64_t* marks  # a bit for each row that has a sum
    uint64_t posting_count
    uint32_t list_count, last_list
    # What is made of several lists: rows that have any, and their sums.
    uint32_t* rows
    uint8_t* freqs
    Py_ssize_t kept


cdef struct Merging:
    Field fields[FIELD_SLOTS]
    uint64_t* zeros  # the memory of all that is summed
    uint64_t* in_any  # a bit for each row that has a sum in any field
    Py_ssize_t size, row_count
    Py_ssize_t word_count  # 64 rows each


def nearest_terms(const uint32_t[::1] word_terms, const uint32_t[::1] words, const uint8_t[::1] distances):
    """Returns (terms, distances): the terms of words, ascending, each with that of its nearest word."""
    cdef Py_ssize_t i, kept = 0, count = words.shape[0]
    keys_array = np.empty(count, np.uint64)
    terms_array, nearest_array = np.empty(count, np.uint32), np.empty(count, np.uint8)
    cdef uint64_t[::1] keys = keys_array
    cdef uint32_t[::1] terms = terms_array
    cdef uint8_t[::1] nearest = nearest_array
    if distances.shape[0] != count:
        raise ValueError("every word has a distance")
    for i in range(count):
        if words[i] >= <uint64_t>word_terms.shape[0]:
            raise ValueError(f"there is no word {words[i]}")
        keys[i] = <uint64_t>word_terms[words[i]] << 8 | distances[i]
    keys_array.sort()
    for i in range(count):
        if i == 0 or keys[i] >> 8 != keys[i - 1] >> 8:
            terms[kept], nearest[kept] = <uint32_t>(keys[i] >> 8), <uint8_t>(keys[i] & 255)
            kept += 1
    return terms_array[:kept], nearest_array[:kept]


def merge_terms(lists, Py_ssize_t row_count, const uint32_t[::1] terms, fields):
    """Returns (sources, row_total) of terms taken as one."""
    cdef Merging merging
    cdef Field* entry
    cdef Py_ssize_t total
    cdef int field
    cdef bint is_clean = False
    cdef list wanted = sorted(fields), sources = []
    begin(&merging, row_count, wanted)
    try:
        add_lists(&merging, lists, terms)
        for field in wanted:
            entry = &merging.fields[field]
            if entry.list_count == 1:
                sources.append((entry.last_list, field))
            elif entry.list_count:
                sources.append((room_for(entry, row_count) + (field,), field))
        with nogil:
            total = take_rows(&merging)
        is_clean = True
    finally:
        finish(&merging, is_clean)
    for i, (source, field) in enumerate(sources):
        if type(source) is tuple:
            kept = merging.fields[field].kept
            sources[i] = (source[0][:kept], source[1][:kept], field), field
    return sources, total


cdef int begin(Merging* merging, Py_ssize_t row_count, list wanted) except -1:
    """Finds memory for the sums of some fields, all 0."""
    global spare, spare_size
    cdef int field
    cdef uint64_t* next_free
    for field in wanted:
        if not 0 <= field < FIELD_SLOTS:
            raise ValueError(f"there is no field {field}")
    memset(merging, 0, sizeof(Merging))
    merging.row_count, merging.word_count = row_count, (row_count + 63) >> 6
    merging.size = 8 * (merging.word_count * (1 + (1 + 8) * <Py_ssize_t>len(wanted)) + 1)
    if spare_size >= merging.size:
        merging.zeros, merging.size = spare, spare_size
        spare, spare_size = NULL, 0
    else:
        merging.zeros = <uint64_t*>calloc(merging.size, 1)
        if merging.zeros == NULL:
            raise MemoryError
    merging.in_any = merging.zeros
    next_free = merging.in_any + merging.word_count
    for field in wanted:
        merging.fields[field].marks = next_free
        merging.fields[field].sums = <uint8_t*>(next_free + merging.word_count)
        next_free += (1 + 8) * merging.word_count
    return 0


cdef void finish(Merging* merging, bint is_clean) noexcept:
    """Keeps memory that is all 0 again for the next call."""
    global spare, spare_size
    if not is_clean or spare_size >= merging.size or merging.size > MOST_SPARED:
        free(merging.zeros)
        return
    free(spare)
    spare, spare_size = merging.zeros, merging.size


cdef int add_lists(Merging* merging, lists, const uint32_t[::1] terms) except -1:
    """Adds the frequencies of all lists of the terms to the sums of their fields."""
    cdef const uint32_t[::1] term_lists = lists.term_lists, sizes = lists.list_doc_freq
    cdef const uint8_t[::1] fields = lists.list_field, postings = lists.postings
    cdef const uint64_t[::1] places = lists.list_postings
    cdef uint64_t i, index, end = postings.shape[0], list_count = fields.shape[0]
    cdef Field* entry
    if <uint64_t>sizes.shape[0] < list_count or <uint64_t>places.shape[0] < list_count:
        raise ValueError("the arrays of the posting lists do not fit together")
    with nogil:
        for i in range(<uint64_t>terms.shape[0]):
            if <uint64_t>terms[i] + 1 >= <uint64_t>term_lists.shape[0] or term_lists[terms[i] + 1] > list_count:
                with gil:
                    raise ValueError(f"there is no term {terms[i]}")
            for index in range(term_lists[terms[i]], term_lists[terms[i] + 1]):
                entry = &merging.fields[fields[index]]
                if fields[index] >= FIELD_SLOTS or entry.sums == NULL:
                    continue
                # Written so that no sum can wrap around.
                if places[index] > end or 5 * <uint64_t>sizes[index] > end - places[index]:
                    with gil:
                        raise ValueError(f"posting list {index} points outside the file")
                entry.list_count += 1
                entry.last_list = <uint32_t>index
                entry.posting_count += sizes[index]
                add_freqs(entry, &postings[0] + places[index], sizes[index], <uint32_t>merging.row_count)
    return 0


cdef void add_freqs(Field* entry, const uint8_t* postings, uint32_t size, uint32_t row_count) noexcept nogil:
    """Adds a list's frequencies row by row, saturating."""
    cdef const uint32_t* rows = <const uint32_t*>postings
    cdef const uint8_t* freqs = postings + 4 * <uint64_t>size
    cdef uint8_t* sums = entry.sums
    cdef uint64_t* marks = entry.marks
    cdef uint32_t i, row, freq
    for i in range(size):
        row = rows[i]
        if row >= row_count:
            break
        freq = <uint32_t>sums[row] + freqs[i]
        sums[row] = <uint8_t>(freq if freq < 255 else 255)
        marks[row >> 6] |= <uint64_t>1 << (row & 63)


cdef tuple room_for(Field* entry, Py_ssize_t row_count):
    """Makes (rows, freqs) with room for all that a field can have."""
    cdef Py_ssize_t size = min(<Py_ssize_t>entry.posting_count, row_count)
    rows_array, freqs_array = np.empty(size + 1, np.uint32), np.empty(size + 1, np.uint8)
    cdef uint32_t[::1] rows = rows_array
    cdef uint8_t[::1] freqs = freqs_array
    entry.rows, entry.freqs = &rows[0], &freqs[0]
    return rows_array, freqs_array


cdef Py_ssize_t take_rows(Merging* merging) noexcept nogil:
    """Writes out the rows of each field; returns how many any field has, and leaves zeros behind."""
    cdef Py_ssize_t word, total = 0
    cdef int field
    for field in range(FIELD_SLOTS):
        if merging.fields[field].list_count:
            take_field(merging, &merging.fields[field])
    for word in range(merging.word_count):
        if merging.in_any[word]:
            total += count_bits(merging.in_any[word])
            merging.in_any[word] = 0
    return total


cdef void take_field(Merging* merging, Field* entry) noexcept nogil:
    """Writes out the rows of a field, unless they are those of one list."""
    cdef Py_ssize_t word, kept = 0
    cdef uint64_t marks
    cdef uint32_t row
    cdef uint8_t* sums = entry.sums
    cdef uint32_t* rows = entry.rows
    cdef uint8_t* freqs = entry.freqs
    for word in range(merging.word_count):
        marks = entry.marks[word]
        if not marks:
            continue
        entry.marks[word] = 0
        merging.in_any[word] |= marks
        if rows == NULL:
            memset(sums + 64 * word, 0, 64)
            continue
        while marks:
            row = <uint32_t>(64 * word + lowest_bit(marks))
            marks &= marks - 1
            rows[kept], freqs[kept] = row, sums[row]
            sums[row] = 0
            kept += 1
    entry.kept = kept


cdef inline int count_bits(uint64_t bits) noexcept nogil:
    """Returns how many bits are set: first in pairs, then in fours, then in bytes, whose sum the product has."""
    bits -= bits >> 1 & 0x5555555555555555ULL
    bits = (bits & 0x3333333333333333ULL) + (bits >> 2 & 0x3333333333333333ULL)
    return <int>(((bits + (bits >> 4) & 0x0F0F0F0F0F0F0F0FULL) * 0x0101010101010101ULL) >> 56)
