"""Learns to correct static vectors: the straight map that brings them nearest to the transformer's.

Ridge regression with an intercept (Hoerl & Kennard, 1970, Technometrics), computed from sums of products,
so that vectors may come in any number of parts, in any order, and none need be kept. Where we differ: the
penalty pulls towards a map that is known already (at first, leaving vectors as they are) instead of towards
zero, and it does not grow with the number of vectors, so that few of them change little and many decide.
"""

import hashlib

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from dowse.embedding.embedder import Vectors, normalise
from dowse.errors import InvalidParameterError

DEFAULT_RIDGE = 1.0
PRIOR_SCALE = 0.5
"""How far static vectors move away from the mean before anything is known better."""


class LinearMap(Struct, frozen=True):
    """``x ↦ x · matrix + offset``, then length 1.

    Attributes:
        matrix: (dimensions, dimensions) float32.
        offset: (dimensions,) float32.
    """

    matrix: NDArray[np.float32]
    offset: NDArray[np.float32]

    def apply(self, vectors: Vectors) -> Vectors:
        """Returns the mapped vectors, of length 1."""
        return normalise(vectors @ self.matrix + self.offset)

    def encode(self) -> bytes:
        """Returns the numbers for keeping: little-endian float32, the matrix row by row, then the offset."""
        return self.matrix.astype("<f4").tobytes() + self.offset.astype("<f4").tobytes()

    @property
    def fingerprint(self) -> str:
        """Changes with the numbers."""
        return hashlib.sha256(self.encode()).hexdigest()


def decode_map(content: bytes, dimensions: int) -> LinearMap | None:
    """Returns the map that `LinearMap.encode` kept; None when the bytes hold no such map."""
    numbers = np.frombuffer(content[: len(content) // 4 * 4], "<f4").astype(np.float32)
    size = dimensions * dimensions
    if len(content) != 4 * (size + dimensions) or not np.isfinite(numbers).all():
        return None
    return LinearMap(numbers[:size].reshape(dimensions, dimensions), numbers[size:])


def unlearned_map(dimensions: int) -> LinearMap:
    """Returns the map that leaves the direction of vectors as it is."""
    return LinearMap(PRIOR_SCALE * np.eye(dimensions, dtype=np.float32), np.zeros(dimensions, np.float32))


class MapFitter:
    """Sums over pairs of a static vector and the transformer's vector of the same text."""

    def __init__(self, dimensions: int, prior: LinearMap | None = None) -> None:
        """Starts without pairs.

        Args:
            dimensions: Length of the vectors.
            prior: What the map is as long as nothing is known better; `unlearned_map` when None.
        """
        self.count = 0
        self._prior = prior or unlearned_map(dimensions)
        self._static_sum = np.zeros(dimensions)
        self._model_sum = np.zeros(dimensions)
        self._static_products = np.zeros((dimensions, dimensions))
        self._mixed_products = np.zeros((dimensions, dimensions))

    def add(self, static_vectors: Vectors, model_vectors: Vectors) -> None:
        """Takes pairs: row by row, (n, dimensions) each. They are not kept."""
        if static_vectors.shape != model_vectors.shape:
            legal = f"they are pairs: give {static_vectors.shape} of each"
            raise InvalidParameterError(name="model_vectors", value=model_vectors.shape, legal=legal)
        left, right = static_vectors.astype(np.float64), model_vectors.astype(np.float64)
        self.count += len(left)
        self._static_sum += left.sum(axis=0)
        self._model_sum += right.sum(axis=0)
        self._static_products += left.T @ left
        self._mixed_products += left.T @ right

    def solve(self, ridge: float = DEFAULT_RIDGE) -> LinearMap:
        """Returns the best map for the pairs so far.

        Args:
            ridge: How strongly the matrix is held to the prior; above 0. The offset is never held.
        """
        if not ridge > 0.0:
            raise InvalidParameterError(name="ridge", value=ridge, legal="legal values are above 0")
        if self.count == 0:
            return self._prior
        static_mean, model_mean = self._static_sum / self.count, self._model_sum / self.count
        spread = self._static_products - self.count * np.outer(static_mean, static_mean)
        mixed = self._mixed_products - self.count * np.outer(static_mean, model_mean)
        prior = self._prior.matrix.astype(np.float64)
        matrix = np.linalg.solve(spread + ridge * np.eye(len(spread)), mixed + ridge * prior)
        offset = model_mean - static_mean @ matrix
        return LinearMap(matrix.astype(np.float32), offset.astype(np.float32))


def fit(static_vectors: Vectors, model_vectors: Vectors, ridge: float = DEFAULT_RIDGE) -> LinearMap:
    """Returns the map that brings static vectors nearest to the transformer's; (n, dimensions) each."""
    fitter = MapFitter(static_vectors.shape[1])
    fitter.add(static_vectors, model_vectors)
    return fitter.solve(ridge)
