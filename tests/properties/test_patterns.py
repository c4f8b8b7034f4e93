"""Compiled patterns match what Python's `re` and a plain wildcard matcher match."""

import re
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.errors import InvalidPatternError, PatternTooComplexError
from dowse.matching.automaton import compile_expression, compile_wildcard

LETTERS = "ab1_- é漢"
WORDS = st.text(st.sampled_from(LETTERS), max_size=8)
MEMBERS = st.sampled_from(["a", "b", "1", "é", "a-b", "0-9", r"\d", r"\w", r"\s", r"\W", r"\-", "]"])
ATOMS = st.one_of(
    st.sampled_from([*"ab1_é漢", ".", r"\d", r"\w", r"\s", r"\D", r"\W", r"\S", r"\.", "()"]),
    st.lists(MEMBERS, min_size=1, max_size=3).map(lambda parts: f"[{''.join(sorted(parts, reverse=True))}]"),
    st.lists(MEMBERS, min_size=1, max_size=3).map(lambda parts: f"[^{''.join(sorted(parts, reverse=True))}]"),
)
REPEATS = st.sampled_from(["*", "+", "?", "{2}", "{1,}", "{,2}", "{0,3}", "*?", "+?", "??", "{1,2}?", "{0}"])


def _grow(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.tuples(inner, REPEATS).map(lambda pair: f"({pair[0]}){pair[1]}"),
        st.lists(inner, min_size=1, max_size=3).map("".join),
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: f"(?:{'|'.join(parts)})"),
        st.lists(inner, min_size=2, max_size=3).map("|".join),
    )


EXPRESSIONS = st.recursive(ATOMS | st.tuples(ATOMS, REPEATS).map("".join), _grow, max_leaves=8)


@given(EXPRESSIONS, st.lists(WORDS, min_size=1, max_size=20), st.sampled_from(["{}", "^{}$", "^{}", "{}$"]))
@settings(max_examples=150, deadline=None)
def test_expressions_match_what_python_matches(expression, words, frame):
    """For whole words, the automaton and `re.fullmatch` agree."""
    source = expression if "|" in expression else frame.format(expression)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        oracle = re.compile(source, re.DOTALL)
    pattern = compile_expression(source)
    for word in words:
        assert (word, oracle.fullmatch(word) is not None) == (word, pattern.matches(word))
        if pattern.matches(word):
            assert word.encode().startswith(pattern.literal_prefix)
            assert word.encode().endswith(pattern.literal_suffix)


def wildcard_matches(pattern: str, word: str) -> bool:
    """Decides by trying every way, from the left."""
    if not pattern:
        return not word
    if pattern[0] == "*":
        return any(wildcard_matches(pattern[1:], word[at:]) for at in range(len(word) + 1))
    if pattern[0] == "\\" and len(pattern) > 1:
        return word[:1] == pattern[1] and wildcard_matches(pattern[2:], word[1:])
    return bool(word) and pattern[0] in ("?", word[0]) and wildcard_matches(pattern[1:], word[1:])


@given(st.text(st.sampled_from("ab漢*?\\"), max_size=7), st.lists(st.text("ab漢*?\\", max_size=6)))
@settings(max_examples=150, deadline=None)
def test_wildcards_match_what_trying_every_way_matches(source, words):
    """Stars, question marks and escapes mean the same in the automaton."""
    pattern = compile_wildcard(source)
    for word in words:
        if source.endswith("\\") and "\\" in source:
            continue  # a lone backslash at the end: see the unit test
        assert (word, wildcard_matches(source, word)) == (word, pattern.matches(word))
        if pattern.matches(word):
            assert word.encode().startswith(pattern.literal_prefix)
            assert word.encode().endswith(pattern.literal_suffix)


@given(st.text(st.sampled_from("ab*+?{}[]()|^$.\\d0,9-:<=!P") | st.characters(), max_size=30))
@settings(max_examples=150, deadline=None)
def test_any_text_is_a_pattern_or_a_clear_error(source):
    """Whatever is typed compiles or is refused; what `re` refuses is never taken for a pattern."""
    try:
        compile_expression(source)
    except (InvalidPatternError, PatternTooComplexError):
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        try:
            re.compile(source)
        except re.error as error:
            pytest.fail(f"{source!r}: {error}")
