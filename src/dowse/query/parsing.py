"""Text to a tree: at once where it is only words, as most queries are; else by the `grammar`."""

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

from dowse.errors import InvalidParameterError
from dowse.query.groups import Group, build_group
from dowse.query.nodes import MAX_ITEMS, And, BagOfWords, Node, Or, Word
from dowse.schema import Problem

DefaultOperator: TypeAlias = Literal["ranked", "all", "any"]
DEFAULT_OPERATORS: dict[str, Group] = {"ranked": BagOfWords, "all": And, "any": Or}

# What makes a text more than words: a sign anywhere, or a sign or keyword at the start of a word. Most texts
# have not even a character of these, which is five times as fast to see.
_SUSPECT = re.compile(r'[()"“”„«»^~*?:\\<>!./&|AON-]')
_SPECIAL = re.compile(r'[()"“”„«»^~*?:\\<>]|(?<!\S)(?:[-!./]|(?:AND|OR|NOT|&&|\|\|)(?!\S))')
_JOINTS: dict[str, Group] = {"AND": And, "OR": Or}


class Parsed(NamedTuple):
    """A tree and what was wrong with the text; no tree when nothing was asked."""

    root: Node | None
    problems: tuple[Problem, ...]


def parse_query(
    text: str, *, strict: bool = False, default_operator: DefaultOperator = "ranked", now: float = 0.0
) -> Parsed:
    """Parses a query.

    Args:
        text: As typed; any string.
        strict: Whether the first problem is raised instead of collected.
        default_operator: What words side by side ask for: any, ranked by how many match; all; or any.
        now: Seconds since 1970, from which relative dates count.

    Raises:
        QuerySyntaxError: In strict mode only.
        InvalidParameterError: There is no such operator.
    """
    group = DEFAULT_OPERATORS.get(default_operator)
    if group is None:
        legal = f"one of: {', '.join(DEFAULT_OPERATORS)}"
        raise InvalidParameterError(name="default_operator", value=default_operator, legal=legal)
    words = plain_words(text)
    if words is not None:
        return Parsed(_build_words(group, text, words), ())
    joined = _read_joined_words(text)
    if joined is not None:
        return Parsed(joined, ())
    # Its expressions take 7 ms to compile, which words alone need not wait for.
    from dowse.query.grammar import parse_signs

    root, problems = parse_signs(text, group, now)
    return Parsed(root, problems.settle(strict=strict))


def plain_words(text: str) -> list[str] | None:
    """Returns the words of a text that has nothing else, as most queries have not; None for any other.

    Nothing can be wrong with them.
    """
    if _SUSPECT.search(text) is None or _SPECIAL.search(text) is None:
        words = text.split()
        if len(words) <= MAX_ITEMS:
            return words
    return None


def parse_queries(
    texts: Sequence[str],
    *,
    strict: bool = False,
    default_operator: DefaultOperator = "ranked",
    now: float = 0.0,
) -> Parsed:
    """Parses several queries as one that asks for any of them: ``(first) OR (second)``.

    Each is read on its own, so that a quotation mark left open in one does not swallow the next. Positions
    count in their own query; problems say which one.
    """
    return join_queries(
        [parse_query(text, strict=strict, default_operator=default_operator, now=now) for text in texts]
    )


def join_queries(queries: Sequence[Parsed]) -> Parsed:
    """Returns one query that asks for any of several; problems say which one they are about."""
    problems: list[Problem] = []
    for number, parsed in enumerate(queries, 1):
        place = f"query {number}, " if len(queries) > 1 else ""
        problems += [
            Problem(problem.code, place + problem.location, problem.message, problem.hint)
            for problem in parsed.problems
        ]
    return Parsed(build_group(Or, [parsed.root for parsed in queries]), tuple(problems))


def _build_words(group: Group, text: str, parts: Sequence[str], step: int = 1) -> Node | None:
    """Returns every part of a text, or every second one, as a word."""
    found = []
    position = 0
    for number, part in enumerate(parts):
        position = text.index(part, position)
        if number % step == 0:
            found.append(Word(part, position))
        position += len(part)
    if len(found) < 2:
        return found[0] if found else None
    return group(tuple(found), found[0].position)


def _read_joined_words(text: str) -> Node | None:
    """Reads ``a AND b AND c``, or the same with OR; None when there is anything else to it."""
    first = _SPECIAL.search(text)
    if first is None or first[0] not in _JOINTS:
        return None
    parts = text.split()
    words = parts[::2]
    is_whole = len(words) == len(parts) // 2 + 1 <= MAX_ITEMS
    if not is_whole or set(parts[1::2]) != {first[0]} or _SPECIAL.search(" ".join(words)) is not None:
        return None
    return _build_words(_JOINTS[first[0]], text, parts, step=2)
