"""Text to its folded form, and to the signature of that form, for the search of substrings.

Folding is the first pass of `tokenising` without the second: case, accents, widths and invisible
characters go by the same table, white space becomes one space, and all else stays, punctuation included.

A signature is a Bloom filter of 4,096 bits: every pair and every triple of neighbouring code points of the
folded text sets one. A substring has no pair or triple that its text has not, so a text without one of its
bits cannot contain it. The bit is the top 12 bits of ``key * 0x9E3779B97F4A7C15`` modulo 2**64, where the
key of a triple is ``a << 42 | b << 21 | c`` and that of a pair ``1 << 63 | a << 21 | b``. Pairs are there
for queries of two characters, which are words in some scripts.
"""

import re

import numpy as np

from dowse.kernels.layout import SIGNATURE_BITS, U8, U16, U32

SPACE, UNSEGMENTED, LETTER, MARK, IGNORED = 1, 12, 13, 16, 17

_MIX = np.uint64(0x9E3779B97F4A7C15)
_PAIR = np.uint64(1 << 63)
_SHIFT = np.uint64(64 - 12)
_DOUBTFUL = re.compile("[^\0-\u02ff\u2010-\u2027]")


def read_entry(pages: U16, entries: U32, pool: U32, char: str) -> tuple[int, str]:
    """Returns class and fold of a character."""
    code = ord(char)
    entry = int(entries[int(pages[code >> 7]) * 128 + (code & 127)])
    value, fold_kind = entry & 0x1FFFFF, entry >> 21 & 3
    if fold_kind == 2:
        count = int(pool[value])
        return entry >> 24, "".join(map(chr, pool[value + 1 : value + 1 + count].tolist()))
    return entry >> 24, chr(value) if fold_kind == 1 else char


def signature_bits(folded: str) -> U32:
    """Returns the different bits of a folded text, ascending; none for a text of one character."""
    codes = np.array([ord(char) for char in folded], np.uint64)
    one, two = np.uint64(21), np.uint64(42)
    pairs = _PAIR | codes[:-1] << one | codes[1:]
    triples = codes[:-2] << two | codes[1:-1] << one | codes[2:]
    keys = np.concatenate([pairs, triples])
    return np.unique(keys * _MIX >> _SHIFT).astype(np.uint32)


def find_uncomposed(texts: list[str]) -> list[int]:
    """Returns the places of the texts that may be in another normal form than C.

    The rest certainly are in it, for no character of theirs changes in it or combines with another: they
    have none from U+0300 on but common punctuation, U+2010 to U+2027. Takes less than 0.1 µs a text.
    """
    return [place for place, text in enumerate(texts) if _DOUBTFUL.search(text)]


class Folder:
    """Folds texts and signs them; changes nothing, so threads may share one.

    Args:
        pages: Page number of each run of 128 code points, 8,704 values.
        entries: Class and fold of each code point of each page, 128 values per page.
        pool: Fold sequences, each preceded by its length.
    """

    def __init__(self, pages: U16, entries: U32, pool: U32) -> None:
        self._pages, self._entries, self._pool = pages, entries, pool
        self._known: dict[str, tuple[int, str]] = {}

    def fold(self, text: str) -> str:
        """Folds a text in normal form C character by character; the result may be in no normal form."""
        return self._fold(text)[0]

    def sign_all(self, texts: list[str]) -> tuple[U8, U8]:
        """Signs the folded forms of texts; the compiled twin does it without holding the interpreter.

        Returns:
            The signatures, 512 bytes per text, bit ``s`` being bit ``s % 8`` of byte ``s // 8``. And a mark
            for each text whose folded form may be in no normal form, because something fell away or
            changed beside a character that could combine with its neighbour.
        """
        marks = np.zeros((len(texts), SIGNATURE_BITS), np.uint8)
        doubtful = np.zeros(len(texts), np.uint8)
        for i, text in enumerate(texts):
            folded, doubtful[i] = self._fold(text)
            marks[i, signature_bits(folded)] = 1
        return np.packbits(marks, axis=1, bitorder="little"), doubtful

    def _fold(self, text: str) -> tuple[str, bool]:
        folded: list[str] = []
        has_changes = can_combine = in_space = False
        for char in text:
            kind, fold = self._look_up(char)
            if kind == IGNORED:
                has_changes = True
                continue
            if kind != SPACE:
                folded.append(fold)
                has_changes = has_changes or (fold != char and char >= "\x80")
                can_combine = can_combine or (char > "\xff" and _can_combine(kind, fold))
            elif not in_space:
                folded.append(" ")
            in_space = kind == SPACE
        return "".join(folded), has_changes and can_combine

    def _look_up(self, char: str) -> tuple[int, str]:
        found = self._known.get(char)
        if found is None:
            found = read_entry(self._pages, self._entries, self._pool, char)
            self._known[char] = found
        return found


def _can_combine(kind: int, fold: str) -> bool:
    """True for marks, letters that join (jamo, kana), and all that is not known to be harmless."""
    if len(fold) > 1:
        return max(fold) >= "\u0300"
    return kind in (MARK, UNSEGMENTED) or (kind == LETTER and fold >= "\U00010000")
