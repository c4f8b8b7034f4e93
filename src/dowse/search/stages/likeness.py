"""How like each other hits are: by their vectors, or by the words they share."""

import re
from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np

from dowse.kernels.layout import F32
from dowse.search.context import StageContext

ENOUGH_VECTORS = 0.9
"""With fewer than that share, words are compared instead: the two measures do not mix well."""
_WORD = re.compile(r"\w+")


class Likeness(Protocol):
    """Compares hits by their places in the list it was made of; 0 for nothing in common, 1 for the same.

    Attributes:
        by: What is compared, for people.
    """

    by: str

    def row(self, place: int) -> F32:
        """Returns how like each hit is to one of them."""
        ...


class Cosines:
    """Compares vectors; a hit without one is like nothing but itself."""

    by = "vectors"

    def __init__(self, keys: Sequence[int], vectors: Mapping[int, F32]) -> None:
        width = len(next(iter(vectors.values())))
        nothing = np.zeros(width, np.float32)
        self._vectors = np.stack([vectors.get(key, nothing) for key in keys]).astype(np.float32)

    def row(self, place: int) -> F32:
        """Returns the cosines with one of them; below 0 is no more unlike than 0."""
        # Not a product of matrices, for which BLAS would wake other threads and wait for them.
        found: F32 = (self._vectors * self._vectors[place]).sum(axis=1).clip(0.0, 1.0)
        found[place] = 1.0
        return found


class SharedParts:
    """Compares sets by Jaccard: what both have of what either has."""

    by = "words"

    def __init__(self, parts: Sequence[frozenset[object]]) -> None:
        self._parts = parts

    def row(self, place: int) -> F32:
        """Returns the shares; two hits without anything are the same."""
        own = self._parts[place]
        shares = [len(own & other) / len(own | other) if own or other else 1.0 for other in self._parts]
        return np.array(shares, np.float32)


def find_vectors(keys: Sequence[int], context: StageContext) -> Cosines | None:
    """Returns the likeness by vectors; None when too few hits have one."""
    vectors = context.vectors(keys)
    if not keys or len(vectors) < ENOUGH_VECTORS * len(keys):
        return None
    return Cosines(keys, vectors)


def compare_words(keys: Sequence[int], context: StageContext) -> SharedParts:
    """Returns the likeness by the words that texts have."""
    texts = context.texts(keys)
    return SharedParts([frozenset(split_words(texts.get(key, ""))) for key in keys])


def compare_shingles(keys: Sequence[int], context: StageContext, size: int) -> SharedParts:
    """Returns the likeness by the runs of so many words that texts have; a shorter text is one run."""
    texts = context.texts(keys)
    return SharedParts([_shingles(split_words(texts.get(key, "")), size) for key in keys])


def split_words(text: str) -> list[str]:
    """Returns the words of a text in order, case folded."""
    return _WORD.findall(text.casefold())


def _shingles(words: list[str], size: int) -> frozenset[object]:
    if len(words) <= size:
        return frozenset([tuple(words)])
    return frozenset(zip(*(words[start:] for start in range(size)), strict=False))
