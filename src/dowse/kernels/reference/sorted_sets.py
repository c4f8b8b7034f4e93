"""Set operations on ascending uint32 arrays without duplicates; the plain twin."""

import numpy as np

from dowse.kernels.layout import U32


def intersect(left: U32, right: U32) -> U32:
    """Returns the values in both, ascending."""
    return np.intersect1d(left, right, assume_unique=True).astype(np.uint32)


def union(left: U32, right: U32) -> U32:
    """Returns the values in either, ascending, without duplicates."""
    return np.union1d(left, right).astype(np.uint32)


def difference(left: U32, right: U32) -> U32:
    """Returns the values of `left` that are not in `right`, ascending."""
    return np.setdiff1d(left, right, assume_unique=True).astype(np.uint32)
