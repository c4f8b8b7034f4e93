"""Merged lists, positions of many rows and loose phrases, in both twins."""

from contextlib import suppress
from itertools import product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import random_tokens, tokens
from test_kernels import both_postings

from dowse.kernels.reference.loose_phrases import count_matches

PLACES = st.lists(st.integers(0, 12), min_size=1, max_size=5, unique=True).map(sorted)


def lists_of_field(reader, field: int) -> list[int]:
    """Returns the lists of one field."""
    pairs = [pair for term in range(reader.term_count) for pair in reader.lists_of(term)]
    return [index for index, own in pairs if own == field]


@given(tokens(), st.lists(st.integers(0, 99), max_size=30))
@settings(max_examples=40, deadline=None)
def test_merged_lists_are_the_sum_of_the_lists(drawn, numbers):
    """Every row of any list is there once, with the frequencies added up, at most 255."""
    plain, compiled = both_postings(drawn)
    total = len(plain.lists.list_field)
    indices = [number % total for number in numbers]
    sums: dict[int, int] = {}
    for index in indices:
        for row in plain.rows_of(index).tolist():
            sums[row] = sums.get(row, 0) + plain.freq_at(index, row)
    expected = [(row, min(freq, 255)) for row, freq in sorted(sums.items())]
    as_array = np.array(indices, np.uint32)
    for reader, given_indices in ((plain, indices), (compiled, indices), (compiled, as_array)):
        rows, freqs = reader.merge_lists(given_indices)
        assert expected == list(zip(rows.tolist(), freqs.tolist(), strict=True))
        assert (np.uint32, np.uint8) == (rows.dtype, freqs.dtype)


def test_few_postings_in_many_rows_are_merged_alike():
    """Short lists take another way than long ones to the same answer."""
    for seed in range(5):
        plain, compiled = both_postings(random_tokens(seed, 3000, 6, 0.004, 9))
        indices = list(range(len(plain.lists.list_field)))
        assert sum(len(plain.rows_of(index)) for index in indices[:4]) < 3000 // 8
        for chosen in (indices[:1], indices[:4], indices[1:3] * 2, []):
            for expected, actual in zip(plain.merge_lists(chosen), compiled.merge_lists(chosen), strict=True):
                assert (expected.dtype, expected.tolist()) == (actual.dtype, actual.tolist())


@given(tokens(), st.integers(0, 99), st.data())
@settings(max_examples=60, deadline=None)
def test_positions_of_many_rows_are_those_of_each(drawn, number, data):
    """Reading on from row to row equals reading each row alone; rows without the term have none."""
    plain, compiled = both_postings(drawn)
    index = number % len(plain.lists.list_field)
    chosen = data.draw(st.sets(st.integers(0, plain.row_count + 3)) | st.just(set(range(plain.row_count))))
    rows = np.array(sorted(chosen), np.uint32)
    expected = [compiled.positions_at(index, row).tolist() for row in rows.tolist()]
    for reader in (plain, compiled):
        offsets, positions = reader.positions_in(index, rows)
        found = [positions[offsets[i] : offsets[i + 1]].tolist() for i in range(len(rows))]
        assert expected == found
        assert (np.uint32, np.uint16) == (offsets.dtype, positions.dtype)


@given(st.lists(st.tuples(PLACES, st.integers(0, 3)), min_size=1, max_size=4), st.integers(1, 6))
@settings(max_examples=60, deadline=None)
def test_loose_matches_are_as_many_as_fit_side_by_side(words, slop):
    """The count is the largest number of matches without overlap, found by trying every choice."""
    places, offsets = [own for own, _ in words], [offset for _, offset in words]
    extents = set()
    for choice in product(*places):
        starts = [p - offset for p, offset in zip(choice, offsets, strict=True)]
        if len(set(choice)) == len(choice) and max(starts) - min(starts) <= slop:
            extents.add((min(choice), max(choice)))
    most = [0] * 15  # most[p]: matches that fit before position p
    for p in range(1, 15):
        most[p] = max([most[p - 1], *(most[first] + 1 for first, last in extents if last == p - 1)])
    assert most[-1] == count_matches(places, offsets, slop)


@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from([(1, 6), (3, 12), (40, 40)]),
    st.lists(st.tuples(st.integers(0, 99), st.integers(0, 4)), min_size=1, max_size=5),
    st.sampled_from([0, 1, 2, 3, 5, 9, 1000, 2**31 - 1]),
)
@settings(max_examples=60, deadline=None)
def test_loose_phrases_agree(seed, shape, words, slop):
    """Both readers find a loose phrase in the same rows, equally often; words may repeat and share places."""
    row_count, spread = shape
    plain, compiled = both_postings(random_tokens(seed, row_count, 4, 1.0, spread))
    for field in range(3):
        lists = lists_of_field(plain, field)
        if lists:
            indices = [lists[number % len(lists)] for number, _ in words]
            offsets = [offset for _, offset in words]
            expected = plain.sloppy_phrase(indices, offsets, slop)
            actual = compiled.sloppy_phrase(indices, offsets, slop)
            assert expected[0].tolist() == actual[0].tolist()
            assert expected[1].tolist() == actual[1].tolist()


@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from([(3, 12), (40, 40)]),
    st.lists(st.tuples(st.integers(-1, 3), st.integers(1, 3)), min_size=1, max_size=6),
    st.integers(0, 99),
    st.integers(1, 4),
)
@settings(max_examples=60, deadline=None)
def test_runs_agree(seed, shape, words, number, least):
    """Both readers find the same runs; words may repeat, be nowhere, and stand apart in the query."""
    row_count, spread = shape
    plain, compiled = both_postings(random_tokens(seed, row_count, 4, 1.0, spread))
    terms = [min(term, plain.term_count - 1) for term, _ in words]
    offsets = np.cumsum([gap for _, gap in words]).tolist()
    sums = np.cumsum([0.0] + [1.0 / (2 + place) for place in range(len(words))])
    rows = np.arange(row_count, dtype=np.uint32)[seed % 2 :]
    asked = terms, offsets, sums, number % len(words), least, rows
    assert plain.run_shares(*asked).tolist() == compiled.run_shares(*asked).tolist()


@given(st.integers(0, 2**32 - 1), st.data())
@settings(max_examples=60, deadline=None)
def test_damaged_lists_give_an_error_or_a_wrong_answer(seed, data):
    """Flipped bytes anywhere never lead outside the arrays (`kernels`, invariant 3)."""
    drawn = random_tokens(seed, 150, 3, 1.0, 50)
    _, compiled = both_postings(drawn)
    lists = compiled.lists._replace(
        **{name: getattr(compiled.lists, name).copy() for name in compiled.lists._fields}
    )
    name = data.draw(st.sampled_from(["postings", "positions", "list_positions", "list_doc_freq"]))
    damaged = getattr(lists, name).view(np.uint8)
    for _ in range(3):
        damaged[data.draw(st.integers(0, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    reader = type(compiled)(compiled.term_restarts, compiled.term_codes, lists, compiled.buckets)
    indices, every_row = list(range(len(lists.list_field))), np.arange(150, dtype=np.uint32)
    for call in (
        lambda: reader.merge_lists(indices),
        lambda: reader.merge_lists(indices[:1]),
        lambda: reader.positions_in(indices[0], every_row),
        lambda: reader.run_shares([0, 1, 0], [0, 1, 2], np.arange(4.0), 1, 2, every_row),
        lambda: reader.sloppy_phrase(indices[:3], [0, 1, 2][: len(indices[:3])], 4),
    ):
        with suppress(ValueError):
            call()
