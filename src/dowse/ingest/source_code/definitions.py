"""Definitions by their lines: a pattern says what a line defines, its indentation what it belongs to."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from dowse.ingest.source_code.language import CONTAINERS, Language

_MATCHED_CHARS = 400
_TAB_COLUMNS = 4
_ATTRIBUTES = ("@", "#[", "[", "template")
# Lines that stand at the margin of what they belong to.
_CONTINUES = re.compile(
    r"[){\]#]|(?:public|private|protected|signals|slots)\b[\w\s]{0,20}:|(?:where|then|do|begin|in)\b"
)
_NO_TYPES = frozenset(
    {
        "if", "else", "for", "while", "switch", "return", "case", "throw", "new", "delete", "do", "goto",
        "sizeof", "typedef", "using", "catch", "assert", "import", "await", "yield", "print", "echo",
        "include", "define", "defined", "static_assert", "elif", "in", "not", "and", "or", "del", "raise",
        "with",
    }
)  # fmt: skip
_LAST_NAME = re.compile(r"(?:^|[\s*&>\]])(~?[A-Za-z_][\w:~]{0,200}|operator.{1,3})\Z")
_TYPE_ONLY = re.compile(r"[A-Za-z_][\w\s*:<>,]{0,200}\Z")


class Definition(NamedTuple):
    """Something that is defined.

    Attributes:
        kind: The language's own word: ``class``, ``def``, ``fn``; may be empty.
        name: With the names around it: ``Parser.parse``.
        line_index: Of its line, from 0.
        depth: From 1.
    """

    kind: str
    name: str
    line_index: int
    depth: int


class _Open(NamedTuple):
    indent: int
    name: str
    is_container: bool


def iter_definitions(rows: list[str], prose: bytearray, language: Language) -> Iterator[Definition]:
    """Yields definitions in order; what is inside a function is part of it."""
    around: list[_Open] = []
    for index, row in enumerate(rows):
        if prose[index] or not row or row.isspace():
            continue
        source = row.lstrip()
        if _CONTINUES.match(source):
            continue
        indent = _indent(row, source)
        while around and around[-1].indent >= indent:
            around.pop()
        if around and not around[-1].is_container:
            continue
        found = _match(source[:_MATCHED_CHARS], rows, index, language)
        if found is not None:
            kind, name = found
            around.append(_Open(indent, name, kind in CONTAINERS))
            yield Definition(kind, ".".join(entry.name for entry in around), index, len(around))


def section_start(rows: list[str], prose: bytearray, index: int, lowest: int) -> int:
    """Returns where a definition's section starts: at the comments and attributes directly above it.

    Args:
        index: Line of the definition.
        lowest: It starts at this line or later.
    """
    while index > lowest and (prose[index - 1] or rows[index - 1].lstrip().startswith(_ATTRIBUTES)):
        index -= 1
    return index


def _indent(row: str, source: str) -> int:
    margin = row[: len(row) - len(source)]
    return len(margin.expandtabs(_TAB_COLUMNS)) if "\t" in margin else len(margin)


def _match(source: str, rows: list[str], index: int, language: Language) -> tuple[str, str] | None:
    for rule in language.rules:
        if found := rule.pattern.match(source):
            groups = found.groupdict()
            kind = rule.kind or " ".join(groups["kind"].lower().lstrip("(").split())
            owner = (groups.get("owner") or "").strip().partition("[")[0]
            name = " ".join(groups["name"].split()).lstrip("(")
            return kind, f"{owner}.{name}" if owner else name
    return _match_typed(source, rows, index) if language.has_typed_functions else None


def _match_typed(source: str, rows: list[str], index: int) -> tuple[str, str] | None:
    """Finds ``type name(``, the way C and its heirs define functions."""
    head, paren, _ = source.partition("(")
    if not paren or source.rstrip().endswith(";") or "=" in head:
        return None
    head = head.rstrip()
    found = _LAST_NAME.search(head)
    words = re.findall(r"\w+", head[:300])
    if found is None or words[0] in _NO_TYPES or "." in head.replace("...", ""):
        return None
    is_typed = len(words) > 1 and found.start(1) > 0
    if not is_typed and "::" not in found[1]:
        # The type on a line of its own above, as GNU's style has it.
        above = rows[index - 1] if index and source == rows[index][:_MATCHED_CHARS] else ""
        if not _TYPE_ONLY.match(above) or above.split()[0] in _NO_TYPES:
            return None
    return "", found[1]
