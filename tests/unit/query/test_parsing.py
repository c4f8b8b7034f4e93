"""The query language, by example: one or more per rule of the grammar."""

import re

import pytest
from query_examples import EXAMPLES, MISTAKES

import dowse.query
from dowse.errors import InvalidParameterError, QuerySyntaxError
from dowse.query import MAX_ITEMS, lexing, parse_queries, parse_query, parsing, show_tree, unparse_node
from dowse.query.nodes import And, BagOfWords, Not, Or, Phrase, Prefix, Word

RULES = re.findall(r"^    (\w+) += ", dowse.query.__doc__ or "", re.MULTILINE)


@pytest.mark.parametrize(("rule", "text", "expected"), EXAMPLES, ids=[text for _, text, _ in EXAMPLES])
def test_text_becomes_a_tree(rule, text, expected):
    """Each example is read as its tree, without a problem, in both modes; and its printed form likewise."""
    assert expected == parse_query(text, strict=True).root
    assert (expected, ()) == parse_query(text)
    if expected is not None:
        assert expected == parse_query(unparse_node(expected), strict=True).root


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_has_an_example(rule):
    """A rule of the grammar without an example is a promise nobody checks."""
    inner = {"meta", "atom", "extension"}  # shown by the rules that use them
    assert rule in inner or rule in {rule for rule, _, _ in EXAMPLES}


@pytest.mark.parametrize(("text", "position", "message", "understood"), MISTAKES)
def test_mistakes_are_reported_and_read_around(text, position, message, understood):
    """Strict mode points at the first problem; lenient mode says the same and goes on."""
    with pytest.raises(QuerySyntaxError, match=re.escape(message)) as caught:
        parse_query(text, strict=True)
    assert position == caught.value.details["position"]
    parsed = parse_query(text)
    assert f"character {position}" == parsed.problems[0].location
    assert "query-syntax" == parsed.problems[0].code
    assert understood == ("" if parsed.root is None else unparse_node(parsed.root))


def test_names_nobody_knows_are_words_to_people_and_errors_to_programs():
    """A colon in a sentence is no mistake; in strict mode the known names are listed."""
    assert (Word("note:this"), ()) == parse_query("note:this")
    with pytest.raises(QuerySyntaxError, match="known: title, headings"):
        parse_query("note:this", strict=True)


@pytest.mark.parametrize(("default_operator", "group"), [("ranked", BagOfWords), ("all", And), ("any", Or)])
def test_the_default_operator_is_a_setting(default_operator, group):
    """Words side by side are what the setting says, with and without signs between them."""
    assert group((Word("a"), Word("b"))) == parse_query("a b", default_operator=default_operator).root
    assert group((Word("a"), Not(Word("b")))) == parse_query("a -b", default_operator=default_operator).root


def test_side_by_side_is_taken_into_the_group_around_it():
    """With “all”, words beside AND join it."""
    assert And((Word("a"), Word("b"), Word("c"))) == parse_query("a b AND c", default_operator="all").root


def test_an_unknown_default_operator_is_refused():
    """The message has the value and the legal ones."""
    with pytest.raises(InvalidParameterError, match="some") as caught:
        parse_query("a", default_operator="some")
    assert "ranked, all, any" in caught.value.hint


def test_positions_count_characters():
    """Every node knows where it was typed."""
    root = parse_query('a -"b c"').root
    assert [0, 0, 2, 3] == [root.position, root.items[0].position, root.items[1].position,
                            root.items[1].item.position]  # fmt: skip
    assert [0, 3] == [item.position for item in parse_query("ab cd").root.items]


def test_several_queries_are_joined_by_or():
    """Each is read on its own; problems say which one."""
    parsed = parse_queries(["a b", '"c', ""])
    assert Or((BagOfWords((Word("a"), Word("b"))), Phrase("c"))) == parsed.root
    assert ["query 2, character 0"] == [problem.location for problem in parsed.problems]
    assert (None, ()) == parse_queries([])


@pytest.mark.parametrize("sign", ["", "-"])
def test_long_queries_lose_their_end(sign):
    """What is beyond the limit is counted; what is within it is kept; strict mode refuses."""
    text = f"{sign}w " * (MAX_ITEMS + 10)
    parsed = parse_query(text)
    assert MAX_ITEMS == len(parsed.root.items)
    assert "10 words" in parsed.problems[0].message
    with pytest.raises(QuerySyntaxError, match="at most 1,024"):
        parse_query(text, strict=True)


def test_deep_parentheses_are_left_out():
    """The items stay, the structure beyond the limit goes."""
    parsed = parse_query("(" * 60 + "a OR b" + ")" * 60 + " c")
    assert BagOfWords((Or((Word("a"), Word("b"))), Word("c"))) == parsed.root
    assert ["at most 50 deep" in problem.message for problem in parsed.problems] == [True]


@pytest.mark.parametrize("text", [
    "a AND b OR (c NOT d)", "title:AND x", "title: AND", "NEAR (a b)", "NEAR(a, b, 2)", "3 OF (a b c)",
    "a AND N AND ND", " a  OR b\tOR c", "a AND b OR c", "a AND b AND", "AND a AND b", "a AND NOT AND b",
    "a b AND c", "a && b AND c", "a AND -b", "a AND .pdf", "a b^2 c ^2", "a(b)c", "AND",
    "(a OR )b", "x1 1x _x é日", "a:b ab:c http://x", "a~ b* c? d, e",
])  # fmt: skip
def test_the_short_way_to_read_plain_words_changes_nothing(text, monkeypatch):
    """Words of letters and digits are read at a glance; reading them sign by sign gives the same."""
    short = parse_query(text)
    monkeypatch.setattr(lexing, "_PLAIN_WORD", re.compile(r"(?!)"))
    monkeypatch.setattr(parsing, "_SPECIAL", re.compile(""))
    whole = parse_query(text)
    assert (repr(whole.root), whole.problems) == (repr(short.root), short.problems)


def test_the_tree_can_be_shown():
    """One line per node, indented by depth."""
    text = (
        'title:(a OR "b c"~2)^2 -te* 2 OF (a b) tea~ size:>1k ext:md,txt '
        "(a AND ONEAR(b, FIRST(*, 2), 3))"
    )
    assert [
        "most of", "  times 2", "    in title", "      any of", "        word “a”",
        "        phrase “b c”, slop 2", "  not", "    prefix “te”", "  at least 2 of", "    word “a”",
        "    word “b”", "  fuzzy “tea”", "  size is >1k", "  ext is “md” or “txt”", "  all of",
        "    word “a”", "    near, in order, within 3", "      word “b”", "      among the first 2",
        "        everything",
    ] == show_tree(parse_query(text).root)  # fmt: skip
    assert ["nothing"] == show_tree(None)


def test_a_range_that_ends_before_it_starts_is_turned_round():
    """Both ends are what was meant; only their order was not."""
    right, wrong = parse_query("date:2024-01..2024-06").root, parse_query("date:2024-06..2024-01").root
    assert (right.low, right.high) == (wrong.low, wrong.high)


def test_nodes_are_equal_when_they_ask_the_same_wherever_they_stand():
    here, there = Word("tea", 0), Word("tea", 7)
    assert here == there
    assert (here != there) is False  # an operator of its own in a Struct
    assert hash(here) == hash(there)
    assert here != Word("coffee", 0)
    assert here != Prefix("tea", 0)
    assert And((here, Not(there))) == And((there, Not(here)), 3)
