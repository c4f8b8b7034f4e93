"""Any string is a query (`query`, invariants 1 and 2)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.errors import QuerySyntaxError
from dowse.query import Not, Phrase, Query, Word, parse, unparse

# Characters the grammar knows, white space of all kinds, half of a pair, and anything else.
CHARACTERS = st.sampled_from('"--  \t\n\u00a0\u2003\0ab\ud800') | st.characters()
QUERY_TEXTS = st.text(CHARACTERS, max_size=40)


@given(QUERY_TEXTS)
@settings(max_examples=300, deadline=None)
def test_parsing_never_fails(text):
    """Lenient parsing gives a tree for every string, with clauses in the order typed."""
    clauses = parse(text).query.clauses
    positions = [clause.position for clause in clauses]
    assert sorted(set(positions)) == positions
    assert all(0 <= position < len(text) for position in positions)


@given(QUERY_TEXTS)
@settings(max_examples=300, deadline=None)
def test_unparsing_is_the_way_back(text):
    """A tree written out and read again is the same tree, and nothing is wrong with it."""
    tree = parse(text).query
    again = parse(unparse(tree))
    assert tree == again.query
    assert () == again.problems
    assert unparse(tree) == unparse(again.query)


@given(QUERY_TEXTS)
@settings(max_examples=300, deadline=None)
def test_strict_reports_the_first_problem_inside_the_text(text):
    """Strict parsing fails exactly where lenient parsing has its first problem; else they agree."""
    lenient = parse(text)
    if not lenient.problems:
        assert lenient == parse(text, strict=True)
        return
    with pytest.raises(QuerySyntaxError) as caught:
        parse(text, strict=True)
    position = caught.value.details["position"]
    assert 0 <= position < len(text)
    assert f"character {position}" == lenient.problems[0].location
    assert caught.value.message


@given(QUERY_TEXTS)
@settings(max_examples=200, deadline=None)
def test_nothing_typed_is_lost(text):
    """Every character that is not white space, a quotation mark or a minus is in some clause."""
    kept = "".join(_text_of(clause) for clause in parse(text).query.clauses)
    dropped = {'"', "-"}
    expected = [char for char in text if not char.isspace() and char not in dropped]
    assert expected == [char for char in kept if not char.isspace() and char not in dropped]


def _text_of(clause: Word | Phrase | Not) -> str:
    return clause.item.text if isinstance(clause, Not) else clause.text


def test_an_empty_query_has_no_clauses():
    """Nothing typed is nothing asked."""
    assert Query(()) == parse("").query
