"""Random trees of the query language: every legal one can come up (`dowse.query.nodes`)."""

from hypothesis import assume
from hypothesis import strategies as st

from dowse.query.names import FIELDS, FILTERS
from dowse.query.nodes import (
    And,
    BagOfWords,
    Boosted,
    Everything,
    Exact,
    Filter,
    First,
    Fuzzy,
    Named,
    Near,
    Node,
    Not,
    Or,
    Phrase,
    Prefix,
    Quorum,
    RangeFilter,
    Regex,
    Scoped,
    Sounds,
    WeakAnd,
    Wildcard,
    Word,
)
from dowse.query.values import find_bounds

NOW = 1_700_000_000.0

# All signs of the grammar, letters, white space, and anything else.
SIGNS = "\"“”„«»()^~*?:/\\-!.,<>=|&%'#+@_"
CHARACTERS = st.sampled_from(SIGNS + "aBc12é ") | st.characters()
PIECES = st.sampled_from(
    ["AND", "OR", "NOT", "OF", "NEAR", "FIRST", "&&", "||", ".pdf", ".NET", "title", "meta.x", "size>1k",
     "date<", "http://a?b", "std::x", "12:30", "foo:", "foo:bar", "title:", "/re/", "/usr/bin/", "C:\\x",
     "x^2", "x~2", "//"]
)  # fmt: skip
TEXTS = st.text(CHARACTERS, min_size=1, max_size=8) | st.lists(PIECES | CHARACTERS, max_size=4).map("".join)

WORD_TEXTS = TEXTS.map(lambda text: "".join(text.split())).filter(bool)
NOT_BLANK = TEXTS.filter(lambda text: bool(text.strip()))


@st.composite
def patterns(draw: st.DrawFn) -> str:
    """Wildcard patterns: not a prefix, not everything, more than a question."""
    pieces = st.sampled_from(["*", "?", "\\*", "\\?", "\\\\"]) | WORD_TEXTS.map(
        lambda text: "".join("\\" + char if char in "*?\\" else char for char in text)
    )
    parts = draw(st.lists(pieces, min_size=2, max_size=5))
    kept = [part for at, part in enumerate(parts) if not (part == "*" and at and parts[at - 1] == "*")]
    rest = kept[:-1] if kept[-1] == "*" else kept
    assume("*" in kept or "?" in kept)
    assume(rest and ("*" in rest or "?" in rest))
    asks_only = "*" not in kept and not any(
        char.isalnum() or char == "_" for char in "".join(kept[kept.index("?") :])
    )
    assume(not asks_only)
    return "".join(kept)


def is_expression(text: str) -> bool:
    """Returns whether a text can stand between slashes: no pair is cut, no slash escaped without need."""
    pairs = text.replace("\\\\", "")
    return not pairs.endswith("\\") and "\\/" not in pairs


META_NAMES = st.sampled_from(["meta.year", "meta.a-b.c", "meta.x_1"])
RANGE_TEXTS = {
    "date": ["2024", "2024-02", "2024-02-29", "2024-01..2024-06", "2001/", "/2003", "P2D/", "today",
             "yesterday", "7d", "30d..7d", ">=2024", "<2024-05", "2024-01-15T10:30", "2001-03-01/2002-05-01",
             "now"],
    "size": ["10k", ">10k", "<=2.5m", "10k..2m", "100", "..1g", "3MiB"],
    "meta.year": ["2020..2024", ">2020", "<=3.5", "-5..-2", "..7", "=4"],
}  # fmt: skip


def ranges() -> st.SearchStrategy[RangeFilter]:
    """Ranges as they are read at `NOW`."""
    texts = st.sampled_from([(name, text) for name, all_texts in RANGE_TEXTS.items() for text in all_texts])
    return texts.map(lambda pair: RangeFilter(pair[0], *find_bounds(*pair, NOW), pair[1]))


def filters() -> st.SearchStrategy[Filter]:
    """Filters with any values; an extension has no dot before it."""
    values = st.lists(NOT_BLANK, min_size=1, max_size=3).map(tuple)
    names = st.sampled_from([name for name in FILTERS if name != "ext"]) | META_NAMES
    plain = st.builds(Filter, names, values)
    extensions = values.filter(lambda texts: not any(text.startswith(".") for text in texts))
    return plain | st.builds(Filter, st.just("ext"), extensions)


NUMBERS = st.integers(0, 1_000_000)
COUNTS = st.integers(1, 1_000_000)
FACTORS = st.floats(0, 1_000_000) | st.sampled_from([0.0, 1.0, 2.5, 1e-7, 1e6])
LEAVES = (
    st.builds(Word, WORD_TEXTS)
    | st.builds(Phrase, NOT_BLANK, st.just(0) | NUMBERS)
    | st.builds(Exact, NOT_BLANK)
    | st.builds(Prefix, WORD_TEXTS)
    | st.builds(Wildcard, patterns())
    | st.builds(Fuzzy, WORD_TEXTS, st.none() | st.integers(0, 2))
    | st.builds(Regex, WORD_TEXTS.filter(is_expression))
    | st.builds(Sounds, NOT_BLANK)
    | st.builds(Named, NOT_BLANK)
    | st.builds(Everything)
    | filters()
    | ranges()
)


def holds_scope(node: Node) -> bool:
    """Returns whether a field is named somewhere in a tree."""
    if isinstance(node, Scoped):
        return True
    items = getattr(node, "items", None) or ((node.item,) if hasattr(node, "item") else ())
    return any(holds_scope(item) for item in items)


def _joined(nodes: st.SearchStrategy[Node], kind: type) -> st.SearchStrategy[Node]:
    items = nodes if kind is BagOfWords else nodes.filter(lambda node: not isinstance(node, kind))
    return st.lists(items, min_size=2, max_size=3).map(lambda found: kind(tuple(found)))


@st.composite
def _quorums(draw: st.DrawFn, nodes: st.SearchStrategy[Node]) -> Quorum:
    items = tuple(draw(st.lists(nodes, min_size=1, max_size=3)))
    if draw(st.booleans()):
        return Quorum(items, draw(st.integers(1, len(items))), None)
    return Quorum(items, None, draw(st.floats(0, 1, exclude_min=True) | st.sampled_from([0.07, 0.6, 0.333])))


def _wider(nodes: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    two_or_three = st.lists(nodes, min_size=2, max_size=3).map(tuple)
    one_or_more = st.lists(nodes, min_size=1, max_size=3).map(tuple)
    return (
        _joined(nodes, And)
        | _joined(nodes, Or)
        | _joined(nodes, BagOfWords)
        | st.builds(Not, nodes.filter(lambda node: not isinstance(node, Not)))
        | st.builds(Boosted, nodes, FACTORS)
        | st.builds(Scoped, st.sampled_from(FIELDS), nodes.filter(lambda node: not holds_scope(node)))
        | st.builds(Near, two_or_three, NUMBERS, st.booleans())
        | st.builds(First, nodes, COUNTS)
        | _quorums(nodes)
        | st.builds(WeakAnd, one_or_more, COUNTS)
    )


# Deferred, because what it would print of itself is long and slow.
TREES = st.deferred(lambda: st.recursive(LEAVES, _wider, max_leaves=8))
