"""Signatures in blocks."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.kernels import slice_rows
from dowse.storage.signatures import Signatures, iter_blocks


@given(st.lists(st.sampled_from([0, 1, 7, 300, 511, 512, 513, 1030]), max_size=4))
@settings(max_examples=25, deadline=None)
def test_blocks_do_not_depend_on_the_parts_they_come_from(sizes):
    """Parts of any size give the blocks of all rows at once, and these give the rows back."""
    random = np.random.default_rng(sum(sizes))
    parts = [random.integers(0, 256, (size, 512)).astype(np.uint8) for size in sizes]
    whole = np.concatenate([np.zeros((0, 512), np.uint8), *parts])
    blocks = np.concatenate([np.zeros(0, np.uint8), *iter_blocks(parts)])
    assert np.array_equal(slice_rows(whole), blocks)
    back = [np.zeros((0, 512), np.uint8), *Signatures(blocks, len(whole)).iter_rows()]
    assert np.array_equal(whole, np.concatenate(back))
