"""The walk over the text of an OpenDocument file.

Text stands between the elements, unlike in Word's format, so each element is looked at, and what follows it.
"""

import re
from collections.abc import Callable

from lxml import etree

from dowse.ingest.office.attributes import number_of, value_of
from dowse.ingest.office.flow import Flow
from dowse.ingest.office.open_styles import OpenStyles
from dowse.ingest.office.paragraphs import CODE, HEADING, ITEM, TEXT, Paragraph

_SPACE = re.compile(r"[ \t\r\n]+")
# Namespaces in which the same names mean something else than in the text's own.
_QUALIFIED = {"svg-compatible": "svg:", "purl.org/dc/": "dc:"}
# Deleted text is kept under tracked changes; the rest is no text, or is read elsewhere.
_LEFT_OUT = frozenset(
    {
        "tracked-changes", "note-citation", "binary-data", "event-listeners", "forms", "scripts",
        "sequence-decls", "variable-decls", "user-field-decls", "page-number", "page-count", "ruby-text",
        "notes", "shapes", "svg:title", "svg:desc", "dc:creator", "dc:date", "hidden-text",
    }
)  # fmt: skip
_MAY_BE_HIDDEN = frozenset({"section", "variable-set", "variable-get", "user-field-get"})
_ASIDES = frozenset({"note", "annotation", "text-box", "custom-shape", "rect", "ellipse", "caption"})
_MAX_SPACES = 64


class _OpenParagraph:
    def __init__(self, style: str, depth: int, label: str) -> None:
        self.style, self.depth, self.label = style, depth, label
        self.pieces: list[str] = []
        self.links: list[tuple[str, str]] = []
        self.after: list[Paragraph] = []


class OpenStory:
    """Reads text, tables and frames into a flow.

    Attributes:
        title: The first paragraph in the style of a document's title.
        objects: Names of the documents that are embedded in this one, as written.
    """

    def __init__(self, flow: Flow, styles: OpenStyles) -> None:
        self._flow, self._styles = flow, styles
        # None stands for an aside inside a paragraph: what is in it is not the paragraph's text.
        self._paragraphs: list[_OpenParagraph | None] = []
        self._link_starts: list[int] = []
        self._lists: list[list[int]] = []
        self._list_styles: list[str] = []
        self._label = ""
        self._header_rows = 0
        self._authors: list[str] = []
        self._names: dict[str, str] = {}
        self._begin, self._finish = self._starts(), self._ends()
        self.title = ""
        self.objects: list[str] = []

    def read(self, root: etree._Element) -> None:
        """Walks over an element."""
        starts, ends, names = self._begin, self._finish, self._names
        walk = etree.iterwalk(root, events=("start", "end"))
        for event, element in walk:
            tag = element.tag
            if not isinstance(tag, str):
                # A reference to an entity that is not replaced; what follows it is still text.
                if event == "end" and element.tail:
                    self._add_raw(element.tail)
                continue
            name = names.get(tag)
            if name is None:
                name = names[tag] = _name_of(tag)
            if event == "end":
                if (close := ends.get(name)) is not None:
                    close(element)
                    if name == "p" and self._flow.is_full:
                        return
                if element.tail and element is not root:
                    self._add_raw(element.tail)
                continue
            if (begin := starts.get(name)) is not None:
                begin(element)
            if (name in _LEFT_OUT and element is not root) or _is_hidden(name, element):
                walk.skip_subtree()
            elif element.text:
                self._add_raw(element.text)

    def _starts(self) -> dict[str, Callable[[etree._Element], None]]:
        starts: dict[str, Callable[[etree._Element], None]] = {
            "p": self._open_paragraph,
            "h": self._open_paragraph,
            "s": lambda element: self._add(" " * min(number_of(element, "c") or 1, _MAX_SPACES)),
            "tab": lambda _: self._add("\t"),
            "line-break": lambda _: self._add("\n"),
            "a": self._open_link,
            "list": self._open_list,
            "list-item": self._open_item,
            "table": lambda _: self._flow.open_table(),
            "table-header-rows": lambda _: self._count_header_rows(1),
            "table-row": lambda _: self._flow.open_row(is_header=self._header_rows > 0),
            "table-cell": lambda _: self._flow.open_cell(),
            "covered-table-cell": lambda _: self._flow.open_cell(),
            "object": lambda element: self.objects.append(value_of(element, "href")),
            "svg:title": self._describe,
            "svg:desc": self._describe,
        }
        return starts | dict.fromkeys(_ASIDES, self._open_aside)

    def _ends(self) -> dict[str, Callable[[etree._Element], None]]:
        ends: dict[str, Callable[[etree._Element], None]] = {
            "p": self._close_paragraph,
            "h": self._close_paragraph,
            "a": self._close_link,
            "list": self._close_list,
            "table": lambda _: self._flow.close_table(),
            "table-header-rows": lambda _: self._count_header_rows(-1),
            "table-cell": self._close_cell,
            "covered-table-cell": self._close_cell,
        }
        return ends | dict.fromkeys(_ASIDES, self._close_aside)

    @property
    def _paragraph(self) -> _OpenParagraph | None:
        return self._paragraphs[-1] if self._paragraphs else None

    def _add(self, piece: str) -> None:
        if (paragraph := self._paragraph) is not None:
            paragraph.pieces.append(piece)

    def _add_raw(self, text: str) -> None:
        if (paragraph := self._paragraph) is not None:
            paragraph.pieces.append(_SPACE.sub(" ", text))

    def _open_paragraph(self, element: etree._Element) -> None:
        style = value_of(element, "style-name")
        depth = 0
        if element.tag.endswith("}h"):
            depth = number_of(element, "outline-level") or self._styles.get(style).depth or 1
        label, self._label = self._label, ""
        self._paragraphs.append(_OpenParagraph(style, depth, label))

    def _close_paragraph(self, _: etree._Element) -> None:
        read = self._paragraphs.pop()
        assert read is not None, "each paragraph that is closed was opened"
        style = self._styles.get(read.style)
        text = "".join(read.pieces)
        depth = read.depth or style.depth
        is_item = bool(read.label) and not depth and bool(text.strip())
        if style.is_title and not self.title:
            self.title = text
        kind = HEADING if depth else ITEM if is_item else CODE if style.is_code else TEXT
        text = f"{read.label} {text.strip()}" if is_item else text
        self._flow.add(Paragraph(text, kind, depth, tuple(read.links), style.is_header_cell))
        self._flow.add_all(read.after)

    def _open_link(self, _: etree._Element) -> None:
        self._link_starts.append(len(self._paragraph.pieces) if self._paragraph else 0)

    def _close_link(self, element: etree._Element) -> None:
        start, target = self._link_starts.pop(), value_of(element, "href")
        if self._paragraph is not None and target and not target.startswith("#"):
            self._paragraph.links.append((target, "".join(self._paragraph.pieces[start:])))

    def _open_list(self, element: etree._Element) -> None:
        outer = self._list_styles[-1] if self._list_styles else ""
        self._list_styles.append(value_of(element, "style-name") or outer)
        self._lists.append([0])

    def _open_item(self, _: etree._Element) -> None:
        if self._lists:
            self._lists[-1][0] += 1
            is_counted = self._styles.has_numbers(self._list_styles[-1], len(self._lists))
            self._label = f"{self._lists[-1][0]}." if is_counted else "-"

    def _close_list(self, _: etree._Element) -> None:
        self._lists.pop()
        self._list_styles.pop()
        self._label = ""

    def _open_aside(self, element: etree._Element) -> None:
        self._flow.open_aside()
        self._paragraphs.append(None)
        is_comment = element.tag.endswith("}annotation")
        creator = element.findtext("{*}creator") if is_comment else None
        self._authors.append((creator or "").strip())

    def _close_aside(self, _: etree._Element) -> None:
        self._paragraphs.pop()
        inside, author = self._flow.close_aside(), self._authors.pop()
        if author and inside:
            inside[0] = inside[0]._replace(text=f"{author}: {inside[0].text.strip()}")
        if self._paragraph is None:
            self._flow.add_all(inside)
        else:
            self._paragraph.after += inside

    def _count_header_rows(self, change: int) -> None:
        self._header_rows += change

    def _close_cell(self, element: etree._Element) -> None:
        self._flow.close_cell(number_of(element, "number-columns-repeated") or 1)

    def _describe(self, element: etree._Element) -> None:
        """Adds what stands for a picture; a path was put there by a program."""
        text = (element.text or "").strip()
        if text and "/" not in text and "\\" not in text:
            if self._paragraph is None:
                self._flow.add(Paragraph(text))
            else:
                self._add(f" {text} ")


def _name_of(tag: str) -> str:
    """Returns an element's local name, with a prefix where that alone would be mistaken."""
    namespace, _, local = tag.rpartition("}")
    return next((prefix for mark, prefix in _QUALIFIED.items() if mark in namespace), "") + local


def _is_hidden(name: str, element: etree._Element) -> bool:
    return name in _MAY_BE_HIDDEN and value_of(element, "display") == "none"
