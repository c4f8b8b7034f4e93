"""The words of a vocabulary nearest to a question."""

import numpy as np

from dowse.embedding.nearest_words import NearestWords
from dowse.embedding.static_table import StaticTable

VOCABULARY = {"[CLS]": 0, "tea": 1, "coffee": 2, "##ing": 3, "bus": 4, "of": 5, "42nd": 6}
VECTORS = np.array(
    [[1, 0, 0], [0.8, 0.6, 0], [0.6, 0.8, 0], [0.8, 0.6, 0], [0, 0, 1], [0.8, 0.6, 0], [0.8, 0.6, 0]],
    np.float32,
)


def test_only_whole_words_are_near():
    """Special tokens, parts of words, numbers and words of two letters are not for people."""
    words = NearestWords(StaticTable(VECTORS, "model"), VOCABULARY.items())
    found = words.find(VECTORS[1], 10)
    assert ["tea", "coffee", "bus"] == [word for word, _ in found]
    assert found[0][1] > found[1][1] > found[2][1]
    assert 1.0 >= found[0][1] > 0.99
    assert found[:2] == words.find(VECTORS[1], 2)


def test_tokens_beyond_the_table_are_left_out():
    """A vocabulary may have more tokens than the table has rows."""
    words = NearestWords(StaticTable(VECTORS[:2], "model"), VOCABULARY.items())
    assert ["tea"] == [word for word, _ in words.find(VECTORS[1], 10)]
    assert [] == NearestWords(StaticTable(VECTORS, "model"), [("of", 5)]).find(VECTORS[1], 3)
