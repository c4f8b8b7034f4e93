"""Where chunks are: from chunk keys to segments and rows, and back.

Only lexical execution and what fills in hits know segments and rows; everybody else speaks of chunk keys.
"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from dowse.kernels.layout import U8
from dowse.search.lexical.ranking import Ranked
from dowse.search.stages.candidate import Candidate
from dowse.storage.snapshot import Snapshot

RowAddress = tuple[int, int]
"""A segment and a row in it."""


def keys_of(snapshot: Snapshot, ranked: Sequence[Ranked]) -> list[int]:
    """Returns the keys of rows that were ranked."""
    keys = [segment.reader.columns.chunk_keys for segment in snapshot.segments]
    return [keys[entry.segment].item(entry.row) for entry in ranked]


def build_candidates(snapshot: Snapshot, ranked: Sequence[Ranked]) -> list[Candidate]:
    """Returns the rows that were ranked, by chunk key."""
    keys = [segment.reader.columns.chunk_keys for segment in snapshot.segments]
    if len(keys) == 1:
        # A view is read three times as fast as an array, and every search reads some.
        key_of = keys[0].data
        return [Candidate(key_of[entry[1]], entry[2], (), entry) for entry in ranked]
    return [Candidate(keys[entry[0]].item(entry[1]), entry[2], (), entry) for entry in ranked]


def find_addresses(snapshot: Snapshot, keys: Iterable[int]) -> dict[int, RowAddress]:
    """Returns where chunks are, by key; keys that no segment has are left out."""
    wanted = np.fromiter(keys, np.int64)
    found: dict[int, RowAddress] = {}
    for number, segment in enumerate(snapshot.segments):
        own = segment.reader.columns.chunk_keys
        if not len(own) or not len(wanted):
            continue
        # Rows ascend by chunk key (S6).
        rows = np.searchsorted(own, wanted).clip(max=len(own) - 1)
        here = (own[rows] == wanted).nonzero()[0]
        for at, row in zip(here.tolist(), rows[here].tolist(), strict=True):
            found[wanted.item(at)] = number, row
    return found


def mask_rows(snapshot: Snapshot, addresses: Mapping[int, RowAddress]) -> list[U8]:
    """Returns, per segment, one byte per row: 1 for the given ones, 0 for all others."""
    masks = [np.zeros(segment.reader.row_count, np.uint8) for segment in snapshot.segments]
    for segment, row in addresses.values():
        masks[segment][row] = 1
    return masks
