"""The tables of a page: rows under their header names, or mere layout."""

from itertools import zip_longest
from typing import NamedTuple

from dowse.ingest.text_builder import TextBuilder

Links = list[tuple[str, str, str]]
_MAX_SPAN = 200


class _Row(NamedTuple):
    """A row; `names` are its cells with each repeated in all columns that it spans."""

    cells: list[str]
    names: list[str]
    heads: list[bool]
    links: Links

    @property
    def is_header(self) -> bool:
        """Whether it names columns: one name across all of them is a title."""
        return all(self.heads) and sum(map(bool, self.cells)) > 1


class Table:
    """A table whose cells are being read.

    A table that holds a table, a heading or code is layout: what it holds is text like any other, and it
    has no rows.
    """

    def __init__(self, *, is_layout: bool) -> None:
        self.is_layout = is_layout
        self.is_in_cell = False
        self._rows: list[_Row] = []
        self._spans: dict[int, tuple[int, bool]] = {}

    def start_row(self) -> None:
        """Begins a row."""
        self._rows.append(_Row([], [], [], []))

    def add_cell(self, text: str, links: Links, *, is_head: bool, colspan: str, rowspan: str) -> None:
        """Adds a cell; one that spans columns or rows leaves the places it covers empty."""
        if not self._rows:
            self.start_row()
        row = self._rows[-1]
        self._skip_spanned(row)
        width = _span(colspan)
        if _span(rowspan) > 1:
            for column in range(len(row.cells), len(row.cells) + width):
                self._spans[column] = _span(rowspan) - 1, is_head
        row.cells.extend([text] + [""] * (width - 1))
        row.names.extend([text] * width)
        row.heads.extend([is_head] * width)
        row.links.extend(links)

    def compose_into(self, builder: TextBuilder) -> bool:
        """Adds the rows to the builder and forgets them; says whether there was any text."""
        rows = [row for row in self._rows if any(row.cells)]
        self._rows, self._spans = [], {}
        header: list[str] = []
        is_under_header = False
        for place, row in enumerate(rows):
            if row.is_header and place < len(rows) - 1:
                header = _merge(header, row.names) if is_under_header else row.names
                is_under_header = True
            else:
                _add(builder, row, header if not all(row.heads) else [])
                is_under_header = False
        return bool(rows)

    def _skip_spanned(self, row: _Row) -> None:
        while (span := self._spans.get(len(row.cells), (0, False)))[0] > 0:
            left, is_head = span
            self._spans[len(row.cells)] = left - 1, is_head
            row.cells.append("")
            row.names.append("")
            row.heads.append(is_head)


def _merge(upper: list[str], lower: list[str]) -> list[str]:
    """Joins the names of a header of several rows."""
    pairs = zip_longest(upper, lower, fillvalue="")
    return [high if low == high else f"{high} {low}".strip() for high, low in pairs]


def _add(builder: TextBuilder, row: _Row, header: list[str]) -> None:
    for target, text, kind in row.links:
        builder.link(target, text, kind)
    cells, heads = row.cells, row.heads
    is_named_by_first = not header and len(cells) > 1 and heads[0] and not any(heads[1:])
    if is_named_by_first:
        cells, header = cells[1:], [cells[0]]
        if not any(cells):
            cells, header = header, []
    if sum(map(bool, row.cells)) == 1 and not header:
        builder.paragraph("".join(row.cells))
    else:
        builder.row(cells, header)


def _span(value: str) -> int:
    return min(int(value), _MAX_SPAN) if value.isascii() and value.isdigit() and value != "0" else 1
