"""Filters, counts and orders over the columns of a segment's documents; the plain twin.

A keyword column is a dictionary and, per value, a *number*: 0 for none, otherwise the entry's place plus one.
A dictionary is bytes: `SEPARATOR`, entry, `SEPARATOR`, entry, …, `SEPARATOR`; the separator is no byte of
UTF-8, so no entry contains it. *Marks* are one byte per thing, 0 or 1.
"""

import numpy as np

from dowse.kernels.layout import F64, I64, U8, U16, U32, U64

SEPARATOR = 0xFF

Numbers = U8 | U16 | U32


def mark_entries(entries: U8, wanted: bytes) -> U8:
    """Marks the dictionary entries that contain some bytes.

    Args:
        entries: The dictionary; begins and ends with a separator unless it is empty.
        wanted: Not empty; a separator at its start or end stands for the start or end of an entry.

    Returns:
        Marks by number: one more than there are entries, the first of them 0. O(bytes).
    """
    text = entries.tobytes()
    marks = np.zeros(max(text.count(SEPARATOR), 1), np.uint8)
    at = text.find(wanted)
    while at >= 0:
        number = text.count(SEPARATOR, 0, at + 1)
        if 0 < number < len(marks):
            marks[number] = 1
        following = text.find(SEPARATOR, at + 1)
        at = text.find(wanted, following) if following >= 0 else -1
    return marks


def mark_numbers(numbers: Numbers, marks: U8) -> U8:
    """Returns the marks of a dense column's documents, given those of its dictionary by number.

    Raises:
        ValueError: A number is beyond the marks: the column is damaged.
    """
    _check_numbers(numbers, len(marks))
    return marks[numbers]


def mark_pairs(docs: U32, numbers: Numbers, marks: U8, doc_count: int) -> U8:
    """Returns the marks of documents that have a marked number among theirs.

    Args:
        docs: The document of each number.
        marks: By number.

    Raises:
        ValueError: A document or number is out of range: the column is damaged.
    """
    _check_pairs(docs, numbers, doc_count)
    _check_numbers(numbers, len(marks))
    found = np.zeros(doc_count, np.uint8)
    found[docs[marks[numbers] != 0]] = 1
    return found


def mark_prefix(offsets: U64, entries: U8, prefix: bytes) -> U8:
    """Marks the texts that start with some bytes.

    Args:
        offsets: Where each text starts in `entries`, and where the last one ends.
    """
    text = entries.tobytes()
    starts, stops = offsets[:-1].tolist(), offsets[1:].tolist()
    return np.array(
        [text[start:stop].startswith(prefix) for start, stop in zip(starts, stops, strict=True)], np.uint8
    )


def spread_marks(marks: U8, doc_rows: U32, row_count: int) -> U8:
    """Returns the marks of rows, given those of their documents.

    Args:
        doc_rows: First row of each document, and the number of rows at the end; ascending.

    Raises:
        ValueError: `doc_rows` does not fit: the column is damaged.
    """
    rows = doc_rows.astype(np.int64)
    sizes = rows[1:] - rows[:-1]
    if len(sizes) != len(marks) or doc_rows[-1] != row_count or (sizes < 0).any():
        raise ValueError("documents and rows do not fit")
    found = np.zeros(row_count, np.uint8)
    found[int(doc_rows[0]) :] = np.repeat(marks, sizes)
    return found


def count_numbers(numbers: Numbers, docs: U32 | None, marks: U8 | None, entry_count: int) -> I64:
    """Counts the values of each dictionary entry under a mask.

    Args:
        docs: The document of each number; None when there is one number per document.
        marks: Per document; None when all count.
        entry_count: Entries of the dictionary.

    Returns:
        By number: ``entry_count + 1`` counts, the first for “no value”.

    Raises:
        ValueError: A document or number is out of range: the column is damaged.
    """
    _check_numbers(numbers, entry_count + 1)
    if docs is not None and len(docs) != len(numbers):
        raise ValueError("documents and numbers do not fit")
    if marks is not None:
        places = np.arange(len(numbers)) if docs is None else docs
        if len(places) and int(places.max()) >= len(marks):
            raise ValueError("a document is out of range")
        numbers = numbers[marks[places] != 0]
    return np.bincount(numbers, minlength=entry_count + 1).astype(np.int64)


def count_ranges(values: F64, marks: U8 | None, edges: F64) -> I64:
    """Counts the values in each range ``edges[i] <= value < edges[i + 1]`` under a mask.

    Args:
        values: NaN for none.
        marks: One per value; None when all count.
        edges: Ascending, at least one.
    """
    if marks is not None:
        if len(marks) != len(values):
            raise ValueError("marks and values do not fit")
        values = values[marks != 0]
    values = values[(values >= edges[0]) & (values < edges[-1])]
    places = np.searchsorted(edges, values, side="right") - 1
    return np.bincount(places, minlength=len(edges) - 1).astype(np.int64)


def order_by_value(values: F64, marks: U8 | None, most: int, is_descending: bool) -> U32:
    """Returns the places of the smallest (or largest) values under a mask, in order; ties by place.

    Args:
        values: NaN for none: not among the results.
        marks: One per value; None when all count.
        most: How many at most.
    """
    if marks is not None and len(marks) != len(values):
        raise ValueError("marks and values do not fit")
    is_wanted = ~np.isnan(values) if marks is None else ~np.isnan(values) & (marks != 0)
    places = np.flatnonzero(is_wanted)
    keys = -values[places] if is_descending else values[places]
    return places[np.argsort(keys, kind="stable")][: max(most, 0)].astype(np.uint32)


def _check_numbers(numbers: Numbers, size: int) -> None:
    if len(numbers) and int(numbers.max()) >= size:
        raise ValueError("a number is beyond the dictionary")


def _check_pairs(docs: U32, numbers: Numbers, doc_count: int) -> None:
    if len(docs) != len(numbers) or (len(docs) and int(docs.max()) >= doc_count):
        raise ValueError("documents and numbers do not fit")
