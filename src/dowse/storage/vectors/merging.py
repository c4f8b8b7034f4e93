"""Makes one segment of vectors of several: which, and how."""

from collections.abc import Iterator, Sequence

import numpy as np

from dowse.kernels.layout import I64, U8
from dowse.storage.directory import Directory
from dowse.storage.vectors.codes import VectorCodes, join_codes
from dowse.storage.vectors.reader import VectorReader
from dowse.storage.vectors.space import VectorSpace
from dowse.storage.vectors.writer import PIECE_ROWS, WrittenVectors, write_codes

SEGMENTS_AT_MOST = 8
MUCH_LARGER = 4
MOSTLY_WASTE = 0.5
"""From this share of vectors that do not count, the scan of them costs as much as what it is for."""

Source = tuple[VectorReader, U8]


def choose_vector_merge(sizes: Sequence[tuple[int, int]]) -> int:
    """Returns from which segment on all become one; the number of segments when all is well.

    Every query scans every segment, so there are few. But while a model reads a large index, a small segment
    comes every few seconds: one that is much larger than all newer ones together stays as it is, so that a
    vector is written again a few times and not with every eighth bundle. A segment of which most has been
    replaced, as static vectors are, is taken in when half of all vectors are waste.

    Args:
        sizes: Of all segments, oldest first: how many vectors, and how many of them count.
    """
    has_too_many = len(sizes) > SEGMENTS_AT_MOST
    is_wasteful = _is_mostly_waste(sum(rows for rows, _ in sizes), sum(live for _, live in sizes))
    first, newer = len(sizes), 0
    for at, (rows, live) in reversed(list(enumerate(sizes))):
        is_small = has_too_many and live <= MUCH_LARGER * newer
        if is_small or (is_wasteful and _is_mostly_waste(rows, live)):
            first = at
        newer += live
    return first


def _is_mostly_waste(rows: int, live: int) -> bool:
    return rows - live > MOSTLY_WASTE * rows


def merge_vector_segments(
    directory: Directory, folder: str, sources: Sequence[Source]
) -> WrittenVectors | None:
    """Writes the live vectors of some segments as one; of two with one key, that of the later source.

    Codes are copied, not made again. Unlike segments of terms, those of vectors may overlap in keys: a
    model's vector comes hours after the static one.

    Args:
        directory: Where segments of vectors live.
        folder: Name of the new one.
        sources: Readers of one space, oldest first, each with one byte a row: 1 for live ones.

    Returns:
        The new segment, named by no generation yet; None when no row is live.

    Raises:
        ValueError: The segments are of different spaces.
    """
    if len({reader.space.fingerprint for reader, _ in sources}) > 1:
        raise ValueError("vectors of different spaces cannot be merged")
    ages, rows = newest_rows(sources)
    if not len(rows):
        return None
    space: VectorSpace = sources[0][0].space
    keys, kinds = np.empty(len(rows), np.int64), np.empty(len(rows), np.uint8)
    for age, (reader, _) in enumerate(sources):
        own = ages == age
        keys[own], kinds[own] = reader.keys[rows[own]], reader.kinds[rows[own]]
    return write_codes(directory, folder, space, keys, kinds, _iter_pieces(sources, ages, rows))


def newest_rows(sources: Sequence[Source]) -> tuple[I64, I64]:
    """Returns, in key order, where the newest live vector of each key is: which source, and which row."""
    none = np.zeros(0, np.int64)
    live = [np.flatnonzero(marks) for _, marks in sources]
    keys = np.concatenate([none, *(reader.keys[own] for (reader, _), own in zip(sources, live, strict=True))])
    ages = np.repeat(np.arange(len(sources)), [len(own) for own in live])
    rows = np.concatenate([none, *live])
    order = np.lexsort((ages, keys))
    ordered = keys[order]
    is_newest = np.append(ordered[1:] != ordered[:-1], True)[: len(order)]
    kept = order[is_newest]
    return ages[kept], rows[kept]


def _iter_pieces(sources: Sequence[Source], ages: I64, rows: I64) -> Iterator[VectorCodes]:
    for first in range(0, len(rows), PIECE_ROWS):
        own_ages, own_rows = ages[first : first + PIECE_ROWS], rows[first : first + PIECE_ROWS]
        present = np.unique(own_ages)
        parts = [sources[age][0].codes(own_rows[own_ages == age]) for age in present]
        # Rows come source by source; the stable order of their sources says where each belongs.
        back = np.argsort(np.argsort(own_ages, kind="stable"))
        yield join_codes(parts).take(back)
