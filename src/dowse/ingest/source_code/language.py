"""One language as far as its outline needs it, and the shapes of lines that define something.

A pattern is matched at the first character of a line that is not white space. Its group `name` is what is
defined, its group `kind` the word that says what it is; without that group, the rule says it.
"""

import re
from typing import NamedTuple


class Rule(NamedTuple):
    """One way to define something."""

    pattern: re.Pattern[str]
    kind: str = ""


class Language(NamedTuple):
    """A language as far as its outline needs it.

    Attributes:
        extensions: Lower-case endings with the dot.
        names: Whole file names in lower case.
        line_comments: What begins a comment that ends with the line.
        block_comments: What begins and ends a longer one.
        has_typed_functions: Whether functions are defined by a type and a name before parentheses.
    """

    name: str
    extensions: tuple[str, ...]
    names: tuple[str, ...] = ()
    line_comments: tuple[str, ...] = ()
    block_comments: tuple[tuple[str, str], ...] = ()
    rules: tuple[Rule, ...] = ()
    has_typed_functions: bool = False


CONTAINERS = frozenset(
    {
        "class", "cdef class", "interface", "struct", "enum", "trait", "impl", "namespace", "object",
        "protocol", "signature", "instance", "input",
        "extension", "record", "union", "mod", "package", "message", "service", "defmodule", "@interface",
        "@implementation", "@protocol", "actor", "mixin", "type", "schema", "contract", "enum class",
        "module", "data class", "companion object", "defprotocol", "defimpl",
    }
)  # fmt: skip
"""Kinds inside which definitions are looked for; inside all others they are left alone."""

MODIFIERS = (
    r"(?:(?:export|default|declare|public|private|protected|internal|static|abstract|final|sealed|open|override"
    r"|async|virtual|inline|suspend|operator|partial|readonly|unsafe|extern|extern \"C\"|pub"
    r"|pub\([\w:\s]{1,40}\)|const"
    r"|case|implicit|lazy|native|external|fileprivate|mutating|expect|actual|inner|tailrec|infix|local|global"
    r"|annotation|value|factory|move|comptime|noinline|convenience|required|indirect|ref|file|data|base)\s++)*+"
)


def defines(words: str, name: str = r"[\w$]++", *, kind: str = "", before: str = MODIFIERS) -> Rule:
    """Returns the rule for ``word name``; `words` are alternatives."""
    return Rule(re.compile(rf"{before}(?P<kind>{words})\s++(?P<name>{name})"), kind)


def build_rule(pattern: str, kind: str) -> Rule:
    """Returns the rule for a pattern without a word of its own."""
    return Rule(re.compile(pattern), kind)
