"""Compiled twin of `reference/vocabulary.py`: walks over a sorted dictionary that skip what cannot match.

Neighbours in a sorted list share beginnings. All walks keep what they know about each code point of the
entry they stand at, and go back only as far as the next entry differs. Where a beginning has become hopeless
they gallop over all entries that have it; the walk to similar words instead compares the letters of every
entry with those of the word, whatever their order: with two edits nearly every beginning has hope, but few
words have the letters.
"""

import numpy as np

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcmp, memcpy, memset

cdef enum:
    MAX_EDITS = 3
    # Code points of an entry whose states are kept; longer entries are read again from there.
    KEPT_STATES = 256
    # Sets of letters compared at once.
    BLOCK = 32
    # Entries whose sets are made at once: as a power of two.
    PART_SHIFT = 12


cdef struct Entry:
    const uint8_t* text
    Py_ssize_t size


cdef struct Letter:
    uint32_t value
    Py_ssize_t end  # bytes of the entry up to and including it


cdef struct Walk:
    const uint32_t* word
    Py_ssize_t word_size
    int budget
    int first_cost
    int width  # cells of one row: those at most `budget` away from the diagonal
    Letter* path  # path[d] is the d-th letter of the entry, from 1
    uint8_t* rows
    uint8_t* nearest  # smallest distance of the first 0 to d letters to the whole word


cdef struct LetterSet:
    # Bits of the classes that have a letter in a word, and of those that have two; a class is all code points
    # that end with the same five bits. An insertion sets one bit of both at most, a deletion clears one at
    # most, a substitution does both, a swap neither: words are no nearer than that many bits are only in one.
    uint32_t once
    uint32_t twice


cdef struct Found:
    uint32_t* ordinals
    uint8_t* distances
    size_t size, room


cdef struct Machine:
    const int32_t* transitions
    const uint8_t* accepting
    const uint32_t* bounds
    const uint16_t* classes
    Py_ssize_t class_count, range_count
    uint16_t ascii[128]
    const uint8_t* suffix
    Py_ssize_t suffix_size
    const uint8_t* inner
    Py_ssize_t inner_size
    int32_t* direct  # next state by [state, ASCII letter], or NULL: one look-up instead of two


cdef inline Letter decode(const uint8_t* text, Py_ssize_t at, Py_ssize_t size) noexcept nogil:
    """Reads the code point at a byte; bytes that are not UTF-8 give some code point and never overrun."""
    cdef Letter letter
    cdef uint32_t value = text[at]
    cdef int more = 0
    if value >= 0xF0:
        value, more = value & 7, 3
    elif value >= 0xE0:
        value, more = value & 15, 2
    elif value >= 0xC0:
        value, more = value & 31, 1
    at += 1
    while more and at < size:
        value = value << 6 | text[at] & 63
        at += 1
        more -= 1
    letter.value, letter.end = value, at
    return letter


cdef inline int encode(uint32_t value, uint8_t* out) noexcept nogil:
    """Writes a code point as UTF-8 and returns the number of bytes."""
    cdef int more = 0 if value < 0x80 else 1 if value < 0x800 else 2 if value < 0x10000 else 3
    cdef int i
    if more == 0:
        out[0] = <uint8_t>value
        return 1
    for i in range(more, 0, -1):
        out[i] = <uint8_t>(0x80 | value & 63)
        value >>= 6
    out[0] = <uint8_t>((0xF00 >> more) & 0xFF | value)
    return more + 1


cdef inline Py_ssize_t common_prefix(Entry left, Entry right) noexcept nogil:
    cdef Py_ssize_t size = min(left.size, right.size), at = 0
    cdef uint64_t one, other
    while at + 8 <= size:
        memcpy(&one, left.text + at, 8)
        memcpy(&other, right.text + at, 8)
        if one != other:
            break
        at += 8
    while at < size and left.text[at] == right.text[at]:
        at += 1
    return at


cdef uint8_t fill_row(Walk* walk, Py_ssize_t depth) noexcept nogil:
    """Computes the distances of the first `depth` letters to every beginning of the word near them.

    Cell ``k`` belongs to the first ``depth + k - budget`` letters of the word. Returns the smallest one;
    all that exceed the budget are ``budget + 1``.
    """
    cdef int k, cost, best, over = walk.budget + 1, smallest = over
    cdef Py_ssize_t j
    cdef uint8_t* row = walk.rows + depth * walk.width
    cdef uint8_t* above = row - walk.width
    cdef uint32_t letter = walk.path[depth].value
    for k in range(walk.width):
        j = depth + k - walk.budget
        best = over
        if 0 <= j <= walk.word_size:
            if j > 0:
                cost = walk.first_cost if depth == 1 or j == 1 else 1
                best = above[k] + (0 if letter == walk.word[j - 1] else cost)
                if k > 0:
                    best = min(best, row[k - 1] + (walk.first_cost if j == 1 else 1))
            if k + 1 < walk.width:
                best = min(best, above[k + 1] + (walk.first_cost if depth == 1 else 1))
            if (depth > 1 and j > 1 and letter == walk.word[j - 2]
                    and walk.path[depth - 1].value == walk.word[j - 1]):
                cost = walk.first_cost if depth == 2 or j == 2 else 1
                best = min(best, (above - walk.width)[k] + cost)
        row[k] = <uint8_t>min(best, over)
        smallest = min(smallest, best)
    return <uint8_t>min(smallest, over)


cdef Py_ssize_t shared_depth(Walk* walk, Py_ssize_t depth, Py_ssize_t size) noexcept nogil:
    """Returns how many letters of the path lie within the first `size` bytes."""
    while walk.path[depth].end > size:
        depth -= 1
    return depth


cdef Py_ssize_t measure(Walk* walk, Py_ssize_t depth, Entry entry) noexcept nogil:
    """Computes the rows of an entry from `depth` letters on; returns how many letters have one.

    Those are all letters unless some beginning is hopeless.
    """
    while walk.path[depth].end < entry.size and depth < last_depth(walk):
        walk.path[depth + 1] = decode(entry.text, walk.path[depth].end, entry.size)
        if fill_row(walk, depth + 1) > walk.budget:
            break
        depth += 1
    return depth


cdef inline void add_letter(LetterSet* letters, uint32_t letter) noexcept nogil:
    cdef uint32_t bit = <uint32_t>1 << (letter & 31)
    letters.twice |= letters.once & bit
    letters.once |= bit


cdef inline uint64_t bits_apart(LetterSet one, LetterSet other) noexcept nogil:
    """Returns the bits that only the first has."""
    return <uint64_t>(one.twice & ~other.twice) << 32 | one.once & ~other.once


cdef inline bint is_similar(LetterSet one, LetterSet other, int edits) noexcept nogil:
    """Says whether at most `edits` bits are only in the first, and as many only in the other."""
    cdef uint64_t more = bits_apart(one, other), less = bits_apart(other, one)
    cdef int i
    for i in range(edits):  # clears the lowest bit
        more &= more - 1
        less &= less - 1
    return (more | less) == 0


cdef inline bint find_similar_of(const uint32_t* once, uint32_t wanted, int edits, uint32_t* apart) noexcept nogil:
    cdef uint32_t more, less, found = 0
    cdef int i, j
    for i in range(BLOCK):
        more, less = once[i] & ~wanted, wanted & ~once[i]
        for j in range(edits):
            more &= more - 1
            less &= less - 1
        apart[i] = more | less
        found |= apart[i] == 0
    return found != 0


cdef bint find_similar(const uint32_t* once, uint32_t wanted, int edits, uint32_t* apart) noexcept nogil:
    """Makes `apart` 0 where one half of a set is similar; False when nowhere in the block.

    Compilers make vector instructions of the loop where they know how often its inner one runs.
    """
    if edits == 1:
        return find_similar_of(once, wanted, 1, apart)
    if edits == 2:
        return find_similar_of(once, wanted, 2, apart)
    if edits == 3:
        return find_similar_of(once, wanted, 3, apart)
    return find_similar_of(once, wanted, 0, apart)


cdef bint is_narrow(Walk* walk, Py_ssize_t depth) noexcept nogil:
    """Says whether, after `depth` letters, no edit can be paid: the next letter must be one of the word."""
    cdef int k, cost = walk.first_cost if depth == 0 else 1
    cdef uint8_t* row = walk.rows + depth * walk.width
    for k in range(walk.width):
        if row[k] + cost <= walk.budget:
            return False
    return True


cdef uint32_t next_letter(Walk* walk, Py_ssize_t depth, uint32_t after) noexcept nogil:
    """Returns the smallest letter above `after` that can follow when no edit can be paid; 0 for none."""
    cdef int k
    cdef Py_ssize_t j
    cdef uint32_t found = 0, letter
    cdef uint8_t* row = walk.rows + depth * walk.width
    for k in range(walk.width):
        j = depth + k - walk.budget
        # This has the second half of a swap too: its first half is also an insertion, one cell to the left.
        if 0 <= j < walk.word_size and row[k] <= walk.budget:
            letter = walk.word[j]
            if letter > after and (found == 0 or letter < found):
                found = letter
    return found


cdef class Vocabulary:
    """Strings in ascending byte order, as a segment's dictionary keeps them; see the plain twin."""

    cdef const uint64_t[::1] offsets
    cdef const uint8_t[::1] spellings
    cdef uint32_t[:, ::1] sets  # `LetterSet` of each entry, where `has_sets` says so
    cdef uint8_t[::1] has_sets  # by parts of the entries
    cdef Py_ssize_t count

    def __init__(self, offsets, spellings):
        self.offsets, self.spellings = offsets, spellings
        self.count = max(0, self.offsets.shape[0] - 1)
        self.has_sets = np.zeros((self.count >> PART_SHIFT) + 1, np.uint8)
        self.sets = np.empty((2, self.count), np.uint32)  # takes no memory before it is written

    def __len__(self):
        return self.count

    cdef inline int read(self, Py_ssize_t at, Entry* entry) noexcept nogil:
        """Points at an entry; returns -1 when it lies outside the spellings."""
        cdef uint64_t start = self.offsets[at], stop = self.offsets[at + 1]
        if start > stop or stop > <uint64_t>self.spellings.shape[0]:
            return -1
        entry.text, entry.size = &self.spellings[0] + start, <Py_ssize_t>(stop - start)
        return 0

    cdef inline int compare(self, Py_ssize_t at, const uint8_t* key, Py_ssize_t size, bint is_prefix) noexcept nogil:
        """Compares an entry with a key: -1, 0 or 1; with `is_prefix`, 0 for all that begin with it; -2: damage."""
        cdef Entry entry
        cdef int order
        if self.read(at, &entry):
            return -2
        order = memcmp(entry.text, key, min(size, entry.size))
        if order:
            return 1 if order > 0 else -1
        if entry.size < size:
            return -1
        return 0 if is_prefix or entry.size == size else 1

    cdef Py_ssize_t seek(self, Py_ssize_t start, const uint8_t* key, Py_ssize_t size,
                         bint past) noexcept nogil:
        """Gallops to the first entry from `start` on that is not below the key; -1 for damage.

        With `past`, to the first that neither is below it nor begins with it.
        """
        cdef Py_ssize_t step = 1, low = start, high = start, middle
        cdef int order
        # `low` is where the answer may be, at the earliest; `high` is the next place to look.
        while high < self.count:
            order = self.compare(high, key, size, past)
            if order == -2:
                return -1
            if order > 0 or (order == 0 and not past):
                break
            low = high + 1
            high += step
            step += step
        high = min(high, self.count)
        while low < high:
            middle = (low + high) >> 1
            order = self.compare(middle, key, size, past)
            if order == -2:
                return -1
            if order < 0 or (order == 0 and past):
                low = middle + 1
            else:
                high = middle
        return low

    def spelling(self, Py_ssize_t ordinal):
        """Returns the bytes of one entry."""
        cdef Entry entry
        if not 0 <= ordinal < self.count:
            raise IndexError(f"there is no entry {ordinal}")
        if self.read(ordinal, &entry):
            raise damage()
        return entry.text[:entry.size]

    def prefix_range(self, bytes prefix):
        """Returns the first ordinal whose entry begins with `prefix`, and the first after them."""
        cdef const uint8_t* key = prefix
        cdef Py_ssize_t start = self.seek(0, key, len(prefix), False), stop = start
        if start >= 0:
            stop = self.seek(start, key, len(prefix), True)
        if stop < 0:
            raise damage()
        return start, stop

    def within_edits(self, str word, int max_edits, int first_letter_cost=1):
        """Returns (ordinals, distances) of the entries at most `max_edits` away from `word`."""
        cdef Walk walk
        cdef Found found
        cdef int status
        cdef Py_ssize_t start, stop
        letters = begin_walk(&walk, word, max_edits, first_letter_cost)
        found.ordinals, found.distances, found.size, found.room = NULL, NULL, 0, 0
        try:
            # Letters that no edit can reach are the beginning of every answer.
            kept = word if max_edits == 0 else word[:1] if max_edits < first_letter_cost else ""
            start, stop = self.prefix_range(kept.encode("utf-8", "surrogatepass"))
            self.prepare_sets(start, stop)
            with nogil:
                status = self.run_edits(&walk, start, stop, &found)
            check(status)
            return copy_of(found.ordinals, found.size, np.uint32), copy_of(found.distances, found.size, np.uint8)
        finally:
            end_walk(&walk)
            free(found.ordinals)
            free(found.distances)

    cdef int prepare_sets(self, Py_ssize_t start, Py_ssize_t stop) except -1:
        """Collects the letters of entries that nobody has asked about yet, in large parts; the GIL is held."""
        cdef Py_ssize_t part
        for part in range(start >> PART_SHIFT, (stop >> PART_SHIFT) + 1):
            if not self.has_sets[part]:
                check(self.fill_sets(part << PART_SHIFT, min((part + 1) << PART_SHIFT, self.count)))
                self.has_sets[part] = True
        return 0

    cdef int fill_sets(self, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
        cdef Py_ssize_t at, byte
        cdef Entry entry
        cdef Letter letter
        cdef LetterSet letters
        for at in range(start, stop):
            if self.read(at, &entry):
                return -1
            letters.once, letters.twice, byte = 0, 0, 0
            while byte < entry.size:
                if entry.text[byte] < 128:  # nearly all are, and decoding would take twice as long
                    add_letter(&letters, entry.text[byte])
                    byte += 1
                    continue
                letter = decode(entry.text, byte, entry.size)
                add_letter(&letters, letter.value)
                byte = letter.end
            self.sets[0, at], self.sets[1, at] = letters.once, letters.twice
        return 0

    cdef int run_edits(self, Walk* walk, Py_ssize_t start, Py_ssize_t stop, Found* found) noexcept nogil:
        """Measures the entries whose letters are near enough; most blocks have none."""
        cdef Py_ssize_t i, at, block, depth = 0
        cdef Entry entry, before
        cdef LetterSet wanted, letters
        cdef uint32_t apart[BLOCK]
        before.text, before.size = NULL, 0
        wanted.once, wanted.twice = 0, 0
        for i in range(walk.word_size):
            add_letter(&wanted, walk.word[i])
        for i in range((stop - start + BLOCK - 1) // BLOCK):
            block = start + i * BLOCK
            if stop - block < BLOCK:
                memset(apart, 0, sizeof(apart))
            elif not find_similar(&self.sets[0, block], wanted.once, walk.budget, apart):
                continue
            for at in range(block, min(block + BLOCK, stop)):
                if apart[at - block]:
                    continue
                letters.once, letters.twice = self.sets[0, at], self.sets[1, at]
                if not is_similar(letters, wanted, walk.budget):
                    continue
                if self.read(at, &entry):
                    return -1
                depth = measure(walk, shared_depth(walk, depth, common_prefix(before, entry)), entry)
                before = entry
                if (walk.path[depth].end == entry.size and whole_word(walk, depth) <= walk.budget
                        and not keep(found, <uint32_t>at, whole_word(walk, depth))):
                    return -2
        return 0

    cdef Py_ssize_t leave(self, Walk* walk, Py_ssize_t at, Py_ssize_t depth, Entry entry) noexcept nogil:
        """Returns the next entry worth a look after the one whose letter number `depth` was one too many."""
        cdef uint8_t key[1024]
        cdef Py_ssize_t size = walk.path[depth - 1].end, i
        cdef uint32_t letter
        if is_narrow(walk, depth - 1) and size <= 1000:
            letter = next_letter(walk, depth - 1, walk.path[depth].value)
            if letter == 0:
                return self.seek(at + 1, entry.text, size, True)
            for i in range(size):
                key[i] = entry.text[i]
            size += encode(letter, &key[size])
            return self.seek(at + 1, key, size, False)
        return self.seek(at + 1, entry.text, walk.path[depth].end, True)

    def prefix_within_edits(self, str word, int max_edits, int first_letter_cost=1):
        """Returns (ranges, distances) of the entries with a beginning at most `max_edits` away from `word`."""
        cdef Walk walk
        cdef Found found
        cdef int status
        letters = begin_walk(&walk, word, max_edits, first_letter_cost)
        found.ordinals, found.distances, found.size, found.room = NULL, NULL, 0, 0
        try:
            with nogil:
                status = self.run_prefix_edits(&walk, &found)
            check(status)
            ranges = copy_of(found.ordinals, found.size, np.uint32).reshape(-1, 2)
            return ranges, copy_of(found.distances, found.size, np.uint8)[::2].copy()
        finally:
            end_walk(&walk)
            free(found.ordinals)
            free(found.distances)

    cdef int run_prefix_edits(self, Walk* walk, Found* found) noexcept nogil:
        """Walks as `run_edits` does; `walk.nearest[d]` is the smallest distance of the first 0 to d letters."""
        cdef Py_ssize_t at = 0, depth = 0, next_at
        cdef Entry entry, before
        cdef uint8_t smallest
        before.text, before.size = NULL, 0
        while at < self.count:
            if self.read(at, &entry):
                return -1
            depth = shared_depth(walk, depth, common_prefix(before, entry))
            before = entry
            # Nothing that follows is nearer than the smallest cell of a row.
            smallest = 0
            while walk.path[depth].end < entry.size and smallest < walk.nearest[depth]:
                depth += 1
                walk.path[depth] = decode(entry.text, walk.path[depth - 1].end, entry.size)
                smallest = fill_row(walk, depth)
                walk.nearest[depth] = min(walk.nearest[depth - 1], whole_word(walk, depth))
            if walk.nearest[depth] > walk.budget:
                if smallest > walk.budget:
                    at = self.leave(walk, at, depth, entry)
                    if at < 0:
                        return -1
                    depth -= 1
                else:
                    at += 1
                continue
            next_at = at + 1
            if smallest >= walk.nearest[depth]:
                next_at = self.seek(next_at, entry.text, walk.path[depth].end, True)
                if next_at < 0:
                    return -1
            if not keep_range(found, <uint32_t>at, <uint32_t>next_at, walk.nearest[depth]):
                return -2
            # A path that ended for good is left even where damaged entries seem to share it: there is no room
            # for more.
            if smallest >= walk.nearest[depth]:
                depth = max(depth - 1, 0)
            at = next_at
        return 0

    def matching(self, automaton, Py_ssize_t start, Py_ssize_t stop, Py_ssize_t limit, bytes suffix=b"",
                 bytes inner=b""):
        """Returns (ordinals, is_complete) of the entries that an automaton accepts."""
        cdef const int32_t[:, ::1] transitions = automaton.transitions
        cdef const uint8_t[::1] accepting = automaton.accepting
        cdef const uint32_t[::1] bounds = automaton.bounds
        cdef const uint16_t[::1] classes = automaton.classes
        cdef Machine machine
        cdef Found found
        cdef int status
        cdef bint is_complete = True
        check_automaton(transitions, accepting, bounds, classes)
        prepare(&machine, transitions, accepting, bounds, classes)
        machine.suffix, machine.suffix_size = suffix, len(suffix)
        machine.inner, machine.inner_size = inner, len(inner)
        found.ordinals, found.distances, found.size, found.room = NULL, NULL, 0, 0
        start, stop = max(0, start), min(stop, self.count)
        if stop - start >= 16 * transitions.shape[0]:
            spread_out(&machine, transitions.shape[0])
        try:
            with nogil:
                status = self.run_machine(&machine, start, stop, limit, &found, &is_complete)
            check(status)
            return copy_of(found.ordinals, found.size, np.uint32), bool(is_complete)
        finally:
            free(machine.direct)
            free(found.ordinals)
            free(found.distances)

    cdef int run_machine(self, Machine* machine, Py_ssize_t at, Py_ssize_t stop, Py_ssize_t limit, Found* found,
                         bint* is_complete) noexcept nogil:
        cdef int32_t states[KEPT_STATES]
        cdef Py_ssize_t ends[KEPT_STATES]
        cdef Py_ssize_t depth = 0, common, byte, last_byte = 0
        cdef int32_t state, last_state = 0
        cdef Entry entry, before
        cdef uint64_t place = 0
        before.text, before.size = NULL, 0
        states[0], ends[0] = 0, 0
        while at < stop:
            if machine.inner_size:
                at = self.next_with(machine, at, stop, &place)
                if at == stop:
                    break
            if self.read(at, &entry):
                return -1
            if machine.suffix_size and (entry.size < machine.suffix_size or memcmp(
                    entry.text + entry.size - machine.suffix_size, machine.suffix, machine.suffix_size)):
                at += 1
                continue
            common = common_prefix(before, entry)
            while ends[depth] > common:
                depth -= 1
            before = entry
            state, byte = states[depth], ends[depth]
            while byte < entry.size:
                last_state, last_byte = state, byte
                state = machine_step(machine, state, entry, &byte)
                if state < 0:
                    break
                if depth + 1 < KEPT_STATES:
                    depth += 1
                    states[depth], ends[depth] = state, byte
            if state < 0:
                at = self.leave_dead(machine, last_state, at, entry, last_byte)
                if at < 0:
                    return -1
                continue
            if machine.accepting[state]:
                if <Py_ssize_t>found.size >= limit:
                    is_complete[0] = False
                    return 0
                if not keep(found, <uint32_t>at, 0):
                    return -2
            at += 1
        return 0

    cdef Py_ssize_t leave_dead(self, Machine* machine, int32_t state, Py_ssize_t at, Entry entry,
                               Py_ssize_t size) noexcept nogil:
        """Returns the next entry worth a look after one whose letter behind the first `size` bytes led nowhere."""
        cdef uint8_t key[1024]
        cdef Letter letter = decode(entry.text, size, entry.size)
        cdef uint32_t other = next_alive(machine, state, letter.value)
        if other == 0:
            return self.seek(at + 1, entry.text, size, True)
        if size > 1000:
            return self.seek(at + 1, entry.text, letter.end, True)
        memcpy(key, entry.text, size)
        size += encode(other, &key[size])
        return self.seek(at + 1, key, size, False)

    cdef Py_ssize_t next_with(self, Machine* machine, Py_ssize_t at, Py_ssize_t stop, uint64_t* place) noexcept nogil:
        """Returns the first entry from `at` on that has the inner text, looking for it from a byte on.

        All entries are searched as one text; what reaches from one into the next is passed over.
        """
        cdef uint64_t end = min(self.offsets[stop], <uint64_t>self.spellings.shape[0])
        cdef Py_ssize_t step, high, middle
        while True:
            place[0] = find_text(&self.spellings[0], max(place[0], self.offsets[at]), end, machine.inner,
                                 <uint64_t>machine.inner_size)
            if place[0] >= end:
                return stop
            step = 1
            while at + step < stop and self.offsets[at + step] <= place[0]:
                at += step
                step += step
            high = min(at + step, stop)
            while high - at > 1:
                middle = (at + high) >> 1
                if self.offsets[middle] <= place[0]:
                    at = middle
                else:
                    high = middle
            if place[0] + <uint64_t>machine.inner_size <= self.offsets[at + 1]:
                return at
            place[0] += 1


cdef uint64_t find_text(const uint8_t* text, uint64_t at, uint64_t end, const uint8_t* wanted,
                        uint64_t size) noexcept nogil:
    """Returns where a text begins that is at least one byte long, from a byte on; `end` when it does not.

    Sixty-four places are compared at once by their first, middle and last byte: compilers make vector
    instructions of that loop, which reads memory nearly as fast as it comes.
    """
    cdef uint8_t first = wanted[0], last = wanted[size - 1], middle = wanted[size >> 1], hits
    cdef uint64_t i, half = size >> 1
    while at < end and end - at >= size + 63:
        hits = 0
        for i in range(64):
            hits |= ((text[at + i] == first) & (text[at + i + half] == middle)
                     & (text[at + i + size - 1] == last))
        if hits:
            for i in range(64):
                if (text[at + i] == first and text[at + i + size - 1] == last
                        and memcmp(text + at + i, wanted, size) == 0):
                    return at + i
        at += 64
    while at < end and end - at >= size:
        if text[at] == first and memcmp(text + at, wanted, size) == 0:
            return at
        at += 1
    return end


cdef object begin_walk(Walk* walk, str word, int max_edits, int first_letter_cost):
    """Prepares a walk at the empty beginning; returns what holds the word's letters until it ends."""
    cdef int k, cost
    cdef Py_ssize_t j
    cdef uint32_t[::1] letters
    if not 0 <= max_edits <= MAX_EDITS:
        raise ValueError(f"max_edits cannot be {max_edits}")
    if first_letter_cost not in (1, 2):
        raise ValueError(f"first_letter_cost cannot be {first_letter_cost}")
    letters = np.fromiter(map(ord, word), np.uint32, len(word))
    walk.word, walk.word_size = (&letters[0] if len(word) else NULL), len(word)
    walk.budget, walk.first_cost, walk.width = max_edits, first_letter_cost, 2 * max_edits + 1
    walk.path = <Letter*>malloc((last_depth(walk) + 1) * sizeof(Letter))
    walk.rows = <uint8_t*>malloc((last_depth(walk) + 1) * walk.width)
    walk.nearest = <uint8_t*>malloc(last_depth(walk) + 1)
    if walk.path == NULL or walk.rows == NULL or walk.nearest == NULL:
        end_walk(walk)
        raise MemoryError
    walk.path[0].value, walk.path[0].end = 0, 0
    for k in range(walk.width):  # the empty beginning of an entry: all letters so far deleted
        j = k - max_edits
        cost = 0 if j == 0 else first_letter_cost + <int>j - 1
        walk.rows[k] = min(cost, max_edits + 1) if 0 <= j <= walk.word_size else max_edits + 1
    walk.nearest[0] = whole_word(walk, 0)
    return letters


cdef void end_walk(Walk* walk) noexcept:
    free(walk.path)
    free(walk.rows)
    free(walk.nearest)


cdef inline Py_ssize_t last_depth(Walk* walk) noexcept nogil:
    """Returns after how many letters every entry is too far away."""
    return walk.word_size + walk.budget + 1


cdef inline uint8_t whole_word(Walk* walk, Py_ssize_t depth) noexcept nogil:
    """Returns the distance of the first `depth` letters to the whole word, at most ``budget + 1``."""
    cdef Py_ssize_t place = walk.word_size - depth + walk.budget
    return walk.rows[depth * walk.width + place] if 0 <= place < walk.width else <uint8_t>(walk.budget + 1)


cdef bint keep_range(Found* found, uint32_t start, uint32_t stop, uint8_t distance) noexcept nogil:
    """Adds a range as two ordinals, or makes the one before longer; False when there is no memory."""
    if (found.size and found.ordinals[found.size - 1] == start
            and found.distances[found.size - 1] == distance):
        found.ordinals[found.size - 1] = stop
        return True
    return keep(found, start, distance) and keep(found, stop, distance)


cdef bint keep(Found* found, uint32_t ordinal, uint8_t distance) noexcept nogil:
    """Adds one answer; False when there is no memory for it."""
    cdef uint32_t* ordinals
    cdef uint8_t* distances
    if found.size == found.room:
        found.room = 2 * found.room + 64
        ordinals = <uint32_t*>realloc(found.ordinals, found.room * sizeof(uint32_t))
        if ordinals == NULL:
            return False
        found.ordinals = ordinals
        distances = <uint8_t*>realloc(found.distances, found.room)
        if distances == NULL:
            return False
        found.distances = distances
    found.ordinals[found.size] = ordinal
    found.distances[found.size] = distance
    found.size += 1
    return True


cdef object copy_of(void* values, size_t size, kind):
    cdef const uint8_t* start = <const uint8_t*>values
    return np.frombuffer(start[:size * np.dtype(kind).itemsize], kind) if size else np.empty(0, kind)


cdef object damage():
    return ValueError("an entry of the vocabulary points outside its spellings")


cdef int check(int status) except -1:
    if status == -1:
        raise damage()
    if status == -2:
        raise MemoryError
    return 0


cdef inline Py_ssize_t range_of(Machine* machine, uint32_t letter) noexcept nogil:
    """Returns the last range that starts at or below a code point."""
    cdef Py_ssize_t low = 0, high = machine.range_count, middle
    while high - low > 1:
        middle = (low + high) >> 1
        if machine.bounds[middle] <= letter:
            low = middle
        else:
            high = middle
    return low


cdef inline uint16_t class_of(Machine* machine, uint32_t letter) noexcept nogil:
    return machine.classes[range_of(machine, letter)]


cdef uint32_t next_alive(Machine* machine, int32_t state, uint32_t dead) noexcept nogil:
    """Returns the smallest letter above a dead one that leads from a state to another; 0 for none."""
    cdef Py_ssize_t i
    for i in range(range_of(machine, dead) + 1, machine.range_count):
        if machine.transitions[state * machine.class_count + machine.classes[i]] >= 0:
            return machine.bounds[i]
    return 0


cdef inline int32_t machine_step(Machine* machine, int32_t state, Entry entry,
                                 Py_ssize_t* byte) noexcept nogil:
    """Reads one code point and returns the next state; moves `byte` behind it."""
    cdef Letter letter
    cdef uint8_t first = entry.text[byte[0]]
    if first < 128:
        byte[0] += 1
        if machine.direct != NULL:
            return machine.direct[(<Py_ssize_t>state << 7) + first]
        return machine.transitions[state * machine.class_count + machine.ascii[first]]
    letter = decode(entry.text, byte[0], entry.size)
    byte[0] = letter.end
    return machine.transitions[state * machine.class_count + class_of(machine, letter.value)]


cdef int check_automaton(const int32_t[:, ::1] transitions, const uint8_t[::1] accepting,
                         const uint32_t[::1] bounds, const uint16_t[::1] classes) except -1:
    cdef Py_ssize_t state, at
    if (not transitions.shape[0] or accepting.shape[0] != transitions.shape[0] or not bounds.shape[0]
            or bounds[0] or classes.shape[0] != bounds.shape[0]):
        raise ValueError("the automaton's arrays do not fit together")
    for at in range(classes.shape[0]):
        if classes[at] >= transitions.shape[1]:
            raise ValueError(f"the automaton has no class {classes[at]}")
    for state in range(transitions.shape[0]):
        for at in range(transitions.shape[1]):
            if not -1 <= transitions[state, at] < transitions.shape[0]:
                raise ValueError(f"the automaton has no state {transitions[state, at]}")
    return 0


cdef void prepare(Machine* machine, const int32_t[:, ::1] transitions, const uint8_t[::1] accepting,
                  const uint32_t[::1] bounds, const uint16_t[::1] classes) noexcept:
    cdef uint32_t letter
    machine.transitions, machine.accepting = &transitions[0, 0], &accepting[0]
    machine.bounds, machine.classes = &bounds[0], &classes[0]
    machine.class_count, machine.range_count = transitions.shape[1], bounds.shape[0]
    machine.direct = NULL
    for letter in range(128):
        machine.ascii[letter] = class_of(machine, letter)


cdef void spread_out(Machine* machine, Py_ssize_t states) noexcept:
    """Makes the direct table; goes on without it when there is no memory."""
    cdef Py_ssize_t state
    cdef int letter
    machine.direct = <int32_t*>malloc(states * 128 * sizeof(int32_t))
    if machine.direct == NULL:
        return
    for state in range(states):
        for letter in range(128):
            machine.direct[(state << 7) + letter] = machine.transitions[
                state * machine.class_count + machine.ascii[letter]]
