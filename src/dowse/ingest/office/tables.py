"""The tables of office files: rows under their header names, or mere layout."""

from collections.abc import Iterator
from typing import NamedTuple

from dowse.ingest.office.paragraphs import CODE, HEADING, ROW, Links, Paragraph

MAX_COLUMNS = 256
_MAX_NAME_CHARS = 60
# With two columns, names beside values are as common as names above them; only a mark decides there.
_MIN_GUESSED_COLUMNS = 3


class Cell(NamedTuple):
    """One cell; it covers `columns` places of its row."""

    paragraphs: list[Paragraph]
    columns: int

    @property
    def text(self) -> str:
        """Its paragraphs, one below the other."""
        return "\n".join(paragraph.text for paragraph in self.paragraphs)


class Row(NamedTuple):
    """One row, ready to be written: its values, and the names of their columns."""

    cells: list[str]
    names: list[str]
    links: Links

    @property
    def text(self) -> str:
        """The row in one line, as `TextBuilder.row` writes it."""
        values = [" ".join(cell.split()) for cell in self.cells]
        return " | ".join(
            f"{self.names[place]}: {value}" if place < len(self.names) and self.names[place] else value
            for place, value in enumerate(values)
            if value
        )


class _ReadRow:
    def __init__(self, is_header: bool) -> None:
        self.is_header = is_header
        self.cells: list[Cell] = []


class Table:
    """A table whose cells are being read."""

    def __init__(self) -> None:
        self._rows: list[_ReadRow] = []

    def open_row(self, *, is_header: bool = False) -> None:
        """Begins a row."""
        self._rows.append(_ReadRow(is_header))

    def mark_header(self) -> None:
        """Says that the row being read names the columns."""
        if self._rows:
            self._rows[-1].is_header = True

    def add_cell(self, paragraphs: list[Paragraph], columns: int = 1) -> None:
        """Adds a cell to the row being read."""
        if not self._rows:
            self.open_row()
        self._rows[-1].cells.append(Cell(paragraphs, min(max(columns, 1), MAX_COLUMNS)))

    @property
    def is_layout(self) -> bool:
        """Whether it only arranges text: one column, or cells with headings, code or tables of their own."""
        return all(len(row.cells) <= 1 for row in self._rows) or any(
            paragraph.kind in (HEADING, CODE, ROW) for paragraph in self.iter_paragraphs()
        )

    def iter_paragraphs(self) -> Iterator[Paragraph]:
        """Yields all that is in the cells, in reading order."""
        for row in self._rows:
            for cell in row.cells:
                yield from cell.paragraphs

    def resolve(self) -> list[Row]:
        """Returns the rows that have text.

        A row of names is not among them, unless a name has no value anywhere below: no word is lost.
        """
        rows = [row for row in self._rows if any(cell.text.strip() for cell in row.cells)]
        count = _count_header_rows(rows)
        names: list[str] = []
        for row in rows[:count]:
            # Headers of several rows: the lower, finer names hold, the upper ones where there are none.
            upper, names = names, _spread(row, fills=True)
            names = [name or (upper[place] if place < len(upper) else "") for place, name in enumerate(names)]
        body = [Row(_spread(row), names, _links_of(row)) for row in rows[count:]]
        if count == 1 and _is_each_used(names, body):
            body[0] = body[0]._replace(links=_links_of(rows[0]) + body[0].links)
            return body
        return [Row(_spread(row), [], _links_of(row)) for row in rows[:count]] + body


def _count_header_rows(rows: list[_ReadRow]) -> int:
    """Returns how many of the first rows name the columns; at least one row stays for values."""
    count = 0
    while count < len(rows) - 1 and rows[count].is_header:
        count += 1
    if count == 0 and len(rows) > 1 and (_is_bold_alone(rows) or _looks_like_names(rows[0])):
        return 1
    return count


def _is_bold_alone(rows: list[_ReadRow]) -> bool:
    return len(rows[0].cells) > 1 and _is_bold(rows[0]) and not _is_bold(rows[1])


def _is_bold(row: _ReadRow) -> bool:
    return all(
        paragraph.is_bold for cell in row.cells for paragraph in cell.paragraphs if paragraph.text.strip()
    )


def _looks_like_names(row: _ReadRow) -> bool:
    texts = [cell.text.strip() for cell in row.cells]
    return (
        len(texts) >= _MIN_GUESSED_COLUMNS
        and all(texts[1:])
        and all(len(text) <= _MAX_NAME_CHARS and "\n" not in text for text in texts)
        and all(any(map(str.isalpha, text)) for text in texts if text)
        and len({text.casefold() for text in texts}) == len(texts)
    )


def _spread(row: _ReadRow, *, fills: bool = False) -> list[str]:
    """Returns a text for each column; a cell over several columns fills the first, or all of them."""
    texts: list[str] = []
    for cell in row.cells:
        text = " ".join(cell.text.split())
        texts.append(text)
        # Bounded for the row, not only the cell: a million cells that each repeat are a bomb.
        spanned = min(cell.columns - 1, MAX_COLUMNS - len(texts))
        texts.extend([text if fills else ""] * spanned)
    return texts


def _links_of(row: _ReadRow) -> Links:
    return tuple(link for cell in row.cells for paragraph in cell.paragraphs for link in paragraph.links)


def _is_each_used(names: list[str], body: list[Row]) -> bool:
    used = {place for row in body for place, cell in enumerate(row.cells) if cell}
    return all(place in used for place, name in enumerate(names) if name)
