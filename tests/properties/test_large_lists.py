"""Compiled kernels equal their plain twins where lists have more rows than are taken at once."""

import numpy as np
import pytest
from strategies import random_groups, random_tokens

from dowse.kernels.reference import postings
from dowse.kernels.reference.front_coding import front_code

compiled_inversion = pytest.importorskip("dowse.kernels._inversion")
compiled_postings = pytest.importorskip("dowse.kernels._postings")


def both_postings(seed: int, row_count: int, term_count: int, density: float, spread: int):
    """Opens the same segment with the plain and the compiled reader; the compiled kernel inverts it."""
    drawn = random_tokens(seed, row_count, term_count, density, spread)
    lists = compiled_inversion.invert(
        drawn.list_ids, drawn.rows, drawn.positions, len(drawn.terms), drawn.buckets
    )
    arguments = (*drawn.coded, lists, drawn.buckets)
    return postings.Postings(*arguments), compiled_postings.Postings(*arguments)


@pytest.mark.parametrize("density", [0.001, 0.05, 0.9])
@pytest.mark.parametrize("k", [3, 30_000])
def test_clauses_agree_over_several_windows(density, k):
    """Rows that have every clause, whether one is far shorter than the next or all are long."""
    row_count = 20_000
    plain, compiled = both_postings(3, row_count, 5, density, 4)
    lists = [[index for index, _ in plain.lists_of(term)] for term in range(plain.term_count)]
    groups = random_groups(5, lists, row_count)
    random = np.random.default_rng(7)
    mask = random.integers(0, 4, row_count).astype(np.uint8)
    for size in (1, 30, 1_000, 15_000):
        own = np.unique(random.integers(0, row_count, size)).astype(np.uint32)
        for needed in ([lists[0], [own]], [[own, *lists[1]], lists[0], lists[2]], [[own]]):
            for excluded, allowed, floor in (([], None, -1.0), (lists[-1][:1], mask, 0.2)):
                arguments = groups, needed, excluded, allowed, k, floor
                assert plain.score_clauses(*arguments) == compiled.score_clauses(*arguments)


@pytest.mark.parametrize("slop", [0, 2])
def test_phrases_agree_in_many_rows(slop):
    """Phrases of two and three words, in more rows than positions are read for at once."""
    plain, compiled = both_postings(11, 600, 6, 0.6, 12)
    found = 0
    for terms in ([0, 1], [1, 1], [3, 2, 4]):
        offsets = list(range(len(terms)))
        expected = plain.phrase_lists(terms, offsets, slop)
        actual = compiled.phrase_lists(terms, offsets, slop)
        assert [(rows.tolist(), freqs.tolist(), field) for rows, freqs, field in expected] == [
            (rows.tolist(), freqs.tolist(), field) for rows, freqs, field in actual
        ]
        found += sum(len(rows) for rows, _, _ in expected)
    assert found > 100


@pytest.mark.parametrize("slop", [0, 1])
def test_a_rare_word_is_found_beside_one_that_most_rows_have(slop):
    """The rare word's rows are looked up together in a list that is many times as long, and ends sooner."""
    row_count, last = 6_000, 5_000
    random = np.random.default_rng(17)
    frequent = np.flatnonzero(random.random(last) < 0.7)
    rare = np.unique(np.concatenate([random.choice(row_count, 180), [0, last - 1, last, row_count - 1]]))
    drawn = np.concatenate(
        [
            np.stack([np.full(len(frequent), 0), frequent, random.integers(0, 3, len(frequent))]),
            np.stack([np.full(len(rare), 8), rare, random.integers(0, 3, len(rare))]),
        ],
        axis=1,
    )
    list_ids, rows, positions = drawn[:, np.argsort(drawn[1], kind="stable")]
    buckets = np.zeros((8, row_count), np.uint8)
    lists = compiled_inversion.invert(
        list_ids.astype(np.uint32), rows.astype(np.uint32), positions.astype(np.uint16), 2, buckets
    )
    dictionary = front_code(np.array([0, 1, 2], np.uint64), np.frombuffer(b"ab", np.uint8))
    plain = postings.Postings(*dictionary, lists, buckets)
    compiled = compiled_postings.Postings(*dictionary, lists, buckets)
    (expected,) = plain.phrase_lists([0, 1], [0, 1], slop)
    (actual,) = compiled.phrase_lists([0, 1], [0, 1], slop)
    assert len(expected[0]) > 10
    assert [expected[0].tolist(), expected[1].tolist()] == [actual[0].tolist(), actual[1].tolist()]
