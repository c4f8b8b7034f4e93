"""The part of a chunk that is shown."""

import pytest

from dowse.analysis import Analyzer
from dowse.results import cut_snippet

ANALYZER = Analyzer()


def cut(text: str, query: str, max_chars: int = 240) -> tuple[str, list[str], int]:
    """Returns the snippet, what is marked in it, and the lines before."""
    terms = {token.term for token in ANALYZER.query_tokens(query)}
    snippet, highlights, lines = cut_snippet(text, terms, ANALYZER, max_chars)
    return snippet, [snippet[start:end] for start, end in highlights], lines


def test_a_short_text_is_shown_whole():
    """White space is folded, matches are marked as they are written."""
    assert ("Green teas, hot.", ["Green", "teas"], 0) == cut(" Green\n  teas,\thot. \n", "green tea")


def test_the_densest_part_is_shown():
    """Different words near each other beat one word often."""
    text = "tea " * 30 + "filler " * 60 + "green tea from Japan " + "filler " * 60
    snippet, marked, _ = cut(text, "green japan tea", 60)
    assert ["green", "tea", "Japan"] == marked
    assert snippet.startswith("… ")
    assert snippet.endswith(" …")


def test_nothing_marked_shows_the_beginning():
    """A hit by its title has a snippet all the same."""
    assert ("one two …", [], 0) == cut("one two three four", "tea", 10)


@pytest.mark.parametrize("max_chars", range(5, 40))
def test_words_are_not_cut(max_chars):
    """Snippets begin and end at white space wherever there is some."""
    words = ["tea", "one", "tea", "two", "three", "four", "five", "tea", "six", "seven", "eight"]
    snippet, _, _ = cut(" ".join(words), "tea", max_chars)
    assert set(snippet.split()) <= {*words, "…"}


@pytest.mark.parametrize("max_chars", range(5, 25))
def test_matches_are_not_cut(max_chars):
    """Where there is no white space to end at, a match that would be torn is not marked."""
    assert {"漢字"} == set(cut("漢字の" * 50, "漢字", max_chars)[1])


def test_lines_before_the_first_match_are_counted():
    """So that a hit can point at its line."""
    assert 2 == cut("one\ntwo\nthree tea\nfour", "tea")[2]


def test_overlapping_matches_are_marked_once():
    """A compound and its parts are one mark."""
    assert ["error-handling"] == cut("good error-handling here", "error-handling")[1]


def test_an_empty_text_has_an_empty_snippet():
    """Nothing to show is shown."""
    assert ("", [], 0) == cut("", "tea")


def test_a_very_long_word_is_shown_whole():
    """A match longer than the snippet may be is not torn."""
    word = "x" * 300
    snippet, marked, _ = cut(f"before {word} after", word, 50)
    assert 1 == len(marked)
    assert marked[0] in word
    assert snippet
