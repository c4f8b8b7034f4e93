# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Compiled twin of `reference/tokenising.py`: text to tokens.

The same two passes. The first reads the string's own storage, one, two or four bytes a character, and
writes class, folded code and place of every character that does not vanish; the second cuts words. Each
surface is spelt as UTF-8 into one small buffer and looked up in an open-addressing table, so a surface seen
before costs no allocation. Passes run without the GIL: several tokenizers can work on several threads.
"""

import numpy as np

from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcmp, memcpy

cdef extern from "Python.h":
    unsigned int PyUnicode_KIND(object text)
    void* PyUnicode_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)

cdef enum:
    C_PART = 0
    C_WHOLE = 1
    C_UNIGRAM = 2
    C_SURFACE_CAP = 64
    C_MAX_WHOLE_PARTS = 16
    C_MAX_TEXT_CHARS = 65535
    PAGE_COUNT = 8704
    # Character classes, numbered as in tools/make_unicode_table.py.
    OTHER = 0
    SPACE = 1
    OPEN = 2
    DASH = 3
    UNDERSCORE = 4
    DOT = 5
    COMMA = 6
    APOSTROPHE = 7
    PLUS = 8
    HASH = 9
    SYMBOL = 10
    HAN = 11
    UNSEGMENTED = 12
    LETTER = 13
    UPPER = 14
    DIGIT = 15
    MARK = 16
    IGNORED = 17

PART = C_PART
WHOLE = C_WHOLE
UNIGRAM = C_UNIGRAM
SURFACE_CAP = C_SURFACE_CAP
MAX_WHOLE_PARTS = C_MAX_WHOLE_PARTS
MAX_TEXT_CHARS = C_MAX_TEXT_CHARS

cdef uint32_t IS_SEQUENCE = 0x80000000
cdef uint64_t MIX = 0x9E3779B97F4A7C15
cdef uint64_t FINAL_MIX = 0xBF58476D1CE4E5B9
cdef uint64_t HIGH_HALF = 0xFFFFFFFF00000000


cdef struct Span:
    uint32_t begin
    uint32_t end


cdef struct Listed:
    size_t spelling
    uint32_t size
    uint32_t position
    uint32_t start
    uint32_t end
    uint32_t kind


cdef struct Work:
    # What one text needs. `classes` has two spaces in front and behind, so that no rule has to ask
    # whether a neighbour exists.
    Py_ssize_t capacity
    Py_ssize_t count
    uint8_t* classes
    uint32_t* codes
    uint32_t* places
    Span* parts
    # The surface being spelt: UTF-8, room for the cap, and eight zero bytes for the hash to read.
    uint8_t buffer[4 * 64 + 16]
    Py_ssize_t size
    Py_ssize_t chars
    # Tokens of `tokenize`; unused by `feed`.
    Listed* listed
    Py_ssize_t listed_count
    uint8_t* spellings
    size_t spellings_size
    size_t spellings_capacity


cdef inline bint is_word(uint8_t kind) noexcept nogil:
    return LETTER <= kind <= MARK


cdef int reserve_work(Work* work, Py_ssize_t length, bint is_listing) noexcept nogil:
    """Makes room for a text of `length` characters; returns -1 when there is no memory."""
    cdef Py_ssize_t capacity
    if length >= work.capacity:
        release_work(work)
        capacity = length + length // 2 + 16
        work.classes = <uint8_t*>malloc(capacity + 4)
        work.codes = <uint32_t*>malloc(capacity * sizeof(uint32_t))
        work.places = <uint32_t*>malloc(capacity * sizeof(uint32_t))
        work.parts = <Span*>malloc(capacity * sizeof(Span))
        if not (work.classes and work.codes and work.places and work.parts):
            return -1
        work.classes += 2
        work.classes[-2] = SPACE
        work.classes[-1] = SPACE
        work.capacity = capacity
    if is_listing:
        # A text has at most three tokens for every two characters: aB gives a, b and ab.
        work.listed = <Listed*>malloc((2 * length + 4) * sizeof(Listed))
        if not work.listed:
            return -1
    return 0


cdef void release_work(Work* work) noexcept nogil:
    if work.classes:
        free(work.classes - 2 if work.capacity else work.classes)
    free(work.codes)
    free(work.places)
    free(work.parts)
    free(work.listed)
    free(work.spellings)
    work.classes = NULL
    work.codes = work.places = NULL
    work.parts = NULL
    work.listed = NULL
    work.spellings = NULL
    work.capacity = 0


cdef class Tokenizer:
    """See `reference/tokenising.py`, whose docstrings hold for both."""

    cdef const uint16_t[::1] pages_view
    cdef const uint32_t[::1] entries_view
    cdef const uint32_t[::1] pool_view
    cdef const uint16_t* pages
    cdef const uint32_t* entries
    cdef const uint32_t* pool
    cdef uint8_t latin_classes[256]
    cdef uint32_t latin_codes[256]
    cdef Work work

    # Tokens fed so far, as columns.
    cdef uint32_t* token_surfaces
    cdef uint32_t* token_rows
    cdef uint8_t* token_fields
    cdef uint16_t* token_positions
    cdef Py_ssize_t tokens
    cdef Py_ssize_t token_capacity

    # Interned surfaces: spellings end to end, where each starts, and a hash table of (hash, id + 1).
    cdef uint8_t* arena
    cdef size_t arena_capacity
    cdef size_t* starts
    cdef uint8_t* flags
    cdef Py_ssize_t surface_total
    cdef Py_ssize_t surface_capacity
    cdef uint64_t* slots
    cdef size_t slot_mask

    def __init__(self, pages, entries, pool):
        if self.pages:
            raise ValueError("a Tokenizer is built once")
        if len(pages) != PAGE_COUNT or len(entries) != (int(pages.max()) + 1) * 128:
            raise ValueError("these arrays are not a Unicode table")
        self.pages_view, self.entries_view, self.pool_view = pages, entries, pool
        self.entries = &self.entries_view[0]
        self.pool = &self.pool_view[0] if len(pool) else NULL
        self.pages = &self.pages_view[0]
        cdef uint32_t code
        for code in range(256):
            self.latin_classes[code] = self.look_up(code, &self.latin_codes[code])

    def __dealloc__(self):
        release_work(&self.work)
        free(self.token_surfaces)
        free(self.token_rows)
        free(self.token_fields)
        free(self.token_positions)
        free(self.arena)
        free(self.starts)
        free(self.flags)
        free(self.slots)

    @property
    def token_count(self):
        return self.tokens

    @property
    def surface_count(self):
        return self.surface_total

    @property
    def nbytes(self):
        return (
            self.token_capacity * 11 + self.arena_capacity + self.surface_capacity * 9
            + (self.slot_mask + 1 if self.slots else 0) * 8 + self.work.capacity * 17
        )

    def feed(self, str text not None, row, field):
        cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text)
        if length > C_MAX_TEXT_CHARS or not 0 <= field < 8 or not 0 <= row < 1 << 32:
            raise ValueError("a text is too long, or its row or field is out of range")
        cdef unsigned int width = PyUnicode_KIND(text)
        cdef const void* characters = PyUnicode_DATA(text)
        cdef uint32_t row_number = row
        cdef uint8_t field_number = field
        cdef Py_ssize_t positions, first = self.tokens, i
        with nogil:
            positions = -1
            if (
                reserve_work(&self.work, length, False) == 0
                and self.reserve_tokens(2 * length + 4) == 0
            ):
                self.look_up_all(&self.work, characters, width, length)
                positions = self.cut(&self.work, False)
                for i in range(first, self.tokens):
                    self.token_rows[i] = row_number
                    self.token_fields[i] = field_number
        if positions < 0:
            self.tokens = first
            raise MemoryError
        return positions

    def tokenize(self, str text not None):
        # The work area is the call's own: making strings may run other threads.
        cdef Work work
        cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text), i
        cdef Listed* token
        work.capacity = 0
        work.classes = work.spellings = NULL
        work.codes = work.places = NULL
        work.parts = NULL
        work.listed = NULL
        work.listed_count = 0
        work.spellings_size = work.spellings_capacity = 0
        try:
            if length >= 1 << 30 or reserve_work(&work, length, True) < 0:
                raise MemoryError
            self.look_up_all(&work, PyUnicode_DATA(text), PyUnicode_KIND(text), length)
            if self.cut(&work, True) < 0:
                raise MemoryError
            surfaces, positions, starts, ends, kinds = [], [], [], [], []
            for i in range(work.listed_count):
                token = &work.listed[i]
                surfaces.append(
                    PyUnicode_DecodeUTF8(
                        <char*>work.spellings + token.spelling, token.size, NULL
                    )
                )
                positions.append(token.position)
                starts.append(token.start)
                ends.append(token.end)
                kinds.append(token.kind)
            return surfaces, positions, starts, ends, kinds
        finally:
            release_work(&work)

    def is_letters(self, str surface not None):
        cdef Py_UCS4 char
        cdef uint32_t code
        cdef uint8_t kind
        for char in surface:
            kind = self.look_up(char, &code)
            if kind != LETTER and kind != UPPER and kind != MARK:
                return False
        return True

    def surfaces(self):
        cdef Py_ssize_t i
        return [
            self.arena[self.starts[i]:self.starts[i + 1]] for i in range(self.surface_total)
        ]

    def letter_flags(self):
        flags = np.empty(self.surface_total, dtype=np.uint8)
        cdef uint8_t[::1] out = flags
        if self.surface_total:
            memcpy(&out[0], self.flags, self.surface_total)
        return flags

    def columns(self):
        surfaces = np.empty(self.tokens, dtype=np.uint32)
        rows = np.empty(self.tokens, dtype=np.uint32)
        fields = np.empty(self.tokens, dtype=np.uint8)
        positions = np.empty(self.tokens, dtype=np.uint16)
        cdef uint32_t[::1] out_surfaces = surfaces
        cdef uint32_t[::1] out_rows = rows
        cdef uint8_t[::1] out_fields = fields
        cdef uint16_t[::1] out_positions = positions
        if self.tokens:
            memcpy(&out_surfaces[0], self.token_surfaces, self.tokens * sizeof(uint32_t))
            memcpy(&out_rows[0], self.token_rows, self.tokens * sizeof(uint32_t))
            memcpy(&out_fields[0], self.token_fields, self.tokens)
            memcpy(&out_positions[0], self.token_positions, self.tokens * sizeof(uint16_t))
        return surfaces, rows, fields, positions

    # First pass: classes and folds.

    cdef inline uint8_t look_up(self, uint32_t char, uint32_t* code) noexcept nogil:
        """Class of a character; its folded code goes to `code`, a place in the pool if it is long."""
        cdef uint32_t entry = self.entries[self.pages[char >> 7] * 128 + (char & 127)]
        cdef uint32_t fold = entry >> 21 & 3
        if fold == 0:
            code[0] = char
        elif fold == 1:
            code[0] = entry & 0x1FFFFF
        else:
            code[0] = IS_SEQUENCE | (entry & 0x1FFFFF)
        return entry >> 24

    cdef void look_up_all(
        self, Work* work, const void* characters, unsigned int width, Py_ssize_t length
    ) noexcept nogil:
        """Fills classes, codes and places, leaving out what vanishes."""
        cdef uint8_t* classes = work.classes
        cdef uint32_t* codes = work.codes
        cdef uint32_t* places = work.places
        cdef const uint8_t* narrow = <const uint8_t*>characters
        cdef Py_ssize_t i, n = 0
        cdef uint32_t char
        cdef uint8_t kind
        if width == 1:
            for i in range(length):
                kind = self.latin_classes[narrow[i]]
                classes[n] = kind
                codes[n] = self.latin_codes[narrow[i]]
                places[n] = <uint32_t>i
                n += kind != IGNORED
        else:
            for i in range(length):
                if width == 2:
                    char = (<const uint16_t*>characters)[i]
                else:
                    char = (<const uint32_t*>characters)[i]
                if char < 256:
                    kind = self.latin_classes[char]
                    codes[n] = self.latin_codes[char]
                else:
                    kind = self.look_up(char, &codes[n])
                classes[n] = kind
                places[n] = <uint32_t>i
                n += kind != IGNORED
        classes[n] = SPACE
        classes[n + 1] = SPACE
        work.count = n

    # Second pass: words.

    cdef Py_ssize_t cut(self, Work* work, bint is_listing) noexcept nogil:
        """Emits all tokens; returns the number of positions, or -1 without memory."""
        cdef const uint8_t* classes = work.classes
        cdef Py_ssize_t i = 0, count = work.count, position = 0
        cdef uint8_t kind
        while i < count:
            kind = classes[i]
            if kind < SYMBOL:
                i += 1
                continue
            if is_word(kind):
                i = self.cut_compound(work, i, &position, is_listing)
            elif kind == SYMBOL:
                self.spell_range(work, i, i + 1)
                if self.emit(work, i, i + 1, position, C_PART, is_listing) < 0:
                    return -1
                position += 1
                i += 1
            else:
                i = self.cut_bigrams(work, i, &position, is_listing)
            if i < 0:
                return -1
        return position

    cdef Py_ssize_t cut_bigrams(
        self, Work* work, Py_ssize_t i, Py_ssize_t* position, bint is_listing
    ) noexcept nogil:
        """Emits the pairs of one unsegmented run; returns where the scan goes on, or -1."""
        cdef const uint8_t* classes = work.classes
        cdef Py_ssize_t clusters = 0, k, at
        cdef Span* cluster
        while classes[i] == HAN or classes[i] == UNSEGMENTED:
            work.parts[clusters].begin = <uint32_t>i
            i += 1
            while classes[i] == MARK:
                i += 1
            work.parts[clusters].end = <uint32_t>i
            clusters += 1
        if clusters == 1:
            cluster = work.parts
            self.spell_range(work, cluster.begin, cluster.end)
            if self.emit(work, cluster.begin, cluster.end, position[0], C_PART, is_listing) < 0:
                return -1
            position[0] += 1
            return i
        for k in range(clusters):
            cluster = &work.parts[k]
            if k + 1 < clusters:
                at = position[0] + k
                self.spell_range(work, cluster.begin, cluster[1].end)
                if self.emit(work, cluster.begin, cluster[1].end, at, C_PART, is_listing) < 0:
                    return -1
            if classes[cluster.begin] == HAN:
                at = position[0] + (k if k + 1 < clusters else k - 1)
                self.spell_range(work, cluster.begin, cluster.begin + 1)
                if self.emit(work, cluster.begin, cluster.end, at, C_UNIGRAM, is_listing) < 0:
                    return -1
        position[0] += clusters - 1
        return i

    cdef Py_ssize_t cut_compound(
        self, Work* work, Py_ssize_t begin, Py_ssize_t* position, bint is_listing
    ) noexcept nogil:
        """Emits one word with its parts and overlays; returns where the scan goes on, or -1."""
        cdef const uint8_t* classes = work.classes
        cdef Span* parts = work.parts
        cdef Py_ssize_t i = begin, count = 0, head = 0, tail = 0, run, end, k, first = position[0]
        cdef Py_ssize_t suffix = 0
        cdef int ending
        cdef uint8_t kind, before
        cdef bint is_number = True, has_head
        while True:
            tail = count
            run = i
            before = classes[i]
            is_number = is_number and before == DIGIT
            i += 1
            while True:
                kind = classes[i]
                if not is_word(kind):
                    break
                if kind == UPPER and is_hump(work, i, before):
                    parts[count].begin = <uint32_t>run
                    parts[count].end = <uint32_t>i
                    count += 1
                    run = i
                if kind != DIGIT:
                    is_number = False
                before = kind
                i += 1
            end = i
            if kind == APOSTROPHE:
                ending = contraction(work, i)
                if ending < 0:
                    i += 2
                elif ending > 0:
                    i += ending + 1
                    end = i
                    is_number = False
            parts[count].begin = <uint32_t>run
            parts[count].end = <uint32_t>end
            count += 1
            if head == 0:
                head = count
            if not is_joiner(classes, i):
                break
            if classes[i] != DOT and classes[i] != COMMA:
                is_number = False
            i += 1

        if i == end:
            if classes[i] == HASH:
                if not is_word(classes[i + 1]) and classes[i + 1] != HASH:
                    suffix = 1
            elif classes[i] == PLUS and classes[i + 1] == PLUS:
                if not is_word(classes[i + 2]) and classes[i + 2] != PLUS:
                    suffix = 2
        has_head = (
            begin > 0
            and classes[begin - 1] == DOT
            and (classes[begin] == LETTER or classes[begin] == UPPER)
            and (
                classes[begin - 2] == SPACE
                or classes[begin - 2] == OPEN
                or classes[begin - 2] == APOSTROPHE
            )
        )
        position[0] = first + count
        if has_head and head <= C_MAX_WHOLE_PARTS:
            begin_spelling(work)
            spell(work, c".")
            self.spell_joined(work, 0, head, is_number)
            if self.emit_whole(work, begin - 1, parts[head - 1].end, first, is_listing) < 0:
                return -1
        for k in range(count):
            if k == tail and suffix and count - tail <= C_MAX_WHOLE_PARTS:
                begin_spelling(work)
                self.spell_joined(work, tail, count, is_number)
                spell(work, work.codes[i])
                if suffix == 2:
                    spell(work, work.codes[i + 1])
                if self.emit_whole(work, parts[k].begin, end + suffix, first + k, is_listing) < 0:
                    return -1
            if k == 0 and 2 <= count <= C_MAX_WHOLE_PARTS:
                begin_spelling(work)
                self.spell_joined(work, 0, count, is_number)
                if self.emit_whole(work, begin, end, first, is_listing) < 0:
                    return -1
            self.spell_range(work, parts[k].begin, parts[k].end)
            if self.emit(
                work, parts[k].begin, parts[k].end, first + k, C_PART, is_listing
            ) < 0:
                return -1
        return i

    # Spelling and collecting.

    cdef inline void spell_code(self, Work* work, uint32_t code) noexcept nogil:
        """Adds one folded character, which may be several code points."""
        cdef uint32_t place, k
        if not code & IS_SEQUENCE:
            spell(work, code)
        else:
            place = code & ~IS_SEQUENCE
            for k in range(self.pool[place]):
                spell(work, self.pool[place + 1 + k])

    cdef inline void spell_range(self, Work* work, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
        """Spells the characters of a range into the buffer, up to the cap."""
        cdef Py_ssize_t i
        begin_spelling(work)
        for i in range(begin, end):
            self.spell_code(work, work.codes[i])
            if work.chars > C_SURFACE_CAP:
                break

    cdef void spell_joined(
        self, Work* work, Py_ssize_t first, Py_ssize_t last, bint is_number
    ) noexcept nogil:
        """Adds parts as one surface, without what joined them; numbers keep their dots."""
        cdef Py_ssize_t k, i
        cdef Span part
        for k in range(first, last):
            part = work.parts[k]
            if is_number and k > first:
                if work.classes[part.begin - 1] != COMMA or part.end - part.begin != 3:
                    spell(work, c".")
            for i in range(part.begin, part.end):
                if work.classes[i] != APOSTROPHE:
                    self.spell_code(work, work.codes[i])
            if work.chars > C_SURFACE_CAP:
                return

    cdef inline int emit_whole(
        self, Work* work, Py_ssize_t begin, Py_ssize_t end, Py_ssize_t position, bint is_listing
    ) noexcept nogil:
        """Emits an overlay unless it is longer than the cap."""
        if work.chars > C_SURFACE_CAP:
            return 0
        return self.emit(work, begin, end, position, C_WHOLE, is_listing)

    cdef int emit(
        self, Work* work, Py_ssize_t begin, Py_ssize_t end, Py_ssize_t position, uint32_t kind,
        bint is_listing
    ) noexcept nogil:
        """Adds the surface in the buffer as a token; returns -1 without memory."""
        cdef Listed* token
        cdef Py_ssize_t surface
        if not is_listing:
            surface = self.intern_surface(work.buffer, work.size)
            if surface < 0:
                return -1
            self.token_surfaces[self.tokens] = <uint32_t>surface
            self.token_positions[self.tokens] = <uint16_t>position
            self.tokens += 1
            return 0
        if work.spellings_size + work.size > work.spellings_capacity:
            if grow(
                <void**>&work.spellings, &work.spellings_capacity, work.spellings_size + work.size, 1
            ) < 0:
                return -1
        token = &work.listed[work.listed_count]
        token.spelling = work.spellings_size
        token.size = <uint32_t>work.size
        token.position = <uint32_t>position
        token.start = work.places[begin]
        token.end = work.places[end - 1] + 1
        token.kind = kind
        memcpy(work.spellings + work.spellings_size, work.buffer, work.size)
        work.spellings_size += work.size
        work.listed_count += 1
        return 0

    cdef Py_ssize_t intern_surface(self, uint8_t* spelling, Py_ssize_t size) noexcept nogil:
        """The id of a spelling, a new one if it was never seen; -1 without memory."""
        cdef uint64_t hashed = hash_bytes(spelling, size), slot
        cdef size_t at, start
        cdef Py_ssize_t surface
        if 2 * self.surface_total >= <Py_ssize_t>self.slot_mask and self.grow_slots() < 0:
            return -1
        at = hashed & self.slot_mask
        while True:
            slot = self.slots[at]
            if slot == 0:
                break
            if slot >> 32 == hashed >> 32:
                surface = <Py_ssize_t><uint32_t>slot - 1
                start = self.starts[surface]
                if (
                    self.starts[surface + 1] - start == <size_t>size
                    and memcmp(self.arena + start, spelling, size) == 0
                ):
                    return surface
            at = (at + 1) & self.slot_mask
        surface = self.surface_total
        if self.reserve_surface(size) < 0:
            return -1
        start = self.starts[surface]
        memcpy(self.arena + start, spelling, size)
        self.starts[surface + 1] = start + size
        self.flags[surface] = self.spells_letters(spelling, size)
        self.surface_total += 1
        self.slots[at] = (hashed & HIGH_HALF) | <uint64_t>(surface + 1)
        return surface

    cdef bint spells_letters(self, const uint8_t* spelling, Py_ssize_t size) noexcept nogil:
        """True when a spelling has nothing but letters and marks: `is_letters` for UTF-8."""
        cdef Py_ssize_t i = 0
        cdef uint32_t char, code
        cdef uint8_t lead, kind
        cdef int more
        while i < size:
            lead = spelling[i]
            i += 1
            more = 0 if lead < 0x80 else 1 if lead < 0xE0 else 2 if lead < 0xF0 else 3
            char = lead if more == 0 else lead & (0x3F >> more)
            while more:
                char = char << 6 | (spelling[i] & 0x3F)
                i += 1
                more -= 1
            kind = self.look_up(char, &code)
            if kind != LETTER and kind != UPPER and kind != MARK:
                return False
        return True

    # Memory.

    cdef int reserve_tokens(self, Py_ssize_t more) noexcept nogil:
        cdef Py_ssize_t capacity
        cdef void* moved
        if self.tokens + more <= self.token_capacity:
            return 0
        capacity = max(self.tokens + more, self.token_capacity + self.token_capacity // 2, 4096)
        moved = realloc(self.token_surfaces, capacity * sizeof(uint32_t))
        if not moved:
            return -1
        self.token_surfaces = <uint32_t*>moved
        moved = realloc(self.token_rows, capacity * sizeof(uint32_t))
        if not moved:
            return -1
        self.token_rows = <uint32_t*>moved
        moved = realloc(self.token_fields, capacity)
        if not moved:
            return -1
        self.token_fields = <uint8_t*>moved
        moved = realloc(self.token_positions, capacity * sizeof(uint16_t))
        if not moved:
            return -1
        self.token_positions = <uint16_t*>moved
        self.token_capacity = capacity
        return 0

    cdef int reserve_surface(self, Py_ssize_t size) noexcept nogil:
        """Makes room for one more surface of `size` bytes."""
        cdef size_t used = self.starts[self.surface_total] if self.starts else 0
        cdef size_t capacity = self.surface_capacity
        cdef size_t flag_capacity = capacity
        if used + size > self.arena_capacity:
            if grow(<void**>&self.arena, &self.arena_capacity, used + size, 1) < 0:
                return -1
        if <size_t>self.surface_total + 2 > capacity:
            if grow(<void**>&self.flags, &flag_capacity, self.surface_total + 2, 1) < 0:
                return -1
            if grow(<void**>&self.starts, &capacity, self.surface_total + 2, sizeof(size_t)) < 0:
                return -1
            self.surface_capacity = capacity
            if self.surface_total == 0:
                self.starts[0] = 0
        return 0

    cdef int grow_slots(self) noexcept nogil:
        """Doubles the hash table and places every surface again."""
        cdef size_t count = 1024 if not self.slots else 2 * (self.slot_mask + 1)
        cdef uint64_t* slots = <uint64_t*>calloc(count, sizeof(uint64_t))
        cdef uint8_t padded[4 * 64 + 16]
        cdef uint64_t hashed
        cdef size_t at, size
        cdef Py_ssize_t surface
        if not slots:
            return -1
        for surface in range(self.surface_total):
            size = self.starts[surface + 1] - self.starts[surface]
            memcpy(padded, self.arena + self.starts[surface], size)
            hashed = hash_bytes(padded, size)
            at = hashed & (count - 1)
            while slots[at]:
                at = (at + 1) & (count - 1)
            slots[at] = (hashed & HIGH_HALF) | <uint64_t>(surface + 1)
        free(self.slots)
        self.slots = slots
        self.slot_mask = count - 1
        return 0


cdef inline bint is_hump(const Work* work, Py_ssize_t i, uint8_t before) noexcept nogil:
    """True when a part starts at the capital letter `i`: aB, or the last capital in ABc."""
    if before == LETTER:
        return True
    if before != UPPER or work.classes[i + 1] != LETTER:
        return False
    return not (
        work.codes[i + 1] == c"s"
        and work.classes[i + 2] != LETTER
        and work.classes[i + 2] != MARK
    )


cdef inline bint is_joiner(const uint8_t* classes, Py_ssize_t i) noexcept nogil:
    """True when the character at `i` ties the word before it to the one after it."""
    cdef uint8_t kind = classes[i]
    # The order matters: behind the end of the text there are only two spaces.
    if kind == COMMA:
        return classes[i - 1] == DIGIT and classes[i + 1] == DIGIT
    if kind == DASH or kind == UNDERSCORE or kind == DOT or kind == APOSTROPHE:
        return is_word(classes[i + 1])
    return False


cdef inline int contraction(const Work* work, Py_ssize_t i) noexcept nogil:
    """Letters of an ending kept behind the apostrophe at `i`; -1 for 's, 0 when there is none."""
    cdef const uint32_t* codes = work.codes
    if not is_word(work.classes[i + 1]):
        return 0
    if not is_word(work.classes[i + 2]):
        if codes[i + 1] == c"s":
            return -1
        return codes[i + 1] == c"t" or codes[i + 1] == c"d" or codes[i + 1] == c"m"
    if is_word(work.classes[i + 3]):
        return 0
    if (
        (codes[i + 1] == c"l" and codes[i + 2] == c"l")
        or (codes[i + 1] == c"r" and codes[i + 2] == c"e")
        or (codes[i + 1] == c"v" and codes[i + 2] == c"e")
    ):
        return 2
    return 0


cdef inline void begin_spelling(Work* work) noexcept nogil:
    work.size = 0
    work.chars = 0


cdef inline void spell(Work* work, uint32_t code) noexcept nogil:
    """Adds one code point as UTF-8; beyond the cap it only counts."""
    cdef uint8_t* out = work.buffer + work.size
    work.chars += 1
    if work.chars > C_SURFACE_CAP:
        return
    if code < 0x80:
        out[0] = <uint8_t>code
        work.size += 1
    elif code < 0x800:
        out[0] = <uint8_t>(0xC0 | code >> 6)
        out[1] = <uint8_t>(0x80 | code & 0x3F)
        work.size += 2
    elif code < 0x10000:
        out[0] = <uint8_t>(0xE0 | code >> 12)
        out[1] = <uint8_t>(0x80 | code >> 6 & 0x3F)
        out[2] = <uint8_t>(0x80 | code & 0x3F)
        work.size += 3
    else:
        out[0] = <uint8_t>(0xF0 | code >> 18)
        out[1] = <uint8_t>(0x80 | code >> 12 & 0x3F)
        out[2] = <uint8_t>(0x80 | code >> 6 & 0x3F)
        out[3] = <uint8_t>(0x80 | code & 0x3F)
        work.size += 4


cdef inline uint64_t hash_bytes(uint8_t* spelling, Py_ssize_t size) noexcept nogil:
    """Hashes eight bytes at a time; writes zeros behind the end, where the buffer has room."""
    cdef uint64_t hashed = <uint64_t>size * MIX, word = 0
    cdef Py_ssize_t i = 0
    memcpy(spelling + size, &word, 8)
    while i < size:
        memcpy(&word, spelling + i, 8)
        hashed = (hashed ^ word) * MIX
        hashed ^= hashed >> 29
        i += 8
    hashed *= FINAL_MIX
    return hashed ^ hashed >> 32


cdef int grow(void** block, size_t* capacity, size_t needed, size_t size) noexcept nogil:
    """Moves a block to one at least half as large again; returns -1 without memory."""
    cdef size_t wanted = max(needed, capacity[0] + capacity[0] // 2, <size_t>256)
    cdef void* moved = realloc(block[0], wanted * size)
    if not moved:
        return -1
    block[0] = moved
    capacity[0] = wanted
    return 0
