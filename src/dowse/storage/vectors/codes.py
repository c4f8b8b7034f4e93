"""Vectors as codes: one, eight and twelve bits a dimension, with the numbers that make estimates of them.

For a centred and rotated vector ``x``:

- bits: is ``x[i] > 0``; with ``factor = |x|² / |x|₁`` the estimate ``factor * sum of ±y[i]`` of ``⟨x, y⟩`` is
  RaBitQ's, whose two norms and the length of the code cancel to this one number.
- levels: ``x[i] / scale`` rounded, the largest being ±127; one scale for each vector (one for all loses 3 %
  of recall, design.md).
- remainders: what the levels leave, in sixteenths of a level, -8 to 7. Eight bits alone exchange 0.5 % of the
  ten nearest of 100,000 vectors for others, twelve bits 0.05 %.
- bias: ``⟨v - m, m⟩``, the part of the inner product that does not depend on the query.
"""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import astuple

from dowse.kernels.layout import F32, F64, I8, I64, U8, U32, VECTOR_LANES

LARGEST_LEVEL = 127
SIXTEENTHS = 16


class VectorCodes(Struct, frozen=True, eq=False):
    """Encoded vectors, a row each.

    Attributes:
        bits: [n, width / 8], dimension ``8 * i`` the lowest bit of byte ``i``.
        factors: Of the estimates from bits.
        biases: Of all estimates.
        levels: [n, width].
        scales: Of the levels.
        remainders: [n, width / 2], dimension ``2 * i`` in the lower half of byte ``i``, 8 added to each.
    """

    bits: U8
    factors: F32
    biases: F32
    levels: I8
    scales: F32
    remainders: U8

    def take(self, rows: I64 | U32) -> "VectorCodes":
        """Returns the codes of some rows, in the order given."""
        return VectorCodes(*(array[rows] for array in astuple(self)))

    def __len__(self) -> int:
        return len(self.factors)


def join_codes(parts: Sequence[VectorCodes]) -> VectorCodes:
    """Returns the rows of some codes, one after the other; of one at least."""
    names = VectorCodes.__struct_fields__
    return VectorCodes(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def encode_rotated(rotated: F32, biases: F32) -> VectorCodes:
    """Returns the codes of centred and rotated vectors; one that equals the mean has factor and scale 0."""
    bits = np.packbits(rotated > 0, axis=1, bitorder="little")
    absolute = np.abs(rotated)
    # Sums of rows do not depend on where a row stands, as products of matrices do.
    norms: F32 = absolute.sum(axis=1)
    factors = (rotated * rotated).sum(axis=1) / np.where(norms > 0, norms, 1)
    scales = absolute.max(axis=1, initial=0) / np.float32(LARGEST_LEVEL)
    scaled = rotated / np.where(scales > 0, scales, 1)[:, None]
    levels = np.rint(scaled)
    remainders = np.minimum(np.rint((scaled - levels) * SIXTEENTHS), 7).astype(np.int8) + np.int8(8)
    packed = (remainders[:, ::2] | remainders[:, 1::2] << 4).view(np.uint8)
    return VectorCodes(bits, factors, biases, levels.astype(np.int8), scales, packed)


def fine_levels(levels: I8, remainders: U8) -> F64:
    """Returns levels with their remainders, [n, width], in sixteenths of a level: whole numbers."""
    fine = levels.astype(np.float64) * SIXTEENTHS - 8
    fine[:, ::2] += remainders & 15
    fine[:, 1::2] += remainders >> 4
    return fine


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
