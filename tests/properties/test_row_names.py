"""The names of rows, compiled and plain: the same, whatever the columns hold."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.kernels.reference.row_names import RowNames

compiled = pytest.importorskip("dowse.kernels._row_names")
KEYS = st.lists(st.text(min_size=1, max_size=12), min_size=1, max_size=12)


def columns(keys: list[bytes]) -> tuple[np.ndarray, ...]:
    """Returns the columns of rows with these keys, each its own tree and place."""
    offsets = np.cumsum([0, *map(len, keys)]).astype(np.uint64)
    numbers = np.arange(len(keys), dtype=np.uint32)
    return offsets, np.frombuffer(b"".join(keys), np.uint8), numbers, numbers * 7


@given(KEYS, st.data())
@settings(deadline=None)
def test_rows_have_the_names_they_were_given(keys, data):
    arrays = columns([key.encode("utf-8", "replace") for key in keys])
    rows = data.draw(st.lists(st.integers(0, len(keys) - 1), max_size=20))
    expected = [(row, keys[row].encode("utf-8", "replace").decode(), row * 7) for row in rows]
    assert expected == RowNames(*arrays).read(rows)
    assert expected == compiled.RowNames(*arrays).read(rows)


@given(st.lists(st.integers(0, 40), min_size=2, max_size=8), st.binary(max_size=30))
@settings(deadline=None)
def test_damaged_columns_give_the_same_names(offsets, keys):
    """Keys that are not UTF-8, and places outside the keys (`kernels`, invariant 3)."""
    count = len(offsets) - 1
    numbers = np.zeros(count, np.uint32)
    arrays = np.array(offsets, np.uint64), np.frombuffer(keys, np.uint8), numbers, numbers
    rows = list(range(count))
    assert RowNames(*arrays).read(rows) == compiled.RowNames(*arrays).read(rows)


@pytest.mark.parametrize("kind", [RowNames, compiled.RowNames])
def test_rows_that_are_not_there_are_refused(kind):
    names = kind(*columns([b"one", b"two"]))
    for row in (-1, 2):
        with pytest.raises(IndexError):
            names.read([row])
    with pytest.raises(ValueError, match="one length"):
        kind(*columns([b"one"])[:3], np.zeros(5, np.uint32))
