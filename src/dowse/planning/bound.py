"""A part of a query after it has met the index: which chunks it matches, and what adds to their scores."""

from collections.abc import Callable, Sequence
from enum import Enum
from typing import NamedTuple

from dowse.kernels.layout import U32
from dowse.matching import ALL_FIELDS, Factored, Fields, Matcher, ScoredTerm

# What adds to a chunk's score, and how much the query asks for it.
Scored = tuple[ScoredTerm | Factored, float]
# Returns, per segment, the ascending rows of the chunks that score best: scored things, how many.
RankBest = Callable[[Sequence[Scored], int], Sequence[U32]]


class Role(Enum):
    """What a part means to the parts beside it when nothing says how they belong together."""

    OPTIONAL = "adds to the score, and one such part must match"
    BINDING = "must match"
    FILTER = "must hold, and says nothing about the rest"
    EXCLUDED = "must not match"


class Bound(NamedTuple):
    """A part of a query.

    Attributes:
        matcher: Which chunks; those not to match when it is excluded.
        scored: What adds to scores; nothing when it is excluded.
        is_union: True when `matcher` has exactly the rows that any of `scored` has.
    """

    matcher: Matcher
    scored: tuple[Scored, ...] = ()
    is_union: bool = False
    role: Role = Role.OPTIONAL


class Scope(NamedTuple):
    """What the parts around a part say about it.

    Attributes:
        boost: What its scores are multiplied by.
        keeps_stop_words: Whether stop words count: when the query has no other words.
    """

    fields: Fields = ALL_FIELDS
    boost: float = 1.0
    keeps_stop_words: bool = False
