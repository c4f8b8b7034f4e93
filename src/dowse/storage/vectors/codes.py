"""Vectors as codes: one bit and eight bits a dimension, with the numbers that make estimates of them.

For a centred and rotated vector ``x``:

- bits: is ``x[i] > 0``; with ``factor = |x|² / |x|₁`` the estimate ``factor * sum of ±y[i]`` of ``⟨x, y⟩`` is
  RaBitQ's, whose two norms and the length of the code cancel to this one number.
- levels: ``x[i] / scale`` rounded, the largest being ±127; one scale for each vector (one for all loses 3 %
  of recall, design.md). The scale is then fitted, so that the error is at right angles to the levels.
- bias: ``⟨v - m, m⟩``, the part of the inner product that does not depend on the query.
"""

from dataclasses import dataclass, fields

import numpy as np

from dowse.kernels.layout import F32, I8, I64, U8, U32, VECTOR_LANES

LARGEST_LEVEL = 127


@dataclass(frozen=True, slots=True, eq=False)
class VectorCodes:
    """Encoded vectors, a row each.

    Attributes:
        bits: [n, width / 8], dimension ``8 * i`` the lowest bit of byte ``i``.
        factors: Of the estimates from bits.
        biases: Of all estimates.
        levels: [n, width].
        scales: Of the levels.
    """

    bits: U8
    factors: F32
    biases: F32
    levels: I8
    scales: F32

    def take(self, rows: I64 | U32) -> "VectorCodes":
        """Returns the codes of some rows, in the order given."""
        return VectorCodes(*(getattr(self, entry.name)[rows] for entry in fields(self)))

    def __len__(self) -> int:
        return len(self.factors)


def encode_rotated(rotated: F32, biases: F32) -> VectorCodes:
    """Returns the codes of centred and rotated vectors; one that equals the mean has factor and scale 0."""
    bits = np.packbits(rotated > 0, axis=1, bitorder="little")
    absolute = np.abs(rotated)
    factors = _ratio(_row_sums(rotated * rotated), _row_sums(absolute))
    steps = absolute.max(axis=1, initial=0) / np.float32(LARGEST_LEVEL)
    levels = np.rint(rotated / np.where(steps > 0, steps, 1)[:, None])
    scales = _ratio(_row_sums(rotated * levels), _row_sums(levels * levels))
    return VectorCodes(bits, factors, biases, levels.astype(np.int8), scales)


def _row_sums(values: F32) -> F32:
    """Sums of rows that do not depend on where a row stands, as products of matrices do."""
    sums: F32 = values.sum(axis=1)
    return sums


def _ratio(dividends: F32, divisors: F32) -> F32:
    return np.divide(dividends, divisors, out=np.zeros_like(dividends), where=divisors > 0)


def block_bits(bits: U8) -> U8:
    """Returns bits [n, bytes] as blocks [⌈n / 32⌉, bytes, 32] of rows side by side; missing rows are 0."""
    blocks = -(-len(bits) // VECTOR_LANES)
    padded = np.zeros((blocks * VECTOR_LANES, bits.shape[1]), np.uint8)
    padded[: len(bits)] = bits
    turned = padded.reshape(blocks, VECTOR_LANES, bits.shape[1]).transpose(0, 2, 1)
    return np.ascontiguousarray(turned)


def take_bits(blocks: U8, rows: I64 | U32) -> U8:
    """Returns the bits of some rows of blocks, [n, bytes], in the order given."""
    found: U8 = blocks[rows // VECTOR_LANES, :, rows % VECTOR_LANES]
    return found
