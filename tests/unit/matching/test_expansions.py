"""Which forms of a pattern are searched for when there are too many."""

from types import SimpleNamespace

import numpy as np
import pytest

from dowse.matching.expansions import _cut


@pytest.mark.parametrize("limit", [1, 10, 199, 200, 201])
def test_the_nearest_and_most_frequent_forms_are_kept(limit):
    """Nearest first, then most chunks, then in the order of letters: as sorting by all three says."""
    random = np.random.default_rng(3)
    terms = np.sort(random.choice(1000, 200, replace=False)).astype(np.uint32)
    distances = random.integers(0, 3, 200).astype(np.uint8)
    doc_freqs = random.integers(0, 5, 1000).astype(np.uint32)  # few values, so that many are alike
    order = sorted(range(200), key=lambda at: (distances[at], -int(doc_freqs[terms[at]]), terms[at]))
    expected = sorted(order[:limit])
    kept, own = _cut(SimpleNamespace(term_doc_freqs=doc_freqs), terms, distances, limit)
    assert [terms[expected].tolist(), distances[expected].tolist()] == [kept.tolist(), own.tolist()]
    assert (np.uint32, np.uint8) == (kept.dtype, own.dtype)
