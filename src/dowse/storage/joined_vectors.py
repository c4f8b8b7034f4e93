"""The vectors of several trees, asked as one collection.

Each tree keeps its vectors in a space of its own, so a query is prepared once for each, and every tree is
scanned by itself. Cosines mean the same in all spaces and are put together; mean, deviation and average are
those of all vectors, each tree counting as much as it has.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from dowse.kernels.layout import F32, F64, I64, U8
from dowse.schema import Coverage
from dowse.storage.live_vectors import (
    SPREAD_AT_LEAST,
    LiveVectors,
    Located,
    Nearest,
    QueryVector,
    find_spread,
)
from dowse.storage.stored_models import StoredModel
from dowse.storage.vectors import FAST, ScanMode
from dowse.storage.vectors.turning import turn


class VectorPart(NamedTuple):
    """The vectors of one tree in a joined snapshot.

    Attributes:
        key_base: What is added to the tree's chunk keys.
        segment_base: How many segments the trees before it have.
        segment_count: How many it has.
    """

    vectors: LiveVectors
    key_base: int
    segment_base: int
    segment_count: int


class JoinedVectors:
    """Vectors of one model in several trees; asked as `LiveVectors` are.

    Args:
        parts: At least one, by ascending key base; all by one model.
        other_chunks: How many chunks are in trees of which the model has read nothing.
    """

    def __init__(self, parts: Sequence[VectorPart], other_chunks: int = 0) -> None:
        self._parts, self._other_chunks = tuple(parts), other_chunks

    @property
    def model(self) -> StoredModel:
        """The model, as the first tree knows it."""
        return self._parts[0].vectors.model

    @property
    def damaged(self) -> tuple[str, ...]:
        """Segments of vectors that cannot be used."""
        return tuple(folder for part in self._parts for folder in part.vectors.damaged)

    @cached_property
    def coverage(self) -> Coverage:
        """How many chunks have vectors."""
        own = [part.vectors.coverage for part in self._parts]
        chunks = sum(coverage.chunks for coverage in own) + self._other_chunks
        static, model = sum(coverage.static for coverage in own), sum(coverage.model for coverage in own)
        return Coverage(chunks, static, model)

    @cached_property
    def vector_count(self) -> int:
        """How many chunks have a vector."""
        return sum(part.vectors.vector_count for part in self._parts)

    def find_unread(self, keys: Sequence[int]) -> list[int]:
        """See `LiveVectors.find_unread`."""
        unread = {
            key + part.key_base
            for part, own in self._dispatch(np.array(keys, np.int64))
            for key in part.vectors.find_unread(own.tolist())
        }
        return [key for key in keys if key in unread]

    def prepare(self, query: F32) -> QueryVector:
        """See `LiveVectors.prepare`."""
        return QueryVector(tuple(part.vectors.model.space.prepare(query) for part in self._parts), query)

    def search(
        self, query: QueryVector, k: int, masks: Sequence[U8 | None] | None, mode: ScanMode = FAST
    ) -> Nearest:
        """See `LiveVectors.search`; equal cosines by key, as in one tree."""
        found = [
            part.vectors.search(own, k, _cut(masks, part), mode)
            for part, own in zip(self._parts, _iter_own(query), strict=True)
        ]
        rows = [
            (-score, key + part.key_base, segment + part.segment_base, row)
            for part, near in zip(self._parts, found, strict=True)
            for key, segment, row, score in zip(near.keys, near.segments, near.rows, near.scores, strict=True)
        ]
        best = sorted(rows)[:k]
        keys = [row[1] for row in best]
        return Nearest(
            keys,
            [row[2] for row in best],
            [row[3] for row in best],
            [-row[0] for row in best],
            self.locate(np.array(keys, np.int64)),
        )

    def locate(self, keys: I64) -> Located:
        """See `LiveVectors.locate`."""
        return [rows for part, own in self._split(keys) for rows in part.vectors.locate(own)]

    def score(self, query: QueryVector, located: Located) -> dict[int, float]:
        """See `LiveVectors.score`."""
        scores: dict[int, float] = {}
        rest = list(located)
        for part, own in zip(self._parts, _iter_own(query), strict=True):
            count = len(part.vectors.sources)
            here, rest = rest[:count], rest[count:]
            found = part.vectors.score(own, here)
            scores |= {key + part.key_base: score for key, score in found.items()}
        return scores

    def spread(self, query: QueryVector) -> tuple[float, float] | None:
        """Returns mean and standard deviation of all cosines; None of too few vectors."""
        if self.vector_count < SPREAD_AT_LEAST:
            return None
        scores: list[F64] = []
        weights: list[F64] = []
        for part, own in zip(self._parts, query.prepared, strict=True):
            sample = part.vectors.sample_scores(own)
            if len(sample):
                scores.append(sample)
                weights.append(np.full(len(sample), part.vectors.vector_count / len(sample)))
        return find_spread(np.concatenate(scores), np.concatenate(weights))

    def turn(self, query: QueryVector, key: int, share: float, away: float) -> QueryVector | None:
        """See `LiveVectors.turn`; in the directions of the model itself, for each tree has turned its own."""
        answer = self.vectors(np.array([key], np.int64)).get(key)
        if answer is None or query.vector is None or self.vector_count < SPREAD_AT_LEAST:
            return None
        return self.prepare(turn(query.vector, answer, self._average, share, away))

    @cached_property
    def _average(self) -> F32:
        """The average of all vectors."""
        total = np.zeros(self.model.space.dimensions)
        for part in self._parts:
            average = part.vectors.average
            if average is not None:
                total += part.vectors.vector_count * part.vectors.model.space.rotate_back(average)
        mean: F32 = (total / max(1, self.vector_count)).astype(np.float32)
        return mean

    def vectors(self, keys: I64) -> dict[int, F32]:
        """See `LiveVectors.vectors`."""
        return {
            key + part.key_base: vector
            for part, own in self._dispatch(keys)
            for key, vector in part.vectors.vectors(own).items()
        }

    def _dispatch(self, keys: I64) -> Iterator[tuple[VectorPart, I64]]:
        """Yields trees with those of the keys that may be theirs, as they know them."""
        return ((part, own) for part, own in self._split(keys) if len(own))

    def _split(self, keys: I64) -> Iterator[tuple[VectorPart, I64]]:
        """Yields all trees, each with its own of the keys."""
        bases = np.array([part.key_base for part in self._parts], np.int64)
        # A key's tree is the last one that begins before it; those of trees without vectors have none here.
        owners = np.searchsorted(bases, keys, side="left") - 1
        for number, part in enumerate(self._parts):
            yield part, keys[owners == number] - part.key_base


def _iter_own(query: QueryVector) -> Iterator[QueryVector]:
    return (QueryVector((own,), query.vector) for own in query.prepared)


def _cut(masks: Sequence[U8 | None] | None, part: VectorPart) -> Sequence[U8 | None] | None:
    if masks is None:
        return None
    return masks[part.segment_base : part.segment_base + part.segment_count]


ChunkVectors = LiveVectors | JoinedVectors
"""The vectors of one generation, of one tree or of several."""
