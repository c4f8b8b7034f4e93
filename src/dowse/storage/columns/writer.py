"""Gathers the values of documents until they become the columns of one segment."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from msgspec import Struct, field

from dowse.storage.columns.codec import (
    LONGEST_BYTES,
    ColumnArrays,
    Keywords,
    Pool,
    encode_text,
    fold_entry,
    join_entries,
)
from dowse.storage.columns.registry import SEARCHED_WITHIN


class DocumentValues(NamedTuple):
    """What one document has in its columns.

    Attributes:
        name: Its file name.
        keywords: Pairs of column and value; the same pair once.
        numbers: Pairs of column and number.
    """

    name: str
    keywords: Sequence[tuple[str, str]]
    numbers: Sequence[tuple[str, float]]


class _Keywords(Struct):
    """Values of one column: entries by value, and pairs of document and entry."""

    entries: dict[str, int] = field(default_factory=dict)
    docs: list[int] = field(default_factory=list)
    places: list[int] = field(default_factory=list)


class _Numbers(Struct):
    docs: list[int] = field(default_factory=list)
    values: list[float] = field(default_factory=list)


class ColumnsWriter:
    """The documents of one segment on their way into columns; not searchable."""

    def __init__(self) -> None:
        self._doc_rows: list[int] = []
        self._names: list[str] = []
        self._keywords: dict[str, _Keywords] = {}
        self._numbers: dict[str, _Numbers] = {}

    def add(self, first_row: int, values: DocumentValues) -> None:
        """Adds the next document, whose rows start at `first_row`."""
        doc = len(self._doc_rows)
        self._doc_rows.append(first_row)
        self._names.append(values.name)
        for name, text in values.keywords:
            column = self._keywords.get(name)
            if column is None:
                column = self._keywords[name] = _Keywords()
            column.docs.append(doc)
            column.places.append(column.entries.setdefault(text, len(column.entries)))
        for name, number in values.numbers:
            numbers = self._numbers.get(name)
            if numbers is None:
                numbers = self._numbers[name] = _Numbers()
            numbers.docs.append(doc)
            numbers.values.append(number)

    def finish(self, row_count: int) -> ColumnArrays:
        """Returns the columns of all documents added."""
        pool, doc_count = Pool(), len(self._doc_rows)
        pool.add_names("name", join_entries(fold_entry(encode_name(name)) for name in self._names))
        for name in sorted(self._keywords):
            pool.add_keywords(name, _number_entries(name, self._keywords[name]), doc_count)
        for name in sorted(self._numbers):
            numbers = self._numbers[name]
            docs = np.array(numbers.docs, np.int64)
            pool.add_numbers(name, docs, np.array(numbers.values, np.float64), doc_count)
        return pool.arrays(np.array([*self._doc_rows, row_count], np.uint32))


def encode_name(name: str) -> bytes:
    """Returns a file name as the column of names has it, before folding."""
    return name.encode("utf-8", "replace")


def _number_entries(name: str, column: _Keywords) -> Keywords:
    """Numbers the entries in the order of their bytes; two long values may become one."""
    # No value is as long as this: whole ones are kept as they are.
    longest = 1 << 62 if name in SEARCHED_WITHIN else LONGEST_BYTES
    encoded = [encode_text(text, longest) for text in column.entries]
    entries = sorted(set(encoded))
    places = {entry: number for number, entry in enumerate(entries, 1)}
    numbers = np.array([places[entry] for entry in encoded], np.int64)
    return Keywords(entries, np.array(column.docs, np.int64), numbers[column.places])
