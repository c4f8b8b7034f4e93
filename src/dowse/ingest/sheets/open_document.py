"""OpenDocument spreadsheets, packed and flat, by a reader of our own.

python-calamine writes out every repetition, and a file of 468 bytes can repeat a cell seventeen billion
times; here a repeated row or cell is written a few times and only counted from then on. Numbers and dates
are read from the file's exact values; amounts and shares are taken as they are shown.
"""

from collections.abc import Iterator
from itertools import chain

from lxml import etree

from dowse.ingest.markup import local_name
from dowse.ingest.sheets.cells import Row, Sheet, show_number

MAX_REPEATED = 100
"""More equal cells in a row, or equal rows, say nothing new."""

_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_SPACES = {"s": " ", "tab": "\t", "line-break": "\n"}


def iter_sheets(root: etree._Element) -> Iterator[Sheet]:
    """Yields the sheets of a document's content."""
    for table in root.iter(f"{_TABLE}table"):
        # A table inside a cell or a drawing belongs to it.
        parent = table.getparent()
        if parent is not None and local_name(parent) == "spreadsheet":
            yield Sheet(table.get(f"{_TABLE}name") or "Sheet", _iter_rows(table))


def iter_loose_texts(root: etree._Element) -> Iterator[str]:
    """Yields the text of drawings that stand on a sheet, outside its cells."""
    for shapes in root.iter(f"{_TABLE}shapes"):
        yield from filter(None, (_paragraph(element) for element in shapes.iter(f"{_TEXT}p", f"{_TEXT}h")))


def _iter_rows(table: etree._Element) -> Iterator[Row]:
    number = 0
    for row in table.iter(f"{_TABLE}table-row"):
        repeated = _count(row, f"{_TABLE}number-rows-repeated")
        cells = list(_iter_cells(row))
        if any(cells):
            for offset in range(min(repeated, MAX_REPEATED)):
                yield Row(number + offset, 0, cells)
        number += repeated


def _iter_cells(row: etree._Element) -> Iterator[str]:
    """Yields a row's cells up to the last that has text."""
    empty = 0
    for cell in row.iterchildren(f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell"):
        repeated = min(_count(cell, f"{_TABLE}number-columns-repeated"), MAX_REPEATED)
        if text := _cell_text(cell):
            yield from [""] * empty
            yield from [text] * repeated
            empty = 0
        else:
            empty = min(empty + repeated, MAX_REPEATED)


def _cell_text(cell: etree._Element) -> str:
    shown = "\n".join(filter(None, map(_paragraph, cell.iter(f"{_TEXT}p", f"{_TEXT}h"))))
    kind = cell.get(f"{_OFFICE}value-type")
    if kind == "date":
        value = (cell.get(f"{_OFFICE}date-value") or shown).removesuffix("T00:00:00").replace("T", " ")
    elif kind == "float":
        value = _number(cell.get(f"{_OFFICE}value") or "") or shown
    else:
        return shown
    notes = cell.iter(f"{_OFFICE}annotation")
    remarks = (_paragraph(part) for note in notes for part in note.iter(f"{_TEXT}p"))
    return "\n".join(filter(None, chain([value], remarks)))


def _number(value: str) -> str:
    try:
        return show_number(float(value))
    except (ValueError, OverflowError):
        return ""


def _paragraph(paragraph: etree._Element) -> str:
    parts: list[str] = []
    for event, element in etree.iterwalk(paragraph, events=("start", "end")):
        if event == "start":
            parts.append(_SPACES.get(local_name(element), "") + (element.text or ""))
        elif element is not paragraph:
            parts.append(element.tail or "")
    return "".join(parts).strip()


def _count(element: etree._Element, name: str) -> int:
    try:
        return max(int(element.get(name) or 1), 1)
    except ValueError:
        return 1
