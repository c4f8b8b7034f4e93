"""Compiled kernels equal their plain twins where lists have more rows than are taken at once."""

import numpy as np
import pytest
from strategies import random_groups, random_tokens

from dowse.kernels.reference import postings

compiled_inversion = pytest.importorskip("dowse.kernels._inversion")
compiled_postings = pytest.importorskip("dowse.kernels._postings")


def both_postings(seed: int, row_count: int, term_count: int, density: float, spread: int):
    """Opens the same segment with the plain and the compiled reader; the compiled kernel inverts it."""
    drawn = random_tokens(seed, row_count, term_count, density, spread)
    lists = compiled_inversion.invert(
        drawn.list_ids, drawn.rows, drawn.positions, len(drawn.terms), drawn.buckets
    )
    arguments = (*drawn.dictionary, lists, drawn.buckets)
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
