"""The columns of one committed segment: which documents have which values."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from msgspec import Struct

from dowse.errors import CorruptFileError
from dowse.kernels import (
    count_numbers,
    count_ranges,
    mark_entries,
    mark_numbers,
    mark_pairs,
    order_by_value,
    spread_marks,
)
from dowse.kernels.layout import F64, I64, U8, U16, U32, AnyArray
from dowse.storage.columns.codec import (
    DIGEST,
    SEPARATOR,
    ColumnArrays,
    ColumnEntry,
    decode_directory,
    encode_wanted,
    read_part,
    split_entries,
)
from dowse.storage.columns.registry import Kind


class KeywordColumn(Struct, frozen=True, dict=True):
    """Texts that documents have, dictionary-coded.

    Attributes:
        docs: Document of each value, ascending; None when there is one number per document.
        numbers: Entry of each value, counted from 1; 0 for none.
        folds: The dictionary as filters compare it.
        texts: The dictionary as written; None when folding changes nothing.
    """

    doc_count: int
    docs: U32 | None
    numbers: U8 | U16 | U32
    folds: U8
    texts: U8 | None

    @cached_property
    def folded(self) -> list[bytes]:
        """The folded entries, by place."""
        return split_entries(self.folds)

    @cached_property
    def entries(self) -> list[bytes]:
        """The entries as written, by place."""
        if self.texts is None:
            return self.folded
        return [text or fold for text, fold in zip(split_entries(self.texts), self.folded, strict=True)]

    def equal_to(self, wanted: str) -> U8:
        """Returns marks, by number, of the entries that equal a text, whatever the letter case."""
        forms = [SEPARATOR + form + SEPARATOR for form in encode_wanted(wanted)]
        return _any_of([mark_entries(self.folds, form) for form in forms])

    def containing(self, wanted: bytes) -> U8:
        """Returns marks, by number, of the folded entries that contain some bytes; see `mark_entries`."""
        if wanted:
            return mark_entries(self.folds, wanted)
        marks = np.ones(len(self.folded) + 1, np.uint8)
        marks[0] = 0
        return marks

    def documents(self, marks: U8) -> U8:
        """Returns the marks of documents that have one of the marked entries."""
        if self.docs is None:
            return mark_numbers(self.numbers, marks)
        return mark_pairs(self.docs, self.numbers, marks, self.doc_count)

    def having_any(self) -> U8:
        """Returns the marks of documents that have any value."""
        if self.docs is None:
            return np.not_equal(self.numbers, 0).view(np.uint8)
        found = np.zeros(self.doc_count, np.uint8)
        found[self.docs] = 1
        return found

    def counts(self, documents: U8 | None) -> list[tuple[str, int]]:
        """Returns how many of the marked documents have each entry, in the dictionary's order."""
        counts = count_numbers(self.numbers, self.docs, documents, len(self.folded))
        return [
            (entry.decode("utf-8", "replace"), count)
            for entry, count in zip(self.entries, counts[1:].tolist(), strict=True)
            if count and not entry.startswith(DIGEST)
        ]

    def values_of(self, doc: int) -> list[str]:
        """Returns the values of a document, as written."""
        if self.docs is None:
            numbers = self.numbers[doc : doc + 1]
        else:
            numbers = self.numbers[slice(*np.searchsorted(self.docs, (doc, doc + 1)))]
        return [self.entries[number - 1].decode("utf-8", "replace") for number in numbers.tolist() if number]


class NumberColumn(Struct, frozen=True):
    """Numbers that documents have.

    Attributes:
        docs: Document of each number, ascending; None when there is one per document.
        numbers: NaN for none.
    """

    doc_count: int
    docs: U32 | None
    numbers: AnyArray

    def within(self, low: float | None, high: float | None) -> U8:
        """Returns the marks of documents that have a number with ``low <= number < high``."""
        numbers = self.numbers
        inside = np.ones(len(numbers), bool) if low is None else numbers >= low
        if high is not None:
            inside &= numbers < high
        if self.docs is None:
            return inside.view(np.uint8)
        found = np.zeros(self.doc_count, np.uint8)
        found[self.docs[inside]] = 1
        return found

    def having_any(self) -> U8:
        """Returns the marks of documents that have a number."""
        if self.docs is None:
            return (~np.isnan(self.numbers)).view(np.uint8)
        found = np.zeros(self.doc_count, np.uint8)
        found[self.docs] = 1
        return found

    def dense(self) -> F64:
        """Returns one number per document, its first; NaN for none."""
        if self.docs is None:
            return self.numbers.astype(np.float64, copy=False)
        found = np.full(self.doc_count, np.nan)
        docs, first = np.unique(self.docs, return_index=True)
        found[docs] = self.numbers[first]
        return found

    def counts(self, documents: U8 | None, edges: F64) -> I64:
        """Returns how many of the marked documents lie between neighbouring edges, by their first number."""
        return count_ranges(self.dense(), documents, edges)

    def best(self, documents: U8 | None, most: int, *, is_descending: bool) -> U32:
        """Returns the marked documents with the smallest or largest numbers, in order."""
        return order_by_value(self.dense(), documents, most, is_descending)

    def take(self, docs: Sequence[int]) -> F64:
        """Returns the numbers of some documents; NaN for none."""
        return self.dense()[np.asarray(docs, np.int64)]

    def values_of(self, doc: int) -> list[float]:
        """Returns the numbers of a document."""
        if self.docs is None:
            numbers = self.numbers[doc : doc + 1]
        else:
            numbers = self.numbers[slice(*np.searchsorted(self.docs, (doc, doc + 1)))]
        return [float(number) for number in numbers.tolist() if number == number]


class NameColumn(Struct, frozen=True, dict=True):
    """One folded text per document."""

    names: U8

    @cached_property
    def entries(self) -> list[bytes]:
        """The names, by document."""
        return split_entries(self.names)

    def containing(self, wanted: bytes) -> U8:
        """Returns the marks of documents whose name contains some bytes; see `mark_entries`."""
        return mark_entries(self.names, wanted)[1:]


class DocumentColumns:
    """All columns of one segment; immutable, shared by generations and threads.

    Args:
        arrays: Those of the segment's file.
        row_count: Rows of the segment.
        place: Names the file in errors.

    Attributes:
        doc_count: Documents of the segment.
    """

    def __init__(self, arrays: ColumnArrays, row_count: int, place: str) -> None:
        self._arrays, self._row_count, self._place = arrays, row_count, place
        self.doc_rows = arrays.doc_rows
        self.doc_count = len(arrays.doc_rows) - 1

    @cached_property
    def directory(self) -> dict[tuple[str, str], ColumnEntry]:
        """The columns by name and kind."""
        return decode_directory(self._arrays, self._place)

    def keywords(self, name: str) -> KeywordColumn | None:
        """Returns a keyword column; None when no document has a value in it."""
        entry = self.directory.get((name, Kind.KEYWORD))
        if entry is None or entry.values is None or entry.folds is None:
            return None
        pool = self._arrays.column_values
        docs = None if entry.docs is None else read_part(pool, entry.docs)
        texts = None if entry.texts is None else read_part(pool, entry.texts)
        return KeywordColumn(
            self.doc_count, docs, read_part(pool, entry.values), read_part(pool, entry.folds), texts
        )

    def numbers(self, name: str) -> NumberColumn | None:
        """Returns a column of numbers; None when no document has one in it."""
        entry = self.directory.get((name, Kind.NUMBER))
        if entry is None or entry.values is None:
            return None
        pool = self._arrays.column_values
        docs = None if entry.docs is None else read_part(pool, entry.docs)
        return NumberColumn(self.doc_count, docs, read_part(pool, entry.values))

    def names(self) -> NameColumn:
        """Returns the column of file names."""
        entry = self.directory.get(("name", Kind.NAMES))
        if entry is None or entry.folds is None:
            raise CorruptFileError(path=self._place, expectation="it has no file names")
        return NameColumn(read_part(self._arrays.column_values, entry.folds))

    def rows(self, documents: U8) -> U8:
        """Returns the marks of rows, given those of documents."""
        if self.doc_count == self._row_count:
            return documents
        return spread_marks(documents, self.doc_rows, self._row_count)

    def docs_of(self, rows: Sequence[int]) -> I64:
        """Returns the document of each row."""
        return np.searchsorted(self.doc_rows, np.asarray(rows, np.int64), side="right") - 1


def _any_of(marks: Sequence[U8]) -> U8:
    found = marks[0]
    for more in marks[1:]:
        found = found | more
    return found
