"""Text to tokens: what is read without knowing what stands around it.

Leaves of the tree are made here, so the parser deals in structure only. The lexer keeps the stack of open
parentheses: commas separate in lists and not elsewhere, and parentheses beyond `MAX_DEPTH` are left out, so
that no text can make the parser recurse deeper than that.
"""

import re
from enum import IntEnum, auto
from typing import NamedTuple

from dowse.query.names import (
    BARE_EXTENSION,
    COMPARED_NAME,
    FIELD_ALIASES,
    FIELDS,
    NAME_PREFIX,
    OPERATORS,
    QUOTES,
    RANGES,
    READINGS,
    is_known,
)
from dowse.query.nodes import MAX_DEPTH, MAX_ITEMS, Filter, Leaf, Phrase, RangeFilter, Regex, Word
from dowse.query.prefixes import build_filter, describe_unknown, read_quoted, read_reading, read_values
from dowse.query.problems import Problems
from dowse.query.values import find_bounds
from dowse.query.words import MAX_NUMBER, cut_number, read_word, split_boost, unescape

MAX_STEPS = 100_000  # signs and words together; only nonsense has more


class Kind(IntEnum):
    """What a token is; an integer, because those are hashed fastest."""

    LEAF = auto()
    FIELD = auto()
    OPEN = auto()
    LIST = auto()
    CLOSE = auto()
    COMMA = auto()
    AND = auto()
    OR = auto()
    NOT = auto()
    BOOST = auto()
    END = auto()


class Token(NamedTuple):
    """One token.

    Attributes:
        leaf: Of a LEAF.
        text: A FIELD's name; a LIST's word: NEAR, ONEAR, FIRST, OF or WEAKAND.
        number: A BOOST's factor; the number before OF as typed, with its “%”, and that of WEAKAND.
    """

    kind: Kind
    position: int
    leaf: Leaf | None = None
    text: str = ""
    number: str = ""


_SPACE = re.compile(r"\s*")
_WORD = re.compile(r'(?:\\[\\()"“”„«»]|[^\s()"“”„«»])++')
_WORD_IN_LIST = re.compile(r'(?:\\[\\()"“”„«»,]|[^\s()"“”„«»,])++')
# Letters and digits, with nothing behind that could belong to them: nearly all words.
_PLAIN_WORD = re.compile(r"\s*+([^\W\d]\w*+)(?=[\s)]|\Z)")
_NOT_PLAIN = re.compile(r"[\\^~*?:<>]|\A[./]")
_NEGATION = re.compile(r"[-!]++(?=[^\s)>=,])")
_SLOP = re.compile(r"~([0-9]*)")
_REGEX = re.compile(r"/((?:[^\s/\\]|\\\S)++)/(?=[\s),]|\Z|\^[0-9.])")
_ESCAPED_SLASH = re.compile(r"\\(.)", re.DOTALL)
_BOOST = re.compile(r"\^([0-9]{1,12}(?:\.[0-9]{1,400})?|\.[0-9]{1,400})(?![\w.])")
_QUORUM = re.compile(r"([0-9]{1,12}(?:\.[0-9]{1,400})?%?)\s+OF\s*\(")
_KEEP = re.compile(r"\s*([0-9]+)\s*:")
_NO_VALUE = re.compile(r"[\s),]|\Z")
_COMMAS = re.compile(r",*")
_LISTS = ("NEAR", "ONEAR", "FIRST", "WEAKAND")
_OPERATOR_KINDS = {sign: Kind[name] for sign, name in OPERATORS.items()}


class Lexer:
    """Reads one query.

    Args:
        query: As typed.
        now: For relative dates.
        problems: Where to report.
    """

    def __init__(self, query: str, now: float, problems: Problems) -> None:
        self._query, self._now, self._problems = query, now, problems
        self._report = problems.report
        self._tokens: list[Token] = []
        self._at = 0
        self._leaf_count = 0
        # One entry per open parenthesis: whether it is a list's.
        self._open: list[bool] = []
        self._is_adjacent = False  # whether a boost may follow here
        self.is_cut = False  # whether the end is missing, because the query was too long

    def read(self) -> list[Token]:
        """Returns all tokens; the last one is END."""
        query, size = self._query, len(self._query)
        steps = 0
        while not self.is_cut:
            start = self._at
            steps += 1
            plain = _PLAIN_WORD.match(query, start)
            if plain is not None and steps <= MAX_STEPS:
                self._read_plain_word(plain)
                continue
            space = _SPACE.match(query, start)
            assert space is not None, "no white space is white space too"
            self._at = space.end()
            if self._at == size:
                break
            self._is_adjacent &= self._at == start
            if steps > MAX_STEPS:
                self._cut(self._at)
            else:
                self._read_token(query[self._at])
        self._tokens.append(Token(Kind.END, size))
        return self._tokens

    def _read_token(self, character: str) -> None:
        at, query = self._at, self._query
        is_value = self._is_value()
        is_adjacent, self._is_adjacent = self._is_adjacent, False
        if character == "(":
            self._read_open(at + 1, Token(Kind.OPEN, at))
        elif character == ")":
            self._read_close()
        elif character == "," and self._in_list():
            self._add(Token(Kind.COMMA, at), at + 1)
        elif character in QUOTES:
            self._read_phrase()
        elif is_adjacent and character == "^" and (found := _BOOST.match(query, at)):
            self._add_boost(float(found[1]), found.end())
        elif not is_value and character in "-!" and (found := _NEGATION.match(query, at)):
            is_odd = len(found[0]) % 2 == 1
            self._add(Token(Kind.NOT, at) if is_odd else None, found.end())
        elif character == "/" and (found := _REGEX.match(query, at)):
            self._add_leaf(Regex(_unescape_slashes(found[1]), at), found.end())
        elif not is_value and character.isdigit() and (found := _QUORUM.match(query, at)):
            self._read_open(found.end(), Token(Kind.LIST, at, text="OF", number=found[1]))
        else:
            self._read_word(is_value)

    def _is_value(self) -> bool:
        """Whether what comes next belongs to the name of a field."""
        return bool(self._tokens) and self._tokens[-1].kind is Kind.FIELD

    def _in_list(self) -> bool:
        return bool(self._open) and self._open[-1]

    # Adding

    def _add(self, token: Token | None, end: int) -> None:
        if token is not None:
            self._tokens.append(token)
        self._at = end

    def _add_leaf(self, leaf: Leaf, end: int) -> None:
        if self._leaf_count == MAX_ITEMS:
            self._cut(leaf.position)
            return
        self._leaf_count += 1
        self._is_adjacent = True
        self._add(Token(Kind.LEAF, leaf.position, leaf), end)

    def _add_found(self, leaf: Leaf | None, end: int) -> None:
        """Adds a leaf, or takes back the fields before it when there is none."""
        if leaf is not None:
            self._add_leaf(leaf, end)
            return
        while self._tokens and self._tokens[-1].kind is Kind.FIELD:
            self._tokens.pop()
        self._at = end

    def _cut(self, position: int) -> None:
        """Ends the query here: what follows would cost time and help nobody."""
        dropped = len(self._query[position:].split())
        self._report(
            position, f"a query has at most {MAX_ITEMS:,} items; {dropped:,} words at its end are left out"
        )
        self.is_cut = True

    def _add_boost(self, factor: float, end: int) -> None:
        if factor > MAX_NUMBER:
            self._report(self._at, f"expected a boost of at most {MAX_NUMBER:,}")
        self._add(Token(Kind.BOOST, self._at, number=repr(min(factor, float(MAX_NUMBER)))), end)

    def _read_open(self, end: int, token: Token) -> None:
        self._open.append(token.kind is Kind.LIST)
        if len(self._open) == MAX_DEPTH + 1:
            self._report(token.position, f"parentheses stand at most {MAX_DEPTH} deep; others are left out")
        self._add(token if len(self._open) <= MAX_DEPTH else None, end)

    def _read_close(self) -> None:
        is_left_out = len(self._open) > MAX_DEPTH
        if self._open:
            self._open.pop()
        self._is_adjacent = not is_left_out
        self._add(None if is_left_out else Token(Kind.CLOSE, self._at), self._at + 1)

    # Phrases

    def _read_phrase(self) -> None:
        start = self._at
        text, end = read_quoted(self._query, start, self._report)
        slop = 0
        if found := _SLOP.match(self._query, end):
            if not found[1]:
                self._report(end, "expected a number after “~”")
            slop = cut_number(found[1], MAX_NUMBER, "moves", end, self._report) or 0
            end = found.end()
        self._add_found(Phrase(text, slop, start) if text.strip() else None, end)

    # Words

    def _read_plain_word(self, found: re.Match[str]) -> None:
        """Reads what `_read_word` would find to be a word as it stands, or an operator."""
        start, end = found.span(1)
        operator = _OPERATOR_KINDS.get(found[1])
        if operator is None or self._is_value():
            self._add_leaf(Word(found[1], start), end)
        else:
            self._is_adjacent = False
            self._add(Token(operator, start), end)

    def _read_word(self, is_value: bool) -> None:
        start = self._at
        # Seen first, so that a thousand fields on end do not look at all that follows a thousand times.
        prefix = NAME_PREFIX.match(self._query, start) if is_value else None
        if prefix and self._read_prefixed(prefix[1], prefix.end()):
            return
        found = (_WORD_IN_LIST if self._in_list() else _WORD).match(self._query, start)
        assert found is not None, "all that is no word has been read before"
        raw, end = found[0], found.end()
        if raw in _LISTS and self._query.startswith("(", end):
            self._read_list(raw, end + 1)
        elif not is_value and raw in _OPERATOR_KINDS:
            self._add(Token(_OPERATOR_KINDS[raw], start), end)
        elif _NOT_PLAIN.search(raw):
            prefix = NAME_PREFIX.match(raw) if ":" in raw and not is_value else None
            if prefix and self._read_prefixed(prefix[1], start + prefix.end()):
                return
            self._read_odd_word(raw, end, is_value)
        else:
            self._add_leaf(Word(raw, start), end)

    def _read_list(self, name: str, end: int) -> None:
        number = ""
        if name == "WEAKAND" and (keep := _KEEP.match(self._query, end)):
            number, end = keep[1], keep.end()
        self._read_open(end, Token(Kind.LIST, self._at, text=name, number=number))

    def _read_odd_word(self, raw: str, end: int, is_value: bool) -> None:
        """Reads a word with signs in it."""
        start = self._at
        text, mask = unescape(raw)
        size, factor = split_boost(mask)
        text, mask = text[:size], mask[:size]
        leaf: Leaf | None = None
        if not is_value:
            leaf = self._find_compared(text, mask) or self._find_extension(mask, end)
        leaf = leaf or read_word(text, mask, start, self._report)
        self._add_leaf(leaf, end)
        if factor is not None and not self.is_cut:
            self._at = end - (len(raw) - raw.rindex("^"))
            self._add_boost(factor, end)

    def _find_compared(self, text: str, mask: str) -> RangeFilter | None:
        """Reads ``size>10k``."""
        found = COMPARED_NAME.match(mask)
        bounds = find_bounds(found[1], text[found.end() :], self._now) if found else None
        if found is None or bounds is None:
            return None
        return RangeFilter(found[1], *bounds, text[found.end() :], self._at)

    def _find_extension(self, mask: str, end: int) -> Filter | None:
        """Reads ``.pdf``, unless it is all there is: then it is what is looked for."""
        found = BARE_EXTENSION.fullmatch(mask)
        if found is None or (not self._tokens and not self._query[end:].strip()):
            return None
        return Filter("ext", (found[1],), self._at)

    # Names before a colon

    def _read_prefixed(self, name: str, at: int) -> bool:
        """Reads a name and what belongs to it; False when it is only the start of a word."""
        start, query = self._at, self._query
        has_value = not _NO_VALUE.match(query, at)
        if not is_known(name):
            if has_value:
                message, is_slip = describe_unknown(name)
                self._problems.report(start, message, is_strict_only=not is_slip)
            return False
        if not has_value:
            self._report(start, f"expected a word, a phrase or a group after “{name}:”")
            return False
        name = FIELD_ALIASES.get(name, name)
        if name in FIELDS:
            self._add(Token(Kind.FIELD, start, text=name), at)
        elif name in READINGS or (name in RANGES and query[at] == "("):
            self._read_reading(name, at)
        else:
            values = read_values(query, at, self._report)
            source = query[start : values.end]
            leaf = build_filter(name, values, source, start, self._now, self._report)
            rest = _COMMAS.match(query, values.end)
            assert rest is not None, "no comma is fine too"
            self._add_found(leaf, values.end if self._in_list() else rest.end())
        return True

    def _read_reading(self, name: str, at: int) -> None:
        if self._query[at] == "(":
            self._report(self._at, f"expected one word or phrase after “{name}:”")
            self._at = at  # the group is read without the name
            return
        self._add_found(*read_reading(name, self._query, at, self._at, self._report))


def read_expression_alone(query: str) -> Regex | None:
    """Reads a query that is one regular expression, without looking for anything else; None for any other."""
    found = _REGEX.match(query)
    if found is None or found.end() < len(query):
        return None
    return Regex(_unescape_slashes(found[1]), 0)


def _unescape_slashes(pattern: str) -> str:
    if "\\" not in pattern:
        return pattern
    return _ESCAPED_SLASH.sub(lambda pair: "/" if pair[1] == "/" else pair[0], pattern)
