"""Puts together the stored text of a format whose own bytes are not text.

All formats speak here in the same words, so that a table from a spreadsheet reads like one from a letter:
a heading is a line of its own, paragraphs are set apart by a blank line, a table's row is one line in which
each value follows the name of its column.
"""

import re
from collections.abc import Mapping, Sequence

from dowse.ingest.extractor import Extracted, choose_title
from dowse.ingest.limits import Allowance
from dowse.ingest.lines import LineTable
from dowse.ingest.sections import Heading, build_sections, first_top_heading
from dowse.schema import Anchor, Link, Problem

MAX_DEPTH = 6
_CONTROL = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\x7f]")
_SURROGATES = re.compile("[\ud800-\udfff]")
_UNSTORABLE = re.compile(f"{_CONTROL.pattern}|{_SURROGATES.pattern}")


class TextBuilder:
    """Collects a document's parts in reading order.

    When the stored text has grown as large as it may, further parts are left out, `is_full` says so and
    the result carries a problem.
    """

    def __init__(self, path: str, allowance: Allowance) -> None:
        self.path = path
        self._limit_bytes = allowance.limits.text_bytes
        self._text = bytearray()
        self._line_count = 0
        self._headings: list[Heading] = []
        self._code: list[tuple[int, int]] = []
        self._anchors: list[Anchor] = []
        self._links: list[Link] = []
        self._next_links: list[tuple[str, str, str]] = []
        self._problems: list[Problem] = []
        self.is_full = False

    @property
    def is_empty(self) -> bool:
        """Whether no text was added yet."""
        return not self._text

    def heading(self, depth: int, title: str) -> None:
        """Starts a section; depths count from 1, deeper than 6 is 6. A blank title starts none."""
        title = _one_line(title)
        if title:
            index = self._add(title, is_apart=True)
            if index is not None:
                self._headings.append(Heading(min(max(depth, 1), MAX_DEPTH), title, index))

    def paragraph(self, text: str) -> None:
        """Adds a paragraph; line breaks inside it stay."""
        self._add(text, is_apart=True)

    def line(self, text: str) -> None:
        """Adds a line directly under what came before: a list item, a row, a line of a poem."""
        self._add(text, is_apart=False)

    def row(self, cells: Sequence[str], header: Sequence[str] = ()) -> None:
        """Adds a table's row: ``Name: Ada | Born: 1815``; empty cells are left out."""
        parts = []
        for number, cell in enumerate(cells):
            if value := _one_line(cell):
                name = _one_line(header[number]) if number < len(header) else ""
                parts.append(f"{name}: {value}" if name else value)
        if parts:
            self._add(" | ".join(parts), is_apart=False)

    def code(self, text: str) -> None:
        """Adds a block of code; its indentation stays."""
        block = _clean(text).strip("\n").rstrip()
        if block.strip() and self._append(block, is_apart=True) is not None:
            end = len(self._text)
            self._code.append((end - len(block.encode()) - 1, end))

    def anchor(self, kind: str, label: str) -> None:
        """Says where what follows is found in the source."""
        if not self.is_full:
            self._anchors.append(Anchor(len(self._text), kind, _one_line(label)))

    def link(self, target: str, text: str, kind: str = "link") -> None:
        """Notes a reference from what is added next."""
        if target and not self.is_full:
            self._next_links.append((_one_line(target), _one_line(text), kind))

    def problem(self, code: str, message: str, hint: str = "") -> None:
        """Notes what was wrong; the rest is still good."""
        self._problems.append(Problem(code, self.path, message, hint))

    def include(self, member: Extracted, depth: int) -> None:
        """Adds a file inside this one under the section just begun, which is `depth` deep."""
        located = f"{self.path} › "
        self._problems += [
            Problem(problem.code, located + problem.location, problem.message, problem.hint)
            for problem in member.problems
        ]
        if not member.text.strip():
            return
        text = member.text if member.text.endswith(b"\n") else member.text + b"\n"
        self._part(is_apart=True)
        offset, lines_before = len(self._text), self._line_count
        if not self._fits(len(text)):
            return
        self._text += text
        self._line_count += text.count(b"\n")
        self._headings += [
            Heading(min(part.depth + depth, MAX_DEPTH), part.title, lines_before + part.line_start - 1)
            for part in member.sections[1:]
        ]
        self._code += [(start + offset, end + offset) for start, end in member.code_spans]
        self._anchors += [anchor._replace(byte_start=anchor.byte_start + offset) for anchor in member.anchors]
        self._links += [link._replace(line=link.line + lines_before) for link in member.links]

    def finish(
        self,
        *,
        title: str = "",
        tags: Sequence[str] = (),
        metadata: Mapping[str, object] | None = None,
    ) -> Extracted:
        """Returns the document.

        Args:
            title: As the source names itself; else the first heading of depth 1, else the file name.
            tags: In order; blank and repeated ones are dropped.
            metadata: JSON-serialisable; entries that are None or blank are dropped.
        """
        self._place_links(max(self._line_count, 1))
        text = bytes(self._text)
        lines = LineTable(text)
        chosen = choose_title(_one_line(title), first_top_heading(self._headings), path=self.path)
        kept = {name: value for name, value in (metadata or {}).items() if value not in (None, "", [], ())}
        if self.is_full:
            self.problem(
                "text-cut",
                f"only its first {self._limit_bytes >> 20} MB of text are indexed",
            )
        return Extracted(
            text=text,
            title=chosen,
            sections=build_sections(chosen, self._headings, lines),
            lines=lines,
            code_spans=tuple(self._code),
            tags=tuple(dict.fromkeys(tag for name in tags if (tag := _one_line(name).lstrip("#")))),
            links=tuple(self._links),
            metadata=kept,
            problems=tuple(self._problems),
            anchors=tuple(self._anchors),
            has_source_lines=False,
        )

    def _add(self, text: str, *, is_apart: bool) -> int | None:
        block = "\n".join(line.strip() for line in _clean(text).strip().split("\n"))
        return self._append(block, is_apart=is_apart) if block else None

    def _append(self, block: str, *, is_apart: bool) -> int | None:
        """Adds a block and returns the index of its first line; None when there is no room for it."""
        encoded = block.encode()
        if not self._fits(len(encoded) + 2):
            return None
        self._part(is_apart=is_apart)
        index = self._line_count
        self._place_links(index + 1)
        self._text += encoded
        self._text += b"\n"
        self._line_count += encoded.count(b"\n") + 1
        return index

    def _part(self, *, is_apart: bool) -> None:
        """Leaves a blank line after what came before."""
        if is_apart and self._text and not self._text.endswith(b"\n\n"):
            self._text += b"\n"
            self._line_count += 1

    def _place_links(self, line: int) -> None:
        self._links += [Link(*link, line) for link in self._next_links]
        self._next_links.clear()

    def _fits(self, size: int) -> bool:
        self.is_full = self.is_full or len(self._text) + size > self._limit_bytes
        return not self.is_full


def _clean(text: str) -> str:
    """Drops what no stored text may hold: control characters and halves of characters."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text.isprintable() or not _UNSTORABLE.search(text):
        return text
    return _SURROGATES.sub("\N{REPLACEMENT CHARACTER}", _CONTROL.sub(" ", text))


def _one_line(text: str) -> str:
    return " ".join(_clean(text).split()) if text else ""
