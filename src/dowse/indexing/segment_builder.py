"""Gathers analysed chunks in memory until they become one segment."""

import secrets
from typing import NamedTuple

import numpy as np

from dowse.analysis import Analyzer
from dowse.indexing.fields import FieldTexts
from dowse.kernels import invert
from dowse.kernels.layout import length_buckets
from dowse.schema import FIELD_COUNT
from dowse.storage.directory import Directory
from dowse.storage.segment_writer import Columns, WrittenSegment, write_segment


class RowNames(NamedTuple):
    """What a row is called: its chunk, document and tree."""

    chunk_key: int
    doc_id: int
    tree_id: int
    ordinal: int
    doc_key: str


class SegmentBuilder:
    """Rows on their way into one segment; all analysed the same way.

    Rows must arrive by ascending chunk key (S6).
    """

    def __init__(self, analyzer: Analyzer) -> None:
        self.analyzer = analyzer
        self._batch = analyzer.begin()
        self._names: list[RowNames] = []
        self._lengths: list[int] = []

    @property
    def row_count(self) -> int:
        """Rows gathered so far."""
        return len(self._names)

    @property
    def nbytes(self) -> int:
        """Memory the tokens hold."""
        return self._batch.nbytes

    def add(self, row_names: RowNames, texts: FieldTexts) -> None:
        """Analyses one chunk's fields into the next row."""
        row = len(self._names)
        lengths = [0] * FIELD_COUNT
        for field, text in texts:
            lengths[field] = self._batch.add(text, row, field)
        self._lengths += lengths
        self._names.append(row_names)

    def write(self, directory: Directory) -> WrittenSegment:
        """Inverts the rows and writes them as a segment."""
        lengths = np.array(self._lengths, np.uint32).reshape(-1, FIELD_COUNT)
        buckets = np.ascontiguousarray(length_buckets(lengths).T)
        tokens = self._batch.finish()
        lists = invert(
            tokens.list_ids, tokens.rows, tokens.positions, len(tokens.terms), buckets
        )
        columns = _build_columns(self._names)
        return write_segment(
            directory, new_folder(), [(tokens.terms, lists)], buckets, columns
        )


def _build_columns(names: list[RowNames]) -> Columns:
    keys = [entry.doc_key.encode("utf-8", "replace") for entry in names]
    sizes = np.fromiter(map(len, keys), np.uint64, len(keys))
    return Columns(
        np.array([entry.chunk_key for entry in names], np.int64),
        np.array([entry.doc_id for entry in names], np.int64),
        np.array([entry.tree_id for entry in names], np.uint32),
        np.array([entry.ordinal for entry in names], np.uint32),
        np.concatenate([np.zeros(1, np.uint64), np.cumsum(sizes, dtype=np.uint64)]),
        np.frombuffer(b"".join(keys), np.uint8),
    )


def new_folder() -> str:
    """Returns a name no segment ever had."""
    return f"s{secrets.token_hex(8)}"
