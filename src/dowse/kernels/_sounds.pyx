# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Compiled twin of `reference/sounds.py`: the table of rules, flattened, and each sign of a word as one bit.

A pattern fits where every sign of the word is among the bits of the pattern's sign.
"""

import numpy as np

from dowse.kernels.sound_patterns import REACH, SIGNS, filed_steps, parsed_steps
from dowse.kernels.sound_rules import MAX_SYMBOLS, SYMBOLS

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc

cdef enum:
    LETTERS = 26
    NO_LETTER = 26
    SIDE = 8  # REACH
    CODE_SYMBOLS = 8  # MAX_SYMBOLS
    # More than the table needs; `prepare` checks.
    MANY_STEPS = 256
    MANY_CONDITIONS = 512
    MANY_PATTERNS = 512
    MANY_SIGNS = 2048
    MANY_FILED = 4096

cdef enum:
    HERE = 0
    BEGINNING = 1
    END = 2
    SLAVIC = 3


cdef struct Pattern:
    int anchor, offset, signs, signs_end


cdef struct Condition:
    bint is_wanted
    int patterns, patterns_end


cdef struct Step:
    int conditions, conditions_end, used
    # Codes as they are packed; the number of their symbols.
    uint32_t primary, secondary
    int primary_size, secondary_size


# The table: a step names its conditions, a condition its patterns, a pattern its signs.
cdef struct Table:
    int condition_count, pattern_count, sign_count
    uint32_t signs[MANY_SIGNS]
    Pattern patterns[MANY_PATTERNS]
    Condition conditions[MANY_CONDITIONS]
    Step steps[MANY_STEPS]
    # Numbers of the steps of each letter and the sign after it.
    int filed[MANY_FILED]
    int filed_starts[LETTERS * (LETTERS + 1) + 1]


cdef Table table
cdef bint is_prepared = False


cdef int prepare() except -1:
    """Flattens the table, at first use: that takes milliseconds, which not every command should pay."""
    global table, is_prepared
    cdef Table new
    cdef int pair = 0, count = 0
    assert (REACH, MAX_SYMBOLS, len(SIGNS)) == (SIDE, CODE_SYMBOLS, LETTERS + 1)
    assert len(parsed_steps()) <= MANY_STEPS
    new.condition_count = new.pattern_count = new.sign_count = 0
    for step in parsed_steps():
        add_step(&new, step)
    for candidates in filed_steps().values():
        assert count + len(candidates) <= MANY_FILED
        new.filed_starts[pair] = count
        for step in candidates:
            new.filed[count] = step.number
            count += 1
        pair += 1
    new.filed_starts[pair] = count
    # No Python runs between these two, so another thread sees both or neither.
    table = new
    is_prepared = True
    return 0


cdef int add_step(Table* new, object step) except -1:
    cdef Step* row = &new.steps[<int>step.number]
    assert new.condition_count + len(step.conditions) <= MANY_CONDITIONS
    row.used = step.used
    row.primary, row.primary_size = packed(step.primary), len(step.primary)
    row.secondary, row.secondary_size = packed(step.secondary), len(step.secondary)
    row.conditions = new.condition_count
    for condition in step.conditions:
        new.conditions[new.condition_count].is_wanted = condition.is_wanted
        new.conditions[new.condition_count].patterns = new.pattern_count
        for pattern in condition.patterns:
            add_pattern(new, pattern)
        new.conditions[new.condition_count].patterns_end = new.pattern_count
        new.condition_count += 1
    row.conditions_end = new.condition_count
    return 0


cdef int add_pattern(Table* new, object pattern) except -1:
    assert new.pattern_count < MANY_PATTERNS and new.sign_count + len(pattern.signs) <= MANY_SIGNS
    cdef Pattern* row = &new.patterns[new.pattern_count]
    row.anchor, row.offset = pattern.anchor, pattern.offset
    row.signs = new.sign_count
    for allowed in pattern.signs:
        new.signs[new.sign_count] = sum([1 << SIGNS.index(sign) for sign in allowed])
        new.sign_count += 1
    row.signs_end = new.sign_count
    new.pattern_count += 1
    return 0


cdef uint32_t packed(str symbols) except? 0:
    numbers = [SYMBOLS.index(symbol) + 1 for symbol in symbols]
    return sum([number << (28 - 4 * place) for place, number in enumerate(numbers)])


cdef inline bint fits(
    const Pattern* pattern, const uint32_t* word, Py_ssize_t size, Py_ssize_t at, bint is_slavic
) noexcept nogil:
    """Lays a pattern on a word, which has `SIDE` signs more on both sides."""
    cdef Py_ssize_t place = pattern.offset
    cdef int k
    if pattern.anchor == HERE:
        place += at
    elif pattern.anchor == END:
        place += size
    elif pattern.anchor == SLAVIC:
        return is_slavic
    for k in range(pattern.signs, pattern.signs_end):
        if not word[place] & table.signs[k]:
            return False
        place += 1
    return True


cdef inline bint holds(
    const Step* step, const uint32_t* word, Py_ssize_t size, Py_ssize_t at, bint is_slavic
) noexcept nogil:
    cdef const Condition* condition
    cdef int c, p
    cdef bint is_met
    for c in range(step.conditions, step.conditions_end):
        condition = &table.conditions[c]
        is_met = False
        for p in range(condition.patterns, condition.patterns_end):
            if fits(&table.patterns[p], word, size, at, is_slavic):
                is_met = True
                break
        if is_met != condition.is_wanted:
            return False
    return True


cdef bint spell(
    const uint8_t* raw, Py_ssize_t size, uint8_t* letters, uint32_t* word, bint* is_slavic
) noexcept nogil:
    """Writes letters and their bits, with nothing on both sides; says whether there are only letters."""
    cdef Py_ssize_t i
    cdef uint8_t letter, before = NO_LETTER
    cdef uint32_t seen = 0
    is_slavic[0] = False
    for i in range(size):
        letter = (raw[i] | 32) - 97
        if letter >= LETTERS:
            return False
        letters[i] = letter
        word[i] = <uint32_t>1 << letter
        seen |= word[i]
        is_slavic[0] |= letter == 25 and before == 2  # CZ
        before = letter
    is_slavic[0] |= seen >> 22 & 1 or seen >> 10 & 1  # W, K
    letters[size] = NO_LETTER
    for i in range(SIDE):
        word[-1 - i] = word[size + i] = <uint32_t>1 << NO_LETTER
    return size > 0


cdef void pronounce(
    const uint8_t* letters, const uint32_t* word, Py_ssize_t size, bint is_slavic, uint32_t* codes
) noexcept nogil:
    cdef Py_ssize_t at = 0
    cdef int primary_size = 0, secondary_size = 0, pair, f
    cdef uint32_t primary = 0, secondary = 0
    cdef const Step* step
    while at < size and (primary_size < CODE_SYMBOLS or secondary_size < CODE_SYMBOLS):
        pair = letters[at] * (LETTERS + 1) + letters[at + 1]
        step = &table.steps[table.filed[table.filed_starts[pair + 1] - 1]]  # always fits
        for f in range(table.filed_starts[pair], table.filed_starts[pair + 1] - 1):
            if holds(&table.steps[table.filed[f]], word, size, at, is_slavic):
                step = &table.steps[table.filed[f]]
                break
        if primary_size < CODE_SYMBOLS:
            primary |= step.primary >> 4 * primary_size
            primary_size += step.primary_size
        if secondary_size < CODE_SYMBOLS:
            secondary |= step.secondary >> 4 * secondary_size
            secondary_size += step.secondary_size
        at += step.used
    codes[0] = primary
    codes[1] = secondary if secondary != primary else 0


def sound_codes_of(const uint64_t[::1] offsets not None, const uint8_t[::1] spellings not None):
    cdef Py_ssize_t count = offsets.shape[0] - 1, longest = 0, size, i
    cdef bint ascends = count >= 0 and offsets[count] <= <uint64_t>spellings.shape[0], is_slavic
    if ascends:
        for i in range(count):
            ascends = ascends and offsets[i] <= offsets[i + 1]
            longest = max(longest, <Py_ssize_t>(offsets[i + 1] - offsets[i]))
    if not ascends:
        raise ValueError("offsets must ascend and lie inside of the spellings")
    found = np.zeros((count, 2), np.uint32)
    if longest == 0:
        return found
    if not is_prepared:
        prepare()
    cdef uint32_t[:, ::1] codes = found
    cdef uint8_t* letters = <uint8_t*>malloc(longest + 1)
    cdef uint32_t* word = <uint32_t*>malloc((longest + 2 * SIDE) * sizeof(uint32_t))
    try:
        if not letters or not word:
            raise MemoryError
        with nogil:
            for i in range(count):
                size = offsets[i + 1] - offsets[i]
                if size and spell(&spellings[offsets[i]], size, letters, word + SIDE, &is_slavic):
                    pronounce(letters, word + SIDE, size, is_slavic, &codes[i, 0])
    finally:
        free(letters)
        free(word)
    return found
