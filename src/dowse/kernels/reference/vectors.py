"""Which vectors come near a query: a scan of 1-bit codes, and a second look at the best in 8 bits.

Codes are those of RaBitQ (J. Gao and C. Long, “RaBitQ: Quantizing High-Dimensional Vectors with a
Theoretical Error Bound for Approximate Nearest Neighbor Search”, SIGMOD 2024): the signs of a centred and
rotated vector, and a factor that makes the estimate of an inner product unbiased. `storage.vectors` makes
them, and says where they differ from the paper.

The query has 4 bits a dimension. With ``u`` its level (0–15) and ``b`` the vector's bit, both kernels need
the integer ``T = sum of (u if b else 15 - u)``, which is popcounts over the query's four bit planes,
weighted 1, 2, 4 and 8. It is computed as the paper does it for batches (section 3.3.2, after André and
others' FastScan, VLDB 2015): four dimensions at a time from a table of 16 values, for 32 rows that stand
side by side. Measured here on AVX2, 100,000 codes of 384 bits: 0.16 ms, against 0.46 for popcounts by
shuffling and 0.69 for the ``popcnt`` instruction.
"""

import numpy as np

from dowse.kernels.layout import (
    F32,
    I8,
    I16,
    I64,
    MAX_QUERY_LEVEL,
    MAX_VECTOR_WIDTH,
    U8,
    U32,
    VECTOR_LANES,
)


def scan_bits(
    bits: U8, factors: F32, biases: F32, lookup: U8, step: float, allowed: U8 | None, count: int
) -> U32:
    """Returns the allowed rows with the largest estimates, at most `count`, ascending.

    The estimate of row ``r`` is ``biases[r] + factors[r] * (step * (2 * T - 15 * dimensions))`` in single
    precision. Of equal estimates that of the smaller row counts as larger; a row whose estimate is no
    number, or minus infinity, is never returned.

    Args:
        bits: [blocks, dimensions / 8, 32]: byte ``i`` of row ``r`` is ``bits[r // 32, i, r % 32]``, the bit
            of dimension ``8 * i`` lowest.
        factors: One a row.
        biases: One a row.
        lookup: [dimensions / 4, 16]: what four dimensions with these bits give to ``T``; at most 60.
        step: What one unit stands for.
        allowed: One byte a row, 0 for rows that must not be returned; None when all may.
        count: How many rows are wanted.

    Raises:
        ValueError: Shapes do not fit, or there are more dimensions than `MAX_VECTOR_WIDTH`.
    """
    rows, width = len(factors), bits.shape[1]
    if (
        bits.shape != ((rows + VECTOR_LANES - 1) // VECTOR_LANES, width, VECTOR_LANES)
        or len(biases) != rows
        or lookup.shape != (2 * width, 16)
        or (allowed is not None and len(allowed) != rows)
        or 8 * width > MAX_VECTOR_WIDTH
    ):
        raise ValueError("codes, rows and query do not fit together")
    if not width:
        return np.zeros(0, np.uint32)
    sums = np.zeros((len(bits), VECTOR_LANES), np.int32)
    for i in range(width):
        sums += lookup[2 * i][bits[:, i] & 15]
        sums += lookup[2 * i + 1][bits[:, i] >> 4]
    dots = (2 * sums.reshape(-1)[:rows] - 15 * 8 * width).astype(np.float32)
    estimates = biases + factors * (np.float32(step) * dots)
    candidates = np.arange(rows) if allowed is None else np.flatnonzero(allowed)
    return np.sort(_best(estimates, candidates.astype(np.uint32), count))


def score_levels(
    levels: I8, scales: F32, biases: F32, query: I16, step: float, rows: U32, count: int
) -> tuple[U32, F32]:
    """Returns the best of some rows and their scores, at most `count`, best first.

    The score of row ``r`` is ``biases[r] + scales[r] * (step * (levels[r] · query))`` in single precision;
    ties and what is no number as in `scan_bits`.

    Args:
        levels: [rows, dimensions], dimensions a multiple of 64.
        scales: One a row.
        biases: One a row.
        query: One a dimension, from -2,047 to 2,047, so that sums fit 32 bits.
        step: What one unit of the query stands for.
        rows: Which rows to look at, strictly ascending.
        count: How many are wanted.

    Raises:
        ValueError: Shapes do not fit, rows do not ascend or are not there, or a level is out of range.
    """
    total, width = levels.shape
    _check(levels, query, fits=len(scales) == total and len(biases) == total)
    if len(rows) and (rows[-1] >= total or not np.all(rows[1:] > rows[:-1])):
        raise ValueError("rows must ascend and be there")
    if not width:
        return np.zeros(0, np.uint32), np.zeros(0, np.float32)
    dots = levels[rows].astype(np.int32) @ query.astype(np.int32)
    scores = biases[rows] + scales[rows] * (np.float32(step) * dots.astype(np.float32))
    found = _best(scores, np.arange(len(rows), dtype=np.uint32), count)
    return rows[found], scores[found] + np.float32(0)


def _check(levels: I8, query: I16, *, fits: bool) -> None:
    """Raises ValueError unless the query is one for these levels, and what goes with them fits, too."""
    width = levels.shape[1]
    if not fits or len(query) != width or width % 64 or width > MAX_VECTOR_WIDTH:
        raise ValueError("levels, rows and query do not fit together")
    if len(query) and np.abs(query.astype(np.int32)).max() > MAX_QUERY_LEVEL:
        raise ValueError("a level of the query is out of range")


def _best(scores: F32, candidates: U32, count: int) -> U32:
    """Returns the candidates with the largest scores, best first, the smaller of equals first."""
    kept = candidates[scores[candidates] > -np.inf]
    order = np.lexsort((kept, -scores[kept]))
    return kept[order[: max(count, 0)]]


def score_int12(levels: I8, remainders: U8, query: I16, rows: U32) -> I64:
    """Returns the inner products of some rows with a query, in sixteenths of a level: whole numbers.

    Args:
        levels: [rows, dimensions], dimensions a multiple of 64.
        remainders: [rows, dimensions / 2]: what is left of each level, in sixteenths and 8 too large, two a
            byte, the first in the low bits.
        query: One a dimension, from -2,047 to 2,047.
        rows: Which rows, in any order.

    Raises:
        ValueError: Shapes do not fit, rows are not there, or a level is out of range.
    """
    total, width = levels.shape
    _check(levels, query, fits=remainders.shape == (total, width // 2))
    if len(rows) and rows.max() >= total:
        raise ValueError("rows must be there")
    fine = levels[rows].astype(np.int64) * 16 - 8
    fine[:, ::2] += remainders[rows] & 15
    fine[:, 1::2] += remainders[rows] >> 4
    sums: I64 = fine @ query.astype(np.int64)
    return sums
