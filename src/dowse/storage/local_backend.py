"""The engine in this process as a `Backend`: one snapshot, and the vectors of one model."""

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import ClassVar

import numpy as np

from dowse.errors import ModeUnavailableError
from dowse.kernels.layout import F32, U8
from dowse.storage.backend import (
    POSITIONS,
    SUBSTRINGS,
    VECTORS,
    CollectionStatistics,
    ColumnCondition,
    ColumnValue,
    ScoredKeys,
    SparseQuery,
)
from dowse.storage.columns import NumberColumn
from dowse.storage.live_vectors import LiveVectors
from dowse.storage.snapshot import LiveSegment, Snapshot
from dowse.storage.stored_chunks import StoredChunk, read_chunks
from dowse.storage.term_lookup import find_terms
from dowse.storage.term_scoring import collect_terms
from dowse.storage.touched_files import FILE_TIME

RowMasks = tuple[U8, ...]
"""Per segment, one byte per row, 0 for rows that a filter leaves out."""


class LocalBackend:
    """Answers from the segments of a snapshot; exact, with everything that segments hold.

    Args:
        snapshot: The generation.
        vectors: Of one model in that generation; None without.
    """

    name: ClassVar[str] = "local"

    def __init__(self, snapshot: Snapshot, vectors: LiveVectors | None = None) -> None:
        self._snapshot, self._vectors = snapshot, vectors

    @property
    def capabilities(self) -> frozenset[str]:
        """See `Backend`."""
        own = frozenset({POSITIONS, SUBSTRINGS})
        return own if self._vectors is None else own | {VECTORS}

    def statistics(self, terms: Sequence[bytes]) -> CollectionStatistics:
        """See `Backend`."""
        snapshot = self._snapshot
        doc_freqs = find_terms(snapshot, terms).doc_freqs
        return CollectionStatistics(
            snapshot.doc_count, snapshot.avg_lengths, snapshot.total_lengths, doc_freqs
        )

    def filter(self, conditions: Sequence[ColumnCondition]) -> RowMasks:
        """See `Backend`."""
        masks = []
        for segment in self._snapshot.segments:
            columns = segment.reader.document_columns
            every = np.ones(columns.doc_count, np.uint8)
            met = (_mark_documents(segment, condition) for condition in conditions)
            masks.append(columns.rows(reduce(np.bitwise_and, met, every)))
        return tuple(masks)

    def sparse_top_k(
        self, query: SparseQuery, where: RowMasks | None, k: int, floor: float = -1.0
    ) -> ScoredKeys:
        """See `Backend`."""
        best = _BestKeys(self._snapshot, k, floor)
        found = find_terms(self._snapshot, query.terms)
        masks = where or (None,) * len(self._snapshot.segments)
        collect_terms(self._snapshot, found.ordinals, query.weights, query.tables, masks, best)
        return ScoredKeys(
            [key for _, key in best.entries], [-score for score, _ in best.entries], best.total, best.is_exact
        )

    def dense_top_k(self, vector: F32, where: RowMasks | None, k: int) -> ScoredKeys:
        """See `Backend`."""
        if self._vectors is None:
            raise ModeUnavailableError(name="dense_top_k", needs="vectors", remedy="embed the chunks first")
        nearest = self._vectors.search(self._vectors.prepare(vector), k, where)
        return ScoredKeys(nearest.keys, nearest.scores, len(nearest.keys), len(nearest.keys) < k)

    def columns(self, name: str, keys: Sequence[int]) -> list[Sequence[ColumnValue]]:
        """See `Backend`."""
        wanted, found = np.array(keys, np.int64), dict[int, Sequence[ColumnValue]]()
        for segment in self._snapshot.segments:
            own = segment.reader.columns.chunk_keys
            rows = np.flatnonzero(np.isin(own, wanted))
            docs = segment.reader.document_columns.docs_of(rows.tolist())
            for row, doc in zip(rows.tolist(), docs.tolist(), strict=True):
                found[int(own[row])] = _values_of(segment, name, doc)
        return [found.get(key, ()) for key in keys]

    def fetch(self, keys: Sequence[int]) -> Mapping[int, StoredChunk]:
        """See `Backend`."""
        return read_chunks(self._snapshot, keys)


class _BestKeys:
    """The best chunks of all segments looked at so far, as pairs of negative score and key."""

    def __init__(self, snapshot: Snapshot, wanted: int, floor: float) -> None:
        self._snapshot, self.wanted, self.floor = snapshot, wanted, floor
        self.entries: list[tuple[float, int]] = []
        self.total, self.is_exact = 0, True

    def add(
        self, segment: int, rows: list[int], scores: list[float], matched: int, is_exact: bool
    ) -> None:
        """See `RowCollector`."""
        keys = self._snapshot.segments[segment].reader.columns.chunk_keys[rows].tolist()
        added = ((-score, key) for score, key in zip(scores, keys, strict=True))
        self.entries = sorted([*self.entries, *added])[: self.wanted]
        self.total += matched
        self.is_exact &= is_exact
        if len(self.entries) == self.wanted:
            self.floor = max(self.floor, -self.entries[-1][0])


def _numbers(segment: LiveSegment, name: str) -> NumberColumn | None:
    if name == FILE_TIME:
        return segment.file_times.column()
    return segment.reader.document_columns.numbers(name)


def _mark_documents(segment: LiveSegment, condition: ColumnCondition) -> U8:
    """Returns one mark per document of a segment, 1 where the condition holds."""
    columns = segment.reader.document_columns
    none = np.zeros(columns.doc_count, np.uint8)
    if not condition.values:
        numbers = _numbers(segment, condition.column)
        return none if numbers is None else numbers.within(condition.low, condition.high)
    keywords = columns.keywords(condition.column)
    if keywords is None:
        return none
    entries = reduce(np.bitwise_or, map(keywords.equal_to, condition.values))
    return keywords.documents(entries)


def _values_of(segment: LiveSegment, name: str, doc: int) -> Sequence[ColumnValue]:
    keywords = segment.reader.document_columns.keywords(name)
    if keywords is not None:
        return keywords.values_of(doc)
    numbers = _numbers(segment, name)
    return () if numbers is None else numbers.values_of(doc)
