"""Gathers analysed chunks in memory until they become one segment."""

import os
from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct, field

from dowse.analysis import Analyzer, TokenArrays, sign_texts
from dowse.indexing.fields import FieldTexts
from dowse.kernels import invert
from dowse.kernels.layout import SIGNATURE_BITS, U8, U32, U64, Lists, length_buckets
from dowse.schema import FIELD_COUNT
from dowse.storage.columns import ColumnsWriter, DocumentValues
from dowse.storage.directory import Directory
from dowse.storage.segment_writer import Columns, WrittenSegment, write_segment
from dowse.storage.signatures import iter_blocks

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

# Characters analysed at a time. Coming back from compiled code a thread waits up to 5 ms for the interpreter,
# several times a batch: with 0.4 million characters the worker waited longer than it worked. With twice as
# many as now a commit had 0.15 s more to wait for.
FEED_CHARS = 1_600_000
# How much may wait for the worker when it is slower than the reading.
MOST_FED_CHARS = 16_000_000

# Tokens of the terms inverted at a time: a block needs memory of its own, and reads all tokens.
BLOCK_TOKENS = 2_000_000


class _Waiting(Struct):
    """Texts not analysed yet."""

    texts: list[str] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)
    fields: list[int] = field(default_factory=list)
    whole_texts: list[str] = field(default_factory=list)
    chars: int = 0


class SegmentBuilder:
    """Rows on their way into one segment; all analysed the same way.

    Rows must arrive by ascending chunk key (S6). Analysis runs on the worker, which must take one thing at a
    time; inversion and writing on another, so that the next builder's texts need not wait for them. All are
    compiled and leave the interpreter to the caller, who reads and cuts the next documents meanwhile.
    """

    def __init__(self, analyzer: Analyzer, worker: "Executor") -> None:
        self.analyzer, self._worker = analyzer, worker
        self._batch = analyzer.begin()
        # Plain lists: an object a row would keep the garbage collector busy (a third of indexing time).
        self._chunk_keys: list[int] = []
        self._doc_ids: list[int] = []
        self._tree_ids: list[int] = []
        self._ordinals: list[int] = []
        self._doc_keys: list[bytes] = []
        self._document_columns = ColumnsWriter()
        self._lengths: list[tuple[U32, U8, U32]] = []
        self._signatures: list[U8] = []
        self._waiting = _Waiting()
        # Memory that tokens and signatures held when texts were handed over last.
        self.nbytes = 0
        self._feeding: deque[tuple[Future[None], int]] = deque()
        self._feeding_chars = 0

    @property
    def row_count(self) -> int:
        """Rows gathered so far."""
        return len(self._chunk_keys)

    def begin_document(self, values: DocumentValues) -> None:
        """Says what the document of the next rows has in its columns."""
        self._document_columns.add(len(self._chunk_keys), values)

    def add(
        self,
        chunk_key: int,
        doc_id: int,
        tree_id: int,
        ordinal: int,
        doc_key: str,
        texts: FieldTexts,
        whole_text: str,
    ) -> None:
        """Analyses one chunk's fields into the next row, and signs its whole text."""
        waiting, row = self._waiting, len(self._chunk_keys)
        for number, text in texts:
            waiting.texts.append(text)
            waiting.rows.append(row)
            waiting.fields.append(number)
            waiting.chars += len(text)
        waiting.whole_texts.append(whole_text)
        if waiting.chars > FEED_CHARS:
            self._feed()
        self._chunk_keys.append(chunk_key)
        self._doc_ids.append(doc_id)
        self._tree_ids.append(tree_id)
        self._ordinals.append(ordinal)
        self._doc_keys.append(doc_key.encode("utf-8", "replace"))

    def _feed(self) -> None:
        """Hands the waiting texts to the worker; waits only when it is far behind."""
        waiting, self._waiting = self._waiting, _Waiting()
        while self._feeding and (self._feeding[0][0].done() or self._feeding_chars > MOST_FED_CHARS):
            done, chars = self._feeding.popleft()
            done.result()
            self._feeding_chars -= chars
        self._feeding.append((self._worker.submit(self._analyse, waiting), waiting.chars))
        self._feeding_chars += waiting.chars
        self.nbytes = self._batch.nbytes + self.row_count * SIGNATURE_BITS // 8

    def _analyse(self, waiting: "_Waiting") -> None:
        rows, fields = np.array(waiting.rows, np.uint32), np.array(waiting.fields, np.uint8)
        self._lengths.append((rows, fields, self._batch.add_all(waiting.texts, rows, fields)))
        self._signatures.append(sign_texts(waiting.whole_texts))

    def write(self, directory: Directory, worker: "Executor") -> "Future[WrittenSegment]":
        """Starts inverting the rows and writing them as a segment; nothing may be added any more.

        Args:
            directory: Where segments live.
            worker: Not the one that analyses: it waits until all is analysed.
        """
        self._feed()
        return worker.submit(self._write, directory)

    def _write(self, directory: Directory) -> WrittenSegment:
        for feeding, _ in self._feeding:
            feeding.result()
        lengths = np.zeros((FIELD_COUNT, self.row_count), np.uint32)
        for rows, fields, found in self._lengths:
            lengths[fields, rows] = found
        buckets = length_buckets(lengths)
        tokens = self._batch.finish()
        return write_segment(
            directory,
            new_folder(),
            _iter_lists(tokens, buckets),
            buckets,
            self._columns(),
            self._document_columns.finish(self.row_count),
            lambda _offsets, _spellings: tokens.words,
            iter_blocks(self._signatures),
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


def _iter_lists(tokens: TokenArrays, buckets: U8) -> Iterator[tuple[U64, U8, Lists]]:
    """Yields the posting lists of one block of terms after the other, in order.

    Two blocks are inverted at a time while the one before is written: when a segment is the last of its
    commit, nobody has anything else to do.
    """
    offsets, blocks = tokens.term_offsets, max(1, -(-len(tokens.list_ids) // BLOCK_TOKENS))
    starts = [(len(offsets) - 1) * block // blocks for block in range(blocks + 1)]

    def invert_block(block: int) -> tuple[U64, U8, Lists]:
        first, after = starts[block], starts[block + 1]
        columns = tokens.list_ids, tokens.rows, tokens.positions
        spellings = tokens.term_bytes[offsets[first] : offsets[after]]
        lists = invert(*columns, after - first, buckets, first)
        return np.diff(offsets[first : after + 1]), spellings, lists

    if blocks == 1:
        yield invert_block(0)
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(2, "dowse-inversion") as threads:
        yield from threads.map(invert_block, range(blocks))


def new_folder() -> str:
    """Returns a name no segment ever had."""
    return f"s{os.urandom(8).hex()}"
