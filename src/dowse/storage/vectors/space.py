"""The space of an index's vectors: where its middle is, and how it is turned.

Made once for an index, from the first vectors there are, and kept: codes of different spaces cannot be
compared. A mean that has aged costs recall, never correctness, because estimates hold for any mean.
"""

import zlib
from functools import cached_property

import numpy as np
from msgspec import Struct

from dowse.errors import InvalidParameterError
from dowse.kernels.layout import F32, I8, I16, MAX_QUERY_LEVEL, MAX_VECTOR_WIDTH, U8, AnyArray
from dowse.storage.vectors.codes import SIXTEENTHS, VectorCodes, encode_rotated, fine_levels
from dowse.storage.vectors.rotation import Rotation

ALIGNMENT = 64
UNIT_TOLERANCE = 0.01
DEFAULT_SEED = 1
_HALF_RANGE = 15  # a query's levels stand for -15, -13, … 15 steps
_NIBBLES = (np.arange(16)[:, None] >> np.arange(4) & 1).astype(np.int64)


class PreparedQuery(Struct, frozen=True, eq=False, dict=True):
    """A query as the kernels read it; good for every segment of its space, and for any number of threads.

    Attributes:
        base: The part of the inner product that all vectors share, ``⟨m, q⟩``.
        centred: The query less the mean, rotated; f32 [width].
        levels: The query in 12 bits, see `score_levels`.
        level_step: What one of its units stands for.
        fingerprint: Of the space.
    """

    base: float
    centred: F32
    levels: I16
    level_step: float
    fingerprint: int

    @cached_property
    def step(self) -> float:
        """What one unit of the 4-bit query stands for."""
        return float(np.abs(self.centred).max()) / _HALF_RANGE or 1.0

    @cached_property
    def lookup(self) -> U8:
        """[width / 4, 16], see `scan_bits`; made when it is asked for, because scoring does without."""
        units = np.rint((self.centred / self.step + _HALF_RANGE) / 2).astype(np.int64).reshape(-1, 4)
        lookup = (_HALF_RANGE - units).sum(axis=1)[:, None] + (2 * units - _HALF_RANGE) @ _NIBBLES.T
        table: U8 = lookup.astype(np.uint8)
        return table


class VectorSpace(Struct, frozen=True, eq=False, dict=True):
    """Mean and rotation of an index's vectors.

    Attributes:
        dimensions: Of the vectors; up to 4,096.
        mean: f32 [dimensions].
        seed: Chooses the rotation; 64 bits.

    Raises:
        InvalidParameterError: Too many dimensions or none, or a mean of another size or with no numbers.
    """

    dimensions: int
    mean: F32
    seed: int = DEFAULT_SEED

    def __post_init__(self) -> None:
        if not 1 <= self.dimensions <= MAX_VECTOR_WIDTH:
            legal = f"vectors have 1 to {MAX_VECTOR_WIDTH} dimensions"
            raise InvalidParameterError(name="dimensions", value=self.dimensions, legal=legal)
        if self.mean.shape != (self.dimensions,) or not np.isfinite(self.mean).all():
            legal = f"it has {self.dimensions} finite numbers"
            raise InvalidParameterError(name="mean", value=f"of shape {self.mean.shape}", legal=legal)

    @property
    def width(self) -> int:
        """Dimensions of codes: those of the vectors, rounded up to a multiple of 64."""
        return -(-self.dimensions // ALIGNMENT) * ALIGNMENT

    @cached_property
    def fingerprint(self) -> int:
        """A number that differs between spaces."""
        about = np.array([self.dimensions, self.seed], np.uint64).tobytes()
        return zlib.crc32(about + self.mean.astype("<f4").tobytes())

    @cached_property
    def _rotation(self) -> Rotation:
        return Rotation(self.width, self.seed)

    def encode(self, vectors: F32) -> VectorCodes:
        """Returns the codes of unit vectors, [n, dimensions].

        Raises:
            InvalidParameterError: A vector is not finite or not of length 1, or the shape is wrong.
        """
        check_vectors(vectors, self.dimensions)
        centred: F32 = vectors.astype(np.float32) - self.mean
        biases: F32 = (centred * self.mean).sum(axis=1)  # not a product of matrices: see `rotation`
        return encode_rotated(self._rotation.rotate(self._pad(centred)), biases)

    def decode(self, codes: VectorCodes) -> F32:
        """Returns the vectors codes stand for, [n, dimensions], nearly: rounded to 12 bits."""
        centred = _decode_centred(codes.levels, codes.remainders, codes.scales)
        return self._rotation.rotate_back(centred)[:, : self.dimensions] + self.mean

    def decode_rotated(self, levels: I8, remainders: U8, scales: F32) -> F32:
        """Returns the vectors of codes rotated, as `rotate` does with one, [n, width]; much faster."""
        return _decode_centred(levels, remainders, scales) + self._rotated_mean

    def rotate(self, vector: F32) -> F32:
        """Returns a vector, [dimensions], rotated, [width]; its length and its angles to others stay."""
        return self._rotation.rotate_one(self._pad(vector[None])[0])

    def rotate_back(self, rotated: F32) -> F32:
        """Returns what `rotate` was given, nearly."""
        back: F32 = self._rotation.rotate_back(rotated[None])[0, : self.dimensions]
        return back

    @cached_property
    def _rotated_mean(self) -> F32:
        return self.rotate(self.mean)

    def rotated(self, query: PreparedQuery) -> F32:
        """Returns a prepared query as `rotate` would."""
        return query.centred + self._rotated_mean

    def prepare(self, query: F32) -> PreparedQuery:
        """Returns a unit query, [dimensions], as the kernels read it.

        Raises:
            InvalidParameterError: It is not finite or not of length 1, or the shape is wrong.
        """
        check_vectors(query[None], self.dimensions)
        query = query.astype(np.float32)
        return self._prepare(float(self.mean @ query), self.rotate(query - self.mean))

    def prepare_rotated(self, query: F32) -> PreparedQuery:
        """Returns a unit query that is rotated already, [width], as the kernels read it; nobody checks it."""
        mean = self._rotated_mean
        return self._prepare(float(mean @ query), query - mean)

    def _prepare(self, base: float, centred: F32) -> PreparedQuery:
        level_step = float(np.abs(centred).max()) / MAX_QUERY_LEVEL or 1.0
        levels = np.rint(centred / level_step).astype(np.int16)
        return PreparedQuery(base, centred, levels, level_step, self.fingerprint)

    def _pad(self, centred: F32) -> F32:
        padded = np.zeros((len(centred), self.width), np.float32)
        padded[:, : self.dimensions] = centred
        return padded


def _decode_centred(levels: I8, remainders: U8, scales: F32) -> F32:
    fine = fine_levels(levels, remainders).astype(np.float32)
    centred: F32 = fine * (scales / np.float32(SIXTEENTHS))[:, None]
    return centred


def build_space(sample: F32, seed: int = DEFAULT_SEED) -> VectorSpace:
    """Returns the space of vectors like those of a sample, [n, dimensions]; some hundreds are enough.

    An empty sample gives the mean 0, which works but finds less.

    Raises:
        InvalidParameterError: As for `VectorSpace.encode`.
    """
    check_vectors(sample, sample.shape[-1])
    total = sample.sum(axis=0, dtype=np.float64) / max(len(sample), 1)
    return VectorSpace(sample.shape[1], total.astype(np.float32), seed)


def check_vectors(vectors: AnyArray, dimensions: int) -> None:
    """Raises InvalidParameterError unless all vectors are finite, of length 1 and of so many dimensions."""
    legal = f"vectors are finite, of length 1 and have {dimensions} dimensions"
    if vectors.ndim != 2 or vectors.shape[1] != dimensions:
        raise InvalidParameterError(name="vectors", value=f"of shape {vectors.shape}", legal=legal)
    with np.errstate(over="ignore", invalid="ignore"):
        lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    wrong = np.flatnonzero(~(np.abs(lengths - 1) <= UNIT_TOLERANCE))
    if len(wrong):
        row = int(wrong[0])
        raise InvalidParameterError(name=f"vector {row}", value=f"of length {lengths[row]}", legal=legal)
