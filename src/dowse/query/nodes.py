"""The tree of a query: frozen values, equal when they ask the same; positions count characters from 0.

A tree is *legal* when the parser can make it without a problem:

- words, prefixes and fuzzy words have no white space; phrases, exact texts, values and sounds are not blank;
- `And`, `Or` and `Most` have two items or more, no `And` stands directly in an `And`, no `Or` in an `Or`;
- no `Not` stands directly in a `Not`, no `Scoped` anywhere in a `Scoped`;
- numbers are within the limits of `dowse.query.words`.

The lenient parser also makes trees with a `Scoped` inside a `Scoped`: the inner field counts.

Nodes of one shape share a dataclass, because each costs 0.7 ms to make at import and every command pays it;
nodes of different classes are never equal.
"""

from dataclasses import dataclass
from dataclasses import field as attribute
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class TextNode:
    """What is asked by one text; the class of a node says how."""

    text: str
    position: int = attribute(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class PatternNode:
    """What is asked by a pattern for terms."""

    pattern: str
    position: int = attribute(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class ItemsNode:
    """What is asked by two items or more."""

    items: "tuple[Node, ...]"
    position: int = attribute(default=0, compare=False)


class Word(TextNode):
    """One word as typed; analysis may find several terms in it (``error-handling``), or none."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words that stand together in this order, with at most `slop` moves between them."""

    text: str
    slop: int = 0
    position: int = attribute(default=0, compare=False)


class Exact(TextNode):
    """A text that occurs as it is, after normalisation only."""

    __slots__ = ()


class Prefix(TextNode):
    """Every term that starts with a text."""

    __slots__ = ()


class Wildcard(PatternNode):
    r"""Every term that fits: ``*`` is any characters, ``?`` is one; ``\*`` ``\?`` ``\\`` are themselves.

    A question mark at the end counts only beside another wildcard: people end sentences with it.
    """

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Fuzzy:
    """Every term within some edits of a word; None leaves the number to the policy for its length."""

    text: str
    edits: int | None
    position: int = attribute(default=0, compare=False)


class Regex(PatternNode):
    """Every term that a regular expression matches; the parser does not check the expression."""

    __slots__ = ()


class Named(TextNode):
    """Documents whose title or file name is nearly a text."""

    __slots__ = ()


class Sounds(TextNode):
    """Every term that sounds like a word."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Near:
    """Two items or more with at most `distance` other words between them, in this order or in any."""

    items: "tuple[Node, ...]"
    distance: int
    is_ordered: bool
    position: int = attribute(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class First:
    """An item among the first `count` words."""

    item: "Node"
    count: int
    position: int = attribute(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Quorum:
    """At least some of the items: a number of them, or a share above 0 and up to 1; the other is None."""

    items: "tuple[Node, ...]"
    needed: int | None
    share: float | None
    position: int = attribute(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class WeakAnd:
    """Any of the items, of which only the best `keep` hits are kept."""

    items: "tuple[Node, ...]"
    keep: int
    position: int = attribute(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Scoped:
    """An item looked for in one field only; filters inside are not touched by it."""

    field: str
    item: "Node"
    position: int = attribute(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Boosted:
    """An item whose score counts `factor` times; 0 matches and adds nothing."""

    item: "Node"
    factor: float
    position: int = attribute(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Not:
    """What must not match."""

    item: "Node"
    position: int = attribute(default=0, compare=False)


class And(ItemsNode):
    """All of the items."""

    __slots__ = ()


class Or(ItemsNode):
    """Any of the items."""

    __slots__ = ()


class Most(ItemsNode):
    """Items side by side: any of them, ranked, better the more of them match.

    Phrases, filters and negations among them bind; that is for planning to carry out.
    """

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Filter:
    """A fact that hits must have: one of the values; an extension has no dot."""

    name: str
    values: tuple[str, ...]
    position: int = attribute(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class RangeFilter:
    """A number that hits must have: ``low <= number < high``, None is open.

    Attributes:
        name: “date” in seconds since 1970 UTC, “size” in bytes, or “meta.” and a key.
        text: As typed; relative dates mean something else tomorrow, so this is what is printed.
    """

    name: str
    low: float | None
    high: float | None
    text: str
    position: int = attribute(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Everything:
    """All there is."""

    position: int = attribute(default=0, compare=False)


Leaf: TypeAlias = (
    Word | Phrase | Exact | Prefix | Wildcard | Fuzzy | Regex | Sounds | Named | Filter | RangeFilter
    | Everything
)
Node: TypeAlias = (
    Leaf | Near | First | Quorum | WeakAnd | Scoped | Boosted | Not | And | Or | Most
)
