"""The signatures of a segment's texts: which rows can have a substring at all."""

from collections.abc import Iterable, Iterator

import numpy as np
from msgspec import Struct

from dowse.kernels import find_candidates, slice_rows, unslice_rows
from dowse.kernels.layout import BLOCK_ROWS, SIGNATURE_BITS, U8, U32, sliced_bytes


class Signatures(Struct, frozen=True):
    """The signatures of one segment, in slices.

    Attributes:
        blocks: As `slice_rows` made them.
    """

    blocks: U8
    row_count: int

    def find_candidates(self, bits: U32) -> U32:
        """Returns the rows that have all bits of a query (`signature_bits`), ascending, deleted ones too.

        Without bits these are all rows. A candidate need not have the substring; what has it is a candidate.
        """
        return find_candidates(self.blocks, self.row_count, bits)

    def iter_rows(self) -> Iterator[U8]:
        """Yields the signatures of all rows, [rows, 512], a block at a time."""
        start = 0
        for first in range(0, self.row_count, BLOCK_ROWS):
            rows = min(BLOCK_ROWS, self.row_count - first)
            end = start + sliced_bytes(rows)
            yield unslice_rows(self.blocks[start:end], rows)
            start = end


def iter_blocks(parts: Iterable[U8]) -> Iterator[U8]:
    """Yields the sliced blocks of signatures that come in parts of any size."""
    waiting = np.zeros((0, SIGNATURE_BITS // 8), np.uint8)
    for part in parts:
        waiting = np.concatenate([waiting, part])
        full = len(waiting) - len(waiting) % BLOCK_ROWS
        if full:
            yield slice_rows(waiting[:full])
            waiting = waiting[full:]
    if len(waiting):
        yield slice_rows(waiting)
