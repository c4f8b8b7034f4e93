"""Joins the columns of neighbouring segments: dictionaries become one, numbers are looked up in it."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from dowse.kernels.layout import F64, I64, U8
from dowse.storage.columns.codec import ColumnArrays, Keywords, Pool, join_entries
from dowse.storage.columns.reader import DocumentColumns, KeywordColumn, NumberColumn
from dowse.storage.columns.registry import Kind

_GONE = -1


class _Source(NamedTuple):
    """One of the segments.

    Attributes:
        new_docs: The number each document gets; `_GONE` for those without a live row.
    """

    columns: DocumentColumns
    new_docs: I64


def merge_columns(sources: Sequence[tuple[DocumentColumns, U8]]) -> ColumnArrays:
    """Returns the columns of all documents with live rows, one segment after the other.

    Args:
        sources: Columns in key order, each with the segment's deletion marks (one byte per row).
    """
    parts, doc_rows, doc_count = _number_documents(sources)
    pool = Pool()
    pool.add_names("name", join_entries(_live_names(parts)))
    directory = {(kind, name) for source in parts for name, kind in source.columns.directory}
    for kind, name in sorted(directory):  # in the writer's order: a rebuilt segment has the same bytes
        if kind == Kind.KEYWORD:
            pool.add_keywords(name, _merge_keywords(parts, name), doc_count)
        elif kind == Kind.NUMBER:
            pool.add_numbers(name, *_merge_numbers(parts, name), doc_count)
    return pool.arrays(doc_rows.astype(np.uint32))


def _number_documents(
    sources: Sequence[tuple[DocumentColumns, U8]]
) -> tuple[list[_Source], I64, int]:
    parts: list[_Source] = []
    sizes: list[I64] = []
    doc_count = 0
    for columns, deleted in sources:
        starts = columns.doc_rows.astype(np.int64)
        live_before = np.concatenate([np.zeros(1, np.int64), np.cumsum(deleted == 0)])
        own = np.diff(live_before[starts])
        live = np.flatnonzero(own)
        new_docs = np.full(columns.doc_count, _GONE, np.int64)
        new_docs[live] = np.arange(doc_count, doc_count + len(live))
        doc_count += len(live)
        parts.append(_Source(columns, new_docs))
        sizes.append(own[live])
    return parts, np.concatenate([np.zeros(1, np.int64), np.cumsum(np.concatenate(sizes))]), doc_count


def _live_names(parts: Sequence[_Source]) -> Iterator[bytes]:
    for source in parts:
        names = source.columns.names().entries
        for doc in np.flatnonzero(source.new_docs != _GONE).tolist():
            yield names[doc]


def _pairs(source: _Source, column: KeywordColumn | NumberColumn) -> tuple[I64, I64]:
    """Returns the new document of each value, and which of them are live."""
    docs = source.new_docs if column.docs is None else source.new_docs[column.docs]
    return docs, np.flatnonzero(docs != _GONE)


def _merge_keywords(parts: Sequence[_Source], name: str) -> Keywords:
    docs: list[I64] = []
    numbers: list[I64] = []
    own_entries: list[list[bytes]] = []
    for source in parts:
        column = source.columns.keywords(name)
        if column is None:
            continue
        new_docs, live = _pairs(source, column)
        live = live[column.numbers[live] != 0]
        used, places = np.unique(column.numbers[live], return_inverse=True)
        docs.append(new_docs[live])
        numbers.append(places.astype(np.int64))
        own_entries.append([column.entries[number - 1] for number in used.tolist()])
    entries = sorted({entry for own in own_entries for entry in own})
    new_numbers = {entry: number for number, entry in enumerate(entries, 1)}
    renumbered = [
        np.array([new_numbers[entry] for entry in own], np.int64)[places] if own else places
        for own, places in zip(own_entries, numbers, strict=True)
    ]
    return Keywords(entries, np.concatenate(docs), np.concatenate(renumbered))


def _merge_numbers(parts: Sequence[_Source], name: str) -> tuple[I64, F64]:
    docs: list[I64] = [np.zeros(0, np.int64)]
    numbers: list[F64] = [np.zeros(0)]
    for source in parts:
        column = source.columns.numbers(name)
        if column is None:
            continue
        new_docs, live = _pairs(source, column)
        if column.docs is None:
            live = live[~np.isnan(column.numbers[live])]
        docs.append(new_docs[live])
        numbers.append(column.numbers[live].astype(np.float64))
    return np.concatenate(docs), np.concatenate(numbers)
