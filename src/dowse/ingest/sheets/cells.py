"""Values of cells as people write them, and places of cells."""

import re
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from typing import NamedTuple

# From here on, a floating-point number cannot tell neighbouring whole numbers apart.
_EXACT_BELOW = 1e15
_PLAIN_SHEET_NAME = re.compile(r"[^\W\d]\w*\Z")


class Row(NamedTuple):
    """A row: `number` counts from 0, `column` is that of the first cell."""

    number: int
    column: int
    cells: list[str]


class Sheet(NamedTuple):
    """A sheet and its rows, which can be walked once; rows without text may be left out."""

    name: str
    rows: Iterator[Row]


def show_value(value: object) -> str:
    """Writes a value: dates as ISO 8601, numbers without the noise of their binary form."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        return show_number(value)
    if isinstance(value, datetime):
        is_day = value.time() == time()
        return value.date().isoformat() if is_day else value.isoformat(" ", "seconds")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, time):
        return value.isoformat("seconds")
    if isinstance(value, timedelta):
        minutes, seconds = divmod(round(value.total_seconds()), 60)
        return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"
    return "" if value is None else str(value)


def show_number(value: float) -> str:
    """Writes 12.0 as ``12`` and 0.1 + 0.2 as ``0.3``."""
    if abs(value) < _EXACT_BELOW and value.is_integer():
        return str(int(value))
    return format(value, ".15g")


def show_place(sheet: str, number: int, column: int) -> str:
    """Writes a cell's place, ``Budget!A5``; a name that is not one word stands in quotes."""
    letters = ""
    column += 1
    while column > 0:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    name = sheet if _PLAIN_SHEET_NAME.match(sheet) else "'" + sheet.replace("'", "''") + "'"
    return f"{name}!{letters}{number + 1}"
