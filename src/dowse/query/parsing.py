"""Tokens to a tree, by precedence: OR, AND, side by side, NOT, prefix and boost.

Recursion goes as deep as parentheses do, which the lexer limits; everything else is a loop.
"""

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

from dowse.errors import InvalidParameterError
from dowse.query.lexing import MAX_ITEMS, Kind, Lexer, Token
from dowse.query.lists import build_list
from dowse.query.names import OPERATORS
from dowse.query.nodes import And, Boosted, Most, Node, Not, Or, Scoped, Word
from dowse.query.problems import Problems
from dowse.schema import Problem

Juxtaposition: TypeAlias = Literal["most", "all", "any"]
Group: TypeAlias = type[Most] | type[And] | type[Or]
JUXTAPOSITIONS: dict[str, Group] = {"most": Most, "all": And, "any": Or}

# What makes a text more than words: a sign anywhere, or a sign or keyword at the start of a word. Most texts
# have not even a character of these, which is five times as fast to see.
_SUSPECT = re.compile(r'[()"“”„«»^~*?:\\<>!./&|AON-]')
_SIGN = re.compile(r'[()"“”„«»^~*?:\\<>]|(?<!\S)[-!./]')
_SPECIAL = re.compile(_SIGN.pattern + r"|(?<!\S)(?:AND|OR|NOT|&&|\|\|)(?!\S)")
_STARTS = frozenset({Kind.LEAF, Kind.FIELD, Kind.OPEN, Kind.LIST, Kind.NOT})
_JOINTS: dict[str, Group] = {"AND": And, "OR": Or}
_NAMES = {Kind.AND: "AND", Kind.OR: "OR"}


class Parsed(NamedTuple):
    """A tree and what was wrong with the text; no tree when nothing was asked."""

    root: Node | None
    problems: tuple[Problem, ...]


def parse_query(
    text: str, *, strict: bool = False, juxtaposition: Juxtaposition = "most", now: float = 0.0
) -> Parsed:
    """Parses a query.

    Args:
        text: As typed; any string.
        strict: Whether the first problem is raised instead of collected.
        juxtaposition: What words side by side ask for: most of them (ranked any), all, or any.
        now: Seconds since 1970, from which relative dates count.

    Raises:
        QuerySyntaxError: In strict mode only.
        InvalidParameterError: There is no such juxtaposition.
    """
    group = JUXTAPOSITIONS.get(juxtaposition)
    if group is None:
        legal = f"one of: {', '.join(JUXTAPOSITIONS)}"
        raise InvalidParameterError(name="juxtaposition", value=juxtaposition, legal=legal)
    words = plain_words(text)
    if words is not None:
        return Parsed(_build_words(group, text, words), ())
    joined = _read_joined_words(text)
    if joined is not None:
        return Parsed(joined, ())
    problems = Problems(text)
    lexer = Lexer(text, now, problems)
    tokens = lexer.read()
    root = _Parser(tokens, group, problems, is_cut=lexer.is_cut).parse()
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
    texts: Sequence[str], *, strict: bool = False, juxtaposition: Juxtaposition = "most", now: float = 0.0
) -> Parsed:
    """Parses several queries as one that asks for any of them: ``(first) OR (second)``.

    Each is read on its own, so that a quotation mark left open in one does not swallow the next. Positions
    count in their own query; problems say which one.
    """
    return join_queries(
        [parse_query(text, strict=strict, juxtaposition=juxtaposition, now=now) for text in texts]
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


def build_group(group: Group, items: Sequence[Node | None]) -> Node | None:
    """Returns items as one node: nothing for none, the item for one, without an And in an And."""
    kept: list[Node] = []
    for item in items:
        if item is None:
            continue
        if group is not Most and isinstance(item, group):
            kept += item.items
        else:
            kept.append(item)
    if len(kept) < 2:
        return kept[0] if kept else None
    return group(tuple(kept), kept[0].position)


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
    if _SIGN.search(text) is not None:
        return None
    parts = text.split()
    words, joints = parts[::2], set(parts[1::2])
    is_whole = len(words) == len(parts) // 2 + 1 <= MAX_ITEMS
    if not is_whole or len(joints) != 1 or not OPERATORS.keys().isdisjoint(words):
        return None
    group = _JOINTS.get(joints.pop())
    return None if group is None else _build_words(group, text, parts, step=2)


class _Parser:
    def __init__(self, tokens: Sequence[Token], group: Group, problems: Problems, *, is_cut: bool) -> None:
        self._tokens, self._group, self._is_cut = tokens, group, is_cut
        self._report = problems.report
        self._at = 0
        self._scope_depth = 0

    def parse(self) -> Node | None:
        parts = [self._parse_or()]
        while (token := self._tokens[self._at]).kind is not Kind.END:
            # Only a parenthesis, or a boost behind it, can be in the way here.
            if token.kind is Kind.CLOSE:
                self._report(token.position, "a parenthesis is closed but was not opened")
            self._at += 1
            parts.append(self._parse_or())
        return build_group(self._group, parts)

    def _parse_or(self) -> Node | None:
        items = [self._parse_and()]
        while (token := self._tokens[self._at]).kind is Kind.OR:
            self._at += 1
            items.append(self._parse_and())
            self._check_operands(token, items)
        return build_group(Or, items) if len(items) > 1 else items[0]

    def _parse_and(self) -> Node | None:
        items = [self._parse_sequence()]
        while (token := self._tokens[self._at]).kind is Kind.AND:
            self._at += 1
            items.append(self._parse_sequence())
            self._check_operands(token, items)
        return build_group(And, items) if len(items) > 1 else items[0]

    def _check_operands(self, token: Token, items: Sequence[Node | None]) -> None:
        if items[-2] is None:
            self._report(token.position, f"expected something before {_NAMES[token.kind]}")
        elif items[-1] is None and not self._is_cut:
            self._report(token.position, f"expected something after {_NAMES[token.kind]}")

    def _parse_sequence(self) -> Node | None:
        items: list[Node | None] = []
        tokens = self._tokens
        while (token := tokens[self._at]).kind in _STARTS:
            if token.kind is Kind.LEAF and tokens[self._at + 1].kind is not Kind.BOOST:
                self._at += 1
                items.append(token.leaf)
            else:
                items.append(self._parse_unary())
        return build_group(self._group, items) if len(items) > 1 else items[0] if items else None

    def _parse_unary(self) -> Node | None:
        first = self._tokens[self._at]
        is_negated = False
        while self._tokens[self._at].kind is Kind.NOT:
            is_negated = not is_negated
            self._at += 1
        if self._tokens[self._at].kind not in _STARTS:
            if not self._is_cut:
                self._report(first.position, "expected something after NOT")
            return None
        node = self._parse_primary()
        if node is None or not is_negated:
            return node
        return node.item if isinstance(node, Not) else Not(node, first.position)

    def _parse_primary(self) -> Node | None:
        first = self._tokens[self._at]
        node = self._parse_scoped() if first.kind is Kind.FIELD else self._parse_atom()
        boost = self._tokens[self._at]
        if boost.kind is Kind.BOOST:
            self._at += 1
            return None if node is None else Boosted(node, float(boost.number), first.position)
        return node

    def _parse_scoped(self) -> Node | None:
        first = self._tokens[self._at]
        name = first.text
        while (token := self._tokens[self._at]).kind is Kind.FIELD:
            if self._scope_depth or token is not first:
                self._report(token.position, f"a field cannot stand within a field: “{token.text}:”")
            name = token.text
            self._at += 1
        self._scope_depth += 1
        node = self._parse_atom()
        self._scope_depth -= 1
        if node is None or isinstance(node, Scoped):
            return node
        return Scoped(name, node, first.position)

    def _parse_atom(self) -> Node | None:
        token = self._tokens[self._at]
        if token.kind is Kind.LEAF:
            self._at += 1
            return token.leaf
        if token.kind is Kind.OPEN:
            self._at += 1
            node = self._parse_or()
            self._close(token)
            if node is None:
                self._report(token.position, "there is nothing between the parentheses")
            return node
        if token.kind is Kind.LIST:
            self._at += 1
            items = self._parse_items(has_commas=token.text not in ("OF", "WEAKAND"))
            self._close(token)
            return build_list(token, items, self._report)
        return None  # the lexer has said why nothing follows the field

    def _parse_items(self, *, has_commas: bool) -> list[Node]:
        items: list[Node] = []
        is_apart = True
        while (token := self._tokens[self._at]).kind not in (Kind.CLOSE, Kind.END):
            if token.kind is Kind.COMMA:
                is_apart = True
                self._at += 1
            elif token.kind in _STARTS:
                if has_commas and not is_apart:
                    self._report(token.position, "expected a comma between items")
                node = self._parse_unary()
                items += [] if node is None else [node]
                is_apart = False
            else:
                self._report(token.position, f"{_NAMES.get(token.kind, 'this')} cannot stand here")
                self._at += 1
        return items

    def _close(self, opened: Token) -> None:
        if self._tokens[self._at].kind is Kind.CLOSE:
            self._at += 1
        elif not self._is_cut:
            self._report(opened.position, "a parenthesis is opened but not closed")
