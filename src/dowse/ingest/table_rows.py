"""Rows of a table on their way into the builder: which of them names the columns?

Nothing in a spreadsheet or a list of values says so. A row is taken for a header when it is made of short
words, none twice, and the row under it fills the same columns. Years count as words here: they name the
columns of half the tables there are.
"""

import re
from collections.abc import Callable, Sequence

from dowse.ingest.text_builder import TextBuilder

ROWS_AN_ANCHOR = 20
MAX_NAME_CHARS = 80
_NUMBER = re.compile(r"(?=.*\d)[\d\s.,:;%‰€$£¥+\-−–/()'’eETZ]+\Z")
_YEAR = re.compile(r"(?:19|20)\d\d\Z")


def is_number(cell: str) -> bool:
    """Says whether a cell shows a number, a date or an amount rather than words; a year alone is a word."""
    cell = cell.strip()
    return len(cell) <= MAX_NAME_CHARS and bool(_NUMBER.match(cell)) and not _YEAR.match(cell)


class TableRows:
    """Writes rows under the names of their columns.

    Args:
        builder: Where they go.
        label: Makes a cell's label from its row number and column index; None when none is wanted.
    """

    def __init__(self, builder: TextBuilder, label: Callable[[int, int], str] | None = None) -> None:
        self._composer = builder
        self._label = label
        self._header: Sequence[str] = ()
        self._has_begun = False
        self._waiting: tuple[int, Sequence[str], list[int]] | None = None
        self._last_number = -1
        self._rows_since_anchor = ROWS_AN_ANCHOR

    def add(self, number: int, cells: Sequence[str]) -> None:
        """Adds a row; a gap in the numbers may begin another table. Rows without text are passed over."""
        filled = [column for column, cell in enumerate(cells) if cell and not cell.isspace()]
        if filled:
            self._write(filled, cells)
            self._waiting = (number, cells, filled)

    def finish(self) -> None:
        """Writes the last row."""
        self._write([], ())
        self._waiting = None

    def _write(self, filled_below: list[int], cells_below: Sequence[str]) -> None:
        """Writes the row that waits, now that the one under it is known."""
        if self._waiting is None:
            return
        number, cells, filled = self._waiting
        is_after_gap = number > self._last_number + 1
        self._last_number = number
        self._mark(number, filled[0], is_after_gap)
        if len(filled) > 1 and (is_after_gap or not self._has_begun):
            if self._is_header(cells, filled, filled_below, cells_below):
                self._header, self._has_begun = cells, True
                self._composer.row(cells)
                return
            if self._header and any(column >= len(self._header) for column in filled):
                self._header = ()
            self._has_begun = True
        self._composer.row(cells, self._header)

    def _mark(self, number: int, column: int, is_after_gap: bool) -> None:
        if self._label is None:
            return
        self._rows_since_anchor += 1
        if self._rows_since_anchor >= ROWS_AN_ANCHOR or (is_after_gap and self._rows_since_anchor > 1):
            self._composer.anchor("cell", self._label(number, column))
            self._rows_since_anchor = 0

    def _is_header(
        self, cells: Sequence[str], filled: list[int], filled_below: list[int], cells_below: Sequence[str]
    ) -> bool:
        names = [cells[column].strip() for column in filled]
        if not filled_below or len(set(names)) < len(names):
            return False
        if any(len(name) > MAX_NAME_CHARS or name.endswith(":") or is_number(name) for name in names):
            return False
        named = set(filled)
        if 2 * sum(column in named for column in filled_below) < len(filled_below):
            return False
        # Words over words further down are more often the next line of a form than another table.
        return not self._has_begun or any(is_number(cells_below[column]) for column in filled_below)
