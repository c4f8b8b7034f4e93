"""Compiled twin of `reference/postings.py`: look up, score, and check positions in one segment.

`Postings` owns a segment's arrays, checks what is asked of them, and hands C structures to the algorithms, each
of which has a file of its own: `term_dictionary` · `posting_lists` · `top_k` · `disjunction` · `minimum_match` ·
`conjunction` · `positions` · `phrases` · `sloppy_phrases` · `ngram_proximity` (all ``.pxd``: they are inline, so
one module is compiled and no call between them costs anything).
"""

import numpy as np

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset

from .conjunction cimport Clauses, count_all_clauses, order_clauses, score_minimum_match, seek_clauses
from .disjunction cimport Query, Workspace, run_query, set_bound, sum_bounds
from .minimum_match cimport Counting, begin_counting, count_window
from .ngram_proximity cimport NgramWorkspace, best_ngram
from .phrases cimport BLOCK_MATCHES, PhraseTerms, Word, find_phrase_rows
from .positions cimport MAX_POSITIONS, Cursor, PositionBytes, open_cursor, read_positions
from .posting_lists cimport (
    FIELD_SLOTS, NO_ROW, WINDOW, Clause, Group, List, add_freqs, gallop, look_up, take_marked
)
from .sloppy_phrases cimport MAX_LOOSE_WORDS, SloppyPhrase, find_sloppy_rows
from .term_dictionary cimport RESTART_EVERY, TermDictionary, find_term, spell_term
from .top_k cimport Best, sift_down

cdef enum:
    SHORT_TERM = 512  # bytes; nearly all terms are far shorter
    MAX_SPARE = 8  # buffers that are kept for later
    APART = 168  # doubles between arrays of 64 KiB: side by side, the same row of both would fight for one cache set

NO_ROWS = np.empty(0, dtype=np.uint32), np.empty(0, dtype=np.uint8)

# Buffers nobody uses now. Fresh ones cost 16 page faults, more than scoring a rare term.
cdef list _SPARE_WORKSPACES = []
cdef list _SPARE_POSITIONS = []
cdef list _SPARE_NGRAMS = []


cdef class Memory:
    """Some bytes that live as long as this object."""

    cdef char* start

    def __cinit__(self, size_t size):
        self.start = <char*>malloc(size + 1)
        if self.start == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.start)


cdef class WorkspaceMemory:
    """A workspace, used by one thread at a time."""

    cdef Memory memory
    cdef Workspace workspace

    def __cinit__(self):
        cdef size_t size = 2 * (WINDOW + APART) * sizeof(double) + (WINDOW + 1) * sizeof(uint32_t)
        self.memory = Memory(size)
        memset(self.memory.start, 0, size)
        self.workspace.sums = <double*>self.memory.start
        self.workspace.parts = self.workspace.sums + WINDOW + APART
        self.workspace.matched = <uint32_t*>(self.workspace.parts + WINDOW + APART)


cdef class PositionBuffers:
    """Room for the positions of two words in one row."""

    cdef Memory memory
    cdef uint16_t* starts
    cdef uint16_t* others

    def __cinit__(self):
        self.memory = Memory(2 * MAX_POSITIONS * sizeof(uint16_t))
        self.starts = <uint16_t*>self.memory.start
        self.others = self.starts + MAX_POSITIONS


cdef class NgramMemory:
    """A workspace for n-grams, used by one thread at a time."""

    cdef Memory memory
    cdef NgramWorkspace workspace

    def __cinit__(self):
        self.memory = Memory(MAX_POSITIONS * 2 * (sizeof(uint32_t) + sizeof(uint16_t)))
        self.workspace.alive = <uint32_t*>self.memory.start
        self.workspace.first = self.workspace.alive + MAX_POSITIONS
        self.workspace.starts = <uint16_t*>(self.workspace.first + MAX_POSITIONS)
        self.workspace.others = self.workspace.starts + MAX_POSITIONS


cdef class PhraseMemory:
    """The words of a phrase, and room for the postings at which they meet."""

    cdef Memory memory
    cdef PhraseTerms words

    def __cinit__(self, int count):
        cdef uint32_t* met
        cdef int i
        self.memory = Memory(count * (sizeof(Word) + BLOCK_MATCHES * sizeof(uint32_t)))
        self.words.entries, self.words.count = <Word*>self.memory.start, count
        met = <uint32_t*>(self.words.entries + count)
        for i in range(count):
            self.words.entries[i].met = met + BLOCK_MATCHES * <size_t>i


cdef class FoundRows:
    """The rows of one field that have a phrase, ascending, and how often each has it."""

    cdef Memory memory
    cdef uint32_t* rows
    cdef uint8_t* freqs
    cdef uint32_t size
    cdef int field

    def __cinit__(self, size_t room):
        self.memory = Memory(room * (sizeof(uint32_t) + 1))
        self.rows = <uint32_t*>self.memory.start
        self.freqs = <uint8_t*>(self.rows + room)

    cdef copy(self):
        """Returns rows and frequencies as arrays."""
        if not self.size:
            return NO_ROWS  # nearly all fields, for most phrases
        freqs_array = np.empty(self.size, dtype=np.uint8)
        cdef uint8_t[::1] out = freqs_array
        memcpy(&out[0], self.freqs, self.size)
        return copy_numbers(self.rows, self.size), freqs_array


cdef class FieldTables:
    """A scoring model's tables for the fields of one snapshot, kept as addresses.

    Args:
        summed: By field, the table whose values are added before saturation; None for a field that does
            not count.
        finished: By field, the table to use when the field stands alone.
        saturation: See `Postings.score_top_k`.
    """

    cdef const double* summed[FIELD_SLOTS]
    cdef const double* finished[FIELD_SLOTS]
    cdef double saturation
    cdef list keep_alive

    def __init__(self, summed, finished, double saturation):
        cdef const double[:, ::1] table
        cdef int field
        self.saturation, self.keep_alive = saturation, []
        for field in range(FIELD_SLOTS):
            self.summed[field] = self.finished[field] = NULL
        for field in range(len(summed)):
            if summed[field] is None:
                continue
            table = summed[field]
            self.keep_alive.append(table)
            self.summed[field] = whole_table(table)
            table = finished[field]
            self.keep_alive.append(table)
            self.finished[field] = whole_table(table)

    cdef void give(self, List* entry, int field, bint stands_alone) noexcept:
        """Gives a list the table of its field."""
        entry.table = self.finished[field] if stands_alone else self.summed[field]
        entry.table_rows = 256


cdef const double* whole_table(const double[:, ::1] table) except NULL:
    if table.shape[0] != 256 or table.shape[1] != 256:
        raise ValueError("a field's table has 256 x 256 values")
    return &table[0, 0]


cdef class QueryMemory:
    """The groups of one call, room for the best rows, and the arrays of the caller that both point into."""

    cdef Memory memory
    cdef Query query
    cdef list keep_alive

    def __cinit__(self, Py_ssize_t groups, Py_ssize_t lists, int k):
        if k < 1:
            raise ValueError(f"the best k rows are at least one, not {k}")
        self.memory = Memory(groups * sizeof(Group) + lists * sizeof(List) + (k + 1) * sizeof(Best))
        self.query.heads = <Group*>self.memory.start
        self.query.lists = <List*>(self.query.heads + groups)
        self.query.heap = <Best*>(self.query.lists + lists)
        self.query.k, self.keep_alive = k, []

    cdef best(self):
        """Takes the rows out of the heap, best first, as (rows, scores)."""
        cdef Query* query = &self.query
        cdef int i
        cdef list rows = [None] * query.found, scores = [None] * query.found
        for i in range(query.found - 1, -1, -1):
            rows[i], scores[i] = query.heap[0].row, query.heap[0].score
            query.heap[0] = query.heap[i]
            sift_down(query.heap, i, 0)
        query.found = 0
        return rows, scores


cdef class ClauseMemory:
    """The clauses of one call, and the arrays of the caller that they point into."""

    cdef Memory memory
    cdef Clauses clauses
    cdef list keep_alive

    def __cinit__(self, Py_ssize_t clauses, Py_ssize_t lists):
        self.memory = Memory(clauses * sizeof(Clause) + lists * sizeof(List))
        self.clauses.heads = <Clause*>self.memory.start
        self.clauses.lists = <List*>(self.clauses.heads + clauses)
        self.keep_alive = []

    cdef Clause* begin(self):
        """Returns the next clause, still without lists."""
        cdef Clause* head = &self.clauses.heads[self.clauses.count]
        self.clauses.count += 1
        head.first_list, head.list_count, head.postings = self.clauses.list_count, 0, 0
        return head

    cdef void end_list(self, Clause* head) noexcept:
        """Counts the list behind the last one, which was filled in, to a clause."""
        head.postings += self.clauses.lists[self.clauses.list_count].size
        head.list_count += 1
        self.clauses.list_count += 1


cdef class Mask:
    """One byte per row, 0 for those that do not count; None lets all count."""

    cdef const uint8_t[::1] view
    cdef const uint8_t* start
    cdef uint64_t size

    def __cinit__(self, marks):
        self.size = NO_ROW
        if marks is not None:
            self.view = marks
            self.size = self.view.shape[0]
            self.start = &self.view[0] if self.size else NULL


cdef class Postings:
    """One segment's dictionary, postings, positions and lengths, ready to be searched.

    Caller guarantees that the arrays are those of one segment (checksums verified); offsets into them are
    checked all the same, so that damage gives an error or a wrong row, never a stray memory access.
    """

    cdef readonly object term_restarts, term_codes, lists, buckets
    cdef readonly Py_ssize_t term_count, row_count
    cdef const uint32_t[::1] restarts
    cdef const uint8_t[::1] codes
    cdef const uint32_t[::1] term_lists, list_doc_freq
    cdef const uint8_t[::1] list_field, list_max_freq, list_min_bucket, postings, positions
    cdef const uint64_t[::1] list_postings, list_positions
    cdef const uint8_t[:, ::1] lengths
    cdef TermDictionary terms
    cdef PositionBytes position_bytes
    def __init__(self, term_restarts, term_codes, lists, buckets):
        self.term_restarts, self.term_codes, self.lists, self.buckets = term_restarts, term_codes, lists, buckets
        self.restarts, self.codes = term_restarts, term_codes
        self.term_lists, self.list_doc_freq = lists.term_lists, lists.list_doc_freq
        self.list_field = lists.list_field
        self.list_max_freq, self.list_min_bucket = lists.list_max_freq, lists.list_min_bucket
        self.list_postings, self.list_positions = lists.list_postings, lists.list_positions
        self.postings, self.positions = lists.postings, lists.positions
        self.lengths = buckets
        self.term_count = self.term_lists.shape[0] - 1
        self.row_count = self.lengths.shape[1]
        if self.restarts.shape[0] != (self.term_count + RESTART_EVERY - 1) // RESTART_EVERY:
            raise ValueError("the dictionary is not that of so many terms")
        self.terms.restarts = &self.restarts[0] if self.term_count else NULL
        self.terms.codes = &self.codes[0] if self.codes.shape[0] else NULL
        self.terms.size, self.terms.count = self.codes.shape[0], self.term_count
        self.position_bytes.start = &self.positions[0] if self.positions.shape[0] else NULL
        self.position_bytes.size = self.positions.shape[0]

    def find_term(self, bytes term):
        """Returns the term's ordinal, or -1."""
        return self.locate(term)

    cdef Py_ssize_t locate(self, bytes term):
        cdef Py_ssize_t block = 0
        return find_term(&self.terms, <const uint8_t*><const char*>term, len(term), &block)

    def find_terms(self, terms):
        """Returns the ordinal of each term, -1 for those that are not here."""
        return [self.locate(term) for term in terms]

    def find_terms_of(self, Postings other, const uint32_t[::1] terms):
        """Returns the ordinals here of another segment's terms, -1 for those that are not here."""
        cdef Py_ssize_t i, block = 0
        cdef bytes term
        found_array = np.full(terms.shape[0], -1, dtype=np.int64)
        cdef int64_t[::1] found = found_array
        for i in range(terms.shape[0]):
            term = other.spell_one(terms[i])
            if i and terms[i] < terms[i - 1]:
                block = 0
            # Terms ascend, so each is looked for from the block of the one before.
            found[i] = find_term(&self.terms, <const uint8_t*><const char*>term, len(term), &block)
        return found_array

    def spell(self, terms):
        """Returns the spelling of each term; see `reference/postings.py`."""
        return [self.spell_one(term) for term in terms]

    cdef bytes spell_one(self, Py_ssize_t term):
        cdef uint8_t text[SHORT_TERM]
        cdef Memory longer
        cdef const uint8_t* out = text
        cdef Py_ssize_t size
        if not 0 <= term < self.term_count:
            raise ValueError(f"there are {self.term_count} terms, numbered from 0")
        size = spell_term(&self.terms, term, text, SHORT_TERM)
        if size == -2:
            longer = Memory(self.terms.size)  # more than any term can take
            out = <const uint8_t*>longer.start
            size = spell_term(&self.terms, term, <uint8_t*>longer.start, self.terms.size)
        if size < 0:
            raise ValueError(f"term {term} is damaged")
        return (<const char*>out)[:size]

    def lists_of(self, Py_ssize_t term):
        """Returns (list, field) pairs of a term, in field order."""
        cdef uint32_t index, start = self.term_lists[term], stop = self.term_lists[term + 1]
        cdef list pairs = []
        if stop > <uint64_t>self.list_field.shape[0]:
            raise ValueError(f"term {term} points outside the lists")
        for index in range(start, stop):
            pairs.append((index, self.list_field[index]))
        return pairs

    cdef int point_at(self, List* entry, uint32_t index) except -1:
        """Fills in where a list's postings are, after checking that they are inside the file."""
        if index >= <uint64_t>self.list_field.shape[0]:
            raise ValueError(f"there is no posting list {index}")
        cdef uint64_t start = self.list_postings[index], size = self.list_doc_freq[index]
        cdef uint64_t end = self.postings.shape[0]
        # Written so that no sum can wrap around.
        if start > end or 5 * size > end - start or self.list_field[index] >= self.lengths.shape[0]:
            raise ValueError(f"posting list {index} points outside the file")
        entry.rows = <const uint32_t*>&self.postings[start]
        entry.freqs = &self.postings[start] + 4 * size
        entry.buckets = &self.lengths[self.list_field[index], 0]
        entry.size = <uint32_t>size
        entry.at = 0
        entry.values = NULL
        entry.max_freq = self.list_max_freq[index]
        entry.min_bucket = self.list_min_bucket[index]
        return 0

    def rows_of(self, uint32_t index):
        """Returns a list's rows, ascending, as a read-only view."""
        if index >= <uint64_t>self.list_field.shape[0]:
            raise ValueError(f"there is no posting list {index}")
        cdef uint64_t start = self.list_postings[index], size = self.list_doc_freq[index]
        return np.frombuffer(self.lists.postings, np.uint32, size, start)

    def freq_at(self, uint32_t index, uint32_t row):
        """Returns the term frequency of a list in one row, 0 when the row is not in the list."""
        cdef List entry
        self.point_at(&entry, index)
        cdef uint32_t at = gallop(entry.rows, 0, entry.size, row) if entry.size else 0
        return entry.freqs[at] if at < entry.size and entry.rows[at] == row else 0

    def score_top_k(self, groups, allowed, int k, double floor):
        """Returns (rows, scores, matched, is_exact) of the best `k` rows scoring above `floor`.

        See `reference/postings.py` for the arguments and the meaning.
        """
        cdef QueryMemory memory = QueryMemory(len(groups), sum([len(group[2]) for group in groups]), k)
        self.add_groups(memory, groups)
        return self.answer(memory, allowed, floor)

    def score_terms(self, terms, weights, FieldTables tables, allowed, int k, double floor):
        """Scores the terms with these ordinals (-1: not here); as `score_top_k`, without its objects."""
        cdef QueryMemory memory = QueryMemory(len(terms), FIELD_SLOTS * len(terms), k)
        self.add_terms(&memory.query, terms, weights, tables)
        return self.answer(memory, allowed, floor)

    cdef int check_term(self, Py_ssize_t term, uint32_t* start, uint32_t* stop) except -1:
        """Sets a term's lists, after checking that they are inside the file; none for a term that is not here."""
        start[0] = stop[0] = 0
        if not 0 <= term < self.term_count:
            return 0
        start[0], stop[0] = self.term_lists[term], self.term_lists[term + 1]
        if stop[0] > <uint64_t>self.list_field.shape[0] or stop[0] - start[0] > FIELD_SLOTS:
            raise ValueError(f"term {term} points outside the lists")
        return 0

    cdef int add_terms(self, Query* query, terms, weights, FieldTables tables) except -1:
        """Adds a group for each term that is here."""
        cdef Py_ssize_t i
        cdef uint32_t index, start, stop, first
        cdef Group* head
        for i in range(len(terms)):
            self.check_term(terms[i], &start, &stop)
            first = query.list_count
            for index in range(start, stop):
                self.point_at(&query.lists[query.list_count], index)
                query.list_count += tables.summed[self.list_field[index]] != NULL
            if first == <uint32_t>query.list_count:
                continue
            head = &query.heads[query.group_count]
            query.group_count += 1
            head.weight, head.saturation, head.bound = weights[i], tables.saturation, 0.0
            head.first_list, head.list_count = first, query.list_count - first
            for index in range(start, stop):
                if tables.summed[self.list_field[index]] != NULL:
                    tables.give(&query.lists[first], self.list_field[index], head.list_count == 1)
                    first += 1
            set_bound(query, head)
        return 0

    cdef int add_groups(self, QueryMemory memory, groups) except -1:
        cdef const double[:, ::1] table
        cdef const double[::1] outside_values
        cdef const uint32_t[::1] outside_rows
        cdef const uint8_t[::1] outside_freqs
        cdef Query* query = &memory.query
        cdef Group* head
        cdef List* entry
        for weight, saturation, members in groups:
            if len(members) == 1 and members[0][1] is None and not len(members[0][0][0]):
                continue
            head = &query.heads[query.group_count]
            query.group_count += 1
            head.weight, head.saturation, head.bound = weight, saturation, 0.0
            head.first_list, head.list_count = query.list_count, len(members)
            for source, values in members:
                entry = &query.lists[query.list_count]
                query.list_count += 1
                if type(source) is int:
                    self.point_at(entry, source)
                else:
                    outside_rows = source[0]
                    memory.keep_alive.append(outside_rows)
                    entry.rows = &outside_rows[0] if outside_rows.shape[0] else NULL
                    entry.size = outside_rows.shape[0]
                    entry.at, entry.max_freq, entry.min_bucket, entry.values = 0, 255, 0, NULL
                    if values is None:
                        outside_values = source[1]
                        memory.keep_alive.append(outside_values)
                        if outside_values.shape[0] != outside_rows.shape[0] or len(members) != 1:
                            raise ValueError("a list with values stands alone and has one for each row")
                        entry.values = &outside_values[0]
                        continue
                    outside_freqs = source[1]
                    memory.keep_alive.append(outside_freqs)
                    entry.freqs = &outside_freqs[0] if outside_freqs.shape[0] else NULL
                    entry.buckets = &self.lengths[<int>source[2], 0]
                table = values
                entry.table = &table[0, 0]
                entry.table_rows = table.shape[0]
            set_bound(query, head)
        return 0

    cdef answer(self, QueryMemory memory, allowed, double floor):
        cdef Mask mask = Mask(allowed)
        cdef bint is_exact = True
        cdef uint64_t matched = 0
        cdef WorkspaceMemory work = _SPARE_WORKSPACES.pop() if _SPARE_WORKSPACES else WorkspaceMemory()
        with nogil:
            run_query(&memory.query, <uint32_t>self.row_count, mask.start, floor, &matched, &is_exact,
                      &work.workspace)
        _SPARE_WORKSPACES.append(work)
        rows, scores = memory.best()
        return rows, scores, matched, is_exact

    def sum_rows(self, groups, const uint32_t[::1] rows):
        """Returns the score of each of the given rows, ascending; 0 for those that no group touches."""
        cdef QueryMemory memory = QueryMemory(len(groups), sum([len(group[2]) for group in groups]), 1)
        cdef Query* query = &memory.query
        cdef Py_ssize_t i
        cdef int g
        self.add_groups(memory, groups)
        sums_array = np.zeros(rows.shape[0], dtype=np.float64)
        cdef double[::1] sums = sums_array
        with nogil:
            for g in range(query.group_count):
                for i in range(rows.shape[0]):
                    if rows[i] < <uint64_t>self.row_count:
                        sums[i] += look_up(&query.heads[g], query.lists, rows[i], True)
        return sums_array

    def score_clauses(self, groups, needed, excluded, allowed, int k, double floor):
        """Returns (rows, scores, matched) of the best `k` rows that have one list of each clause.

        See `reference/postings.py`.
        """
        cdef QueryMemory memory = QueryMemory(len(groups), sum([len(group[2]) for group in groups]), k)
        cdef ClauseMemory clauses = ClauseMemory(len(needed) + 1, sum(map(len, needed)) + len(excluded))
        self.add_groups(memory, groups)
        self.add_clauses(clauses, needed, excluded)
        return self.answer_clauses(memory, clauses, allowed, floor)

    def score_term_clauses(self, terms, weights, FieldTables tables, needed, excluded, allowed, int k,
                           double floor):
        """Scores whole terms of rows that have one term of each clause; as `score_clauses`, without its objects."""
        cdef QueryMemory memory = QueryMemory(len(terms), FIELD_SLOTS * len(terms), k)
        cdef Py_ssize_t count = len(excluded)
        for clause in needed:
            count += len(clause)
        cdef ClauseMemory clauses = ClauseMemory(len(needed) + 1, FIELD_SLOTS * count)
        self.add_terms(&memory.query, terms, weights, tables)
        for clause in needed:
            self.add_clause(clauses, clause)
        self.add_clause(clauses, excluded)
        order_clauses(&clauses.clauses)
        return self.answer_clauses(memory, clauses, allowed, floor)

    cdef int add_clause(self, ClauseMemory clauses, terms) except -1:
        """Adds a clause of all lists of some terms."""
        cdef Clause* head = clauses.begin()
        cdef uint32_t index, start, stop
        for term in terms:
            self.check_term(term, &start, &stop)
            for index in range(start, stop):
                self.point_at(&clauses.clauses.lists[clauses.clauses.list_count], index)
                clauses.end_list(head)
        return 0

    cdef int add_clauses(self, ClauseMemory clauses, needed, excluded) except -1:
        """Adds the lists of all clauses, those with fewest postings first, and what is excluded last."""
        cdef const uint32_t[::1] outside
        cdef Clause* head
        cdef List* entry
        for sources in (*needed, excluded):
            head = clauses.begin()
            for source in sources:
                entry = &clauses.clauses.lists[clauses.clauses.list_count]
                if type(source) is int:
                    self.point_at(entry, source)
                else:
                    outside = source
                    clauses.keep_alive.append(outside)
                    entry.rows = &outside[0] if outside.shape[0] else NULL
                    entry.size, entry.at = outside.shape[0], 0
                clauses.end_list(head)
        order_clauses(&clauses.clauses)
        return 0

    cdef answer_clauses(self, QueryMemory memory, ClauseMemory clauses, allowed, double floor):
        cdef Mask mask = Mask(allowed)
        cdef uint64_t matched = 0
        cdef int count = clauses.clauses.count - 1
        cdef Counting* counting = begin_counting(clauses.clauses.heads, count, count)
        with nogil:
            sum_bounds(&memory.query)
            if counting.counted == 1:
                matched = seek_clauses(&memory.query, &clauses.clauses, self.row_count, mask.start, floor)
            else:
                matched = count_all_clauses(&memory.query, &clauses.clauses, counting, self.row_count, mask.start,
                                            floor)
        free(counting)
        rows, scores = memory.best()
        return rows, scores, matched

    def count_clauses(self, clauses, Py_ssize_t least):
        """Returns (rows, counts) of the rows that have a list of at least so many clauses."""
        cdef ClauseMemory memory = ClauseMemory(len(clauses) + 1, sum(map(len, clauses)))
        cdef Counting* counting = NULL
        cdef uint32_t base = 0, kept, row_count = <uint32_t>self.row_count
        cdef list rows = [], counts = []
        self.add_clauses(memory, clauses, ())
        counting = begin_counting(memory.clauses.heads, memory.clauses.count - 1, least)
        try:
            while counting.counted and base < row_count:
                with nogil:
                    kept = count_window(counting, memory.clauses.heads, memory.clauses.lists, base,
                                        min(row_count - base, <uint32_t>WINDOW))
                if kept:
                    rows.append(copy_numbers(counting.rows, kept))
                    counts.append(np.frombuffer(<bytes>(<char*>counting.counts)[:2 * kept], np.uint16))
                base += WINDOW
        finally:
            free(counting)
        if not rows:
            return np.zeros(0, np.uint32), np.zeros(0, np.uint32)
        return np.concatenate(rows), np.concatenate(counts).astype(np.uint32)

    def score_term_quorum(self, terms, weights, FieldTables tables, Py_ssize_t least, allowed, int k, double floor):
        """Returns (rows, scores, matched) of the best `k` rows that have at least so many of the terms.

        See `reference/postings.py`.
        """
        cdef int count = len(terms)
        cdef QueryMemory memory = QueryMemory(count, FIELD_SLOTS * count, k)
        cdef ClauseMemory clauses = ClauseMemory(count + 1, FIELD_SLOTS * count)
        cdef Mask mask = Mask(allowed)
        cdef uint64_t matched = 0
        cdef Counting* counting
        self.add_terms(&memory.query, terms, weights, tables)
        for term in terms:
            self.add_clause(clauses, (term,))
        self.add_clause(clauses, ())
        order_clauses(&clauses.clauses)
        counting = begin_counting(clauses.clauses.heads, count, least)
        with nogil:
            matched = score_minimum_match(&memory.query, &clauses.clauses, counting, <uint32_t>self.row_count,
                                          mask.start, floor)
        free(counting)
        rows, scores = memory.best()
        return rows, scores, matched

    def phrase(self, list_indices, offsets):
        """Returns (rows, freqs) where the lists' terms stand at the given relative positions."""
        return self.find_exactly(list_indices, offsets).copy()

    cdef FoundRows find_exactly(self, list_indices, offsets):
        cdef PhraseMemory phrase = self.point_at_words(list_indices, offsets)
        cdef PositionBuffers buffers = _SPARE_POSITIONS.pop() if _SPARE_POSITIONS else PositionBuffers()
        cdef FoundRows found = FoundRows(phrase.words.entries[0].postings.size)
        with nogil:
            found.size = find_phrase_rows(&self.position_bytes, &phrase.words, buffers.starts, buffers.others,
                                          found.rows, found.freqs)
        _SPARE_POSITIONS.append(buffers)
        return found

    cdef PhraseMemory point_at_words(self, list_indices, offsets):
        """Returns the words of a phrase; at least one."""
        cdef PhraseMemory phrase = PhraseMemory(len(list_indices))
        cdef Word* entries = phrase.words.entries
        cdef Word added
        cdef uint32_t* met
        cdef uint32_t index
        cdef int i, j
        for i in range(phrase.words.count):
            index, added.shift = list_indices[i], offsets[i]
            self.point_at(&added.postings, index)
            open_cursor(&self.position_bytes, &added.cursor, self.list_positions[index], added.postings.size)
            # Rarest first: a row that lacks one is done with soonest.
            j = i
            while j and entries[j - 1].postings.size > added.postings.size:
                met = entries[j].met
                entries[j] = entries[j - 1]
                entries[j].met = met
                j -= 1
            added.met = entries[j].met
            entries[j] = added
        return phrase

    def sloppy_phrase(self, list_indices, offsets, int slop):
        """Returns (rows, freqs) where the lists' terms stand near the given relative positions."""
        return self.find_near(list_indices, offsets, slop).copy()

    cdef FoundRows find_near(self, list_indices, offsets, int slop):
        if slop == 0:
            return self.find_exactly(list_indices, offsets)
        cdef int count = len(list_indices), i
        if slop < 0 or not 0 < count <= MAX_LOOSE_WORDS:
            raise ValueError(f"a loose phrase has 1 to {MAX_LOOSE_WORDS} words, not {count}, and slop from 0")
        cdef PhraseMemory terms = self.point_at_words(
            list_indices, [min(max(0, offset), 1 << 17) for offset in offsets]
        )
        cdef FoundRows found = FoundRows(terms.words.entries[0].postings.size)
        cdef SloppyPhrase phrase
        cdef PositionBuffers buffers
        cdef list held = []
        phrase.words, phrase.slop = count, min(slop, 1 << 17)
        for i in range(count):
            phrase.offsets[i] = terms.words.entries[i].shift
            if i & 1:
                phrase.places[i] = buffers.others
            else:
                buffers = _SPARE_POSITIONS.pop() if _SPARE_POSITIONS else PositionBuffers()
                held.append(buffers)
                phrase.places[i] = buffers.starts
        with nogil:
            found.size = find_sloppy_rows(&self.position_bytes, &terms.words, &phrase, found.rows, found.freqs)
        _SPARE_POSITIONS.extend(held[:max(0, <int>MAX_SPARE - <int>len(_SPARE_POSITIONS))])
        return found

    def phrase_lists(self, terms, offsets, int slop):
        """Returns (rows, freqs, field) for each field that has the phrase of these terms, in field order."""
        cdef FoundRows found
        return [(*found.copy(), found.field) for found in self.find_in_fields(terms, offsets, slop)]

    def find_phrase(self, terms, offsets, int slop):
        """Returns what `phrase_lists` finds, to be counted and scored without becoming arrays."""
        return FoundPhrase(self, self.find_in_fields(terms, offsets, slop))

    cdef list find_in_fields(self, terms, offsets, int slop):
        cdef uint32_t first, stop, index
        cdef Py_ssize_t term
        cdef list found = [], by_field = [None] * FIELD_SLOTS, own
        cdef FoundRows rows
        cdef int field, count = 0
        for term in terms:
            if not 0 <= term < self.term_count:
                return found
            first, stop = self.term_lists[term], self.term_lists[term + 1]
            if stop > <uint64_t>self.list_field.shape[0]:
                raise ValueError(f"term {term} points outside the lists")
            for index in range(first, stop):
                field = self.list_field[index]
                if field >= FIELD_SLOTS:
                    raise ValueError(f"list {index} is of no field")
                own = by_field[field]
                if count == 0 and own is None:
                    by_field[field] = [index]
                elif own is not None and len(own) == count:
                    own.append(index)
            count += 1
        for field in range(FIELD_SLOTS):
            own = by_field[field]
            if own is not None and len(own) == count:
                rows = self.find_near(own, offsets, slop)
                if rows.size:
                    rows.field = field
                    found.append(rows)
        return found

    def positions_at(self, uint32_t index, uint32_t row):
        """Returns the positions of a list's term in one row, ascending; empty when it is not there."""
        cdef List entry
        self.point_at(&entry, index)
        cdef uint32_t at = gallop(entry.rows, 0, entry.size, row) if entry.size else 0
        out_array = np.empty(MAX_POSITIONS, dtype=np.uint16)
        cdef uint16_t[::1] out = out_array
        cdef Py_ssize_t count = 0
        cdef Cursor cursor
        open_cursor(&self.position_bytes, &cursor, self.list_positions[index], entry.size)
        if at < entry.size and entry.rows[at] == row:
            count = read_positions(&self.position_bytes, &cursor, at, &out[0])
        return out_array[:count].copy()

    def merge_lists(self, indices):
        """Returns (rows, freqs) of the union of lists; frequencies are added and saturate at 255."""
        cdef const uint32_t[::1] chosen = np.asarray(indices, dtype=np.uint32)
        cdef Py_ssize_t i, size = 0, words = (self.row_count + 63) >> 6
        cdef uint8_t* sums = <uint8_t*>calloc(self.row_count + 1, 1)
        cdef uint64_t* seen = <uint64_t*>calloc(words + 1, sizeof(uint64_t))
        cdef uint32_t[::1] rows
        cdef uint8_t[::1] freqs
        cdef List entry
        try:
            if sums == NULL or seen == NULL:
                raise MemoryError
            for i in range(chosen.shape[0]):
                self.point_at(&entry, chosen[i])
                with nogil:
                    size += add_freqs(&entry, sums, seen, <uint32_t>self.row_count)
            rows_array, freqs_array = np.empty(size, dtype=np.uint32), np.empty(size, dtype=np.uint8)
            rows, freqs = rows_array, freqs_array
            if size:
                with nogil:
                    take_marked(sums, seen, words, size, &rows[0], &freqs[0])
            return rows_array, freqs_array
        finally:
            free(sums)
            free(seen)

    def positions_in(self, uint32_t index, const uint32_t[::1] rows):
        """Returns (offsets, positions): those of row ``i`` are ``positions[offsets[i]:offsets[i + 1]]``."""
        cdef List entry
        self.point_at(&entry, index)
        offsets_array = np.zeros(rows.shape[0] + 1, dtype=np.uint32)
        cdef uint32_t[::1] offsets = offsets_array
        cdef uint16_t* buffer = <uint16_t*>malloc(MAX_POSITIONS * sizeof(uint16_t))
        cdef uint16_t* found = NULL
        cdef uint16_t* larger
        cdef size_t size = 0, room = 0
        cdef Py_ssize_t i, count
        cdef uint32_t at = 0
        cdef Cursor cursor
        open_cursor(&self.position_bytes, &cursor, self.list_positions[index], entry.size)
        try:
            if buffer == NULL:
                raise MemoryError
            for i in range(rows.shape[0]):
                if at < entry.size and entry.rows[at] < rows[i]:
                    at = gallop(entry.rows, at, entry.size, rows[i])
                if at < entry.size and entry.rows[at] == rows[i]:
                    count = read_positions(&self.position_bytes, &cursor, at, buffer)
                    if size + count > room:
                        room = 2 * room + count + 1024
                        larger = <uint16_t*>realloc(found, room * sizeof(uint16_t))
                        if larger == NULL:
                            raise MemoryError
                        found = larger
                    memcpy(found + size, buffer, count * sizeof(uint16_t))
                    size += count
                offsets[i + 1] = <uint32_t>size
            positions = np.empty(size, dtype=np.uint16)
            if size:
                copy_into(positions, found, size)
            return offsets_array, positions
        finally:
            free(buffer)
            free(found)

    def run_shares(self, terms, offsets, const double[::1] sums, Py_ssize_t rarest, int least,
                   const uint32_t[::1] rows):
        """Returns for each row the most that a run around the rarest term gives; see `reference/postings.py`."""
        cdef Py_ssize_t i, count = len(terms)
        cdef uint32_t index, start, stop
        cdef PhraseMemory phrase = PhraseMemory(count)
        cdef NgramMemory work
        shares_array = np.zeros(rows.shape[0])
        cdef double[::1] shares = shares_array
        if not 0 <= rarest < count or sums.shape[0] != count + 1:
            raise ValueError("the rarest is one of the terms, and there is a sum before and behind each")
        self.check_term(terms[rarest], &start, &stop)
        for i in range(count):
            phrase.words.entries[i].shift = offsets[i]
        work = _SPARE_NGRAMS.pop() if _SPARE_NGRAMS else NgramMemory()
        for index in range(start, stop):
            for i in range(count):
                self.point_at_word(&phrase.words.entries[i], terms[i], self.list_field[index])
            with nogil:
                for i in range(rows.shape[0]):
                    shares[i] = max(shares[i], best_ngram(&self.position_bytes, &phrase.words, rarest, least, rows[i],
                                                          &sums[0], &work.workspace))
        _SPARE_NGRAMS.append(work)
        return shares_array

    cdef int point_at_word(self, Word* word, Py_ssize_t term, int field) except -1:
        """Fills in a word's list in a field; an empty one where it has none."""
        cdef uint32_t index, start, stop
        word.postings.size = word.postings.at = 0
        self.check_term(term, &start, &stop)
        for index in range(start, stop):
            if self.list_field[index] == field:
                self.point_at(&word.postings, index)
                open_cursor(&self.position_bytes, &word.cursor, self.list_positions[index], word.postings.size)
        return 0


cdef class FoundPhrase:
    """The rows of one segment that have a phrase; see `reference/postings.py`."""

    cdef Postings postings
    cdef list fields

    def __init__(self, Postings postings, list fields):
        self.postings, self.fields = postings, fields

    def count(self, live):
        """Returns in how many live rows the phrase is; None for all rows."""
        cdef Mask mask
        cdef FoundRows found
        if live is None and len(self.fields) == 1:
            found = self.fields[0]
            return found.size
        mask = Mask(live)
        return self.count_merged(mask.start, mask.size)

    cdef uint64_t count_merged(self, const uint8_t* mask, uint64_t size):
        cdef uint32_t at[FIELD_SLOTS]
        cdef uint64_t row, count = 0
        cdef FoundRows found
        cdef int i
        for i in range(FIELD_SLOTS):
            at[i] = 0
        while True:
            row = NO_ROW
            for i, found in enumerate(self.fields):
                if at[i] < found.size and found.rows[at[i]] < row:
                    row = found.rows[at[i]]
            if row >= size:
                return count
            for i, found in enumerate(self.fields):
                at[i] += at[i] < found.size and found.rows[at[i]] == row
            count += mask == NULL or mask[row] != 0

    def score(self, double weight, FieldTables tables, allowed, int k, double floor):
        """Returns what `Postings.score_top_k` does for the phrase alone."""
        cdef QueryMemory memory = QueryMemory(1, FIELD_SLOTS, k)
        cdef Query* query = &memory.query
        cdef Group* head = &query.heads[0]
        cdef FoundRows found
        cdef List* entry
        cdef list counted = [found for found in self.fields if tables.summed[(<FoundRows>found).field] != NULL]
        head.weight, head.saturation, head.first_list, head.list_count = weight, tables.saturation, 0, len(counted)
        for found in counted:
            entry = &query.lists[query.list_count]
            query.list_count += 1
            if found.field >= self.postings.lengths.shape[0]:
                raise ValueError(f"there are no lengths of field {found.field}")
            entry.rows, entry.freqs, entry.size, entry.at = found.rows, found.freqs, found.size, 0
            entry.buckets = &self.postings.lengths[found.field, 0]
            entry.values, entry.max_freq, entry.min_bucket = NULL, 255, 0
            tables.give(entry, found.field, head.list_count == 1)
        if head.list_count:
            query.group_count = 1
            set_bound(query, head)
        return self.postings.answer(memory, allowed, floor)


cdef object copy_numbers(const uint32_t* values, size_t size):
    copied = np.empty(size, dtype=np.uint32)
    cdef uint32_t[::1] out = copied
    if size:
        memcpy(&out[0], values, size * sizeof(uint32_t))
    return copied


cdef object copy_into(uint16_t[::1] out, const uint16_t* values, size_t size):
    memcpy(&out[0], values, size * sizeof(uint16_t))
