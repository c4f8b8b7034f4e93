"""The tree of a query: frozen values, equal when they ask the same; positions count characters from 0.

A tree is *legal* when the parser can make it without a problem:

- words, prefixes and fuzzy words have no white space; phrases, exact texts, values and sounds are not blank;
- `And`, `Or` and `BagOfWords` have two items or more, no `And` stands directly in an `And`, no `Or` in an
  `Or`;
- no `Not` stands directly in a `Not`, no `Scoped` anywhere in a `Scoped`;
- numbers are within the limits of `dowse.query.words`.

The lenient parser also makes trees with a `Scoped` inside a `Scoped`: the inner field counts.

Nodes of different classes are never equal.
"""

from typing import TypeAlias

from msgspec import Struct

# What a query may hold: leaves in all, and groups within groups.
MAX_ITEMS = 1_024
MAX_DEPTH = 50


class _Asked(Struct, frozen=True, eq=False):
    """What all nodes share: those that ask the same are equal, wherever they stand."""

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._asked() == other._asked()

    def __ne__(self, other: object) -> bool:
        return not self == other  # a Struct does not ask `__eq__` for this

    def __hash__(self) -> int:
        return hash((type(self), self._asked()))

    def _asked(self) -> tuple[object, ...]:
        return tuple([getattr(self, name) for name in self.__struct_fields__ if name != "position"])


class TextNode(_Asked, frozen=True):
    """What is asked by one text; the class of a node says how."""

    text: str
    position: int = 0


class PatternNode(_Asked, frozen=True):
    """What is asked by a pattern for terms."""

    pattern: str
    position: int = 0


class ItemsNode(_Asked, frozen=True):
    """What is asked by two items or more."""

    items: "tuple[Node, ...]"
    position: int = 0


class Word(TextNode, frozen=True):
    """One word as typed; analysis may find several terms in it (``error-handling``), or none."""


class Phrase(_Asked, frozen=True):
    """Words that stand together in this order, with at most `slop` moves between them."""

    text: str
    slop: int = 0
    position: int = 0


class Exact(TextNode, frozen=True):
    """A text that occurs as it is, after normalisation only."""


class Prefix(TextNode, frozen=True):
    """Every term that starts with a text."""


class Wildcard(PatternNode, frozen=True):
    r"""Every term that fits: ``*`` is any characters, ``?`` is one; ``\*`` ``\?`` ``\\`` are themselves.

    A question mark at the end counts only beside another wildcard: people end sentences with it.
    """


class Fuzzy(_Asked, frozen=True):
    """Every term within some edits of a word; None leaves the number to the policy for its length."""

    text: str
    edits: int | None
    position: int = 0


class Regex(PatternNode, frozen=True):
    """Every term that a regular expression matches; the parser does not check the expression."""


class Named(TextNode, frozen=True):
    """Documents whose title or file name is nearly a text."""


class Sounds(TextNode, frozen=True):
    """Every term that sounds like a word."""


class Near(_Asked, frozen=True):
    """Two items or more with at most `distance` other words between them, in this order or in any."""

    items: "tuple[Node, ...]"
    distance: int
    is_ordered: bool
    position: int = 0


class First(_Asked, frozen=True):
    """An item among the first `count` words."""

    item: "Node"
    count: int
    position: int = 0


class Quorum(_Asked, frozen=True):
    """At least some of the items: a number of them, or a share above 0 and up to 1; the other is None."""

    items: "tuple[Node, ...]"
    needed: int | None
    share: float | None
    position: int = 0


class WeakAnd(_Asked, frozen=True):
    """Any of the items, of which only the best `keep` hits are kept."""

    items: "tuple[Node, ...]"
    keep: int
    position: int = 0


class Scoped(_Asked, frozen=True):
    """An item looked for in one field only; filters inside are not touched by it."""

    field: str
    item: "Node"
    position: int = 0


class Boosted(_Asked, frozen=True):
    """An item whose score counts `factor` times; 0 matches and adds nothing."""

    item: "Node"
    factor: float
    position: int = 0


class Not(_Asked, frozen=True):
    """What must not match."""

    item: "Node"
    position: int = 0


class And(ItemsNode, frozen=True):
    """All of the items."""


class Or(ItemsNode, frozen=True):
    """Any of the items."""


class BagOfWords(ItemsNode, frozen=True):
    """Items side by side: any of them, ranked, better the more of them match.

    Phrases, filters and negations among them bind; that is for planning to carry out.
    """


class Filter(_Asked, frozen=True):
    """A fact that hits must have: one of the values; an extension has no dot."""

    name: str
    values: tuple[str, ...]
    position: int = 0


class RangeFilter(_Asked, frozen=True):
    """A number that hits must have: ``low <= number < high``, None is open.

    Attributes:
        name: “date” in seconds since 1970 UTC, “size” in bytes, or “meta.” and a key.
        text: As typed; relative dates mean something else tomorrow, so this is what is printed.
    """

    name: str
    low: float | None
    high: float | None
    text: str
    position: int = 0


class Everything(_Asked, frozen=True):
    """All there is."""

    position: int = 0


Leaf: TypeAlias = (
    Word | Phrase | Exact | Prefix | Wildcard | Fuzzy | Regex | Sounds | Named | Filter | RangeFilter
    | Everything
)
Node: TypeAlias = (
    Leaf | Near | First | Quorum | WeakAnd | Scoped | Boosted | Not | And | Or | BagOfWords
)
