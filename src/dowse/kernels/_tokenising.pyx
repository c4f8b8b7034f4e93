# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Compiled twin of `reference/tokenising.py`: text to tokens.

The same two passes. The first reads the string's own storage, one, two or four bytes a character, and
writes class, folded code and place of every character that does not vanish; the second cuts words. Each
surface is spelt as UTF-8 into one small buffer and looked up in an open-addressing table, so a surface seen
before costs no allocation. Passes run without the GIL: several tokenizers can work on several threads.
"""

import numpy as np

from cpython.buffer cimport PyBuffer_FillInfo
from cpython.bytes cimport PyBytes_AS_STRING
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, qsort, realloc
from libc.string cimport memcmp, memcpy, memset

cdef extern from "Python.h":
    unsigned int PyUnicode_KIND(object text)
    void* PyUnicode_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define dowse_prefetch(address) __builtin_prefetch(address)
    #else
    #define dowse_prefetch(address) ((void)(address))
    #endif
    """
    void dowse_prefetch(const void* address) noexcept nogil

cdef enum:
    C_PART = 0
    C_WHOLE = 1
    C_UNIGRAM = 2
    C_SURFACE_CAP = 64
    C_MAX_WHOLE_PARTS = 16
    C_MAX_TEXT_CHARS = 65535
    PAGE_COUNT = 8704
    FIELD_SLOTS = 8
    # Surfaces wait in groups: by the time the last is spelt, the slots of the first are in cache. A
    # group is hash, size and spelling of each; 33 words hold a capped spelling and zeros behind it.
    GROUP = 32
    GROUP_WORDS = 32 * 35
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
cdef uint64_t RECORD_MASK = 0xFFFFFFFFFF


cdef struct Text:
    const void* characters
    Py_ssize_t length
    unsigned int width


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


cdef struct Named:
    uint64_t prefix
    const uint8_t* spelling
    uint32_t size
    uint32_t index


cdef struct Use:
    # What became of a surface: its term, in how many rows it is, and the last of them so far.
    uint32_t term
    uint32_t doc_freq
    uint32_t last_row


cdef struct Record:
    # Followed by the spelling, filled up with zeros to whole words.
    uint32_t surface
    uint16_t size
    uint16_t is_letters


cdef struct Work:
    # What one text needs. `classes` has two spaces in front and behind, so that no rule has to ask
    # whether a neighbour exists.
    Py_ssize_t capacity
    Py_ssize_t count
    uint8_t* classes
    uint32_t* codes
    uint32_t* places
    Span* parts
    # Surfaces that wait to be interned; the one being spelt, as UTF-8, is behind them.
    uint64_t group[GROUP_WORDS]
    Py_ssize_t waiting
    uint64_t* words
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
        work.classes[0] = SPACE
        work.classes[1] = SPACE
        work.classes += 2
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

    # Interned surfaces: records end to end in order of their ids, and a hash table. A slot holds the
    # top 24 bits of the hash and where the record starts, counted in words, plus one. So a surface
    # seen before touches two cache lines, and comparing needs no call.
    cdef uint64_t* arena
    cdef size_t arena_used
    cdef size_t arena_capacity
    cdef Py_ssize_t surface_total
    cdef Py_ssize_t letters_total
    # How far `new_letters` has read.
    cdef size_t letters_read
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
        free(self.slots)

    @property
    def token_count(self):
        return self.tokens

    @property
    def surface_count(self):
        return self.surface_total

    @property
    def nbytes(self):
        # What was never written to takes no memory, however much was asked for.
        return (
            self.tokens * 11 + self.arena_used * 8
            + (self.slot_mask + 1 if self.slots else 0) * 8 + self.work.capacity * 17
        )

    def feed(self, str text not None, row, field):
        cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text)
        if length > C_MAX_TEXT_CHARS or not 0 <= field < 8 or not 0 <= row < 1 << 32:
            raise ValueError("a text is too long, or its row or field is out of range")
        cdef Py_ssize_t first = self.tokens, i
        cdef uint32_t row_number = row
        cdef uint8_t field_number = field
        cdef Py_ssize_t positions = self.feed_one(PyUnicode_DATA(text), PyUnicode_KIND(text), length)
        if positions < 0:
            self.tokens = first
            raise MemoryError
        for i in range(first, self.tokens):
            self.token_rows[i] = row_number
            self.token_fields[i] = field_number
        return positions

    def feed_all(self, list texts not None, const uint32_t[::1] rows, const uint8_t[::1] fields):
        cdef Py_ssize_t total = len(texts), done = 0, i, n, first = self.tokens, start
        cdef Text* given
        cdef str text
        lengths_array = np.zeros(total, dtype=np.uint32)
        cdef uint32_t[::1] lengths = lengths_array
        if rows.shape[0] != total or fields.shape[0] != total:
            raise ValueError("there must be a row and a field for each text")
        given = <Text*>malloc((total + 1) * sizeof(Text))
        if given == NULL:
            raise MemoryError
        try:
            for i in range(total):
                text = texts[i]
                given[i].length = PyUnicode_GET_LENGTH(text)
                given[i].width = PyUnicode_KIND(text)
                given[i].characters = PyUnicode_DATA(text)
                if given[i].length > C_MAX_TEXT_CHARS or fields[i] >= 8:
                    raise ValueError("a text is too long, or its field is out of range")
            with nogil:
                while done < total:
                    start = self.tokens
                    n = self.feed_one(given[done].characters, given[done].width, given[done].length)
                    if n < 0:
                        break
                    for i in range(start, self.tokens):
                        self.token_rows[i] = rows[done]
                        self.token_fields[i] = fields[done]
                    lengths[done] = <uint32_t>n
                    done += 1
        finally:
            free(given)
        if done < total:
            self.tokens = first
            raise MemoryError
        return lengths_array

    cdef Py_ssize_t feed_one(self, const void* characters, unsigned int width, Py_ssize_t length) noexcept nogil:
        """Cuts one text into tokens and interns them; returns its positions, or -1 without memory."""
        cdef Py_ssize_t positions
        if reserve_work(&self.work, length, False) != 0 or self.reserve_tokens(2 * length + 4) != 0:
            return -1
        self.look_up_all(&self.work, characters, width, length)
        self.work.words = self.work.group + 2
        self.work.waiting = 0
        positions = self.cut(&self.work, False)
        if positions >= 0 and self.intern_group(&self.work) < 0:
            return -1
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
        work.words = work.group
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
        cdef size_t at = 0
        cdef list found = []
        cdef Record* record
        while at < self.arena_used:
            record = <Record*>(self.arena + at)
            found.append((<char*>(record + 1))[:record.size])
            at += 1 + words_of(record.size)
        return found

    def new_letters(self):
        cdef list found = []
        cdef Record* record
        while self.letters_read < self.arena_used:
            record = <Record*>(self.arena + self.letters_read)
            if record.is_letters:
                found.append((<char*>(record + 1))[:record.size])
            self.letters_read += 1 + words_of(record.size)
        return found

    def finish(self, list stems not None):
        cdef Py_ssize_t i
        cdef Use* use
        if len(stems) != self.letters_total:
            raise ValueError("there must be one stem for each surface of letters")
        cdef Use* uses = <Use*>calloc(self.surface_total + 1, sizeof(Use))
        if not uses:
            raise MemoryError
        try:
            terms = self.number_terms(stems, uses)
            with nogil:
                for i in range(self.tokens):
                    use = &uses[self.token_surfaces[i]]
                    if use.doc_freq == 0 or use.last_row != self.token_rows[i]:
                        use.doc_freq += 1
                        use.last_row = self.token_rows[i]
                    self.token_surfaces[i] = use.term * FIELD_SLOTS + self.token_fields[i]
            words = self.sorted_words(uses)
        finally:
            free(uses)
        # The columns change owner instead of being copied: they are most of the memory there is.
        list_ids = adopt(<void**>&self.token_surfaces, self.tokens * sizeof(uint32_t), np.uint32)
        rows = adopt(<void**>&self.token_rows, self.tokens * sizeof(uint32_t), np.uint32)
        positions = adopt(<void**>&self.token_positions, self.tokens * sizeof(uint16_t), np.uint16)
        free(self.token_fields)
        free(self.arena)
        free(self.slots)
        self.token_fields = NULL
        self.arena = self.slots = NULL
        self.tokens = self.token_capacity = self.surface_total = self.letters_total = 0
        self.arena_used = self.arena_capacity = self.letters_read = self.slot_mask = 0
        return (*terms, list_ids, rows, positions, *words)

    cdef tuple number_terms(self, list stems, Use* uses):
        """Returns the different terms in byte order, offsets and bytes; `uses` gets the place of each."""
        cdef Py_ssize_t count = self.surface_total, i, stem = 0, letters = self.letters_total
        cdef Py_ssize_t found
        cdef size_t at = 0
        cdef Record* record
        cdef Named* named = <Named*>malloc((2 * count + 1) * sizeof(Named))
        if not named:
            raise MemoryError
        try:
            # Others run while spellings are read and sorted; the caller's list keeps them.
            for i in range(letters):
                spelling = <bytes?>stems[i]
                named[count + i].spelling = <const uint8_t*>PyBytes_AS_STRING(spelling)
                named[count + i].size = <uint32_t>len(<bytes>spelling)
            with nogil:
                while at < self.arena_used:
                    record = <Record*>(self.arena + at)
                    i = record.surface
                    if record.is_letters:
                        name(&named[i], named[count + stem].spelling, named[count + stem].size, <uint32_t>i)
                        stem += 1
                    else:
                        name(&named[i], <const uint8_t*>(record + 1), record.size, <uint32_t>i)
                    at += 1 + words_of(record.size)
                sort_named(named, named + count, count)
                found = number_named(named, count, uses)
            return spelt(named, found)
        finally:
            free(named)

    cdef tuple sorted_words(self, const Use* uses):
        """Returns the surfaces in byte order: offsets, bytes, terms and document frequencies."""
        cdef Py_ssize_t count = self.surface_total, i
        cdef size_t at = 0
        cdef Record* record
        cdef uint32_t[::1] terms, doc_freqs
        cdef Named* named = <Named*>malloc((2 * count + 1) * sizeof(Named))
        if not named:
            raise MemoryError
        try:
            with nogil:
                while at < self.arena_used:
                    record = <Record*>(self.arena + at)
                    name(&named[record.surface], <const uint8_t*>(record + 1), record.size, record.surface)
                    at += 1 + words_of(record.size)
                sort_named(named, named + count, count)
            terms_array, freqs_array = np.empty(count, np.uint32), np.empty(count, np.uint32)
            terms, doc_freqs = terms_array, freqs_array
            for i in range(count):
                terms[i] = uses[named[i].index].term
                doc_freqs[i] = uses[named[i].index].doc_freq
            return (*spelt(named, count), terms_array, freqs_array)
        finally:
            free(named)

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
        cdef Py_ssize_t i, length = end - begin
        cdef const uint32_t* codes = work.codes + begin
        cdef uint8_t* out = <uint8_t*>work.words
        cdef uint32_t seen = 0
        if length <= C_SURFACE_CAP:
            for i in range(length):
                seen |= codes[i]
                out[i] = <uint8_t>codes[i]
            if seen < 0x80:
                work.size = work.chars = length
                return
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
        if not is_listing:
            self.token_positions[self.tokens] = <uint16_t>position
            self.tokens += 1
            return self.queue_surface(work)
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
        memcpy(work.spellings + work.spellings_size, work.words, work.size)
        work.spellings_size += work.size
        work.listed_count += 1
        return 0

    cdef inline int queue_surface(self, Work* work) noexcept nogil:
        """Puts the surface just spelt into the group; returns -1 without memory."""
        cdef Py_ssize_t words = words_of(work.size)
        cdef uint64_t zeros = 0, hashed
        memcpy(<uint8_t*>work.words + work.size, &zeros, sizeof(uint64_t))
        hashed = hash_words(work.words, words, work.size)
        (work.words - 2)[0] = hashed
        (work.words - 1)[0] = work.size
        if self.slots:
            dowse_prefetch(self.slots + (hashed & self.slot_mask))
        work.words += words + 2
        work.waiting += 1
        return self.intern_group(work) if work.waiting == GROUP else 0

    cdef int intern_group(self, Work* work) noexcept nogil:
        """Gives the waiting tokens, which are the newest, their surface ids."""
        cdef uint64_t* at = work.group
        cdef uint64_t slot
        cdef Py_ssize_t k, surface, first = self.tokens - work.waiting
        if 2 * (self.surface_total + GROUP) >= <Py_ssize_t>self.slot_mask:
            if self.grow_slots() < 0:
                return -1
        for k in range(work.waiting):
            slot = self.slots[at[0] & self.slot_mask]
            if slot:
                dowse_prefetch(self.arena + ((slot & RECORD_MASK) - 1))
            at += words_of(at[1]) + 2
        at = work.group
        for k in range(work.waiting):
            surface = self.intern_surface(at + 2, at[1], at[0])
            if surface < 0:
                return -1
            self.token_surfaces[first + k] = <uint32_t>surface
            at += words_of(at[1]) + 2
        work.waiting = 0
        work.words = work.group + 2
        return 0

    cdef inline Py_ssize_t intern_surface(
        self, const uint64_t* spelling, Py_ssize_t size, uint64_t hashed
    ) noexcept nogil:
        """The id of a spelling, a new one if it was never seen; -1 without memory."""
        cdef Py_ssize_t words = words_of(size)
        cdef uint64_t slot
        cdef size_t at
        cdef Record* record
        at = hashed & self.slot_mask
        while True:
            slot = self.slots[at]
            if slot == 0:
                break
            if slot >> 40 == hashed >> 40:
                record = <Record*>(self.arena + ((slot & RECORD_MASK) - 1))
                if record.size == size and same_words(<uint64_t*>(record + 1), spelling, words):
                    return record.surface
            at = (at + 1) & self.slot_mask
        if self.arena_used + 1 + words > self.arena_capacity:
            if grow(
                <void**>&self.arena, &self.arena_capacity, self.arena_used + 1 + words,
                sizeof(uint64_t)
            ) < 0:
                return -1
        record = <Record*>(self.arena + self.arena_used)
        record.surface = <uint32_t>self.surface_total
        record.size = <uint16_t>size
        record.is_letters = self.spells_letters(<uint8_t*>spelling, size)
        memcpy(record + 1, spelling, words * sizeof(uint64_t))
        self.slots[at] = hashed >> 40 << 40 | (self.arena_used + 1)
        self.arena_used += 1 + words
        self.surface_total += 1
        self.letters_total += record.is_letters
        return record.surface

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

    cdef int grow_slots(self) noexcept nogil:
        """Doubles the hash table and places every surface again."""
        cdef size_t count = 1024 if not self.slots else 2 * (self.slot_mask + 1)
        cdef uint64_t* slots = <uint64_t*>calloc(count, sizeof(uint64_t))
        cdef uint64_t hashed
        cdef size_t at, start = 0
        cdef Record* record
        if not slots:
            return -1
        while start < self.arena_used:
            record = <Record*>(self.arena + start)
            hashed = hash_words(<uint64_t*>(record + 1), words_of(record.size), record.size)
            at = hashed & (count - 1)
            while slots[at]:
                at = (at + 1) & (count - 1)
            slots[at] = hashed >> 40 << 40 | (start + 1)
            start += 1 + words_of(record.size)
        free(self.slots)
        self.slots = slots
        self.slot_mask = count - 1
        return 0


cdef class Block:
    """Memory that belongs to an array and is freed with it."""

    cdef void* start
    cdef Py_ssize_t size

    def __dealloc__(self):
        free(self.start)

    def __getbuffer__(self, Py_buffer* view, int flags):
        PyBuffer_FillInfo(view, self, self.start, self.size, False, flags)


cdef object adopt(void** start, Py_ssize_t size, dtype):
    """Makes an array of a block from malloc, which it empties; unused room is given back."""
    cdef Block block
    cdef void* fitted
    if size == 0:
        return np.empty(0, dtype)
    block = Block.__new__(Block)
    fitted = realloc(start[0], size)
    block.start = fitted if fitted else start[0]
    block.size = size
    start[0] = NULL
    return np.frombuffer(block, dtype)


cdef int compare_named(const void* one, const void* other) noexcept nogil:
    """Orders terms bytewise; a prefix comes first."""
    cdef const Named* a = <const Named*>one
    cdef const Named* b = <const Named*>other
    cdef int order
    if a.prefix != b.prefix:
        return -1 if a.prefix < b.prefix else 1
    order = memcmp(a.spelling, b.spelling, min(a.size, b.size))
    if order == 0 and a.size != b.size:
        return -1 if a.size < b.size else 1
    return order


cdef inline void name(Named* named, const uint8_t* spelling, uint32_t size, uint32_t index) noexcept nogil:
    """Prepares a spelling for sorting."""
    cdef uint32_t k
    named.spelling = spelling
    named.size = size
    named.index = index
    named.prefix = 0
    for k in range(8):
        # Eight bytes as one number decide nearly every comparison; a short term ends in zeros.
        named.prefix = named.prefix << 8
        if k < size:
            named.prefix |= spelling[k]


cdef void sort_named(Named* named, Named* room, Py_ssize_t count) noexcept nogil:
    """Sorts spellings bytewise.

    First by their prefixes, a byte at a time from the last to the first, each time keeping the order of
    those that are alike; then the few with the same prefix by all they have. qsort alone would call a
    function twenty times for each of them.
    """
    cdef uint32_t places[8][256]
    cdef uint32_t* place
    cdef uint32_t total, size
    cdef Py_ssize_t i, first
    cdef int byte, value
    cdef Named* given = named
    cdef Named* sorted_ones = room
    memset(places, 0, sizeof(places))
    for i in range(count):
        for byte in range(8):
            places[byte][named[i].prefix >> 8 * byte & 255] += 1
    for byte in range(8):
        place, total = places[byte], 0
        for value in range(256):
            size = place[value]
            place[value] = total
            total += size
        for i in range(count):
            value = given[i].prefix >> 8 * byte & 255
            sorted_ones[place[value]] = given[i]
            place[value] += 1
        given, sorted_ones = sorted_ones, given
    # An even number of passes: all are where they were given.
    first = 0
    for i in range(1, count + 1):
        if i == count or named[i].prefix != named[first].prefix:
            if i - first > 1:
                qsort(named + first, i - first, sizeof(Named), compare_named)
            first = i


cdef Py_ssize_t number_named(Named* named, Py_ssize_t count, Use* uses) noexcept nogil:
    """Numbers sorted terms, moves each different one to the front and returns how many there are."""
    cdef Py_ssize_t i, found = 0
    for i in range(count):
        if found == 0 or compare_named(&named[found - 1], &named[i]) != 0:
            uses[named[i].index].term = <uint32_t>found
            named[found] = named[i]
            found += 1
        else:
            uses[named[i].index].term = <uint32_t>(found - 1)
    return found


cdef tuple spelt(const Named* named, Py_ssize_t count):
    """Returns spellings one after the other: offsets and bytes."""
    cdef Py_ssize_t i
    cdef uint64_t end = 0
    offsets_array = np.empty(count + 1, np.uint64)
    cdef uint64_t[::1] offsets = offsets_array
    offsets[0] = 0
    for i in range(count):
        end += named[i].size
        offsets[i + 1] = end
    bytes_array = np.empty(end, np.uint8)
    cdef uint8_t[::1] out = bytes_array
    with nogil:
        for i in range(count):
            if named[i].size:
                memcpy(&out[offsets[i]], named[i].spelling, named[i].size)
    return offsets_array, bytes_array


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
    cdef uint8_t* out = <uint8_t*>work.words + work.size
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


cdef inline Py_ssize_t words_of(Py_ssize_t size) noexcept nogil:
    """How many words of eight bytes a spelling takes."""
    return (size + 7) >> 3


cdef inline uint64_t hash_words(
    const uint64_t* spelling, Py_ssize_t words, Py_ssize_t size
) noexcept nogil:
    """Hashes a spelling that is filled up with zeros."""
    cdef uint64_t hashed = <uint64_t>size * MIX
    cdef Py_ssize_t i
    for i in range(words):
        hashed = (hashed ^ spelling[i]) * MIX
        hashed ^= hashed >> 29
    hashed *= FINAL_MIX
    return hashed ^ hashed >> 32


cdef inline bint same_words(
    const uint64_t* one, const uint64_t* other, Py_ssize_t words
) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(words):
        if one[i] != other[i]:
            return False
    return True


cdef int grow(void** block, size_t* capacity, size_t needed, size_t size) noexcept nogil:
    """Moves a block to one at least half as large again; returns -1 without memory."""
    cdef size_t wanted = max(needed, capacity[0] + capacity[0] // 2, <size_t>256)
    cdef void* moved = realloc(block[0], wanted * size)
    if not moved:
        return -1
    block[0] = moved
    capacity[0] = wanted
    return 0
