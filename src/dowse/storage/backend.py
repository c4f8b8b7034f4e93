"""What ranking asks of whatever keeps an index: an engine in this process, or one past this machine.

Three primitive things (design, section 8): sparse inner product, dense nearest neighbours, filter and fetch.
Analysis, weights and fusion stay on this side, and document frequencies are asked for with every query, so
the ranking is the same wherever the index is. How BM25F becomes an inner product is decision 0014. A chunk
is a key; where it lies is the backend's business.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar, NamedTuple, Protocol, TypeVar

from dowse.kernels import FieldTables
from dowse.kernels.layout import F32, F64
from dowse.storage.stored_chunks import StoredChunk

POSITIONS, SUBSTRINGS, VECTORS = "positions", "substrings", "vectors"
CAPABILITIES = frozenset({POSITIONS, SUBSTRINGS, VECTORS})
"""What a backend may know beyond terms: where they stand (phrases, spans), parts of words, and vectors."""

ColumnValue = str | float


class CollectionStatistics(NamedTuple):
    """What weights are made from: counts of live chunks, all of them, whatever a filter lets through.

    Attributes:
        doc_count: Live chunks: N in every formula.
        avg_lengths: Per field, the mean length over the chunks in which it is not empty.
        total_lengths: Per field, the lengths of all chunks added up.
        doc_freqs: How many chunks have each of the terms that were asked for.
    """

    doc_count: int
    avg_lengths: F64
    total_lengths: F64
    doc_freqs: Sequence[int]


class SparseQuery(NamedTuple):
    """Terms with their weights.

    Attributes:
        terms: As analysis wrote them, heaviest first.
        weights: What each is multiplied by.
        tables: What a frequency and a length are worth in each field, and how the fields are put together. A
            backend that stores impacts has made them from the tables of its epoch.
    """

    terms: Sequence[bytes]
    weights: Sequence[float]
    tables: FieldTables


class ColumnCondition(NamedTuple):
    """What a filter asks of a column: one of some values, or a number in a range.

    Attributes:
        column: Its name.
        values: A document must have one of them, whatever the letter case; empty for a range.
        low: The smallest number; None for no lower bound.
        high: The first number above; None for no upper bound.
    """

    column: str
    values: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None


class ScoredKeys(NamedTuple):
    """The best chunks, best first; ties by key.

    Attributes:
        total: How many chunks match, or at least so many.
        is_exact: Whether `total` is all of them.
    """

    keys: list[int]
    scores: list[float]
    total: int
    is_exact: bool


Filter = TypeVar("Filter")
"""What a backend makes of conditions; only the one that made it can read it."""


class Backend(Protocol[Filter]):
    """One generation of an index.

    Attributes:
        name: In `BACKENDS`.
        capabilities: Some of `CAPABILITIES`.
    """

    name: ClassVar[str]

    @property
    def capabilities(self) -> frozenset[str]:
        """What it knows beyond terms."""
        ...

    def statistics(self, terms: Sequence[bytes]) -> CollectionStatistics:
        """Returns the statistics of the collection and of some terms."""
        ...

    def filter(self, conditions: Sequence[ColumnCondition]) -> Filter:
        """Returns a filter for the chunks of documents that meet all conditions."""
        ...

    def sparse_top_k(
        self, query: SparseQuery, where: Filter | None, k: int, floor: float = -1.0
    ) -> ScoredKeys:
        """Returns the chunks of the highest weighted sums.

        Args:
            where: Acts before the best are taken; None for all chunks.
            k: How many at most.
            floor: Chunks that score no more than this are left out.
        """
        ...

    def dense_top_k(self, vector: F32, where: Filter | None, k: int) -> ScoredKeys:
        """Returns the chunks whose vectors are nearest to a unit vector, with their cosines.

        Raises:
            ModeUnavailableError: It has no vectors.
        """
        ...

    def columns(self, name: str, keys: Sequence[int]) -> list[Sequence[ColumnValue]]:
        """Returns the values that the documents of chunks have in a column, in the order of the keys."""
        ...

    def fetch(self, keys: Sequence[int]) -> Mapping[int, StoredChunk]:
        """Returns chunks with their texts, by key; chunks that are gone are left out."""
        ...
