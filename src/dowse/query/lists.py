"""NEAR, ONEAR, FIRST, OF and WEAKAND: from their items to a node, with the numbers checked."""

from collections.abc import Sequence

from dowse.query.lexing import Token
from dowse.query.nodes import First, Near, Node, Quorum, WeakAnd, Word
from dowse.query.words import MAX_NUMBER, Report, cut_number

DEFAULT_DISTANCE = 5
DEFAULT_COUNT = 10
DEFAULT_KEEP = 10


def build_list(token: Token, items: Sequence[Node], report: Report) -> Node | None:
    """Returns the node of a list; None when nothing is in it.

    Args:
        token: Where it was opened.
        items: All that stood in it; the number of NEAR, ONEAR and FIRST is the last of them.
        report: Called for what is wrong.
    """
    rest = items
    number: int | None = None
    if token.text in ("NEAR", "ONEAR", "FIRST"):
        rest, number = _split_number(token, items, report)
    if not rest:
        report(token.position, f"there is nothing in {token.text}()")
        return None
    if token.text == "OF":
        return _build_quorum(token, tuple(rest), report)
    if token.text == "WEAKAND":
        return _build_weak_and(token, tuple(rest), report)
    if token.text == "FIRST":
        return _build_first(token, rest, number, report)
    if len(rest) == 1:
        report(token.position, f"{token.text}() takes two items or more")
        return rest[0]
    distance = DEFAULT_DISTANCE if number is None else number
    return Near(tuple(rest), distance, token.text == "ONEAR", token.position)


def _split_number(
    token: Token, items: Sequence[Node], report: Report
) -> tuple[Sequence[Node], int | None]:
    last = items[-1] if items else None
    if isinstance(last, Word) and last.text.isascii() and last.text.isdecimal():
        return items[:-1], cut_number(last.text, MAX_NUMBER, "words", last.position, report)
    return items, None


def _build_first(token: Token, items: Sequence[Node], number: int | None, report: Report) -> Node:
    if len(items) > 1:
        report(token.position, "FIRST() takes one item and a number")
    if not number:
        report(token.position, "expected a number of words, as in FIRST(tea, 10)")
    return First(items[0], number or DEFAULT_COUNT, token.position)


def _build_weak_and(token: Token, items: tuple[Node, ...], report: Report) -> Node:
    keep = cut_number(token.number, MAX_NUMBER, "hits", token.position, report)
    if not keep:
        report(token.position, "expected a number of hits, as in WEAKAND(100: green tea)")
    return WeakAnd(items, keep or DEFAULT_KEEP, token.position)


def _build_quorum(token: Token, items: tuple[Node, ...], report: Report) -> Node:
    if token.number.endswith("%"):
        # Shifted in the text, because 33.3 / 100 is not 0.333.
        share = float(f"{token.number[:-1]}e-2")
        if not 0.0 < share <= 1.0:
            report(token.position, "expected a share above 0% and up to 100%")
        return Quorum(items, None, share if 0.0 < share <= 1.0 else 1.0, token.position)
    whole, dot, _ = token.number.partition(".")
    needed = int(whole)
    if dot or not 1 <= needed <= len(items):
        report(token.position, f"expected a whole number from 1 to {len(items)} before OF")
    return Quorum(items, min(max(needed, 1), len(items)), None, token.position)
