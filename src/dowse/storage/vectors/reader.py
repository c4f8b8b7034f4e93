"""Opens one segment of vectors for searching."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from msgspec import Struct

from dowse.errors import CorruptFileError, InvalidParameterError
from dowse.kernels import scan_bits, score_int12, score_levels
from dowse.kernels.layout import F32, I8, I64, U8, U32, AnyArray
from dowse.storage.directory import Directory
from dowse.storage.segment_files import read_arrays, read_file, read_manifest, verify_file
from dowse.storage.vectors.codes import SIXTEENTHS, VectorCodes, take_bits
from dowse.storage.vectors.space import PreparedQuery, VectorSpace
from dowse.storage.vectors.vector_files import VECTOR_FILES, decode_vector_manifest

RESCORED_AT_LEAST = 256
RESCORED_PER_HIT = 8
REFINED_AT_LEAST = 32
REFINED_PER_HIT = 3
FULL_SHARE_ROWS = 100_000
"""In larger segments the share falls with the square root of their size: the nearest stand out more."""


class ScanMode(Struct, frozen=True):
    """How much of a segment is looked at in 8 bits.

    Attributes:
        name: As asked for.
        share: Of the rows, those with the best estimates; 1 for all, without a scan of bits. At least 256
            rows are looked at, and eight for every one wanted: in small segments that costs nothing.
        purpose: One line.
    """

    name: str
    share: float
    purpose: str

    def rescored(self, rows: int, k: int) -> int:
        """Returns how many of a segment's rows are looked at in 8 bits."""
        if self.share >= 1:
            return rows
        counted = rows if rows <= FULL_SHARE_ROWS else (rows * FULL_SHARE_ROWS) ** 0.5
        return max(int(np.ceil(self.share * counted)), RESCORED_AT_LEAST, RESCORED_PER_HIT * k)


FAST = ScanMode("fast", 0.01, "scans bits, looks at the best 1 % again in 8 bits")
CAREFUL = ScanMode("careful", 0.05, "scans bits, looks at the best 5 % again in 8 bits")
EXACT = ScanMode("exact", 1.0, "looks at every vector in 8 bits")
SCAN_MODES = (FAST, CAREFUL, EXACT)


def get_scan_mode(name: str) -> ScanMode:
    """Returns a mode by name; raises InvalidParameterError when there is none of that name."""
    for mode in SCAN_MODES:
        if mode.name == name:
            return mode
    legal = f"known: {', '.join(mode.name for mode in SCAN_MODES)}"
    raise InvalidParameterError(name="scan mode", value=f"“{name}”", legal=legal)


def score_codes(query: PreparedQuery, codes: VectorCodes) -> F32:
    """Returns the scores of all rows of some codes, as `VectorReader.score` does.

    Args:
        query: Prepared by the codes' space; nobody checks.
        codes: In memory.
    """
    every = np.arange(len(codes), dtype=np.uint32)
    dots = score_int12(codes.levels, codes.remainders, query.levels, every)
    return _finish_scores(query, dots, codes.scales, codes.biases)


def _finish_scores(query: PreparedQuery, dots: I64, scales: F32, biases: F32) -> F32:
    scores = scales * (dots * (query.level_step / SIXTEENTHS))
    total: F32 = (query.base + (biases + scores)).astype(np.float32)
    return total


class VectorReader:
    """One segment of vectors, memory-mapped; immutable, shared by generations and threads.

    Args:
        directory: Where segments of vectors live.
        folder: The segment's folder.
        checksum: CRC-32 of its manifest, from the catalogue.

    Raises:
        CorruptFileError: A file is missing, has the wrong size or a wrong header, or an array a wrong shape.
    """

    def __init__(self, directory: Directory, folder: str, checksum: int) -> None:
        self.folder = folder
        self.manifest = decode_vector_manifest(*read_manifest(directory, folder, checksum))
        self._raw: dict[str, U8] = {}
        arrays: dict[str, AnyArray] = {}
        for name in VECTOR_FILES.files:
            self._raw[name] = read_file(directory, folder, name)
            place, entry = f"{folder}/{name}", self.manifest.files[name]
            arrays |= read_arrays(self._raw[name], entry, place, VECTOR_FILES)
        self.keys: I64 = arrays["keys"]
        self.kinds: U8 = arrays["kinds"]
        self._mean: F32 = arrays["mean"]
        self._bits: U8 = arrays["bits"]
        self._factors: F32 = arrays["factors"]
        self._biases: F32 = arrays["biases"]
        self._levels: I8 = arrays["levels"]
        self._scales: F32 = arrays["scales"]
        self._remainders: U8 = arrays["remainders"]

    @property
    def row_count(self) -> int:
        """Vectors, whether allowed or not."""
        return len(self.keys)

    @property
    def disk_bytes(self) -> int:
        """Size of the segment's files."""
        return sum(entry.size for entry in self.manifest.files.values())

    @cached_property
    def space(self) -> VectorSpace:
        """The space its codes are of, the same for all segments of an index."""
        return VectorSpace(self.manifest.dimensions, self._mean, self.manifest.seed)

    def scan(
        self, query: PreparedQuery, allowed: U8 | None, k: int, mode: ScanMode = FAST
    ) -> tuple[U32, F32]:
        """Returns the rows nearest to a query and their scores, best first, at most `k`.

        Candidates come from 1 bit a dimension, the best of them are chosen in 8 bits, and the best of those
        in 12. Scores are inner products of the unit vectors to about 0.00005. Equal scores are ordered by
        row, and so by key. Other threads run meanwhile.

        Args:
            query: Prepared by this segment's space.
            allowed: One byte a row, 0 for deleted and filtered ones; None when all are allowed.
            k: How many are wanted.
            mode: How much is looked at in 8 bits.

        Raises:
            ValueError: The query is of another space, or `allowed` of another size.
        """
        self._check(query)
        rows = self._candidates(query, allowed, k, mode)
        count = max(REFINED_PER_HIT * k, REFINED_AT_LEAST)
        found, _ = score_levels(
            self._levels, self._scales, self._biases, query.levels, query.level_step, rows, count
        )
        found.sort()
        scores = self.score(query, found)
        best = np.argsort(-scores, kind="stable")[: max(k, 0)]
        return found[best], scores[best]

    def score(self, query: PreparedQuery, rows: U32) -> F32:
        """Returns the scores of some rows, as `scan` has them.

        Raises:
            ValueError: The query is of another space, or a row is not there.
        """
        self._check(query)
        dots = score_int12(self._levels, self._remainders, query.levels, rows)
        return _finish_scores(query, dots, self._scales[rows], self._biases[rows])

    def _check(self, query: PreparedQuery) -> None:
        if query.fingerprint != self.space.fingerprint:
            raise ValueError("the query was prepared for another space")

    def _candidates(
        self, query: PreparedQuery, allowed: U8 | None, k: int, mode: ScanMode
    ) -> U32:
        """Returns the rows to look at in 8 bits, ascending."""
        count = mode.rescored(self.row_count, k)
        if count < self.row_count:
            bits, step = self._bits, query.step
            return scan_bits(bits, self._factors, self._biases, query.lookup, step, allowed, count)
        if allowed is None:
            return np.arange(self.row_count, dtype=np.uint32)
        if len(allowed) != self.row_count:
            raise ValueError("one byte a row says what is allowed")
        return np.flatnonzero(allowed).astype(np.uint32)

    def codes(self, rows: I64 | U32) -> VectorCodes:
        """Returns the codes of some rows, copied, in the order given."""
        return VectorCodes(
            take_bits(self._bits, rows),
            self._factors[rows],
            self._biases[rows],
            self._levels[rows],
            self._scales[rows],
            self._remainders[rows],
        )

    def vectors(self, rows: I64 | U32) -> F32:
        """Returns the vectors of some rows, [n, dimensions], rounded to 12 bits."""
        return self.space.decode(self.codes(rows))

    def rotated(self, rows: I64 | U32) -> F32:
        """Returns the same vectors as `VectorSpace.rotate` gives them, [n, width], in a tenth of the time."""
        return self.space.decode_rotated(self._levels[rows], self._remainders[rows], self._scales[rows])

    def find_rows(self, keys: I64) -> I64:
        """Returns the row of each key, -1 for those that are not here."""
        places = np.searchsorted(self.keys, keys)
        inside = np.minimum(places, max(self.row_count - 1, 0))
        if not self.row_count:
            return np.full(len(keys), -1)
        return np.where(self.keys[inside] == keys, inside, -1)

    def verify(self, names: Sequence[str] = VECTOR_FILES.files) -> None:
        """Compares every byte of some files with the checksums; raises CorruptFileError at a mismatch."""
        for name in names:
            verify_file(self._raw[name], self.manifest.files[name], f"{self.folder}/{name}")

    def is_intact(self) -> bool:
        """Says whether every byte is as it was written."""
        try:
            self.verify()
        except CorruptFileError:
            return False
        return True
