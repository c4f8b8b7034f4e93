"""How a word is pronounced, by Double Metaphone: the only place that knows the package.

Double Metaphone (Philips, "The Double Metaphone Search Algorithm", C/C++ Users Journal, 2000) gives a word
one or two codes of the 14 symbols below; words that sound alike in English share one. A code is packed
into 32 bits, 4 a symbol, first symbol highest; symbols after the eighth are left out, and 0 is no code.
"""

import functools
import importlib
from collections.abc import Callable, Sequence
from itertools import chain
from typing import cast

import numpy as np
import numpy.typing as npt

from dowse.kernels.layout import U8, U32, U64

SYMBOLS = "0AFHJKLMNPRSTX"
MAX_SYMBOLS = 8

_Coder = Callable[[str], tuple[str, str]]


def sound_codes(word: str) -> tuple[int, int]:
    """Returns the packed codes of a folded word, (0, 0) for anything but letters a to z.

    The second one is 0 unless the word may be pronounced in another way.
    """
    if not (word.isascii() and word.isalpha()):
        return 0, 0
    primary, secondary = _pack([_coder()(word)])[0].tolist()
    return primary, secondary


def sounds_of(offsets: U64, spellings: U8) -> U32:
    """Returns the `sound_codes` of each word of a dictionary, [words, 2].

    Takes about 2 µs a word, nearly all of it in the package, which holds the interpreter.
    """
    others = np.concatenate([np.zeros(1, np.uint32), np.cumsum(~_letters()[spellings], dtype=np.uint32)])
    starts, ends = offsets[:-1].astype(np.int64), offsets[1:].astype(np.int64)
    sounding = np.flatnonzero((others[starts] == others[ends]) & (ends > starts))
    raw = spellings.tobytes().decode("latin-1")
    places = zip(starts[sounding].tolist(), ends[sounding].tolist(), strict=True)
    code = _coder()
    found = np.zeros((len(starts), 2), np.uint32)
    found[sounding] = _pack([code(raw[start:end]) for start, end in places])
    return found


def _pack(codes: Sequence[tuple[str, str]]) -> U32:
    """Packs pairs of codes; a sign that is not a symbol has the number 15."""
    # The type cuts codes and fills them up with zeros.
    texts = np.array(list(chain.from_iterable(codes)), f"S{MAX_SYMBOLS}")
    numbers = _numbers()[texts.view(np.uint8).reshape(-1, MAX_SYMBOLS)]
    packed = np.zeros(len(texts), np.uint32)
    for place in range(MAX_SYMBOLS):
        packed |= numbers[:, place] << np.uint32(28 - 4 * place)
    pairs = packed.reshape(-1, 2)
    pairs[pairs[:, 0] == pairs[:, 1], 1] = 0
    return pairs


@functools.cache
def _letters() -> npt.NDArray[np.bool_]:
    """Says of each byte whether it is a letter from a to z."""
    return np.array([chr(byte).isascii() and chr(byte).isalpha() for byte in range(256)])


@functools.cache
def _numbers() -> U32:
    """The number of each symbol, by its byte."""
    numbers = [SYMBOLS.find(chr(byte)) + 1 or 15 for byte in range(256)]
    return np.array([0, *numbers[1:]], np.uint32)


@functools.cache
def _coder() -> _Coder:
    # Imported on first use and by name, as the stemmer is: it has no types to check against.
    return cast(_Coder, importlib.import_module("doublemetaphone").doublemetaphone)
