"""Merging posting lists: who may run meanwhile, and what damage does."""

import threading
import time

import numpy as np
import pytest

from dowse.kernels import KERNELS, Merger, invert
from dowse.kernels.layout import Lists

ROWS, TERMS = 40_000, 50


def sources(row_count: int) -> tuple[list[tuple], np.ndarray]:
    """Returns two segments in which every row has every term, and the buckets of both together."""
    rows = np.repeat(np.arange(row_count, dtype=np.uint32), TERMS)
    list_ids = np.tile(8 * np.arange(TERMS, dtype=np.uint32) + 5, row_count)
    buckets = np.full((6, row_count), TERMS, np.uint8)
    lists = invert(list_ids, rows, np.tile(np.arange(TERMS, dtype=np.uint16), row_count), TERMS, buckets)
    spellings = np.frombuffer(b"".join(b"%04d" % term for term in range(TERMS)), np.uint8)
    offsets = 4 * np.arange(TERMS + 1, dtype=np.uint64)
    maps = np.arange(2 * row_count, dtype=np.uint32).reshape(2, row_count)
    return [(offsets, spellings, lists, row_map) for row_map in maps], np.concatenate([buckets] * 2, axis=1)


@pytest.mark.skipif(KERNELS != "compiled", reason="plain Python holds the GIL")
def test_others_run_while_lists_are_merged():
    """A merge of four million postings does not stop another thread: queries go on."""
    segments, buckets = sources(ROWS)
    merger = Merger(segments, buckets)
    took_s: list[float] = []

    def merge() -> None:
        began = time.perf_counter()
        assert merger.next_block(1 << 30) is not None
        took_s.append(time.perf_counter() - began)

    thread = threading.Thread(target=merge)
    longest_s, last, is_over = 0.0, time.perf_counter(), False
    thread.start()
    while not is_over:  # once more when it is over: the last pause may be the long one
        is_over, now = bool(took_s), time.perf_counter()
        longest_s, last = max(longest_s, now - last), now
    thread.join()
    assert longest_s < took_s[0] / 2


def damaged(lists: Lists, name: str) -> Lists:
    """Returns lists of which the last points far outside."""
    array = getattr(lists, name).copy()
    array[-1] = 1 << 30
    return lists._replace(**{name: array})


@pytest.mark.parametrize("name", ["term_lists", "list_doc_freq", "list_postings", "list_positions"])
@pytest.mark.skipif(KERNELS != "compiled", reason="plain Python cannot read elsewhere")
def test_lists_that_point_outside_are_refused(name: str):
    """Damage that got past the checksums ends the merge, not the process."""
    segments, buckets = sources(3)
    offsets, spellings, lists, row_map = segments[0]
    with pytest.raises(ValueError, match="outside"):
        Merger([(offsets, spellings, damaged(lists, name), row_map)], buckets).next_block(1 << 30)
