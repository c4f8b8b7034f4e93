"""Vectors of questions are kept, and forgotten in the right order."""

import numpy as np
import pytest

from dowse.embedding.cache import QueryCache
from dowse.embedding.embedder import normalise
from dowse.errors import InvalidParameterError


class Counting:
    """An embedder that notes what it is asked."""

    name, fingerprint, dimensions, max_tokens = "counting", "f", 2, 9

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed_queries(self, texts):
        self.asked += texts
        return normalise(np.array([[len(text), 1.0] for text in texts]))

    def embed_passages(self, texts):
        return self.embed_queries(texts)


def test_what_was_asked_before_is_not_computed_again():
    """Known questions cost nothing, a question twice in one call is computed once, and order is kept."""
    inner = Counting()
    cache = QueryCache(inner)
    cache.embed_queries(["bb"])
    found = cache.embed_queries(["a", "bb", "a", "ccc"])
    assert ["bb", "a", "ccc"] == inner.asked
    np.testing.assert_array_equal(found, Counting().embed_queries(["a", "bb", "a", "ccc"]))


def test_the_question_not_asked_for_longest_is_forgotten():
    """Asking again keeps a question; the least recent goes when there is no room."""
    inner = Counting()
    cache = QueryCache(inner, capacity=2)
    for text in ("a", "b", "a", "c", "a", "b"):
        cache.embed_queries([text])
    assert ["a", "b", "c", "b"] == inner.asked


def test_what_is_forgotten_is_computed_again():
    """For whoever measures how long a question takes."""
    inner = Counting()
    cache = QueryCache(inner)
    cache.embed_queries(["a"])
    cache.forget()
    cache.embed_queries(["a"])
    assert ["a", "a"] == inner.asked


def test_callers_cannot_change_what_is_kept():
    """An answer that is written to does not come back changed."""
    cache = QueryCache(Counting())
    cache.embed_queries(["a"])[:] = 9.0
    assert cache.embed_queries(["a"]).max() <= 1.0


def test_passages_pass_through_and_so_does_the_name():
    """Only questions are kept; everything else is the wrapped embedder's."""
    inner = Counting()
    cache = QueryCache(inner)
    cache.embed_passages(["x"])
    cache.embed_passages(["x"])
    assert ["x", "x"] == inner.asked
    assert ("counting", "f", 2, 9) == (cache.name, cache.fingerprint, cache.dimensions, cache.max_tokens)
    assert (0, 2) == cache.embed_queries([]).shape


def test_a_cache_for_nothing_is_refused():
    """The capacity is 1 and up."""
    with pytest.raises(InvalidParameterError):
        QueryCache(Counting(), capacity=0)
