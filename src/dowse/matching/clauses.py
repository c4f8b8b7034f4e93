"""Takes matchers apart into what the scoring kernel can meet row by row, without making every set of rows.

A clause is some posting lists, of which a row must have one.
"""

from typing import NamedTuple

from dowse.kernels.layout import U8, U32
from dowse.matching.combinations import AllOf, AllRows, AnyOf, Without
from dowse.matching.documents import OfDocuments
from dowse.matching.matcher import Matcher
from dowse.matching.scored_term import ScoredTerm

# Lists of one clause that the kernel walks side by side; it looks at each of them for every row.
_MANY = 16


class Clauses(NamedTuple):
    """What a row of one segment must have; lists by number, or their rows.

    Attributes:
        needed: It must have one list of each clause; at least one clause.
        excluded: It must have none of these.
        masks: One byte a row, 0 for rows that do not count.
    """

    needed: list[list[int | U32]]
    excluded: list[int | U32]
    masks: list[U8]


def clauses_in(matcher: Matcher, segment: int) -> Clauses:
    """Returns the clauses whose rows in a segment are those of a matcher."""
    clauses = Clauses([], [], [])
    everything = _add_into(clauses, matcher, segment)
    if not clauses.needed:
        # Masks alone propose no rows.
        clauses.needed.append([(everything or matcher).rows_in(segment)])
    return clauses


def _add_into(clauses: Clauses, matcher: Matcher, segment: int) -> AllRows | None:
    """Adds what a matcher needs; returns what has every row, if that is part of it."""
    if isinstance(matcher, AllOf):
        found = [_add_into(clauses, member, segment) for member in matcher.members]
        return next((member for member in found if member is not None), None)
    if isinstance(matcher, Without):
        clauses.excluded.extend(lists_in(matcher.excluded, segment))
        return _add_into(clauses, matcher.member, segment)
    if isinstance(matcher, OfDocuments):
        clauses.masks.append(matcher.documents.mask(matcher.condition, segment))
    elif isinstance(matcher, AllRows):
        return matcher
    else:
        clauses.needed.append(lists_in(matcher, segment))
    return None


def lists_in(matcher: Matcher, segment: int) -> list[int | U32]:
    """Returns lists that have the rows of a matcher."""
    if isinstance(matcher, ScoredTerm):
        return [source if isinstance(source, int) else source[0] for source, _ in matcher.lists[segment]]
    if isinstance(matcher, AnyOf):
        lists = [source for member in matcher.members for source in lists_in(member, segment)]
        if len(lists) <= _MANY:
            return lists
    return [matcher.rows_in(segment)]
