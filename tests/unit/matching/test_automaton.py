"""What patterns may contain, and how those that are wrong or too large are refused."""

import re

import pytest

from dowse.errors import InvalidPatternError, PatternTooComplexError
from dowse.matching import compile_expression, compile_wildcard
from dowse.matching.characters import LAST, named_set


@pytest.mark.parametrize(
    ("expression", "position", "words"),
    [
        (r"(a)\1", 3, r"“\1” is not supported"),
        (r"a\bc", 1, r"“\b” is not supported"),
        ("x(?=a)", 1, "“(?=” are not supported"),
        ("(?<!a)b", 0, "“(?<” are not supported"),
        ("(?i)b", 0, "“(?i” are not supported"),
        ("a^b", 1, "“^” is supported only at the start"),
        ("a$b", 1, "“$” is supported only at the end"),
        ("(^a)", 1, "“^” is supported only at the start"),
        ("*a", 0, "“*” has nothing to repeat"),
        ("a|+", 2, "“+” has nothing to repeat"),
        ("{2}", 0, "“{” has nothing to repeat"),
        ("a*+", 1, "cannot be repeated or possessive"),
        ("a{3,2}", 1, "“{3,2}” repeats"),
        ("(ab", 0, "never closed"),
        ("ab)", 2, "closes nothing"),
        ("a[bc", 1, "never closed"),
        ("[b-a]", 1, "“b-a” is not a range"),
        (r"[\d-z]", 1, "is not a range"),
        ("ab\\", 2, "nothing after"),
    ],
)
def test_what_is_not_supported_is_named_with_its_place(expression: str, position: int, words: str):
    """The message says what is wrong, and the caret stands under it."""
    with pytest.raises(InvalidPatternError) as caught:
        compile_expression(expression)
    assert words in caught.value.message
    assert position == caught.value.details["position"]
    assert " " * (position + 2) + "^" == caught.value.message.splitlines()[-1]


@pytest.mark.parametrize(
    "expression",
    [
        "(a|b)*a(a|b){11}",
        ".*a.{20}",
        "(x+x+)+y" * 101,
        "a{0,1000}",
        "((((a{9}){9}){9}){9}){9}",
        "(){999999}",
        "((x{0}){999999}){999999}",
        "(.?){201}",
        "(a?b?c?d?e?f?){50}",
        "|".join(f"{number}.*{number}" for number in range(90)),
        "(" * 200 + ")" * 200,
        "a" * 100_000,
    ],
    ids=lambda expression: expression[:24],
)
def test_patterns_that_would_take_long_are_refused(expression: str):
    """Whatever would need many states, many letters or much work ends in a clear message."""
    with pytest.raises(PatternTooComplexError, match="the pattern is too complex: "):
        compile_expression(expression)


@pytest.mark.parametrize(
    ("expression", "word"),
    [("(a+)+b", "a" * 5000), ("(a|aa)*c", "a" * 5000), ("(.*)*x", "a" * 5000)],
)
def test_patterns_that_make_others_backtrack_are_read_once(expression: str, word: str):
    """Catastrophic patterns are ordinary here: one step a letter."""
    assert not compile_expression(expression).matches(word)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("abc", "abc"),
        ("abc*", "ab"),
        ("abc+d", "abc"),
        ("a(b|b)c|abd", "ab"),
        ("a?b", ""),
        ("", ""),
        ("漢字.*", "漢字"),
        ("(ab){2}c?", "abab"),
        ("[a]b[cd]", "ab"),
        ("a|b", ""),
    ],
)
def test_the_literal_prefix_is_what_every_match_begins_with(expression: str, expected: str):
    """It is as long as it can be."""
    assert expected.encode() == compile_expression(expression).literal_prefix


def test_wildcards_have_a_literal_prefix_and_escapes():
    """A backslash takes the meaning from the next character; a last one stands for itself."""
    assert b"con" == compile_wildcard("con*tion").literal_prefix
    assert b"tion" == compile_wildcard("con*tion").literal_suffix
    assert b"" == compile_wildcard("con*").literal_suffix
    assert compile_wildcard(r"a\*b?").matches("a*bc")
    assert not compile_wildcard(r"a\*b?").matches("axbc")
    assert compile_wildcard("a\\").matches("a\\")


@pytest.mark.parametrize("name", ["d", "w", "s", "D", "W", "S"])
def test_named_sets_have_what_python_says(name: str):
    """Every code point is in the set if and only if `re` finds it there."""
    everything = "".join(map(chr, range(LAST + 1)))
    expected = [found.span() for found in re.finditer(rf"\{name}+", everything)]
    assert expected == list(named_set(name))


def test_the_same_pattern_is_compiled_once():
    """Asking for the next page costs no second automaton."""
    assert compile_expression("te[ao]m?") is compile_expression("te[ao]m?")
    assert compile_wildcard("te?m*") is compile_wildcard("te?m*")
