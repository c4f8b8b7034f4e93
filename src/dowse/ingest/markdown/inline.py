"""Links, wikilinks and tags inside the prose of a Markdown text.

Our own scanner instead of markdown-it-py's inline rules: those cost half of all parsing time (see
`blocks`) and know neither wikilinks nor tags. It reads bytes, so that offsets need no conversion.
"""

import html
import re
from collections.abc import Iterable
from functools import cache, lru_cache

from msgspec import Struct, field

from dowse.ingest.lines import LineTable
from dowse.schema import Link

# One set of first characters, so that the search skips quickly to the next of them.
_START = re.compile(
    rb"[\\`\[<#](?:"
    rb"(?<=\\)[\\`\[\]#<!]"
    rb"|(?<=`)(?P<ticks>`*+)"
    rb"|(?<=\[)(?P<wiki>\[(?P<target>[^\[\]|\n]{1,500}+)(?:\|(?P<alias>[^\[\]\n]{0,500}+))?\]\])"
    rb"|(?<=\[)(?P<bracket>)"
    rb"|(?<=<)(?P<auto>[A-Za-z][A-Za-z0-9+.\-]{1,31}:[^<>\s]{1,2000}+)>"
    rb"|(?<=#)(?<![^\s(\[,;]#)(?P<tag>[\w\-/\x80-\xff]{1,200}+)(?!#)"
    rb")"
)
# The words of a link may hold one more pair of brackets, as an image in a link does.
_WORDS = rb"((?:[^\[\]\\]|\\.|!?\[(?:[^\[\]\\]|\\.)*+\](?:\([^()\n]*+\))?)*+)\]"
_LINK = re.compile(
    _WORDS + rb"(?:"
    rb"\([ \t]*\n?[ \t]*"
    rb"(<[^<>\n]*+>|(?:[^\s()\\]|\\.|\((?:[^\s()\\]|\\.)*+\))*+)"
    rb"""(?:\s+(?:"[^"]*+"|'[^']*+'|\([^()]*+\)))?[ \t]*\n?[ \t]*\)"""
    rb"|\[([^\[\]\n]{0,999}+)\]"
    rb")?",
    re.DOTALL,
)
_DEFINITION = re.compile(
    rb"^[ ]{0,3}\[([^\[\]\n]{1,999}+)\]:[ \t]*\n?[ \t]*(<[^<>\n]*+>|[^\s<]\S*+)", re.MULTILINE
)
_BLANK_LINE = re.compile(rb"\n[ \t\r]*\n")
_TICKS = re.compile(rb"`+")
_TAG = re.compile(r"[\w\-/]+")
_HAS_INLINE_MARKUP = re.compile(r"[\\`*_\[\]<>&!]")
_MAX_PARSED_TITLE_CHARS = 2_000
_WIKILINK_IN_TITLE = re.compile(r"!?\[\[([^\[\]|]+)(?:\|([^\[\]]*))?\]\]")


class Inline(Struct):
    """What was found, in document order."""

    links: list[Link] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)


def scan_inline(text: bytes, prose: Iterable[tuple[int, int]], lines: LineTable) -> Inline:
    """Finds links and tags in the given byte ranges of `text`, and nowhere else."""
    ranges = list(prose)
    found = Inline()
    scanner = _Scanner(text, lines, _definitions(text, ranges), found)
    for start, end in ranges:
        scanner.scan(start, end)
    return found


def plain_title(source: str) -> str:
    """Returns a heading's text as a reader sees it: no emphasis marks, link targets or entities."""
    if not _HAS_INLINE_MARKUP.search(source):
        return " ".join(source.split())
    source = source[:_MAX_PARSED_TITLE_CHARS]
    source = _WIKILINK_IN_TITLE.sub(lambda match: match[2] or match[1], source)
    parts: list[str] = []
    for token in _inline_parser().parseInline(source)[0].children or ():
        if token.type == "image":
            parts.append("".join(child.content for child in token.children or ()))
        elif token.type in ("softbreak", "hardbreak"):
            parts.append(" ")
        elif token.type != "html_inline":
            parts.append(token.content)
    return " ".join("".join(parts).split())


@cache
def _inline_parser():  # type: ignore[no-untyped-def]  # the type would import markdown-it-py
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark")


def _definitions(text: bytes, ranges: list[tuple[int, int]]) -> dict[str, str]:
    """Collects ``[name]: target`` lines; the first of a name counts."""
    if b"]:" not in text:
        return {}
    found: dict[str, str] = {}
    for start, end in ranges:
        for match in _DEFINITION.finditer(text, start, end):
            if not match[1].startswith(b"^"):  # footnotes look alike and have no target
                found.setdefault(_label(match[1]), _target(match[2]))
    return found


class _Scanner:
    """One pass over the prose of one text."""

    def __init__(
        self, text: bytes, lines: LineTable, definitions: dict[str, str], found: Inline
    ) -> None:
        self._text = text
        self._lines = lines
        self._definitions = definitions
        self._found = found
        self._paragraph_end = 0
        self._last_run: dict[int, int] = {}

    def scan(self, position: int, end: int) -> None:
        """Records what lies in one range of prose."""
        while match := _START.search(self._text, position, end):
            position = match.end()
            kind = match.lastgroup
            if kind == "ticks":
                position = self._after_code(match.start(), position, end)
            elif kind == "tag":
                self._add_tag(match["tag"])
            elif kind == "bracket":
                position = self._after_bracket(match, end)
            elif kind == "auto":
                self._add(match.start(), match["auto"], match["auto"], "link")
            elif kind == "wiki":
                self._add_wikilink(match)

    def _after_code(self, start: int, position: int, end: int) -> int:
        """Skips inline code; a run of backticks without a partner in its paragraph is text."""
        if position > self._paragraph_end:
            paragraph = _BLANK_LINE.search(self._text, position, end)
            self._paragraph_end = paragraph.start() if paragraph else end
            runs = _TICKS.finditer(self._text, position, self._paragraph_end)
            self._last_run = {len(run[0]): run.start() for run in runs}
        count = position - start
        # Knowing the last run of each length spares searches that would fail.
        if self._last_run.get(count, -1) < position:
            return position
        close = _tick_run(count).search(self._text, position, self._paragraph_end)
        return close.end() if close else position

    def _has_bang(self, offset: int) -> bool:
        """Says whether an exclamation mark that is not escaped stands before an offset."""
        before = self._text[max(offset - 2, 0) : offset]
        return before.endswith(b"!") and before != b"\\!"

    def _add_tag(self, name: bytes) -> None:
        match = _TAG.match(name.decode("utf-8", "ignore"))
        tag = match[0].strip("/") if match else ""
        if any(char.isalpha() for char in tag):
            self._found.tags.append(tag)

    def _add_wikilink(self, match: re.Match[bytes]) -> None:
        # Inside a table the bar must be escaped; the backslash is not part of the target.
        target = match["target"].removesuffix(b"\\").strip()
        is_embed = self._has_bang(match.start())
        alias = (match["alias"] or b"").strip() or target
        if target:
            self._add(match.start(), target, alias, "embed" if is_embed else "wikilink")

    def _after_bracket(self, start: re.Match[bytes], end: int) -> int:
        """Records a link or image if one begins here; returns where to go on."""
        match = _LINK.match(self._text, start.end(), min(end, start.end() + 4000))
        if match is None:
            return start.end()
        words, target, label = match.groups()
        if target is not None:
            goal = _target(target)
        else:
            goal = self._definitions.get(_label(label or words), "")
            is_definition = self._text[match.end() : match.end() + 1] == b":"
            if not goal or is_definition:
                return start.end()
        is_image = self._has_bang(start.start())
        self._add_decoded(start.start(), goal, _words(words), "image" if is_image else "link")
        return start.end() if b"[" in words else match.end()

    def _add(self, offset: int, target: bytes, words: bytes, kind: str) -> None:
        self._add_decoded(offset, target.decode("utf-8", "replace"), _words(words), kind)

    def _add_decoded(self, offset: int, target: str, words: str, kind: str) -> None:
        if target:
            self._found.links.append(Link(target, words, kind, self._lines.line_at(offset)))


@lru_cache(64)
def _tick_run(count: int) -> re.Pattern[bytes]:
    return re.compile(rb"(?<!`)`{%d}(?!`)" % count)


def _words(source: bytes) -> str:
    return " ".join(source.decode("utf-8", "replace").split())


def _label(source: bytes) -> str:
    return " ".join(source.decode("utf-8", "replace").split()).casefold()


def _target(source: bytes) -> str:
    target = source.decode("utf-8", "replace")
    if target.startswith("<") and target.endswith(">"):
        target = target[1:-1]
    return html.unescape(re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", target)).strip()
