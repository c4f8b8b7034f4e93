"""Makes one segment of vectors of several."""

from collections.abc import Iterator, Sequence

import numpy as np

from dowse.kernels.layout import I64, U8
from dowse.storage.directory import Directory
from dowse.storage.vectors.codes import VectorCodes, join_codes
from dowse.storage.vectors.reader import VectorReader
from dowse.storage.vectors.space import VectorSpace
from dowse.storage.vectors.writer import PIECE_ROWS, WrittenVectors, write_codes

Source = tuple[VectorReader, U8]


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
