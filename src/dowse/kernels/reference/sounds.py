"""How the words of a dictionary are pronounced; the plain twin."""

from itertools import pairwise
from operator import contains

import numpy as np

from dowse.kernels.layout import U8, U32, U64
from dowse.kernels.sound_patterns import NONE, REACH, Anchor, Condition, Pattern, Step, filed_steps
from dowse.kernels.sound_rules import MAX_SYMBOLS, SLAVIC, SYMBOLS


def sound_codes_of(offsets: U64, spellings: U8) -> U32:
    """Returns both Double Metaphone codes of each word, [words, 2].

    A code is packed into 32 bits, 4 a symbol, first symbol highest; symbols after the eighth are left out,
    and 0 is no code. The second one is 0 when it is like the first. Words of anything but the letters a to
    z, large or small, have no codes.

    Raises:
        ValueError: Offsets do not ascend or lie outside of the spellings.
    """
    ends = offsets.tolist()
    if not ends or ends[-1] > len(spellings) or any(end < start for start, end in pairwise(ends)):
        raise ValueError("offsets must ascend and lie inside of the spellings")
    raw = spellings.tobytes().decode("latin-1")
    codes = [_codes(raw[start:end]) for start, end in pairwise(ends)]
    return np.array(codes, np.uint32).reshape(-1, 2)


def _codes(word: str) -> tuple[int, int]:
    if not (word.isascii() and word.isalpha()):
        return 0, 0
    padded = NONE * REACH + word.upper() + NONE * REACH
    primary, secondary = "", ""
    at, end = REACH, REACH + len(word)
    while at < end and min(len(primary), len(secondary)) < MAX_SYMBOLS:
        step = _step(padded, at)
        primary += step.primary
        secondary += step.secondary
        at += step.used
    packed = _pack(primary), _pack(secondary)
    return packed[0], 0 if packed[0] == packed[1] else packed[1]


def _step(padded: str, at: int) -> Step:
    """Returns the first rule that fits a place of a word with nothing on both sides."""
    for step in filed_steps()[padded[at : at + 2]]:
        if all(_holds(condition, padded, at) for condition in step.conditions):
            return step
    raise AssertionError("the last rule always fits")


def _holds(condition: Condition, padded: str, at: int) -> bool:
    for pattern in condition.patterns:
        if _fits(pattern, padded, at):
            return condition.is_wanted
    return not condition.is_wanted


def _fits(pattern: Pattern, padded: str, at: int) -> bool:
    if pattern.anchor is Anchor.SLAVIC:
        return any(trait in padded for trait in SLAVIC)
    if pattern.anchor is Anchor.BEGINNING:
        at = REACH
    elif pattern.anchor is Anchor.END:
        at = len(padded) - REACH
    return all(map(contains, pattern.signs, padded[at + pattern.offset :]))


def _pack(symbols: str) -> int:
    numbers = [SYMBOLS.index(symbol) + 1 for symbol in symbols[:MAX_SYMBOLS]]
    return sum(number << (28 - 4 * place) for place, number in enumerate(numbers))
