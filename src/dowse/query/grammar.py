"""Tokens to a tree, by precedence: OR, AND, side by side, NOT, prefix and boost.

Recursion goes as deep as parentheses do, which the lexer limits; everything else is a loop.
"""

from collections.abc import Sequence

from dowse.query.groups import Group, build_group
from dowse.query.lexing import Kind, Lexer, Token, read_expression_alone
from dowse.query.lists import build_list
from dowse.query.nodes import And, Boosted, Node, Not, Or, Scoped
from dowse.query.problems import Problems

_STARTS = frozenset({Kind.LEAF, Kind.FIELD, Kind.OPEN, Kind.LIST, Kind.NOT})
_NAMES = {Kind.AND: "AND", Kind.OR: "OR"}


def parse_signs(text: str, group: Group, now: float) -> tuple[Node | None, Problems]:
    """Returns the tree of any text, and what is wrong with it.

    Args:
        text: As typed.
        group: What words side by side become.
        now: Seconds since 1970, from which relative dates count.
    """
    problems = Problems(text)
    alone = read_expression_alone(text)
    if alone is not None:
        return alone, problems
    lexer = Lexer(text, now, problems)
    tokens = lexer.read()
    return _Parser(tokens, group, problems, is_cut=lexer.is_cut).parse(), problems


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
