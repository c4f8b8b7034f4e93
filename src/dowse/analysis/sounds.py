"""How a word is pronounced, by Double Metaphone: the only place that knows the package.

Double Metaphone (Philips, "The Double Metaphone Search Algorithm", C/C++ Users Journal, 2000) gives a word
one or two codes of the 14 symbols below; words that sound alike in English share one. A code is packed
into 32 bits, 4 a symbol, first symbol highest; symbols after the eighth are left out, and 0 is no code.
"""

import functools
import importlib
from collections.abc import Callable
from itertools import pairwise
from typing import cast

import numpy as np

from dowse.kernels.layout import U8, U32, U64

SYMBOLS = "0AFHJKLMNPRSTX"
MAX_SYMBOLS = 8

_NUMBERS = {symbol: number for number, symbol in enumerate(SYMBOLS, 1)}
_Coder = Callable[[str], tuple[str, str]]


def sound_codes(word: str) -> tuple[int, int]:
    """Returns the packed codes of a folded word, (0, 0) for anything but letters a to z.

    The second one is 0 unless the word may be pronounced in another way.
    """
    if not (word.isascii() and word.isalpha()):
        return 0, 0
    primary, secondary = _coder()(word)
    return _pack(primary), _pack(secondary) if secondary != primary else 0


def sounds_of(offsets: U64, spellings: U8) -> U32:
    """Returns the `sound_codes` of each word of a dictionary, [words, 2]."""
    code, pack = _coder(), _pack
    raw = spellings.tobytes().decode("latin-1")
    found: list[int] = []
    for start, end in pairwise(offsets.tolist()):
        word = raw[start:end]
        if word.isascii() and word.isalpha():
            primary, secondary = code(word)
            found.append(pack(primary))
            found.append(pack(secondary) if secondary != primary else 0)
        else:
            found += 0, 0
    return np.array(found, np.uint32).reshape(-1, 2)


@functools.lru_cache(65_536)
def _pack(code: str) -> int:
    """Packs a code; a sign that is not a symbol has the number 15."""
    packed = 0
    for place, symbol in enumerate(code[:MAX_SYMBOLS]):
        packed |= _NUMBERS.get(symbol, 15) << 28 - 4 * place
    return packed


@functools.cache
def _coder() -> _Coder:
    # Imported on first use and by name, as the stemmer is: it has no types to check against.
    return cast(_Coder, importlib.import_module("doublemetaphone").doublemetaphone)
