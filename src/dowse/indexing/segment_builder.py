"""Gathers analysed chunks in memory until they become one segment."""

import secrets

import numpy as np

from dowse.analysis import Analyzer
from dowse.indexing.fields import FieldTexts
from dowse.kernels import invert
from dowse.kernels.layout import length_buckets
from dowse.schema import FIELD_COUNT
from dowse.storage.directory import Directory
from dowse.storage.segment_writer import Columns, WrittenSegment, write_segment


class SegmentBuilder:
    """Rows on their way into one segment; all analysed the same way.

    Rows must arrive by ascending chunk key (S6).
    """

    def __init__(self, analyzer: Analyzer) -> None:
        self.analyzer = analyzer
        self._batch = analyzer.begin()
        # Plain lists: an object a row would keep the garbage collector busy (a third of indexing time).
        self._chunk_keys: list[int] = []
        self._doc_ids: list[int] = []
        self._tree_ids: list[int] = []
        self._ordinals: list[int] = []
        self._doc_keys: list[bytes] = []
        self._lengths: list[int] = []

    @property
    def row_count(self) -> int:
        """Rows gathered so far."""
        return len(self._chunk_keys)

    @property
    def nbytes(self) -> int:
        """Memory the tokens hold."""
        return self._batch.nbytes

    def add(
        self, chunk_key: int, doc_id: int, tree_id: int, ordinal: int, doc_key: str, texts: FieldTexts
    ) -> None:
        """Analyses one chunk's fields into the next row."""
        row = len(self._chunk_keys)
        lengths = [0] * FIELD_COUNT
        for field, text in texts:
            lengths[field] = self._batch.add(text, row, field)
        self._lengths += lengths
        self._chunk_keys.append(chunk_key)
        self._doc_ids.append(doc_id)
        self._tree_ids.append(tree_id)
        self._ordinals.append(ordinal)
        self._doc_keys.append(doc_key.encode("utf-8", "replace"))

    def write(self, directory: Directory) -> WrittenSegment:
        """Inverts the rows and writes them as a segment."""
        lengths = np.array(self._lengths, np.uint32).reshape(-1, FIELD_COUNT)
        buckets = np.ascontiguousarray(length_buckets(lengths).T)
        tokens = self._batch.finish()
        lists = invert(
            tokens.list_ids, tokens.rows, tokens.positions, len(tokens.terms), buckets
        )
        columns = self._columns()
        return write_segment(
            directory, new_folder(), [(tokens.terms, lists)], buckets, columns
        )

    def _columns(self) -> Columns:
        sizes = np.fromiter(map(len, self._doc_keys), np.uint64, len(self._doc_keys))
        return Columns(
            np.array(self._chunk_keys, np.int64),
            np.array(self._doc_ids, np.int64),
            np.array(self._tree_ids, np.uint32),
            np.array(self._ordinals, np.uint32),
            np.concatenate([np.zeros(1, np.uint64), np.cumsum(sizes, dtype=np.uint64)]),
            np.frombuffer(b"".join(self._doc_keys), np.uint8),
        )



def new_folder() -> str:
    """Returns a name no segment ever had."""
    return f"s{secrets.token_hex(8)}"
