"""Spans near each other are those that trying every choice finds, in both twins."""

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.kernels.reference import spans

compiled_spans = pytest.importorskip("dowse.kernels._spans")

TWINS = (spans, compiled_spans)
WORDS = st.tuples(st.integers(0, 2), st.integers(0, 14), st.just(1))
LONG = st.tuples(st.integers(0, 2), st.integers(0, 14), st.integers(1, 5))
MEMBERS = st.lists(WORDS, max_size=9) | st.lists(LONG, max_size=9)
SETS = st.lists(MEMBERS, min_size=1, max_size=4)

Triples = list[tuple[int, int, int]]


def triples(members: Triples) -> Triples:
    """Turns (row, start, length) into sorted (row, start, end), each once."""
    return sorted({(row, start, start + length) for row, start, length in members})


def span_set(members: Triples):
    """Returns the three arrays of a span set."""
    columns = np.array(members, np.uint32).reshape(-1, 3)
    return tuple(np.ascontiguousarray(columns[:, number]) for number in range(3))


def as_triples(found) -> Triples:
    """Reads a span set back."""
    assert [np.uint32] * 3 == [column.dtype for column in found]
    return list(zip(*(column.tolist() for column in found), strict=True))


def near_by_trying(sets: list[Triples], gap: int, is_ordered: bool) -> Triples:
    """The definition: all choices, then those without another answer inside."""
    answers = set()
    for row in range(3):
        for choice in product(*([m[1:] for m in members if m[0] == row] for members in sets)):
            placed = choice if is_ordered else sorted(choice)
            if all(one[1] <= other[0] for one, other in pairwise(placed)):
                start, end = placed[0][0], placed[-1][1]
                if end - start - sum(last - first for first, last in choice) <= gap:
                    answers.add((row, start, end))
    return sorted(
        (row, start, end)
        for row, start, end in answers
        if not any(
            row == other[0] and start <= other[1] and other[2] <= end and other != (row, start, end)
            for other in answers
        )
    )


@given(SETS, st.sampled_from([0, 1, 2, 3, 6, 1000, 2**40]), st.booleans())
@settings(max_examples=120, deadline=None)
def test_near_spans_are_those_that_trying_finds(drawn, gap, is_ordered):
    """Rows, starts and ends equal the definition's, for words and for longer spans, in any order or one."""
    sets = [triples(members) for members in drawn]
    expected = near_by_trying(sets, gap, is_ordered)
    for twin in TWINS:
        assert expected == as_triples(twin.near_spans([span_set(s) for s in sets], gap, is_ordered))


@given(MEMBERS, st.integers(2, 4), st.integers(0, 5))
@settings(max_examples=50, deadline=None)
def test_the_same_set_twice_asks_for_two_places(drawn, copies, gap):
    """A word near itself needs as many positions as it is named."""
    members = triples(drawn)
    expected = near_by_trying([members] * copies, gap, False)
    for twin in TWINS:
        assert expected == as_triples(twin.near_spans([span_set(members)] * copies, gap, False))


@given(SETS)
@settings(max_examples=50, deadline=None)
def test_unions_have_every_span_once(drawn):
    """The union is Python's."""
    sets = [triples(members) for members in drawn]
    expected = sorted(set().union(*sets))
    for twin in TWINS:
        assert expected == as_triples(twin.union_spans([span_set(members) for members in sets]))
        assert [] == as_triples(twin.union_spans([]))


@given(MEMBERS, st.integers(0, 20))
@settings(max_examples=50, deadline=None)
def test_first_spans_end_in_time(drawn, count):
    """Those that end at or before the count are kept, in order."""
    members = triples(drawn)
    for twin in TWINS:
        expected = [member for member in members if member[2] <= count]
        assert expected == as_triples(twin.first_spans(span_set(members), count))


@pytest.mark.parametrize("is_ordered", [False, True])
def test_rows_with_thousands_of_positions_agree_with_a_simple_count(is_ordered):
    """A rare word after many common ones has one smallest answer; alternating words have many."""
    common = [(0, place, place + 1) for place in range(30_000)]
    rare = [(0, 40_000, 40_001)]
    sets = [span_set(common), span_set(rare)]
    assert [(0, 29_999, 40_001)] == as_triples(compiled_spans.near_spans(sets, 50_000, is_ordered))
    odd, even = common[1::2], common[::2]
    found = compiled_spans.near_spans([span_set(even), span_set(odd)], 50_000, is_ordered)
    assert (15_000 if is_ordered else 29_999) == len(found[0])
    twice = compiled_spans.near_spans([span_set(common)] * 4, 50_000, is_ordered)
    assert 30_000 - 3 == len(twice[0])


@pytest.mark.parametrize("twin", TWINS, ids=["plain", "compiled"])
@pytest.mark.parametrize(("count", "gap"), [(0, 1), (2, -1), (11, 1)])
def test_too_many_sets_or_a_negative_gap_are_refused(twin, count, gap):
    """What would take long or means nothing is an error."""
    with pytest.raises(ValueError, match="cannot bring"):
        twin.near_spans([span_set([(0, 1, 2)])] * count, gap, False)
