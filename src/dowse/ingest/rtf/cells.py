"""Rows of rich text on their way to a table.

Rich text has no tables, only rows that follow each other; a table is over when a paragraph outside a row
ends. Tables in cells are rows with a level.
"""

from dowse.ingest.office.flow import Flow
from dowse.ingest.office.paragraphs import ROW, Paragraph
from dowse.ingest.office.tables import Table

MAX_LEVEL = 8


class _Level:
    def __init__(self) -> None:
        self.cell: list[Paragraph] = []
        self.row: list[list[Paragraph]] = []
        self.rows: list[tuple[bool, list[list[Paragraph]]]] = []


class Cells:
    """The rows being read, at each level from 1."""

    def __init__(self) -> None:
        self._levels = [_Level() for _ in range(MAX_LEVEL + 1)]

    @property
    def has_open_row(self) -> bool:
        """Whether a row has cells and is not ended."""
        return bool(self._levels[1].row)

    def add(self, level: int, paragraph: Paragraph) -> None:
        """Adds a paragraph to the cell being read."""
        if paragraph.text.strip():
            self._levels[_bounded(level)].cell.append(paragraph)

    def end_cell(self, level: int) -> None:
        """Ends a cell; a table inside it becomes part of its text."""
        level = _bounded(level)
        self._fold_inner(level)
        entry = self._levels[level]
        entry.row.append(entry.cell)
        entry.cell = []

    def end_row(self, level: int, *, is_header: bool) -> None:
        """Ends a row."""
        entry = self._levels[_bounded(level)]
        if entry.cell:
            self.end_cell(level)
        if entry.row:
            entry.rows.append((is_header, entry.row))
            entry.row = []

    def flush_into(self, flow: Flow) -> None:
        """Ends the table, if there is one, and writes it."""
        self._fold_inner(1)
        self.end_row(1, is_header=False)
        rows, self._levels[1].rows = self._levels[1].rows, []
        if not rows:
            return
        flow.open_table()
        for is_header, row in rows:
            flow.open_row(is_header=is_header)
            for cell in row:
                flow.open_cell()
                flow.add_all(cell)
                flow.close_cell()
        flow.close_table()

    def _fold_inner(self, level: int) -> None:
        for inner in range(MAX_LEVEL, level, -1):
            self.end_row(inner, is_header=False)
            rows, self._levels[inner].rows = self._levels[inner].rows, []
            if rows:
                table = Table()
                for is_header, row in rows:
                    table.open_row(is_header=is_header)
                    for cell in row:
                        table.add_cell(cell)
                self._levels[inner - 1].cell += [
                    Paragraph(resolved.text, ROW, links=resolved.links) for resolved in table.resolve()
                ]


def _bounded(level: int) -> int:
    return min(max(level, 1), MAX_LEVEL)
