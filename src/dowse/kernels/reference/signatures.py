"""Signatures turned on their side, so that a query reads only the bits it asks for.

Rows stand in blocks of 512. A block has one *slice* for each of the 4,096 bits, one after the other, in
which bit ``r % 8`` of byte ``r // 8`` belongs to row ``r`` of the block: 64 bytes, one cache line. Slices
of the last block are as short as its rows allow, so a segment of one row takes 4 KiB and not 256.
"""

import numpy as np

from dowse.kernels.layout import BLOCK_ROWS, SIGNATURE_BITS, U8, U32, sliced_bytes

_BLOCK_BYTES = SIGNATURE_BITS * BLOCK_ROWS // 8


def slice_rows(signatures: U8) -> U8:
    """Returns the blocks of signatures [rows, 512] as one run of bytes."""
    blocks = [
        np.packbits(
            np.unpackbits(signatures[first : first + BLOCK_ROWS], axis=1, bitorder="little").T,
            axis=1,
            bitorder="little",
        ).reshape(-1)
        for first in range(0, len(signatures), BLOCK_ROWS)
    ]
    return np.concatenate([np.zeros(0, np.uint8), *blocks])


def unslice_rows(blocks: U8, row_count: int) -> U8:
    """Returns the signatures [rows, 512] of blocks: the way back from `slice_rows`.

    Raises:
        ValueError: So many rows take more or fewer bytes.
    """
    _check(blocks, row_count)
    signatures = np.zeros((row_count, SIGNATURE_BITS // 8), np.uint8)
    for first in range(0, row_count, BLOCK_ROWS):
        slices, rows = _block(blocks, first, row_count)
        bits = np.unpackbits(slices, axis=1, count=rows, bitorder="little")
        signatures[first : first + rows] = np.packbits(bits.T, axis=1, bitorder="little")
    return signatures


def find_candidates(blocks: U8, row_count: int, bits: U32) -> U32:
    """Returns the rows that have every bit, ascending; all rows when no bit is asked for.

    Raises:
        ValueError: So many rows take more or fewer bytes, or there is no such bit.
    """
    _check(blocks, row_count)
    if len(bits) and int(bits.max()) >= SIGNATURE_BITS:
        raise ValueError("a signature has no such bit")
    found = [np.zeros(0, np.int64)]
    for first in range(0, row_count, BLOCK_ROWS):
        slices, rows = _block(blocks, first, row_count)
        all_set = np.bitwise_and.reduce(slices[bits], axis=0, initial=255, dtype=np.uint8)
        found.append(first + np.flatnonzero(np.unpackbits(all_set, count=rows, bitorder="little")))
    return np.concatenate(found).astype(np.uint32)


def _check(blocks: U8, row_count: int) -> None:
    if row_count < 0 or len(blocks) != sliced_bytes(row_count):
        raise ValueError("these are not the signatures of so many rows")


def _block(blocks: U8, first: int, row_count: int) -> tuple[U8, int]:
    """Returns the slices of the block that starts at a row, and how many rows it has."""
    rows = min(BLOCK_ROWS, row_count - first)
    start = first // BLOCK_ROWS * _BLOCK_BYTES
    return blocks[start : start + sliced_bytes(rows)].reshape(SIGNATURE_BITS, -1), rows
