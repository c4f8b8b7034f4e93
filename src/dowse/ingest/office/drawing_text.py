"""The text of drawings: shapes, diagrams and charts, alike in letters and on slides."""

from collections.abc import Iterator, Mapping

from lxml import etree

from dowse.ingest.markup import local_name
from dowse.ingest.office.attributes import number_of, value_of
from dowse.ingest.office.flow import Flow
from dowse.ingest.office.paragraphs import ITEM, TEXT, Paragraph

_NAMES = ("p", "t", "br", "tab", "pPr", "rPr", "fld", "tbl", "tr", "tc", "oMath", "Fallback", "cNvPr")
_TAGS = tuple("{*}" + name for name in _NAMES)
_NUMBER_FIELD = "slidenum"


class DrawingText:
    """Reads the paragraphs and tables of shapes into a flow.

    Args:
        links: Addresses outside by relationship key.
    """

    def __init__(self, flow: Flow, links: Mapping[str, str]) -> None:
        self._flow, self._links = flow, links
        self._pieces: list[str] | None = None
        self._found_links: list[tuple[str, str]] = []
        self._target = ""
        self._columns: list[int] = []
        self._is_item = False
        self._is_bold = True
        self._is_first_row_header = False

    def read(self, root: etree._Element, *, is_list: bool = False) -> None:
        """Walks over a shape, a group of shapes or a frame with a table.

        Args:
            is_list: Whether its paragraphs are items unless they say that they have no bullet.
        """
        walk = etree.iterwalk(root, events=("start", "end"), tag=_TAGS)
        for event, element in walk:
            name = local_name(element)
            if event == "end":
                self._end(name)
            elif name == "Fallback" or (name == "fld" and element.get("type") == _NUMBER_FIELD):
                walk.skip_subtree()
            else:
                self._start(name, element, is_list)

    def _start(self, name: str, element: etree._Element, is_list: bool) -> None:
        if name == "p":
            self._pieces, self._found_links = [], []
            self._is_item, self._is_bold = is_list, True
        elif name == "t":
            self._add_text(element.text or "")
        elif name in ("br", "tab"):
            self._add_text("\n" if name == "br" else "\t", is_mark=True)
        elif name == "pPr":
            self._read_bullet(element)
        elif name == "rPr":
            self._read_run(element)
        elif name == "tbl":
            self._flow.open_table()
            self._is_first_row_header = _names_columns(element)
        elif name == "tr":
            self._flow.open_row(is_header=self._is_first_row_header)
            self._is_first_row_header = False
        elif name == "tc":
            self._flow.open_cell()
            self._columns.append(number_of(element, "gridSpan") or 1)
        elif name == "oMath":
            self._add_text(" ", is_mark=True)
        elif name == "cNvPr" and (text := picture_text(element)):
            self._flow.add(Paragraph(text))

    def _end(self, name: str) -> None:
        if name == "p" and self._pieces is not None:
            text = "".join(self._pieces).replace("\v", "\n").strip()
            is_item = self._is_item and bool(text)
            links = tuple(self._found_links)
            kind = ITEM if is_item else TEXT
            self._flow.add(Paragraph(f"- {text}" if is_item else text, kind, 0, links, self._is_bold))
            self._pieces = None
        elif name == "tc":
            self._flow.close_cell(self._columns.pop())
        elif name == "tbl":
            self._flow.close_table()

    def _add_text(self, text: str, *, is_mark: bool = False) -> None:
        if self._pieces is None:
            return
        self._pieces.append(text)
        if self._target and not is_mark:
            self._found_links.append((self._target, text))
            self._target = ""

    def _read_bullet(self, element: etree._Element) -> None:
        for child in element:
            bullet = local_name(child)
            if bullet == "buNone":
                self._is_item = False
            elif bullet in ("buChar", "buAutoNum", "buBlip"):
                self._is_item = True

    def _read_run(self, element: etree._Element) -> None:
        self._is_bold = self._is_bold and element.get("b") in ("1", "true")
        self._target = ""
        for child in element:
            if local_name(child) == "hlinkClick":
                self._target = self._links.get(value_of(child, "id"), "")


def picture_text(properties: etree._Element) -> str:
    """Returns what stands for a picture where it cannot be seen; empty for a path."""
    text = (properties.get("descr") or "").strip()
    return "" if "/" in text or "\\" in text else text


def _names_columns(table: etree._Element) -> bool:
    for child in table:
        if local_name(child) == "tblPr":
            return child.get("firstRow") in ("1", "true")
    return False


def read_drawing_part(root: etree._Element) -> list[Paragraph]:
    """Returns the text of a diagram or a chart: its labels, each once, without its numbers."""
    flow = Flow(None)
    DrawingText(flow, {}).read(root)
    texts = [paragraph.text for paragraph in flow.take_collected()]
    texts += _labels(root)
    return [Paragraph(text) for text in dict.fromkeys(texts)]


def _labels(root: etree._Element) -> Iterator[str]:
    """Yields the names of a chart's series and categories."""
    for cache in root.iter("{*}strCache", "{*}lvl"):
        for value in cache.iter("{*}v"):
            if value.text and value.text.strip():
                yield value.text.strip()
