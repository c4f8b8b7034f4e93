"""The tables of a page: rows under their header names, or mere layout."""

from typing import NamedTuple

from dowse.ingest.composing import Composer

Links = list[tuple[str, str, str]]
_MAX_SPAN = 200


class _Row(NamedTuple):
    cells: list[str]
    heads: list[bool]
    links: Links


class Table:
    """A table whose cells are being read.

    A table that holds a table, a heading or code is layout: what it holds is text like any other, and it
    has no rows.
    """

    def __init__(self, *, is_layout: bool) -> None:
        self.is_layout = is_layout
        self.is_in_cell = False
        self._rows: list[_Row] = []
        self._spans: dict[int, int] = {}

    def start_row(self) -> None:
        """Begins a row."""
        self._rows.append(_Row([], [], []))

    def add_cell(self, text: str, links: Links, *, is_head: bool, colspan: str, rowspan: str) -> None:
        """Adds a cell; one that spans columns or rows leaves the places it covers empty."""
        if not self._rows:
            self.start_row()
        row = self._rows[-1]
        self._skip_spanned(row)
        width = _span(colspan)
        if _span(rowspan) > 1:
            for column in range(len(row.cells), len(row.cells) + width):
                self._spans[column] = _span(rowspan) - 1
        row.cells.extend([text] + [""] * (width - 1))
        row.heads.extend([is_head] * width)
        row.links.extend(links)

    def compose_into(self, composer: Composer) -> bool:
        """Adds the rows to the composer and forgets them; says whether there was any text."""
        rows = [row for row in self._rows if any(row.cells)]
        self._rows, self._spans = [], {}
        header: list[str] = []
        is_first = True
        for row in rows:
            if all(row.heads) and len(row.heads) > 1 and len(rows) > 1:
                # Headers of several rows: the lower, finer names hold, the upper ones where there are none.
                header = _merge(header, row.cells) if is_first else row.cells
                if is_first and row is not rows[-1]:
                    continue
            _add(composer, row, [] if all(row.heads) else header)
            is_first = False
        return bool(rows)

    def _skip_spanned(self, row: _Row) -> None:
        while (left := self._spans.get(len(row.cells), 0)) > 0:
            self._spans[len(row.cells)] = left - 1
            row.cells.append("")
            row.heads.append(bool(row.heads) and all(row.heads))


def _merge(upper: list[str], lower: list[str]) -> list[str]:
    return [low or (upper[place] if place < len(upper) else "") for place, low in enumerate(lower)]


def _add(composer: Composer, row: _Row, header: list[str]) -> None:
    for target, text, kind in row.links:
        composer.link(target, text, kind)
    cells, heads = row.cells, row.heads
    is_named_by_first = not header and len(cells) > 1 and heads[0] and not any(heads[1:])
    if is_named_by_first:
        cells, header = cells[1:], [cells[0]]
        if not any(cells):
            cells, header = header, []
    if len(row.cells) == 1:
        composer.paragraph(cells[0])
    else:
        composer.row(cells, header)


def _span(value: str) -> int:
    return min(int(value), _MAX_SPAN) if value.isascii() and value.isdigit() and value != "0" else 1
