"""Rows where words stand near their places in a phrase, each at a position of its own."""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t

from .phrases cimport SOON, PhraseTerms, Word, fetch_positions, intersect_block
from .positions cimport PositionBytes, read_positions

cdef enum:
    MAX_LOOSE_WORDS = 64
    NEVER = 1 << 30


# The positions of a sloppy phrase's words in one row, and the work of counting its matches.
cdef struct SloppyPhrase:
    int words
    int32_t slop
    int32_t offsets[MAX_LOOSE_WORDS]
    uint16_t* places[MAX_LOOSE_WORDS]
    Py_ssize_t sizes[MAX_LOOSE_WORDS]
    Py_ssize_t next_start[MAX_LOOSE_WORDS]  # the first position that implies a window not yet tried
    Py_ssize_t at[MAX_LOOSE_WORDS]  # the first position in the window
    int32_t owned[MAX_LOOSE_WORDS]  # the position a word has, -1 for none
    bint is_tried[MAX_LOOSE_WORDS]


cdef inline bint stands_near(const SloppyPhrase* phrase, int word) noexcept nogil:
    """Says whether a word stands near enough to the first one anywhere; a match of all words needs that."""
    cdef Py_ssize_t i = 0, j = 0
    cdef int32_t distance
    while i < phrase.sizes[0] and j < phrase.sizes[word]:
        distance = (phrase.places[0][i] - phrase.offsets[0]) - (phrase.places[word][j] - phrase.offsets[word])
        if distance > phrase.slop:
            j += 1
        elif -distance > phrase.slop:
            i += 1
        else:
            return True
    return False


cdef inline bint may_stand(SloppyPhrase* phrase) noexcept nogil:
    """Says whether some window has a position of every word; whether they are different ones is not asked.

    The word whose implied start comes first moves on until all starts are within the slop of each other.
    """
    cdef int32_t start, lowest, highest
    cdef int i, first
    for i in range(phrase.words):
        if not phrase.sizes[i]:
            return False
        phrase.at[i] = 0
    while True:
        lowest, highest, first = NEVER, -NEVER, 0
        for i in range(phrase.words):
            start = <int32_t>phrase.places[i][phrase.at[i]] - phrase.offsets[i]
            if start < lowest:
                lowest, first = start, i
            highest = max(highest, start)
        if highest - lowest <= phrase.slop:
            return True
        while <int32_t>phrase.places[first][phrase.at[first]] - phrase.offsets[first] < highest - phrase.slop:
            phrase.at[first] += 1
            if phrase.at[first] == phrase.sizes[first]:
                return False


cdef inline uint32_t count_matches(SloppyPhrase* phrase) noexcept nogil:
    """Counts matches as `reference/loose_phrases.py` defines them; linear unless words share positions.

    Windows ``start .. start + slop`` of implied starts are tried in ascending order. The one whose match
    ends first wins; no window from which a match would end later needs a look.
    """
    cdef int32_t start, following, end, best, last = -1, widest = 0
    cdef uint32_t found = 0
    cdef int i
    for i in range(phrase.words):
        phrase.at[i] = 0
        phrase.next_start[i] = 0
        widest = max(widest, phrase.offsets[i])
    while True:
        best, start = NEVER, -NEVER
        while True:
            following = NEVER
            for i in range(phrase.words):
                while (phrase.next_start[i] < phrase.sizes[i] and (
                        phrase.places[i][phrase.next_start[i]] <= last
                        or phrase.places[i][phrase.next_start[i]] - phrase.offsets[i] <= start)):
                    phrase.next_start[i] += 1
                if phrase.next_start[i] < phrase.sizes[i]:
                    following = min(following, phrase.places[i][phrase.next_start[i]] - phrase.offsets[i])
            start = following
            if start == NEVER or start + widest >= best:
                break
            end = first_end(phrase, start, last)
            best = min(best, end)
        if best == NEVER:
            return found
        found += 1
        last = best


cdef inline int32_t first_end(SloppyPhrase* phrase, int32_t start, int32_t last) noexcept nogil:
    """Returns the smallest last position of a match in one window, after `last`; NEVER for none."""
    cdef int32_t end = -1, place
    cdef int i, j
    cdef bint are_distinct = True
    for i in range(phrase.words):
        while phrase.at[i] < phrase.sizes[i] and (
                phrase.places[i][phrase.at[i]] <= last
                or phrase.places[i][phrase.at[i]] < start + phrase.offsets[i]):
            phrase.at[i] += 1
        if phrase.at[i] >= phrase.sizes[i]:
            return NEVER
        place = phrase.places[i][phrase.at[i]]
        if place > start + phrase.offsets[i] + phrase.slop:
            return NEVER
        phrase.owned[i] = -1
        end = max(end, place)
        for j in range(i):
            are_distinct = are_distinct and place != phrase.places[j][phrase.at[j]]
    if are_distinct:
        return end
    return first_distinct_end(phrase, start)


cdef inline int32_t first_distinct_end(SloppyPhrase* phrase, int32_t start) noexcept nogil:
    """Hands positions out in ascending order until every word has its own; earlier owners may move on.

    A word needs to look at no more positions than there are words: one of them is free.
    """
    cdef int32_t place = -1, following
    cdef int i, placed = 0
    cdef Py_ssize_t k
    while True:
        following = NEVER
        for i in range(phrase.words):
            k = phrase.at[i]
            while k < phrase.sizes[i] and phrase.places[i][k] <= place:
                k += 1
            if (k < min(phrase.sizes[i], phrase.at[i] + phrase.words)
                    and phrase.places[i][k] <= start + phrase.offsets[i] + phrase.slop):
                following = min(following, phrase.places[i][k])
        place = following
        if place == NEVER:
            return NEVER
        for i in range(phrase.words):
            phrase.is_tried[i] = False
        placed += augment_matching(phrase, start, place)
        if placed == phrase.words:
            return place


cdef inline bint augment_matching(SloppyPhrase* phrase, int32_t start, int32_t place) noexcept nogil:
    """Gives a position to a word that can stand there, moving others if need be (Kuhn 1955)."""
    cdef int i
    cdef Py_ssize_t k
    for i in range(phrase.words):
        if phrase.is_tried[i] or place > start + phrase.offsets[i] + phrase.slop:
            continue
        k = phrase.at[i]
        while k < phrase.sizes[i] and phrase.places[i][k] < place:
            k += 1
        if k >= min(phrase.sizes[i], phrase.at[i] + phrase.words) or phrase.places[i][k] != place:
            continue
        phrase.is_tried[i] = True
        if phrase.owned[i] < 0 or augment_matching(phrase, start, phrase.owned[i]):
            phrase.owned[i] = place
            return True
    return False


cdef inline uint32_t find_sloppy_rows(const PositionBytes* positions, PhraseTerms* words, SloppyPhrase* phrase,
                                      uint32_t* out_rows, uint8_t* out_freqs) noexcept nogil:
    """Does for a phrase phrase what `run_phrase` does."""
    cdef uint32_t first = 0, kept = 0, matches, m, freq
    cdef Word* entries = words.entries
    cdef int i
    while first < entries[0].postings.size:
        matches = intersect_block(words, &first)
        for m in range(SOON):
            fetch_positions(positions, words, m, matches)
        for m in range(matches):
            fetch_positions(positions, words, m + SOON, matches)
            for i in range(words.count):
                phrase.sizes[i] = read_positions(positions, &entries[i].cursor, entries[i].met[m], phrase.places[i])
                if not stands_near(phrase, i):
                    break  # most rows end here
            else:
                freq = count_matches(phrase) if may_stand(phrase) else 0
                if freq:
                    out_rows[kept] = entries[0].postings.rows[entries[0].met[m]]
                    out_freqs[kept] = <uint8_t>min(freq, <uint32_t>255)
                    kept += 1
    return kept
