"""Times of files that are newer than those in the columns of their segments.

A file whose time changes but whose content does not is not indexed again; the catalogue notes it here, and
filters by date read its time from there until the document goes or changes. A segment's own times never
change (S1).
"""

from typing import NamedTuple

import numpy as np

from dowse.kernels.layout import F64, I64
from dowse.storage.catalog import Catalog
from dowse.storage.columns import NumberColumn
from dowse.storage.segment_reader import SegmentReader

FILE_TIME = "file_time"


class TouchedFiles:
    """The newer times of one generation; read from the catalogue when a date is first asked for."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._found: tuple[I64, F64] | None = None
        self._columns: dict[str, NumberColumn | None] = {}

    def read(self, reader: SegmentReader) -> NumberColumn | None:
        """Returns when the files of a segment's documents were changed; None when it has no files."""
        if reader.folder not in self._columns:
            self._columns[reader.folder] = self._read(reader)
        return self._columns[reader.folder]

    def _read(self, reader: SegmentReader) -> NumberColumn | None:
        column = reader.document_columns.numbers(FILE_TIME)
        if self._found is None:
            self._found = read_touched(self._catalog)
        doc_ids, times = self._found
        own = reader.columns.doc_ids[reader.document_columns.doc_rows[:-1]]
        docs = np.flatnonzero(np.isin(own, doc_ids))
        if column is None or not len(docs):
            return column
        dense = column.dense().copy()
        dense[docs] = times[np.searchsorted(doc_ids, own[docs])]
        return NumberColumn(column.doc_count, None, dense)


class FileTimes(NamedTuple):
    """When the files of one segment's documents were changed.

    Attributes:
        reader: As its own catalogue numbers its documents.
    """

    touched: TouchedFiles
    reader: SegmentReader

    def column(self) -> NumberColumn | None:
        """Returns the times in seconds since 1970; None when the segment has no files."""
        return self.touched.read(self.reader)


def read_touched(catalog: Catalog) -> tuple[I64, F64]:
    """Returns the ids of touched documents, ascending, and the times of their files in seconds since 1970."""
    rows = catalog.fetch(
        "SELECT t.doc_id, d.mtime_ns FROM touched_files t JOIN documents d ON d.doc_id = t.doc_id"
        " WHERE d.mtime_ns IS NOT NULL ORDER BY t.doc_id"
    )
    ids, times = np.array([row[0] for row in rows], np.int64), [row[1] / 1e9 for row in rows]
    return ids, np.array(times, np.float64)
