"""JSON: readable text of any value, and plain text of what is no JSON."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.ingest import Extracted, get_extractor
from dowse.ingest.limits import Allowance

LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text("abcß日 ", min_size=1, max_size=8)
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text("xyz", min_size=1), inner, max_size=4)
    ),
)


def read(text: str, path: str = "a.json") -> Extracted:
    """Reads JSON."""
    return get_extractor("json").extract(text.encode(), path, Allowance())


def test_members_are_lines_and_larger_ones_sections() -> None:
    """Plain members come first, so that they do not fall under the heading of a larger one."""
    extracted = read(
        '{"scripts": {"build": "make"}, "name": "tool", "size": 1.50, "tags": ["a", "b"], "ok": true}'
    )
    assert b"name: tool\nsize: 1.50\ntags: a, b\nok: true\n\nscripts\nbuild: make\n" == extracted.text
    assert ["tool", "scripts"] == [section.title for section in extracted.sections]


def test_items_of_a_list_are_rows() -> None:
    """A list of objects reads like a table."""
    assert (
        b"name: Ada | born: 1815\nname: Bob | town.zip: 12\n"
        == read('[{"name": "Ada", "born": 1815}, {"name": "Bob", "town": {"zip": 12}}]').text
    )


def test_a_list_of_objects_under_a_key_is_a_table() -> None:
    """Its key is the heading, each object a row."""
    extracted = read('{"people": [{"name": "Ada"}, {"name": "Bob"}]}')
    assert b"people\nname: Ada\nname: Bob\n" == extracted.text
    assert "people" == extracted.sections[1].title


def test_comments_and_last_commas_are_allowed() -> None:
    """Settings of editors are JSON with comments; what looks like one in a string is none."""
    extracted = read('{// one\n"a": "http://x /* no */", /* two */ "b": [1, 2,],}')
    assert (b"a: http://x /* no */\nb: 1, 2\n", ()) == (extracted.text, extracted.problems)


@pytest.mark.parametrize("path", ["a.jsonl", "a.ndjson", "a.json"])
def test_json_lines_are_a_line_each(path: str) -> None:
    """A value a line, also when the name does not say so."""
    assert b"a: 1\na: 2 | b: x\n" == read('{"a": 1}\n{"a": 2, "b": "x"}\n', path).text


def test_a_broken_line_is_text_with_a_problem() -> None:
    """The other lines are still read."""
    extracted = read('{"a": 1}\n{"a": \n', "a.jsonl")
    assert (b'a: 1\n{"a":\n', ["bad-json"]) == (
        extracted.text,
        [problem.code for problem in extracted.problems],
    )


@pytest.mark.parametrize(
    "text", ["{", '{"a": }', "[" * 200_000, '{"a":' * 100_000, "/*" * 50_000, '"' * 50_001]
)
def test_no_json_is_plain_text(text: str) -> None:
    """What is broken or nested without end stays as it is, with a problem."""
    extracted = read(text)
    assert (text.encode(), ["bad-json"]) == (extracted.text, [problem.code for problem in extracted.problems])


def test_deep_values_are_read_without_recursion() -> None:
    """As deep as the parser goes, the text goes too."""
    assert b"a.a.a" in read('{"a":' * 400 + '"deep"' + "}" * 400).text
    assert b"deep" in read('{"a":' * 400 + '"deep"' + "}" * 400).text


def test_pictures_in_text_clothing_are_left_out() -> None:
    """A long run of base64 has no words."""
    assert (
        b"a\nb: text\n" == read(json.dumps({"a": "data:image/png;base64," + "iVBO" * 500, "b": "text"})).text
    )


def test_repeated_keys_and_long_numbers_are_kept() -> None:
    """Everything that is written is found."""
    assert b"a: 1\na: 2\n" == read('{"a": 1, "a": 2}').text
    assert b"9" * 9_000 in read('{"a": ' + "9" * 9_000 + "}").text


@given(VALUES)
@settings(max_examples=100, deadline=None)
def test_every_word_of_a_value_is_found(value: object) -> None:
    """Keys and values of any nesting are in the text."""
    text = read(json.dumps(value)).text.decode()
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            assert all(key in text for key in part)
            waiting += part.values()
        elif isinstance(part, list):
            waiting += part
        elif isinstance(part, str):
            assert " ".join(part.split()) in " ".join(text.split())
