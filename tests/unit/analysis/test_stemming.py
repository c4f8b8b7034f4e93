"""Stems, and the words that have none."""

import pytest

from dowse.analysis.stemming import Stemming


class Shortening:
    """A stemmer that takes four letters off, as long as there are any."""

    def stemWords(self, words):  # noqa: N802 - the name Snowball's own has
        """Returns what is left."""
        return [word[:-4] for word in words]


@pytest.mark.parametrize("words", [[b"growing", b"tea"], [b"tea"], [b"growing"], []])
def test_a_word_whose_stem_is_empty_stays_itself(monkeypatch, words):
    """No term is ever empty."""
    stemming = Stemming("english")
    monkeypatch.setattr(stemming, "_stemmer", Shortening)
    assert [word[:-4] or word for word in words] == stemming.stem(words)


def test_without_an_algorithm_words_stay_as_they_are():
    """``none`` stems nothing."""
    assert [b"plants", b"growing"] == Stemming("none").stem([b"plants", b"growing"])
