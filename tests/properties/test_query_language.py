"""Any string is a query, and every tree can be written down (`query`, invariants 1 to 3)."""

import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from query_trees import CHARACTERS, NOW, PIECES, TREES

from dowse.errors import QuerySyntaxError
from dowse.query import MAX_DEPTH, MAX_ITEMS, parse_queries, parse_query, show_tree, unparse_node
from dowse.query.nodes import Leaf, Node, Not, Scoped, Word

FRAGMENTS = (
    *("tea", "green", "error-handling", "C++", ".NET", "café", "1,000", "12:30", "std::x", "http://a.b/c?d=e"),
    *("AND", "OR", "NOT", "&&", "||", "and", "-", "!", "--", "(", ")", "((", "))", ",", '"', "“", "”", "^2"),
    *("^", "~", "~2", "*", "?", "te?t", "tea*", "*tea", "tea~", "tea~1", "/re/", "/", "\\", "\\*", "title:"),
    *("body:", "title:(a OR b)", "foo:bar", "titel:x", "NEAR(", "ONEAR(a, b, 3)", "FIRST(", "FIRST(a, 2)"),
    *("2 OF (", "OF", "60% OF (a b c)", "WEAKAND(5: a b)", "WEAKAND(", "5", "%", "sounds:smith", "sounds:"),
    *('exact:"a b"', ".pdf", "ext:pdf,md", "tree:(a OR b)", "dir:", 'path:"a b"', "date:2024", "date:"),
    *("date:x..y", "size:>10k", "size>1k", "meta.year:2020..2024", "meta.", "'", "’", "\0", "\ud800", "\n"),
    *("\u2003", "日本語", "^2.5", "99999999999"),
)

TEXTS = (
    st.text(CHARACTERS, max_size=30)
    | st.lists(st.sampled_from(FRAGMENTS) | PIECES | CHARACTERS, max_size=12).map("".join)
    | st.lists(st.sampled_from(FRAGMENTS) | PIECES, max_size=12).map(" ".join)
)


def iter_nodes(node: Node | None) -> list[Node]:
    """Returns a node and all below it."""
    if node is None:
        return []
    items = getattr(node, "items", None) or ((node.item,) if hasattr(node, "item") else ())
    return [node, *[below for item in items for below in iter_nodes(item)]]


@given(TREES)
@example(Scoped("title", Word(",")))
@settings(max_examples=250, deadline=None)
def test_a_tree_written_out_and_read_again_is_the_same_tree(tree: Node) -> None:
    """Canonical text is legal, means the tree, and is its own canonical text."""
    text = unparse_node(tree)
    assert tree == parse_query(text, strict=True, now=NOW).root
    assert text == unparse_node(parse_query(text, now=NOW).root)


@given(TEXTS, st.sampled_from(["ranked", "all", "any"]))
@settings(max_examples=250, deadline=None)
@example("\\", "ranked")
@example("title:\\//x", "ranked")
def test_lenient_parsing_never_fails(text: str, default_operator: str) -> None:
    """Every string gives a tree within its text, a way to show it, and canonical text that reads the same."""
    parsed = parse_query(text, default_operator=default_operator, now=NOW)
    nodes = iter_nodes(parsed.root)
    assert all(0 <= node.position < len(text) for node in nodes)
    assert not any(isinstance(node, Not) and isinstance(node.item, Not) for node in nodes)
    assert len(nodes) == len(show_tree(parsed.root)) or parsed.root is None
    if parsed.root is not None:
        assert parsed.root == parse_query(unparse_node(parsed.root), now=NOW).root


@given(TEXTS)
@settings(max_examples=250, deadline=None)
def test_strict_parsing_agrees_or_points_into_the_text(text: str) -> None:
    """What strict parsing accepts, lenient parsing reads alike, without a problem; else it has a position."""
    lenient = parse_query(text, now=NOW)
    try:
        assert lenient == parse_query(text, strict=True, now=NOW)
        assert () == lenient.problems
        assert not _has_nested_scope(lenient.root)
    except QuerySyntaxError as error:
        position = error.details["position"]
        assert 0 <= position <= len(text)
        assert all(position <= int(problem.location.split()[-1]) for problem in lenient.problems)


def _has_nested_scope(root: Node | None) -> bool:
    scopes = [node for node in iter_nodes(root) if isinstance(node, Scoped)]
    return any(isinstance(below, Scoped) for scope in scopes for below in iter_nodes(scope.item))


@given(st.lists(TEXTS, max_size=3))
@settings(max_examples=100, deadline=None)
def test_several_queries_are_any_of_them(texts: list[str]) -> None:
    """Several queries ask for what the trees of each ask for, joined by OR."""
    roots = [parse_query(text, now=NOW).root for text in texts]
    joined = " OR ".join(f"({unparse_node(root)})" for root in roots if root is not None)
    assert parse_query(joined, now=NOW).root == parse_queries(texts, now=NOW).root


@pytest.mark.slow
def test_a_million_random_strings_are_read() -> None:
    """Strings made of fragments of the grammar never raise; one in fifty is checked in full."""
    chooser = random.Random(20_240_229)
    pieces = [*FRAGMENTS, *[" "] * 60]
    for number in range(1_000_000):
        text = "".join(chooser.choices(pieces, k=chooser.randrange(1, 6)))
        root = parse_query(text, now=NOW).root
        if number % 50 == 0 and root is not None:
            assert root == parse_query(unparse_node(root), now=NOW).root, text


@pytest.mark.parametrize(
    "text",
    ["(" * 10_000 + "x" + ")" * 10_000, "-(" * 10_000 + "x", "title:(" * 10_000 + "x",
     "NEAR(a, " * 10_000 + "x", "2 OF (a " * 10_000, "NOT " * 20_001 + "x", "title:" * 20_000 + "x",
     "word " * 100_000, "a:b -c " * 50_000, "(a OR b) " * 50_000, "tree:(" + "a OR " * 100_000,
     "()" * 100_000, "OR " * 100_000],
    ids=lambda text: text[:12],
)  # fmt: skip
def test_monstrous_queries_are_cut_down(text: str) -> None:
    """Depth and length are limited; the rest is a problem and not an error, and strict mode refuses it."""
    parsed = parse_query(text)
    lines = show_tree(parsed.root)
    leaves = [node for node in iter_nodes(parsed.root) if isinstance(node, Leaf)]
    assert len(leaves) <= MAX_ITEMS
    # A group, its field and its negation indent by two each.
    assert max(len(line) - len(line.lstrip()) for line in lines) <= 6 * MAX_DEPTH
    if parsed.problems:
        with pytest.raises(QuerySyntaxError):
            parse_query(text, strict=True)
