"""reStructuredText: underlined headings, literal blocks, the field list at the top.

Read line by line without docutils, which would run directives, costs seconds to import and refuses
broken input. A heading is a text line at the margin with a line of one repeated punctuation mark
under it, at least as long, and perhaps the same line above it; its level is the order in which its
style first appears.
"""

import re
import unicodedata
from collections.abc import Iterator

from dowse.ingest.decoding import decode
from dowse.ingest.extractor import Extracted, choose_title
from dowse.ingest.limits import Allowance
from dowse.ingest.lines import LineTable
from dowse.ingest.sections import Heading, build_sections, first_top_heading

_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1*\Z")
_FIELD = re.compile(r":([^:\s][^:]*):(?:\s+(.*))?\Z")
_CODE_DIRECTIVE = re.compile(
    r"\s*\.\. +(?:code|code-block|sourcecode|parsed-literal|math|prompt|testcode|doctest|ipython)::"
)
_ROLE = re.compile(r":[\w.+:-]+:(?=`)")
_TARGETED = re.compile(r"`([^`<]*?)\s*<[^`>]*>`_{0,2}")
_MARKUP = re.compile(r"``?|`_{0,2}|(?<!\w)\*{1,2}(?=\S)|(?<=\S)\*{1,2}(?!\w)|(?<=\w)_(?!\w)")
_TAG_FIELDS = ("tags", "tag", "keywords", "category", "categories")


class RestructuredTextExtractor:
    """Reads the structure of reStructuredText, not its directives."""

    name = "restructuredtext"

    def extract(self, data: bytes, path: str, _: Allowance) -> Extracted:
        """Reads a reStructuredText file."""
        text, problems = decode(data, path)
        lines = LineTable(text)
        rows = [row.rstrip() for row in text.decode("utf-8").split("\n")]
        code = list(_code_ranges(rows))
        headings = list(_headings(rows, code))
        fields = _top_fields(rows, headings)
        title = choose_title(fields.pop("title", ""), first_top_heading(headings), path=path)
        tags = [tag for name in _TAG_FIELDS for tag in _split(fields.pop(name, ""))]
        return Extracted(
            text=text,
            title=title,
            sections=build_sections(title, headings, lines),
            lines=lines,
            code_spans=tuple((lines.starts[first], lines.start_of(after)) for first, after in code),
            tags=tuple(dict.fromkeys(tags)),
            metadata=dict(fields),
            problems=problems,
        )


def _split(value: str) -> list[str]:
    return [
        part.strip().lstrip("#") for part in re.split(r"[,;]", value) if part.strip().lstrip("#")
    ]


def _indent(row: str) -> int:
    expanded = row.expandtabs(8)
    return len(expanded) - len(expanded.lstrip())


def _code_ranges(rows: list[str]) -> Iterator[tuple[int, int]]:
    """Yields line ranges of literal blocks: deeper than the line that announces them."""
    index = 0
    while index < len(rows):
        row = rows[index]
        index += 1
        is_directive = _CODE_DIRECTIVE.match(row) is not None
        if not is_directive and not (row.endswith("::") and not row.lstrip().startswith("..")):
            continue
        margin = _indent(row)
        first = index
        if is_directive:  # options, directly under it
            while (
                first < len(rows)
                and rows[first].lstrip().startswith(":")
                and _indent(rows[first]) > margin
            ):
                first += 1
        while first < len(rows) and not rows[first]:
            first += 1
        after = last = first
        while after < len(rows) and (not rows[after] or _indent(rows[after]) > margin):
            after += 1
            if rows[after - 1]:
                last = after
        if last > first:
            yield first, last
            index = last


def _headings(rows: list[str], code: list[tuple[int, int]]) -> Iterator[Heading]:
    """Yields headings; a style is the mark and whether it stands above too."""
    levels: dict[tuple[str, bool], int] = {}
    in_code = {line for first, after in code for line in range(first, after)}
    index = 0
    while index + 1 < len(rows):
        found = None if index in in_code else _heading_at(rows, index)
        if found is None:
            index += 1
            continue
        style, title, length = found
        depth = levels.setdefault(style, len(levels) + 1)
        yield Heading(depth, _plain(title), index)
        index += length


def _heading_at(rows: list[str], index: int) -> tuple[tuple[str, bool], str, int] | None:
    """Returns style, title and number of lines of the heading that starts at this line."""
    row = rows[index]
    if not row:
        return None
    over = _ADORNMENT.match(row)
    if over and index + 2 < len(rows) and rows[index + 1] and rows[index + 2] == row:
        title = rows[index + 1].strip()
        if len(row) >= _width(title) and not _ADORNMENT.match(title):
            return (over[1], True), title, 3
    if over or row[0].isspace():
        return None
    under = _ADORNMENT.match(rows[index + 1])
    if under is None or (index > 0 and rows[index - 1] and not _ends_block(rows[index - 1])):
        return None
    # docutils accepts a short underline with a warning if it has four marks; people do write those.
    is_long_enough = len(rows[index + 1]) >= min(_width(row), 4)
    return ((under[1], False), row, 2) if is_long_enough else None


def _ends_block(row: str) -> bool:
    """Says whether a heading may follow this line without a blank line: comments and underlines."""
    return row.startswith((".. ", "__ ")) or _ADORNMENT.match(row) is not None


def _width(title: str) -> int:
    """Returns the columns a title takes; wide East Asian characters take two."""
    if title.isascii():
        return len(title)
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in title)


def _plain(title: str) -> str:
    title = _TARGETED.sub(r"\1", _ROLE.sub("", title))
    return " ".join(_MARKUP.sub("", title).split())


def _top_fields(rows: list[str], headings: list[Heading]) -> dict[str, str]:
    """Reads the field list before any text, or directly under the document's title."""
    starts = [0]
    if headings:
        under = headings[0].line_index + 1
        while under < len(rows) and (
            _ADORNMENT.match(rows[under]) or _plain(rows[under]) == headings[0].title
        ):
            under += 1
        starts.append(under)
    for start in starts:
        fields = _field_list(rows, start)
        if fields:
            return fields
    return {}


def _field_list(rows: list[str], index: int) -> dict[str, str]:
    while index < len(rows) and (not rows[index] or rows[index].startswith(".. ")):
        index += 1
    fields: dict[str, str] = {}
    name = ""
    while index < len(rows) and rows[index]:
        row = rows[index]
        if match := _FIELD.match(row):
            name = match[1].strip().lower()
            fields[name] = (match[2] or "").strip()
        elif name and row[0].isspace():
            fields[name] = f"{fields[name]} {row.strip()}".strip()
        else:
            break
        index += 1
    return fields
