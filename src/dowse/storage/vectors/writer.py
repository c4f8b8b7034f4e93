"""Writes one segment of vectors: all files, each synced, then the manifest."""

import zlib
from collections.abc import Iterator

import numpy as np
from msgspec import Struct

from dowse.kernels.layout import F32, I64, U8, VECTOR_LANES
from dowse.storage.directory import Directory
from dowse.storage.segment_files import MANIFEST, FileEntry, SegmentFileWriter
from dowse.storage.vectors.codes import VectorCodes, block_bits
from dowse.storage.vectors.space import VectorSpace, check_vectors
from dowse.storage.vectors.vector_files import VECTOR_FILES, VectorManifest

PIECE_ROWS = 32 * VECTOR_LANES
"""Rows encoded and written at a time: 1.5 MB at 384 dimensions, about what a processor's cache holds."""


class WrittenVectors(Struct, frozen=True):
    """A segment of vectors on disk that no generation names yet; keys are 0 when it has no rows."""

    folder: str
    checksum: int
    rows: int
    disk_bytes: int
    first_key: int
    last_key: int


def write_vector_segment(
    directory: Directory, folder: str, space: VectorSpace, keys: I64, vectors: F32, kinds: U8
) -> WrittenVectors:
    """Writes a segment of vectors; leaves nothing behind when it fails.

    Nothing is true yet when this returns: the catalogue names the segment in its own transaction (S1).

    Args:
        directory: Where segments of vectors live.
        folder: Name of the new one.
        space: The index's.
        keys: Chunk keys, strictly ascending.
        vectors: [n, dimensions], unit length.
        kinds: What made each vector (V2).

    Raises:
        InvalidParameterError: A vector is not finite or not of length 1. Nothing was written.
        ValueError: Keys do not ascend, or sizes differ.
    """
    check_vectors(vectors, space.dimensions)
    if len(vectors) != len(keys):
        raise ValueError("every key has one vector")
    pieces = (
        space.encode(vectors[first : first + PIECE_ROWS]) for first in range(0, len(keys), PIECE_ROWS)
    )
    return write_codes(directory, folder, space, keys, kinds, pieces)


def write_codes(
    directory: Directory,
    folder: str,
    space: VectorSpace,
    keys: I64,
    kinds: U8,
    pieces: Iterator[VectorCodes],
) -> WrittenVectors:
    """Writes a segment of vectors that are codes of `space` already, in pieces of `PIECE_ROWS`."""
    if len(kinds) != len(keys) or not np.all(keys[1:] > keys[:-1]):
        raise ValueError("keys must ascend strictly, and have a kind each")
    try:
        files = _write_files(directory, folder, space, keys, kinds, pieces)
        manifest = VectorManifest(VECTOR_FILES.version, len(keys), space.dimensions, space.seed, files)
        raw = manifest.encode()
        out = directory.create(folder, MANIFEST)
        out.write(raw)
        out.close()
        directory.sync(folder)
    except BaseException:
        directory.remove(folder)  # half a segment would fill a disk that is full already
        raise
    first, last = (int(keys[0]), int(keys[-1])) if len(keys) else (0, 0)
    size = sum(entry.size for entry in files.values()) + len(raw)
    return WrittenVectors(folder, zlib.crc32(raw), len(keys), size, first, last)


def _write_files(
    directory: Directory,
    folder: str,
    space: VectorSpace,
    keys: I64,
    kinds: U8,
    pieces: Iterator[VectorCodes],
) -> dict[str, FileEntry]:
    """Writes all kinds of codes side by side, so that a piece is made once and forgotten."""
    files = {name: SegmentFileWriter(directory, folder, name, VECTOR_FILES) for name in VECTOR_FILES.files}
    rows, bits, levels, remainders = files.values()
    count, block_count = len(keys), -(-len(keys) // VECTOR_LANES)
    numbers: list[F32] = []
    bits.begin("bits")
    levels.begin("levels")
    remainders.begin("remainders")
    for piece in pieces:
        bits.append(block_bits(piece.bits))
        levels.append(piece.levels)
        remainders.append(piece.remainders)
        numbers.append(np.stack([piece.factors, piece.biases, piece.scales]))
    bits.end("bits", "|u1", [block_count, space.width // 8, VECTOR_LANES])
    levels.end("levels", "|i1", [count, space.width])
    remainders.end("remainders", "|u1", [count, space.width // 2])
    columns = np.concatenate([np.zeros((3, 0), np.float32), *numbers], axis=1)
    bits.add("factors", columns[0])
    bits.add("biases", columns[1])
    levels.add("scales", columns[2])
    rows.add("mean", space.mean.astype("<f4"))
    rows.add("keys", keys.astype("<i8"))
    rows.add("kinds", kinds.astype(np.uint8))
    return {name: file.close() for name, file in files.items()}
