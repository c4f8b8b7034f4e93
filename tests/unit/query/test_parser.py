"""Reading a query."""

import pytest

from dowse.errors import QuerySyntaxError
from dowse.query import Not, Phrase, Word, parse, unparse


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("green tea", (Word("green"), Word("tea"))),
        ('"green tea"', (Phrase("green tea"),)),
        ("-tea", (Not(Word("tea")),)),
        ('-"green tea"', (Not(Phrase("green tea")),)),
        ("error-handling", (Word("error-handling"),)),
        ("- tea", (Word("-"), Word("tea"))),
        ("--tea", (Not(Word("-tea")),)),
        ('tea"green"', (Word("tea"), Phrase("green"))),
        ('"green', (Phrase("green"),)),
        ('"" tea', (Word("tea"),)),
        ("title:tea c++ .net", (Word("title:tea"), Word("c++"), Word(".net"))),
        ("\u00a0tea\u2003", (Word("tea"),)),
    ],
)
def test_text_becomes_clauses(text, expected):
    """Words, phrases and exclusions, in the order typed."""
    assert expected == parse(text).query.clauses


@pytest.mark.parametrize(
    ("text", "position", "message"),
    [
        ('tea "green', 4, "not closed"),
        ('tea ""', 4, "nothing between"),
        ('tea -"  "', 4, "nothing between"),
        ('"', 0, "not closed"),
    ],
)
def test_strict_parsing_points_at_the_problem(text, position, message):
    """The error has the position and a caret below it; lenient parsing says the same as a problem."""
    with pytest.raises(QuerySyntaxError, match=message) as caught:
        parse(text, strict=True)
    assert position == caught.value.details["position"]
    assert f"  {' ' * position}^" == caught.value.message.splitlines()[-1]
    assert f"character {position}" == parse(text).problems[0].location


def test_unparsing_is_canonical():
    """One space between clauses, quotation marks closed."""
    assert 'tea -"green  x" "open' + '"' == unparse(parse(' tea   -"green  x""open').query)
