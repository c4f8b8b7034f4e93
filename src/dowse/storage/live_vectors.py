"""The vectors of one generation: which of them count, and where their chunks are.

Segments of vectors come and go on their own: a model's vector is made hours after the chunk was indexed, and
replaces a static one. So a generation has its vectors by key. A vector counts when its chunk is live and no
better one has its key: the model's own is better than a static one, and else the newer is.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from dowse.errors import CorruptFileError
from dowse.kernels.layout import F32, F64, I64, U8, U32
from dowse.schema import Coverage
from dowse.storage.catalog import Catalog
from dowse.storage.directory import Directory
from dowse.storage.snapshot import Snapshot
from dowse.storage.store import Store
from dowse.storage.stored_models import MODEL, StoredModel
from dowse.storage.stored_vector_segments import list_vector_segments
from dowse.storage.vectors import (
    FAST,
    PreparedQuery,
    ScanMode,
    VectorCodes,
    VectorReader,
    join_codes,
    score_codes,
)
from dowse.storage.vectors.turning import turn
from dowse.storage.vectors.vector_files import VECTOR_FILES

CHECKED_BYTES = 32 << 20
SPREAD_SAMPLE, SPREAD_AT_LEAST, SPREAD_ABOVE = 512, 16, 1e-5
"""About how many cosines a mean and deviation are made from, how few are not enough, and how small a
deviation is only rounding."""

class QueryVector(NamedTuple):
    """A query as the vectors of one generation read it; others than `LiveVectors` need not look inside.

    Attributes:
        prepared: One for each space in which there are vectors.
        vector: As it was given; None of one that was turned where it need not be known.
    """

    prepared: tuple[PreparedQuery, ...]
    vector: F32 | None = None


class Nearest(NamedTuple):
    """The chunks nearest to a query, best first.

    Attributes:
        keys: Of the chunks.
        segments: The place of each one's segment in the snapshot.
        rows: The row of each one in its segment.
        scores: The cosine of each.
        located: Their vectors.
    """

    keys: list[int]
    segments: list[int]
    rows: list[int]
    scores: list[float]
    located: "Located"


class _Part(Struct, frozen=True):
    """One segment of vectors as one generation sees it.

    Attributes:
        counts: One byte a vector, 1 for those that count.
        segments: For each vector, the place of its chunk's segment; meaningless where it does not count.
        rows: For each vector, the row of its chunk in that segment.
    """

    reader: VectorReader
    counts: U8
    segments: I64
    rows: I64

    def find_rows(self, keys: I64) -> U32:
        """Returns the vectors of chunks, of those that count here."""
        rows = self.reader.find_rows(keys)
        rows = rows[rows >= 0].astype(np.uint32)
        counting: U32 = rows[self.counts[rows] != 0]
        return counting


Located = Sequence[U32]
"""Where vectors are: rows of each part, in any order. What is there twice is scored twice."""


def find_spread(scores: F64, weights: F64 | None = None) -> tuple[float, float] | None:
    """Returns mean and standard deviation of scores; None when they differ by rounding only.

    Args:
        weights: What each score counts; all the same when None.
    """
    if weights is None:
        mean, deviation = float(scores.mean()), float(scores.std())
    else:
        mean = float(np.average(scores, weights=weights))
        deviation = float(np.average((scores - mean) ** 2, weights=weights)) ** 0.5
    return (mean, deviation) if deviation > SPREAD_ABOVE else None


def join_located(first: Located, second: Located) -> Located:
    """Returns where the vectors of both are."""
    return [np.concatenate(rows) for rows in zip(first, second, strict=True)]


class LiveVectors:
    """All vectors of one model in one generation.

    Vectors that are damaged are passed over: their chunks have none until they are made again.

    Attributes:
        damaged: Segments of vectors that cannot be used.

    Args:
        snapshot: The generation.
        model: Whose vectors.
        readers: Of its segments, oldest first. They may be of a later generation: vectors are found by key.
        damaged: Names of the segments that cannot be used.
    """

    def __init__(
        self, snapshot: Snapshot, model: StoredModel, readers: Sequence[VectorReader], damaged: Sequence[str]
    ) -> None:
        self.model, self.damaged = model, tuple(damaged)
        self._keys, self._segments, self._rows = _live_chunks(snapshot)
        self._has_vector = np.zeros(len(self._keys), bool)
        self._parts = self._sort_out(readers)

    @property
    def keys(self) -> I64:
        """The keys of all live chunks, ascending, whether they have vectors or not."""
        return self._keys

    @property
    def sources(self) -> list[tuple[VectorReader, U8]]:
        """Readers with what counts in each, oldest first, as merging takes them."""
        return [(part.reader, part.counts) for part in self._parts]

    @cached_property
    def coverage(self) -> Coverage:
        """How many chunks have vectors."""
        kinds = [part.reader.kinds[part.counts != 0] for part in self._parts]
        model = sum(int((own == MODEL).sum()) for own in kinds)
        return Coverage(len(self._keys), sum(map(len, kinds)) - model, model)

    @property
    def has_waste(self) -> bool:
        """Whether segments hold vectors that do not count: of chunks that are gone, or replaced."""
        return any(not part.counts.all() for part in self._parts)

    def find_missing(self, kinds: Sequence[int] | None = None) -> I64:
        """Returns the keys of live chunks without a vector of these kinds, or of any, ascending."""
        if kinds is None:
            return self._keys[~self._has_vector]
        has = np.zeros(len(self._keys), bool)
        for part in self._parts:
            counting = (part.counts != 0) & np.isin(part.reader.kinds, kinds)
            has[np.searchsorted(self._keys, part.reader.keys[counting])] = True
        return self._keys[~has]

    def find_unread(self, keys: Sequence[int]) -> list[int]:
        """Returns those of the chunks that the model has not read, in their order."""
        if self.coverage.model == self.coverage.chunks:
            return []
        wanted, read = np.array(keys, np.int64), set[int]()
        for part in self._parts:
            rows = part.find_rows(wanted)
            read.update(part.reader.keys[rows[part.reader.kinds[rows] == MODEL]].tolist())
        return [key for key in keys if key not in read]

    def prepare(self, query: F32) -> QueryVector:
        """Returns a unit query, [dimensions], as all methods here take it."""
        return QueryVector((self.model.space.prepare(query),), query)

    def search(
        self, query: QueryVector, k: int, masks: Sequence[U8 | None] | None, mode: ScanMode = FAST
    ) -> Nearest:
        """Returns the chunks nearest to a query, best first.

        Args:
            query: As `prepare` made it.
            k: How many at most.
            masks: For each segment of the snapshot, one byte a row: 0 for those that may not be found; None
                where all may. None when all may everywhere.
            mode: How closely the vectors are looked at.
        """
        if not self._parts:
            return Nearest([], [], [], [], [])
        found = []
        for number, part in enumerate(self._parts):
            own, scores = part.reader.scan(query.prepared[0], _allowed(part, masks), k, mode)
            parts = np.full(len(own), number)
            found.append((part.reader.keys[own], part.segments[own], part.rows[own], scores, parts, own))
        columns = [np.concatenate(column) for column in zip(*found, strict=True)]
        _, segments, rows, scores, *_ = columns
        best = np.lexsort((rows, segments, -scores))[:k]
        keys, segments, rows, scores, parts, own = (column[best] for column in columns)
        located = [own[parts == number] for number in range(len(self._parts))]
        return Nearest(keys.tolist(), segments.tolist(), rows.tolist(), scores.tolist(), located)

    def locate(self, keys: I64) -> Located:
        """Returns where the vectors of chunks are, for `score`; nothing of a query is needed for it."""
        return [part.find_rows(keys) for part in self._parts]

    def score(self, query: QueryVector, located: Located) -> dict[int, float]:
        """Returns the cosine of chunks that were located, by key; those without a vector are left out."""
        scores: dict[int, float] = {}
        for part, rows in zip(self._parts, located, strict=True):
            if len(rows):
                values = part.reader.score(query.prepared[0], rows)
                scores.update(zip(part.reader.keys[rows].tolist(), values.tolist(), strict=True))
        return scores

    def spread(self, query: QueryVector) -> tuple[float, float] | None:
        """Returns mean and standard deviation of all cosines, from a sample; None of too few vectors.

        The sample does not depend on how vectors lie in segments.
        """
        if self.vector_count < SPREAD_AT_LEAST:
            return None
        return find_spread(self.sample_scores(query.prepared[0]))

    def sample_scores(self, query: PreparedQuery) -> F64:
        """Returns the cosines of vectors from everywhere in the collection, ascending."""
        if self._sample is None:
            return np.zeros(0)
        # In order, because sums of floating-point numbers depend on theirs.
        return np.sort(score_codes(query, self._sample)).astype(np.float64)

    def turn(self, query: QueryVector, key: int, share: float, away: float) -> QueryVector | None:
        """Returns a query turned towards a chunk and away from the average one (`vectors.turning`).

        Everything happens in the directions to which the vectors were rotated: to turn them back would take
        longer than to score them.

        Returns:
            None of a chunk without a vector, and of so few vectors that there is no average.
        """
        average, answer, space = self.average, self.find_rotated(key), self.model.space
        if average is None or answer is None or self.vector_count < SPREAD_AT_LEAST:
            return None
        turned = turn(space.rotated(query.prepared[0]), answer, average, share, away)
        return QueryVector((space.prepare_rotated(turned),))

    @cached_property
    def vector_count(self) -> int:
        """How many chunks have a vector."""
        return int(np.count_nonzero(self._has_vector))

    @cached_property
    def average(self) -> F32 | None:
        """The average of all vectors, rotated by the model's space, from the same sample; None of none."""
        sample = self._sample
        if sample is None:
            return None
        rotated = self.model.space.decode_rotated(sample.levels, sample.remainders, sample.scales)
        average = rotated.mean(axis=0, dtype=np.float64)
        rounded: F32 = average.astype(np.float32)
        return rounded

    @cached_property
    def _sample(self) -> VectorCodes | None:
        """Vectors from everywhere in the collection, side by side; None when there is none.

        Every query asks for them: where they are, each would have to be fetched from memory by itself.
        """
        keys = self._keys[self._has_vector]
        if not len(keys):
            return None
        keys = keys[:: max(1, len(keys) // SPREAD_SAMPLE)]
        located = zip(self._parts, self.locate(keys), strict=True)
        return join_codes([part.reader.codes(rows) for part, rows in located])

    def vectors(self, keys: I64) -> dict[int, F32]:
        """Returns the vectors of chunks, by key, rounded to 12 bits; chunks without one are left out."""
        found: dict[int, F32] = {}
        for part in self._parts:
            rows = part.find_rows(keys)
            if len(rows):
                found.update(zip(part.reader.keys[rows].tolist(), part.reader.vectors(rows), strict=True))
        return found

    def find_rotated(self, key: int) -> F32 | None:
        """Returns the vector of a chunk, rotated by the model's space; None when it has none."""
        for part in self._parts:
            rows = part.find_rows(np.array([key], np.int64))
            if len(rows):
                rotated: F32 = part.reader.rotated(rows)[0]
                return rotated
        return None

    def _sort_out(self, readers: Sequence[VectorReader]) -> tuple[_Part, ...]:
        """Finds which vectors count: the model's own first, and of each sort the newest first.

        Another process may have made static vectors while the model read the same chunks: which of them was
        written last says nothing.
        """
        if not len(self._keys):
            nowhere = [np.zeros(reader.row_count, np.int64) for reader in readers]
            return tuple(
                _Part(reader, none.astype(np.uint8), none, none)
                for reader, none in zip(readers, nowhere, strict=True)
            )
        places = [
            np.minimum(np.searchsorted(self._keys, reader.keys), len(self._keys) - 1) for reader in readers
        ]
        counts = [np.zeros(reader.row_count, np.uint8) for reader in readers]
        for is_models in (True, False):
            for reader, at, own in reversed(list(zip(readers, places, counts, strict=True))):
                found = (self._keys[at] == reader.keys) & ~self._has_vector[at]
                found &= (reader.kinds == MODEL) == is_models
                self._has_vector[at[found]] = True
                own[found] = 1
        return tuple(
            _Part(reader, own, self._segments[at], self._rows[at])
            for reader, at, own in zip(readers, places, counts, strict=True)
        )


def open_live_vectors(
    store: Store, snapshot: Snapshot, model: StoredModel, known: LiveVectors | None = None
) -> LiveVectors:
    """Opens the vectors of one generation.

    Args:
        store: The index.
        snapshot: The generation.
        model: Whose vectors.
        known: Vectors of an older generation, whose readers are used again where they still count.
    """
    readers = {} if known is None else {reader.folder: reader for reader, _ in known.sources}
    found, damaged = _open_readers(store.vector_directory, snapshot.catalog, model, readers)
    suspects: list[str] = []
    while not set(damaged) <= set(suspects):
        # A merge may have replaced and removed them since they were named. What it wrote instead does as
        # well; what is named again is damaged.
        suspects = damaged
        catalog = store.open_reader()
        try:
            found, damaged = _open_readers(store.vector_directory, catalog, model, readers)
        finally:
            store.close_connection(catalog)
    return LiveVectors(snapshot, model, found, damaged)


def _open_readers(
    directory: Directory, catalog: Catalog, model: StoredModel, known: dict[str, VectorReader]
) -> tuple[list[VectorReader], list[str]]:
    """Returns readers of a model's segments, oldest first, and the names of those that are damaged."""
    readers, damaged = [], []
    for row in list_vector_segments(catalog, model.model_id):
        reader = known.get(row.folder) or open_sound_reader(directory, row.folder, row.checksum)
        if reader is None:
            damaged.append(row.folder)
        else:
            readers.append(reader)
    return readers, damaged


def open_sound_reader(directory: Directory, folder: str, checksum: int) -> VectorReader | None:
    """Opens a segment of vectors; None when it is damaged.

    Of a large one only keys and space are compared with their checksum: with wrong ones nothing would fit
    together, while a wrong byte in a code does little. The doctor looks at all of it.
    """
    try:
        reader = VectorReader(directory, folder, checksum)
        reader.verify(VECTOR_FILES.files if reader.disk_bytes <= CHECKED_BYTES else ("rows",))
    except CorruptFileError:
        return None
    return reader


def list_chunk_keys(snapshot: Snapshot) -> I64:
    """Returns the keys of all live chunks, ascending."""
    return _live_chunks(snapshot)[0]


def _live_chunks(snapshot: Snapshot) -> tuple[I64, I64, I64]:
    """Returns keys, segments and rows of all live chunks, in key order."""
    keys, segments, rows = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for number, segment in enumerate(snapshot.segments):
        own = segment.reader.columns.chunk_keys
        live = np.arange(len(own)) if segment.live is None else np.flatnonzero(segment.live)
        keys.append(np.asarray(own)[live])
        segments.append(np.full(len(live), number, np.int64))
        rows.append(live.astype(np.int64))
    all_keys = np.concatenate(keys)
    order = np.argsort(all_keys, kind="stable")
    return all_keys[order], np.concatenate(segments)[order], np.concatenate(rows)[order]


def _allowed(part: _Part, masks: Sequence[U8 | None] | None) -> U8:
    """Returns which vectors may be found: those that count, and whose chunks pass the filters."""
    if masks is None or all(mask is None for mask in masks):
        return part.counts
    allowed = part.counts.copy()
    for number, mask in enumerate(masks):
        if mask is not None:
            own = np.flatnonzero(part.segments == number)
            allowed[own] &= (mask[part.rows[own]] != 0).astype(np.uint8)
    return allowed
