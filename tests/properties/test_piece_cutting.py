"""Both cutters find the same pieces, and only what the rules say is left to the caller."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.kernels.reference import piece_cutting as plain

compiled = pytest.importorskip("dowse.kernels._piece_cutting")

PIECES = st.dictionaries(
    st.text("abcAB01#-_é", min_size=0, max_size=5), st.integers(0, 2**31 - 1), max_size=25
)
TEXTS = st.text("abcAB01#-_é \t\n\x00\x7f\u00a0日", max_size=60) | st.text(max_size=40)


@given(PIECES, st.sampled_from(["##", "", "a"]), st.integers(0, 8), TEXTS, st.integers(0, 30))
@settings(max_examples=400, deadline=None)
def test_both_cutters_return_the_same(pieces: dict, mark: str, longest: int, text: str, at_most: int):
    """Numbers and gaps are equal, whatever the vocabulary and the text."""
    encoded = text.encode("utf-8", "replace")
    expected = plain.PieceCutter(pieces, mark, longest).cut(encoded, at_most)
    actual = compiled.PieceCutter(pieces, mark, longest).cut(encoded, at_most)
    assert [one.tolist() for one in expected] == [one.tolist() for one in actual]
    assert [one.dtype for one in expected] == [one.dtype for one in actual]


@given(TEXTS)
@settings(deadline=None)
def test_with_every_letter_a_piece_only_foreign_words_are_gaps(text: str):
    """A word is a gap when it has anything but ASCII letters and digits; nothing else is lost."""
    letters = {chr(code): code for code in range(33, 127)}
    pieces = letters | {f"##{letter}": code + 200 for letter, code in letters.items()}
    encoded = text.encode("utf-8", "replace")
    for kind in (plain.PieceCutter, compiled.PieceCutter):
        numbers, gaps = kind(pieces, "##", 1000).cut(encoded, 10**6)
        words = [encoded[start:end] for _, start, end in gaps.tolist()]
        assert all(re.search(rb"[^!-~]", word) and not re.search(rb"[\t\n\r ]", word) for word in words)
        visible = re.sub(rb"[\t\n\r ]", b"", encoded)
        assert len(visible) == len(numbers) + sum(map(len, words))


def test_the_longest_piece_from_the_left_wins():
    """As WordPiece says: "unaffable" is una + ##ff + ##able, and nothing when a rest is no piece."""
    pieces = {"un": 0, "una": 1, "##ff": 2, "##able": 3, "##a": 4}
    for kind in (plain.PieceCutter, compiled.PieceCutter):
        numbers, gaps = kind(pieces, "##", 100).cut(b"Unaffable unx UNA", 100)
        assert ([1, 2, 3, 1], [[3, 10, 13]]) == (numbers.tolist(), gaps.tolist())
