"""Compiled kernels over columns equal their plain twins, and both refuse damaged columns."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from dowse.kernels.reference import columns as plain

compiled = pytest.importorskip("dowse.kernels._columns")

ENTRIES = st.lists(st.text("abß/", max_size=5).map(str.encode), max_size=12)
PIECES = st.text("abß/", max_size=3).map(str.encode)
NUMBERS = st.sampled_from([np.uint8, np.uint16, np.uint32]).flatmap(
    lambda dtype: arrays.arrays(dtype, st.integers(0, 40), elements=st.integers(0, 9))
)
MARKS = arrays.arrays(np.uint8, st.integers(1, 12), elements=st.integers(0, 1))
FLOATS = arrays.arrays(
    np.float64,
    st.integers(0, 40),
    elements=st.sampled_from([np.nan, -np.inf, np.inf, -1.0, 0.0, -0.0, 1.5, 2.0]),
)
EDGES = st.sampled_from([-2.0, -1.0, 0.0, 1.0, 1.5, 2.0])


def both(name, *arguments):
    """Returns what the compiled kernel gives, after comparing it with the twin; “damaged” for an error."""
    found = []
    for module in (plain, compiled):
        try:
            found.append(getattr(module, name)(*arguments))
        except ValueError:
            found.append("damaged")
    expected, actual = found
    if isinstance(expected, str) or isinstance(actual, str):
        assert isinstance(expected, str) == isinstance(actual, str)
    else:
        assert expected.dtype == actual.dtype
        assert expected.tolist() == actual.tolist()
    return expected


@given(ENTRIES, PIECES, st.booleans(), st.booleans())
def test_entries_that_contain_bytes(entries, piece, at_start, at_end):
    """An entry is marked when it has the bytes where they are wanted."""
    wanted = b"\xff" * at_start + piece + b"\xff" * at_end
    if not wanted.strip(b"\xff"):
        return
    joined = np.frombuffer(b"\xff" + b"".join(entry + b"\xff" for entry in entries), np.uint8)
    marks = both("mark_entries", joined, wanted)
    fits = {
        (False, False): lambda entry: piece in entry,
        (True, False): lambda entry: entry.startswith(piece),
        (False, True): lambda entry: entry.endswith(piece),
        (True, True): lambda entry: entry == piece,
    }[at_start, at_end]
    assert [0, *(int(fits(entry)) for entry in entries)] == marks.tolist()


@given(
    st.binary(max_size=30).map(lambda raw: raw.replace(b"b", b"\xff")),
    st.sampled_from([b"a", b"\xff", b"\xffa"]),
)
def test_damaged_dictionaries_do_no_harm(raw, wanted):
    """Whatever the bytes, both twins say the same."""
    both("mark_entries", np.frombuffer(raw, np.uint8), wanted)


@given(NUMBERS, MARKS, st.data())
def test_marks_of_documents(numbers, marks, data):
    """Dense and sparse columns; numbers beyond the dictionary are damage."""
    both("mark_numbers", numbers, marks)
    docs = data.draw(arrays.arrays(np.uint32, len(numbers), elements=st.integers(0, 12)))
    both("mark_pairs", docs, numbers, marks, 10)


@given(MARKS, st.lists(st.integers(0, 4), max_size=12), st.integers(0, 3))
def test_marks_of_rows(marks, sizes, change):
    """Every row has the mark of its document; sizes that do not fit are damage."""
    doc_rows = np.cumsum([0, *sizes]).astype(np.uint32)
    found = both("spread_marks", marks, doc_rows, int(doc_rows[-1]) + (change == 3))
    if len(sizes) == len(marks) and change < 3:
        assert np.repeat(marks, sizes).tolist() == found.tolist()
    both("spread_marks", marks, doc_rows[::-1].copy(), int(doc_rows[0]))


@given(st.lists(PIECES, max_size=10), PIECES)
def test_texts_that_start_with_bytes(texts, prefix):
    """As Python says."""
    offsets = np.cumsum([0, *map(len, texts)]).astype(np.uint64)
    found = both("mark_prefix", offsets, np.frombuffer(b"".join(texts), np.uint8), prefix)
    assert [int(text.startswith(prefix)) for text in texts] == found.tolist()


@given(NUMBERS, st.booleans(), st.booleans(), st.data())
def test_counts_of_values(numbers, is_sparse, has_marks, data):
    """Counts per entry under a mask."""
    size = len(numbers)
    docs = data.draw(arrays.arrays(np.uint32, size, elements=st.integers(0, 12))) if is_sparse else None
    marks = data.draw(arrays.arrays(np.uint8, size if not is_sparse else 10, elements=st.integers(0, 1)))
    both("count_numbers", numbers, docs, marks if has_marks else None, 8)


@given(FLOATS, st.booleans(), st.data())
def test_counts_in_ranges_and_orders(values, has_marks, data):
    """Histograms by edges, and the best by value; ties keep their order, missing values are left out."""
    marks = data.draw(arrays.arrays(np.uint8, len(values), elements=st.integers(0, 1))) if has_marks else None
    edges = np.array(sorted(data.draw(st.lists(EDGES, min_size=1, max_size=5))))
    both("count_ranges", values, marks, edges)
    for is_descending in (False, True):
        both("order_by_value", values, marks, data.draw(st.integers(-1, 45)), is_descending)
