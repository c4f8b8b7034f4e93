"""A random rotation that is made from a seed, in integers, the same everywhere.

Each of three rounds shuffles the dimensions, flips signs and multiplies neighbouring dimensions, a block of
up to 256 at a time, by a Hadamard matrix. After two rounds every dimension depends on all others. A dense
random matrix finds no more (recall of real vectors differs by less than between two seeds) and would have to
be stored: 64 MB at 4,096 dimensions, because matrices made by `numpy.linalg` differ between machines. So
would products made by BLAS, even between two rows of one call; sums and differences do not, and equal vectors
keep equal codes and scores.
"""

from functools import cached_property

import numpy as np
from msgspec import Struct

from dowse.kernels.layout import F32, I64, U64

ROUNDS = 3
LARGEST_BLOCK = 256
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


class Rotation(Struct, frozen=True, dict=True):
    """An orthogonal map of vectors of `width` dimensions.

    Attributes:
        width: Dimensions, a multiple of 64.
        seed: Chooses the map.
    """

    width: int
    seed: int

    @cached_property
    def _rounds(self) -> list[tuple[I64, F32]]:
        """The order of dimensions and their signs, round by round."""
        found = []
        for number in range(ROUNDS):
            draws = _random_words(self.seed, 2 * number * self.width, 2 * self.width)
            order = np.argsort(draws[: self.width], kind="stable")
            signs = np.where(draws[self.width :] >> np.uint64(63), -1, 1).astype(np.float32)
            found.append((order, signs))
        return found

    @property
    def _block(self) -> int:
        """Dimensions mixed at a time: a power of two that divides the width."""
        return min(self.width & -self.width, LARGEST_BLOCK)

    @cached_property
    def _hadamard(self) -> F32:
        return self._mix(np.eye(self.width, self._block, dtype=np.float32))[: self._block]

    def rotate(self, vectors: F32) -> F32:
        """Returns rotated vectors, [n, width]; lengths and inner products stay, equal ones stay equal."""
        columns = vectors.T
        for order, signs in self._rounds:
            columns = self._mix(columns[order] * signs[:, None])
        return np.ascontiguousarray(columns.T)

    def rotate_one(self, vector: F32) -> F32:
        """Returns one vector rotated, as `rotate` does but for rounding, in a quarter of the time."""
        for order, signs in self._rounds:
            blocks = (vector[order] * signs).reshape(-1, len(self._hadamard))
            vector = (blocks @ self._hadamard).reshape(-1).astype(np.float32, copy=False)
        return vector

    def rotate_back(self, vectors: F32) -> F32:
        """Returns what `rotate` was given."""
        columns = np.ascontiguousarray(vectors.T)
        for order, signs in reversed(self._rounds):
            mixed = self._mix(columns) * signs[:, None]
            columns = np.empty_like(mixed)
            columns[order] = mixed
        return np.ascontiguousarray(columns.T)

    def _mix(self, columns: F32) -> F32:
        """Returns columns, [width, n], times Hadamard matrices; it is its own way back."""
        half = 1
        while half < self._block:
            pairs = columns.reshape(self.width // (2 * half), 2, half, -1)
            columns = np.empty_like(columns)
            sums = columns.reshape(pairs.shape)
            np.add(pairs[:, 0], pairs[:, 1], out=sums[:, 0])
            np.subtract(pairs[:, 0], pairs[:, 1], out=sums[:, 1])
            half *= 2
        columns *= np.float32(1 / np.sqrt(self._block))
        return columns


def _random_words(seed: int, first: int, count: int) -> U64:
    """Returns numbers `first`, `first` + 1, … of the sequence SplitMix64 makes from a seed."""
    steps = np.arange(first + 1, first + count + 1, dtype=np.uint64)
    words = np.uint64(seed) + steps * _GOLDEN
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))
