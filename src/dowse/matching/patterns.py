"""Ways to choose words from a vocabulary; each makes what `match_expansion` needs."""

import numpy as np

from dowse.kernels.layout import U8, U32
from dowse.matching.automaton import Pattern
from dowse.matching.expansions import Choose, Found
from dowse.storage.word_dictionary import WordDictionary

# Words looked at before the most frequent are chosen: a pattern that fits everything stays quick.
MAX_WORDS = 200_000


def starting_with(prefix: str) -> Choose:
    """Chooses words that start with a folded text."""
    encoded = prefix.encode("utf-8", "replace")

    def choose(words: WordDictionary) -> Found:
        start, stop = words.vocabulary.prefix_range(encoded)
        return _all_at_once(np.arange(start, min(stop, start + MAX_WORDS), dtype=np.uint32), stop - start)

    return choose


def fitting(pattern: Pattern) -> Choose:
    """Chooses words that a pattern matches."""

    def choose(words: WordDictionary) -> Found:
        start, stop = words.vocabulary.prefix_range(pattern.literal_prefix)
        # What all words in the range begin with rules none of them out.
        inner = b"" if pattern.literal in pattern.literal_prefix else pattern.literal
        found, is_complete = words.vocabulary.matching(
            pattern.automaton,
            start,
            stop,
            MAX_WORDS,
            pattern.literal_suffix,
            inner if len(inner) > 1 else b"",
        )
        return Found(found, np.zeros(len(found), np.uint8), is_complete)

    return choose


def similar_to(word: str, max_edits: int, first_letter_cost: int) -> Choose:
    """Chooses words at most some edits away from a folded word."""

    def choose(words: WordDictionary) -> Found:
        return Found(*words.vocabulary.within_edits(word, max_edits, first_letter_cost))

    return choose


def sounding_like(word: str, codes: tuple[int, int]) -> Choose:
    """Chooses words that share a sound code with a folded word; other spellings are one step away."""
    wanted = [code for code in codes if code]
    spelling = word.encode("utf-8", "replace")

    def choose(words: WordDictionary) -> Found:
        if not wanted:
            return _all_at_once(np.zeros(0, np.uint32), 0)
        codes = words.sounds.reshape(-1)
        fits = codes == wanted[0]
        for code in wanted[1:]:
            fits |= codes == code
        # Each word has two codes, and is found once however many of them fit.
        found = np.flatnonzero(fits[0::2] | fits[1::2]).astype(np.uint32)
        distances: U8 = np.ones(len(found), np.uint8)
        start, stop = words.vocabulary.prefix_range(spelling)
        for at in np.flatnonzero((found >= start) & (found < stop)).tolist():
            distances[at] = words.vocabulary.spelling(int(found[at])) != spelling
        return Found(found, distances)

    return choose


def _all_at_once(ordinals: U32, total: int) -> Found:
    return Found(ordinals, np.zeros(len(ordinals), np.uint8), len(ordinals) >= total)
