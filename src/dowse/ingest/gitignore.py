"""Ignore files with the meaning git gives them: `.gitignore` syntax as regular expressions.

Each ignore file becomes one `IgnoreRules`; a folder's rules are asked from the deepest file up, and
in one file the last matching line wins. Written here rather than taken from a library because it is
small and has an exact oracle: the tests compare it with ``git check-ignore`` on random trees. One
difference is
deliberate: git matches bytes, so its ``?`` is half of an ``é``; ours is one character.
"""

import re
import unicodedata
from collections.abc import Iterable

from msgspec import Struct

_POSIX_CLASSES = {
    "alnum": "a-zA-Z0-9",
    "alpha": "a-zA-Z",
    "blank": " \\t",
    "cntrl": "\\x00-\\x1f\\x7f",
    "digit": "0-9",
    "graph": "\\x21-\\x7e",
    "lower": "a-z",
    "print": "\\x20-\\x7e",
    "punct": "\\x21-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7e",
    "space": " \\t\\n\\r\\f\\v",
    "upper": "A-Z",
    "xdigit": "0-9a-fA-F",
}


class _NeverMatchesError(Exception):
    """The pattern is malformed in a way that git answers by matching nothing."""


class IgnoreRule(Struct, frozen=True):
    """One line of an ignore file.

    Attributes:
        line: Its number, from 1.
        text: As written.
        negated: Whether it keeps what it matches.
        folders_only: Whether it speaks of folders only.
        by_name: Whether it is compared with names, not with paths.
    """

    line: int
    text: str
    negated: bool
    folders_only: bool
    by_name: bool
    source: str
    regex: re.Pattern[str]


class IgnoreRules:
    """The rules of one ignore file, or of one list of patterns."""

    def __init__(self, lines: Iterable[str]) -> None:
        numbered = enumerate(lines, 1)
        rules = [rule for number, line in numbered if (rule := _parse_line(line, number)) is not None]
        self._last_first = tuple(reversed(rules))
        self._names = _any_of(rule for rule in rules if rule.by_name)
        self._paths = _any_of(rule for rule in rules if not rule.by_name)

    def __bool__(self) -> bool:
        return bool(self._last_first)

    def decide(self, path: str, name: str, *, is_folder: bool) -> bool | None:
        """Tells whether the rules ignore an entry.

        Args:
            path: Relative to the folder of the ignore file, with ``/``.
            name: The last part of `path`.
            is_folder: Whether the entry is a folder; some rules hold for folders only.

        Returns:
            True: ignored. False: explicitly kept. None: no rule speaks of it.
        """
        rule = self.find_rule(path, name, is_folder=is_folder)
        return None if rule is None else not rule.negated

    def find_rule(self, path: str, name: str, *, is_folder: bool) -> IgnoreRule | None:
        """Returns the rule that decides about an entry, as `decide` does; None when no rule speaks of it."""
        # Nearly every file matches nothing: two compiled alternations say so without walking the
        # rules.
        if not (self._names and self._names.fullmatch(name)) and not (
            self._paths and self._paths.fullmatch(path)
        ):
            return None
        for rule in self._last_first:
            if rule.folders_only and not is_folder:
                continue
            if rule.regex.fullmatch(name if rule.by_name else path):
                return rule
        return None


def parse_ignore_file(data: bytes) -> IgnoreRules:
    """Reads the content of a `.gitignore`-like file; no content is an error."""
    text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")
    return IgnoreRules(line.removesuffix("\r") for line in text.split("\n"))


def _any_of(rules: Iterable[IgnoreRule]) -> re.Pattern[str] | None:
    sources = [rule.source for rule in rules]
    return (
        re.compile("|".join(f"(?:{source})" for source in sources), re.DOTALL) if sources else None
    )


def _parse_line(line: str, number: int) -> IgnoreRule | None:
    if not line or line.startswith("#"):
        return None
    pattern = unicodedata.normalize("NFC", _without_trailing_spaces(line))
    negated = pattern.startswith("!")
    pattern = pattern[negated:]
    folders_only = pattern.endswith("/")
    pattern = pattern[: len(pattern) - folders_only]
    by_name = "/" not in pattern
    try:
        source = _translate(pattern.removeprefix("/"), by_name=by_name)
        regex = re.compile(source, re.DOTALL)
    except (_NeverMatchesError, re.error):
        return None
    return IgnoreRule(number, line, negated, folders_only, by_name, source, regex) if pattern else None


def _without_trailing_spaces(line: str) -> str:
    """Drops spaces at the end unless a backslash protects them."""
    end = position = 0
    while position < len(line):
        if line[position] == "\\":
            position += 2
            end = min(position, len(line))
            continue
        position += 1
        if line[position - 1] != " ":
            end = position
    return line[:end]


def _translate(pattern: str, *, by_name: bool) -> str:
    """Turns one pattern into the source of an equivalent regular expression for `fullmatch`."""
    out: list[str] = []
    position = 0
    literal_so_far = True
    while position < len(pattern):
        char = pattern[position]
        if char == "*":
            after = position + len(pattern[position:]) - len(pattern[position:].lstrip("*"))
            # git compares the literal start of a path pattern separately, so that stars right after
            # it count as standing at the start: `foo**/bar` matches `foo/x/bar`.
            at_start = position == 0 or pattern[position - 1] == "/" or literal_so_far
            source, position = _stars(pattern, position, after, at_start and not by_name)
            out.append(source)
        elif char == "?":
            out.append("[^/]")
            position += 1
        elif char == "[":
            source, position = _bracket(pattern, position + 1)
            out.append(source)
        else:
            if char == "\\":
                position += 1
                if position == len(pattern):
                    raise _NeverMatchesError
                literal_so_far = False
            out.append(re.escape(pattern[position]))
            position += 1
        literal_so_far = literal_so_far and char not in "*?[\\"
    return "".join(out)


def _stars(pattern: str, start: int, after: int, may_cross: bool) -> tuple[str, int]:
    """Translates a run of stars; two or more between slashes cross folders."""
    if after - start >= 2 and may_cross:
        if after == len(pattern):
            return ".*", after
        if pattern[after] == "/":
            return "(?:.*/)?", after + 1
        if pattern.startswith("\\/", after):
            return ".*", after
    return "[^/]*", after


def _bracket(pattern: str, position: int) -> tuple[str, int]:
    """Translates a set, `position` being just after its ``[``; an unclosed set matches nothing."""
    negated = pattern[position : position + 1] in ("!", "^")
    position += negated
    items: list[str] = []
    first = True
    while first or pattern[position : position + 1] != "]":
        first = False
        named = re.compile(r"\[:([^\]]*):\]").match(pattern, position)
        if named:
            if named[1] not in _POSIX_CLASSES:
                raise _NeverMatchesError
            items.append(_POSIX_CLASSES[named[1]])
            position = named.end()
            continue
        low, position = _set_member(pattern, position)
        if pattern[position : position + 1] == "-" and pattern[position + 1 : position + 2] not in (
            "",
            "]",
        ):
            high, position = _set_member(pattern, position + 1)
            if low <= high:
                items.append(f"{_escape_in_set(low)}-{_escape_in_set(high)}")
            # git has matched the lower end by itself before it sees the range.
            items.append(_escape_in_set(low))
        else:
            items.append(_escape_in_set(low))
    members = "".join(items)
    return (f"[^/{members}]" if negated else f"(?!/)[{members}]"), position + 1


def _set_member(pattern: str, position: int) -> tuple[str, int]:
    if pattern[position : position + 1] == "\\":
        position += 1
    if position >= len(pattern):
        raise _NeverMatchesError
    return pattern[position], position + 1


def _escape_in_set(char: str) -> str:
    return "\\" + char if char in "\\]^-[&~|" else char
