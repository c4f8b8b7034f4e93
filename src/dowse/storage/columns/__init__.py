"""What can be filtered, counted and sorted by: the values of a segment's documents, column by column.

A column has the values of one thing for every document of a segment: dates, sizes, extensions, tags, whatever
metadata says. Keywords are dictionary-coded, numbers are plain arrays; both memory-mapped, in the segment's
file `columns`. FORMAT.md states the layout and its invariants (C1–C6), decision 0013 why values are kept per
document and not per chunk.

May import: `errors`, `kernels`, and from `storage` the segment files.

Main types: `Column`, `COLUMNS` (which there are) · `ColumnsWriter` (documents in, arrays out) ·
`DocumentColumns` with `KeywordColumn`, `NumberColumn`, `NameColumn` (arrays in, marks out) · `merge_columns`.

Reading order: `registry` · `codec` · `writer` · `reader` · `merging`.

Invariants:
1. Committed columns never change. The catalogue keeps the time of a file that changed without its content
   (`storage.touched_files`).
2. What a column says is a function of the catalogue: a rebuilt segment has the same columns.

Not for: what a filter means (`matching.document_filters`), or how a document gets its values
(`indexing.document_columns`).
"""

from dowse.storage.columns.codec import ColumnArrays
from dowse.storage.columns.merging import merge_columns
from dowse.storage.columns.reader import DocumentColumns, KeywordColumn, NameColumn, NumberColumn
from dowse.storage.columns.registry import COLUMNS, META, Column, Kind
from dowse.storage.columns.writer import ColumnsWriter, DocumentValues

__all__ = [
    "COLUMNS",
    "META",
    "Column",
    "ColumnArrays",
    "ColumnsWriter",
    "DocumentColumns",
    "DocumentValues",
    "KeywordColumn",
    "Kind",
    "NameColumn",
    "NumberColumn",
    "merge_columns",
]
