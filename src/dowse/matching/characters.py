"""Sets of code points as sorted ranges, and how a pattern's sets divide all code points into classes."""

import re
from collections.abc import Sequence
from functools import cache

import numpy as np

from dowse.kernels.layout import U16, U32

LAST = 0x10FFFF
# Half-open ranges of code points, ascending, with gaps between them.
CharacterSet = tuple[tuple[int, int], ...]

ANY: CharacterSet = ((0, LAST + 1),)


def single(letter: str) -> CharacterSet:
    """Returns the set with one code point."""
    return ((ord(letter), ord(letter) + 1),)


def union_of(sets: Sequence[CharacterSet]) -> CharacterSet:
    """Returns the code points in any of the sets."""
    merged: list[tuple[int, int]] = []
    for start, stop in sorted(bounds for one in sets for bounds in one):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(stop, merged[-1][1]))
        else:
            merged.append((start, stop))
    return tuple(merged)


def complement(characters: CharacterSet) -> CharacterSet:
    """Returns the code points that are not in the set."""
    edges = [0, *(edge for bounds in characters for edge in bounds), LAST + 1]
    pairs = zip(edges[::2], edges[1::2], strict=True)
    return tuple((start, stop) for start, stop in pairs if start < stop)


@cache
def named_set(name: str) -> CharacterSet:
    r"""Returns what ``\d``, ``\w`` or ``\s`` stands for, or its opposite; `name` is the letter.

    Asks Python's own `re`, in one pass over the four planes that have letters: 13 to 23 ms for each
    name on a busy machine, once.
    """
    if name.isupper():
        return complement(named_set(name.lower()))
    letters = np.arange(4 << 16, dtype="<u4").tobytes().decode("utf-32-le", "surrogatepass")
    return tuple(found.span() for found in re.finditer(rf"\{name}+", letters))


def divide(sets: Sequence[CharacterSet]) -> tuple[U32, U16, list[list[int]]]:
    """Divides all code points into classes that no set tells apart.

    Returns:
        The first code point of each range, ascending from 0; the class of each range; and for every
        class the numbers of the sets that have it.
    """
    starts: dict[int, int] = {0: 0}
    for number, characters in enumerate(sets):
        for start, stop in characters:
            starts[start] = starts.get(start, 0) ^ 1 << number
            starts[stop] = starts.get(stop, 0) ^ 1 << number
    starts.pop(LAST + 1, None)
    bounds, classes, members, known = [], [], 0, dict[int, int]()
    for start in sorted(starts):
        members ^= starts[start]
        bounds.append(start)
        classes.append(known.setdefault(members, len(known)))
    sets_of_class = [[bit for bit in range(len(sets)) if mask >> bit & 1] for mask in known]
    return np.array(bounds, np.uint32), np.array(classes, np.uint16), sets_of_class
