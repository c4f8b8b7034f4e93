"""Reads wildcards and regular expressions into one small tree.

The dialect has what can be decided by reading a word once from left to right: literals, ``.``, classes,
``\\d \\w \\s`` and their opposites, groups, ``|``, ``* + ? {m,n}``. Greedy or not makes no difference to
whether a whole word matches, so ``*?`` is read as ``*``. Whatever else `re` knows is refused by name.
"""


from msgspec import Struct

from dowse.errors import InvalidPatternError, PatternTooComplexError
from dowse.matching.characters import ANY, CharacterSet, complement, named_set, single, union_of

MAX_PATTERN_CHARS = 1000
MAX_DEPTH = 50
NAMED = "dDwWsS"
REPEATS: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}
CONTROLS = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "v": "\v"}


class Characters(Struct, frozen=True):
    """One code point of a set."""

    members: CharacterSet


class Chain(Struct, frozen=True):
    """One part after the other; none matches the empty word."""

    parts: "tuple[Node, ...]"


class Choice(Struct, frozen=True):
    """Any one of the branches."""

    branches: "tuple[Node, ...]"


class Repeat(Struct, frozen=True):
    """A part so many times; `most` is None for any number."""

    part: "Node"
    least: int
    most: int | None


Node = Characters | Chain | Choice | Repeat


def parse_wildcard(pattern: str) -> Node:
    """Reads ``*`` (any letters), ``?`` (one letter) and backslash escapes; all else stands for itself."""
    _check_size(pattern)
    parts: list[Node] = []
    letters = iter(pattern)
    for letter in letters:
        if letter == "*":
            parts.append(Repeat(Characters(ANY), 0, None))
        elif letter == "?":
            parts.append(Characters(ANY))
        else:
            parts.append(Characters(single(next(letters, "\\") if letter == "\\" else letter)))
    return Chain(tuple(parts))


def parse_expression(pattern: str) -> Node:
    """Reads a regular expression.

    Raises:
        InvalidPatternError: It is not one, or has something that is not supported.
        PatternTooComplexError: It is too long or nested too deep.
    """
    _check_size(pattern)
    reader = _Reader(pattern)
    node = reader.choice(0)
    if reader.at < len(pattern):
        raise reader.error("“)” closes nothing")
    return node


def _check_size(pattern: str) -> None:
    if len(pattern) > MAX_PATTERN_CHARS:
        reason = f"it has {len(pattern):,} characters, more than {MAX_PATTERN_CHARS:,}"
        raise PatternTooComplexError(pattern=pattern[:60] + "…", reason=reason)


class _Reader:
    """A regular expression and how far it has been read."""

    def __init__(self, pattern: str) -> None:
        self.pattern, self.at = pattern, 0

    def peek(self) -> str:
        return self.pattern[self.at : self.at + 1]

    def take(self) -> str:
        self.at += 1
        return self.pattern[self.at - 1 : self.at]

    def error(self, message: str, at: int | None = None) -> InvalidPatternError:
        place = self.at if at is None else at
        return InvalidPatternError(pattern=self.pattern, position=place, message=message)

    def choice(self, depth: int) -> Node:
        if depth > MAX_DEPTH:
            reason = f"its groups are nested more than {MAX_DEPTH} deep"
            raise PatternTooComplexError(pattern=self.pattern[:60], reason=reason)
        branches = [self.chain(depth)]
        while self.peek() == "|":
            self.at += 1
            branches.append(self.chain(depth))
        return branches[0] if len(branches) == 1 else Choice(tuple(branches))

    def chain(self, depth: int) -> Node:
        if depth == 0 and self.peek() == "^":
            self.at += 1
        parts: list[Node] = []
        while self.peek() not in ("", "|", ")"):
            if depth == 0 and self.peek() == "$" and self.pattern[self.at + 1 : self.at + 2] in ("", "|"):
                self.at += 1
                break
            parts.append(self.repeated(self.atom(depth)))
        return parts[0] if len(parts) == 1 else Chain(tuple(parts))

    def atom(self, depth: int) -> Node:
        start = self.at
        letter = self.take()
        if letter == "(":
            return self.group(start, depth)
        if letter == "[":
            return Characters(self.bracket(start))
        if letter == "\\":
            return Characters(self.escape(start))
        if letter == ".":
            return Characters(ANY)
        if letter in REPEATS:
            raise self.error(f"“{letter}” has nothing to repeat", start)
        if letter in "^$":
            place = "start" if letter == "^" else "end"
            raise self.error(f"“{letter}” is supported only at the {place} of the pattern", start)
        if letter == "{" and self.bounds() is not None:
            raise self.error("“{” has nothing to repeat", start)
        return Characters(single(letter))

    def group(self, start: int, depth: int) -> Node:
        if self.peek() == "?":
            if not self.pattern.startswith("?:", self.at):
                kind = self.pattern[start : start + 3]
                raise self.error(f"groups that begin with “{kind}” are not supported", start)
            self.at += 2
        node = self.choice(depth + 1)
        if self.take() != ")":
            raise self.error("this “(” is never closed", start)
        return node

    def escape(self, start: int) -> CharacterSet:
        letter = self.take()
        if not letter:
            raise self.error("there is nothing after “\\”", start)
        if letter in NAMED:
            return named_set(letter)
        if letter in CONTROLS:
            return single(CONTROLS[letter])
        if letter.isascii() and letter.isalnum():
            raise self.error(f"“\\{letter}” is not supported", start)
        return single(letter)

    def bracket(self, start: int) -> CharacterSet:
        is_negated = self.peek() == "^"
        self.at += is_negated
        members: list[CharacterSet] = []
        while self.peek() != "]" or not members:
            if not self.peek():
                raise self.error("this “[” is never closed", start)
            members.append(self.member())
        self.at += 1
        found = union_of(members)
        return complement(found) if is_negated else found

    def member(self) -> CharacterSet:
        start = self.at
        first = self.bracket_letter()
        if self.peek() != "-" or self.pattern[self.at + 1 : self.at + 2] in ("]", ""):
            return first
        self.at += 1
        last = self.bracket_letter()
        if not _is_single(first) or not _is_single(last) or last < first:
            raise self.error(f"“{self.pattern[start : self.at]}” is not a range", start)
        return ((first[0][0], last[0][1]),)

    def bracket_letter(self) -> CharacterSet:
        start = self.at
        letter = self.take()
        return self.escape(start) if letter == "\\" else single(letter)

    def repeated(self, node: Node) -> Node:
        start = self.at
        found = REPEATS.get(self.peek())
        if found is not None:
            self.at += 1
        elif self.peek() == "{":
            found = self.bounds(skip=1)
        if found is None:
            return node
        least, most = found
        if most is not None and most < least:
            raise self.error(f"“{self.pattern[start : self.at]}” repeats at least more than at most", start)
        if self.peek() == "?":
            self.at += 1
        if self.peek() in REPEATS or (self.peek() == "{" and self.bounds(skip=1) is not None):
            raise self.error("a repetition cannot be repeated or possessive; put it in “( )”", start)
        return Repeat(node, least, most)

    def bounds(self, skip: int = 0) -> tuple[int, int | None] | None:
        """Reads ``m}``, ``m,}``, ``,n}`` or ``m,n}`` after `skip` characters; reads nothing if it is none."""
        close = self.pattern.find("}", self.at)
        least, comma, most = self.pattern[self.at + skip : max(close, 0)].partition(",")
        texts = [text for text in (least, most) if text]
        if close < 0 or not (texts or comma) or not all(_is_number(text) for text in texts):
            return None
        self.at = close + 1
        upper = most if comma else least
        return int(least or 0), int(upper) if upper else None


def _is_single(members: CharacterSet) -> bool:
    return len(members) == 1 and members[0][1] - members[0][0] == 1


def _is_number(text: str) -> bool:
    # Six digits are far beyond the cap; int() of a very long number would be slow.
    return text.isascii() and text.isdigit() and len(text) <= 6
