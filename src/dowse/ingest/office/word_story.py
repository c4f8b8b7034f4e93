"""The walk over one story of a Word document: its text, a header, its notes.

Everything is known by its local name, so that both flavours of the standard (two namespaces for the same
words) are read alike.
"""

import re
from collections.abc import Callable, Mapping

from lxml import etree

from dowse.ingest.markup import local_name
from dowse.ingest.office.attributes import number_of, value_of
from dowse.ingest.office.drawing_text import picture_text
from dowse.ingest.office.flow import Flow
from dowse.ingest.office.paragraphs import CODE, HEADING, ITEM, TEXT, Paragraph
from dowse.ingest.office.word_numbering import BULLET, WordNumbering
from dowse.ingest.office.word_styles import BODY_LEVEL, WordStyles

_FIELD_LINK = re.compile(r'\s*HYPERLINK\s+"([^"]+)"')
_OFF = ("0", "false", "off")
# Deleted or moved away; the older of two ways to show the same; what pages, not text, are made of.
_LEFT_OUT = frozenset(
    {
        "del", "moveFrom", "Fallback", "tabs", "sectPr", "sdtPr", "tblPr", "tblGrid", "rt", "pPrChange",
        "rPrChange", "tblPrChange", "delText",
    }
)  # fmt: skip
_NOTES = frozenset({"footnoteReference", "endnoteReference", "commentReference"})
_MARKS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-", "ptab": "\t"}
_SEEN = (
    "p", "pPr", "r", "rPr", "t", "hyperlink", "fldChar", "instrText", "fldSimple", "txbxContent", "tbl",
    "tr", "trPr", "tc", "tcPr", "docPr", "oMath",
)  # fmt: skip
TAGS = tuple("{*}" + name for name in (*_SEEN, *_LEFT_OUT, *_NOTES, *_MARKS))


class _Field:
    def __init__(self) -> None:
        self.instruction = ""
        self.paragraph: _OpenParagraph | None = None
        self.start = 0


class _OpenParagraph:
    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.links: list[tuple[str, str]] = []
        self.after: list[Paragraph] = []
        self.style = ""
        self.outline: int | None = None
        self.number_key = ""
        self.number_level: int | None = None
        self.has_plain = False


class WordStory:
    """Reads one story into a flow.

    Args:
        notes: Notes and comments by kind of reference and key; each is taken out and placed
            after its paragraph.
        links: Addresses outside by relationship key.
    """

    def __init__(
        self,
        flow: Flow,
        styles: WordStyles,
        numbering: WordNumbering,
        notes: dict[tuple[str, str], list[Paragraph]],
        links: Mapping[str, str],
    ) -> None:
        self._flow = flow
        self._styles, self._numbering = styles, numbering
        self._notes, self._links = notes, links
        self._paragraphs: list[_OpenParagraph] = []
        self._link_starts: list[int] = []
        self._fields: list[_Field] = []
        self._cell_columns: list[int] = []
        self._is_bold = False
        self.title = ""

    def read(self, root: etree._Element) -> None:
        """Walks over a part or an element of it."""
        starts, ends = self._starts(), self._ends()
        names: dict[str, str] = {}
        walk = etree.iterwalk(root, events=("start", "end"), tag=TAGS)
        for event, element in walk:
            tag = element.tag
            name = names.get(tag)
            if name is None:
                name = names[tag] = tag.rpartition("}")[2]
            if event == "end":
                if (close := ends.get(name)) is not None:
                    close(element)
                    if name == "p" and self._flow.is_full:
                        return
            elif name in _LEFT_OUT:
                walk.skip_subtree()
            elif (begin := starts.get(name)) is not None:
                begin(element)
                if name in ("pPr", "rPr", "trPr", "tcPr"):
                    walk.skip_subtree()

    def _starts(self) -> dict[str, Callable[[etree._Element], None]]:
        starts: dict[str, Callable[[etree._Element], None]] = {
            "p": lambda _: self._paragraphs.append(_OpenParagraph()),
            "pPr": self._read_paragraph_properties,
            "r": self._open_run,
            "rPr": self._read_run_properties,
            "t": self._add_text,
            "hyperlink": self._open_link,
            "fldSimple": self._open_link,
            "fldChar": self._mark_field,
            "instrText": self._add_instruction,
            "txbxContent": lambda _: self._flow.open_aside(),
            "tbl": lambda _: self._flow.open_table(),
            "tr": lambda _: self._flow.open_row(),
            "trPr": self._read_row_properties,
            "tc": self._open_cell,
            "tcPr": self._read_cell_properties,
            "docPr": self._describe_picture,
            "oMath": lambda _: self._add(" "),
        }
        for name, mark in _MARKS.items():
            starts[name] = lambda _, mark=mark: self._add(mark)  # type: ignore[misc]
        for name in _NOTES:
            starts[name] = lambda element, name=name: self._add_note(element, name)  # type: ignore[misc]
        return starts

    def _ends(self) -> dict[str, Callable[[etree._Element], None]]:
        return {
            "p": self._close_paragraph,
            "r": self._open_run,
            "hyperlink": self._close_link,
            "fldSimple": self._close_link,
            "txbxContent": self._close_box,
            "tbl": lambda _: self._flow.close_table(),
            "tc": lambda _: self._flow.close_cell(self._cell_columns.pop()),
            "oMath": lambda _: self._add(" "),
        }

    def _add(self, piece: str) -> None:
        if self._paragraphs:
            self._paragraphs[-1].pieces.append(piece)

    def _add_text(self, element: etree._Element) -> None:
        text = element.text
        if text:
            self._add(text)
            if not self._is_bold and self._paragraphs and not text.isspace():
                self._paragraphs[-1].has_plain = True

    def _open_run(self, _: etree._Element) -> None:
        self._is_bold = False

    def _read_run_properties(self, element: etree._Element) -> None:
        for child in element:
            name = local_name(child)
            if name == "b":
                self._is_bold = value_of(child) not in _OFF

    def _read_paragraph_properties(self, element: etree._Element) -> None:
        if not self._paragraphs:
            return
        paragraph = self._paragraphs[-1]
        for child in element:
            name = local_name(child)
            if name == "pStyle":
                paragraph.style = value_of(child)
            elif name == "outlineLvl":
                paragraph.outline = number_of(child)
            elif name == "numPr":
                for number in child:
                    if local_name(number) == "numId":
                        paragraph.number_key = value_of(number)
                    elif local_name(number) == "ilvl":
                        paragraph.number_level = number_of(number)

    def _close_paragraph(self, _: etree._Element) -> None:
        self._is_bold = False
        read = self._paragraphs.pop()
        text = "".join(read.pieces)
        if text.strip():
            self._flow.add(self._finish_paragraph(read, text))
        else:
            is_code = self._styles.get(read.style).is_code
            self._flow.add(Paragraph("", CODE if is_code else TEXT))
        self._flow.add_all(read.after)

    def _finish_paragraph(self, read: _OpenParagraph, text: str) -> Paragraph:
        style = self._styles.get(read.style or self._styles.default)
        depth = style.depth
        if read.outline is not None:
            depth = 0 if read.outline >= BODY_LEVEL else read.outline + 1
        if style.is_title and not self.title:
            self.title = text
        label, number_key = "", read.number_key or style.number_key
        if number_key:
            level = read.number_level if read.number_level is not None else style.number_level
            if level is None:
                level = self._numbering.level_of_style(number_key, style.key)
            label = self._numbering.next_label(number_key, level)
        elif style.is_item:
            label = BULLET
        is_item = bool(label) and not depth
        if depth and label == BULLET:
            label = ""
        kind = HEADING if depth else ITEM if is_item else CODE if style.is_code else TEXT
        text = f"{label} {text.strip()}" if label else text
        return Paragraph(text, kind, depth, tuple(read.links), not read.has_plain)

    def _open_link(self, _: etree._Element) -> None:
        self._link_starts.append(len(self._paragraphs[-1].pieces) if self._paragraphs else 0)

    def _close_link(self, element: etree._Element) -> None:
        start = self._link_starts.pop()
        target = self._links.get(value_of(element, "id"), "")
        if not target and (instruction := _FIELD_LINK.match(value_of(element, "instr"))):
            target = instruction[1]
        if target and self._paragraphs:
            paragraph = self._paragraphs[-1]
            paragraph.links.append((target, "".join(paragraph.pieces[start:])))

    def _mark_field(self, element: etree._Element) -> None:
        kind = value_of(element, "fldCharType")
        if kind == "begin":
            self._fields.append(_Field())
        elif self._fields and kind == "separate":
            field = self._fields[-1]
            field.paragraph = self._paragraphs[-1] if self._paragraphs else None
            field.start = len(field.paragraph.pieces) if field.paragraph else 0
        elif self._fields and kind == "end":
            field = self._fields.pop()
            link = _FIELD_LINK.match(field.instruction)
            if link and field.paragraph is not None:
                text = "".join(field.paragraph.pieces[field.start :])
                field.paragraph.links.append((link[1], text))

    def _add_instruction(self, element: etree._Element) -> None:
        if self._fields and len(self._fields[-1].instruction) < 4096:
            self._fields[-1].instruction += element.text or ""

    def _add_note(self, element: etree._Element, name: str) -> None:
        if self._paragraphs:
            # Taken once: a thousand references to one long note are a bomb.
            self._paragraphs[-1].after += self._notes.pop((name, value_of(element, "id")), ())

    def _close_box(self, _: etree._Element) -> None:
        inside = self._flow.close_aside()
        if self._paragraphs:
            self._paragraphs[-1].after += inside
        else:
            self._flow.add_all(inside)

    def _read_row_properties(self, element: etree._Element) -> None:
        for child in element:
            if local_name(child) == "tblHeader" and value_of(child) not in _OFF:
                self._flow.mark_header()

    def _open_cell(self, _: etree._Element) -> None:
        self._flow.open_cell()
        self._cell_columns.append(1)

    def _read_cell_properties(self, element: etree._Element) -> None:
        for child in element:
            if local_name(child) == "gridSpan" and self._cell_columns:
                self._cell_columns[-1] = number_of(child) or 1

    def _describe_picture(self, element: etree._Element) -> None:
        if text := picture_text(element):
            self._add(f" {text} ")
