"""Spellings that stand one after the other, read as a list."""

from itertools import pairwise

from dowse.analysis import TokenArrays
from dowse.kernels.layout import U8, U64


def spelt(offsets: U64, spellings: U8) -> list[bytes]:
    """Returns each spelling by itself."""
    whole = spellings.tobytes()
    return [whole[start:end] for start, end in pairwise(offsets.tolist())]


def terms_of(arrays: TokenArrays) -> list[bytes]:
    """Returns the terms of a finished batch, in order."""
    return spelt(arrays.term_offsets, arrays.term_bytes)
