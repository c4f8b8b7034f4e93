"""Brings texts to Unicode normal form C, with a way back to the places in the original.

The table folds single characters, so a letter and its accent, or three jamo, must first become the
one character they stand for. Nearly all text already has that form; whether it has costs nothing
for ASCII and little for the rest, and only the others pay for normalising.
"""

import functools
import unicodedata

from dowse.kernels import find_uncomposed

# Half-width kana write their voicing mark as a second letter, which is normal form C but not one
# character.
_VOICING_MARKS = ("\uff9e", "\uff9f")


def is_composed(text: str) -> bool:
    """True when the text can be folded character by character."""
    return text.isascii() or (
        unicodedata.is_normalized("NFC", text) and not any(mark in text for mark in _VOICING_MARKS)
    )


def compose(text: str) -> str:
    """Returns the text in normal form C, half-width kana with voicing marks included."""
    if any(mark in text for mark in _VOICING_MARKS):
        text = text.translate(_half_width_kana())
    return unicodedata.normalize("NFC", text)


def compose_all(texts: list[str]) -> list[str]:
    """Returns each text as it is, if it can be folded character by character, else composed."""
    composed = texts
    for place in find_uncomposed(texts):
        if not is_composed(texts[place]):
            composed = composed.copy() if composed is texts else composed
            composed[place] = compose(texts[place])
    return composed


def compose_with_places(text: str) -> tuple[str, list[int], list[int]]:
    """Returns `compose` of a text, and where each character starts and ends in the original.

    Works on one letter with its marks at a time; within it every character has the whole as its
    place.
    """
    composed: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    begin = 0
    while begin < len(text):
        end = begin + 1
        while end < len(text) and _continues(text[end]):
            end += 1
        piece = compose(text[begin:end])
        composed.append(piece)
        starts += [begin] * len(piece)
        ends += [end] * len(piece)
        begin = end
    return "".join(composed), starts, ends


def _continues(char: str) -> bool:
    """True when a character may merge with, or be ordered among, those before it."""
    return (
        unicodedata.category(char)[0] == "M"
        or "\u1160" <= char <= "\u11ff"
        or char in _VOICING_MARKS
    )


@functools.cache
def _half_width_kana() -> dict[int, str]:
    """The full-width letter or mark of each half-width one; one character for one."""
    return {code: unicodedata.normalize("NFKC", chr(code)) for code in range(0xFF66, 0xFFA0)}
