"""What answers need to know: one generation of an index, and what is worth keeping between requests."""

from collections.abc import Callable, Mapping, Sequence
from copy import copy

import numpy as np
from msgspec import Struct

from dowse.analysis import Analyzer
from dowse.kernels.layout import F32, U8
from dowse.matching import Documents
from dowse.matching.masks import place_masks
from dowse.planning import Analyzers, WordReader
from dowse.schema import CacheStatus, SearchRequest
from dowse.search.availability import NO_VECTORS, Availability
from dowse.search.deadline import Deadline
from dowse.search.least_recently_used import LeastRecentlyUsed
from dowse.search.lexical.weighting import ScoreTables
from dowse.search.parameters import Choice, choose_scoring
from dowse.storage.snapshot import Snapshot
from dowse.storage.stored_trees import Tree

Clock = Callable[[], float]
CrossEncoder = Callable[[str, Sequence[str], Callable[[], bool]], Sequence[float]]
"""From a question, passages and whether there is time for one more, to how well each answers; NaN for those
at the end that there was no time for. More is better; the unit does not matter."""
KEPT_TABLES, KEPT_MASKS, KEPT_TREES = 8, 16, 64
"""How many score tables (some megabytes each), masks (a byte per chunk) and trees' analyzers are kept; what
was not asked for the longest goes first."""


class CrossEncoderUnavailable(Exception):  # noqa: N818 - not an error: the answer goes on without
    """There is no cross-encoder; the text says why."""


class VocabularyUnavailable(Exception):  # noqa: N818 - not an error: the answer goes on without
    """There is no model's vocabulary; the text says why, and what would help."""


def _no_vectors() -> Availability:
    return NO_VECTORS


def _no_cross_encoder() -> CrossEncoder:
    raise CrossEncoderUnavailable("there is no cross-encoder")


def _no_near_words(text: str) -> Sequence[tuple[str, float]]:
    raise VocabularyUnavailable("there is no model with words of its own")


def _nobody_cancels() -> bool:
    return False


class Resources(Struct, frozen=True):
    """What comes from outside a generation, and is fetched when asked for.

    Attributes:
        availability: Returns whether the generation can be searched by vectors, and how.
        cross_encoder: Returns what reads a question and a passage together; raises CrossEncoderUnavailable.
        near_words: From a question to words near it, nearest first, with their cosines; raises
            VocabularyUnavailable.
    """

    availability: Callable[[], Availability] = _no_vectors
    cross_encoder: Callable[[], CrossEncoder] = _no_cross_encoder
    near_words: Callable[[str], Sequence[tuple[str, float]]] = _no_near_words


class SearchContext:
    """One snapshot, with what is worth keeping between requests: score tables, masks, analyzers.

    Several threads may ask at once.

    Args:
        snapshot: The generation to answer from.
        analyzers: Shared by all generations of an index.
        clock: Seconds, for stage timings and deadlines.
        wall_clock: Seconds since 1970, for dates such as “7d”.
        resources: What comes from outside; nothing when not given.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        analyzers: Analyzers,
        clock: Clock,
        wall_clock: Clock,
        resources: Resources | None = None,
    ) -> None:
        self.snapshot, self.analyzers = snapshot, analyzers
        self.clock, self.wall_clock = clock, wall_clock
        self.resources = resources or Resources()
        self.documents = Documents(snapshot)
        self.is_cancelled: Callable[[], bool] = _nobody_cancels
        self._no_deadline = Deadline(clock)
        self._tables: LeastRecentlyUsed[Choice, ScoreTables] = LeastRecentlyUsed(KEPT_TABLES)
        self._masks: LeastRecentlyUsed[tuple[str, str], list[U8 | None]] = LeastRecentlyUsed(KEPT_MASKS)
        self._analyzers: LeastRecentlyUsed[str | None, list[Analyzer]] = LeastRecentlyUsed(KEPT_TREES)
        self._readers: LeastRecentlyUsed[str | None, WordReader] = LeastRecentlyUsed(KEPT_TREES)

    def cancelled_by(self, is_cancelled: Callable[[], bool]) -> "SearchContext":
        """Returns the same context for one request that may be cancelled; its caches are shared."""
        own = copy(self)
        own.is_cancelled = is_cancelled
        return own

    def describe_caches(self) -> tuple[CacheStatus, ...]:
        """Returns what is kept between requests, and how much memory that takes."""
        tables, masks = self._tables.values(), self._masks.values()
        mask_bytes = sum(mask.nbytes for own in masks for mask in own if mask is not None)
        return (
            CacheStatus("score tables", len(tables), sum(table.nbytes for table in tables)),
            CacheStatus("scope masks", len(masks), mask_bytes),
            CacheStatus("filter masks", len(self.documents), self.documents.nbytes),
        )

    def availability(self) -> Availability:
        """Returns whether the generation can be searched by vectors, and how."""
        return self.resources.availability()

    def tables(self, request: SearchRequest) -> ScoreTables:
        """Returns the tables of the scoring that a request asks for."""
        choice = Choice.of(request)
        found = self._tables.find(choice)
        if found is None:
            tables = ScoreTables(choose_scoring(choice), self.snapshot.avg_lengths)
            found = self._tables.keep(choice, tables)
        return found

    def word_reader(self, tree: str | None) -> WordReader:
        """Returns what reads words as a tree, or any, was analysed."""
        found = self._readers.find(tree)
        if found is None:
            found = self._readers.keep(tree, WordReader(self.tree_analyzers(tree), self.snapshot))
        return found

    def tree_analyzers(self, tree: str | None) -> list[Analyzer]:
        """Returns an analyzer for each way in which a tree, or any, was analysed; at least one."""
        found = self._analyzers.find(tree)
        return self._analyzers.keep(tree, self._find_analyzers(tree)) if found is None else found

    def _find_analyzers(self, tree: str | None) -> list[Analyzer]:
        if tree is not None:
            self.get_tree(tree)  # there must be one; its scope is the whole snapshot
        settings = {entry.analysis for entry in self.snapshot.trees.values()} or {"{}"}
        return [self.analyzers.get(analysis) for analysis in sorted(settings)]

    def get_tree(self, name: str) -> Tree:
        """Returns a tree by name.

        Raises:
            UnknownTreeError: There is none.
        """
        return self.snapshot.get_tree(name)

    def scope_masks(self, request: SearchRequest, without: range = range(0)) -> list[U8 | None]:
        """Returns, per segment, which rows a request looks at: one byte per row, or None for all.

        Args:
            without: Keys of chunks that are no hits, however well they match.
        """
        if request.tree is None:
            masks: list[U8 | None] = [None] * len(self.snapshot.segments)
        else:
            key = request.tree, request.under
            known = self._masks.find(key)
            masks = known or self._masks.keep(key, place_masks(self.snapshot, *key))
        return masks if not without else self._mask_out(masks, without)

    def _mask_out(self, masks: Sequence[U8 | None], without: range) -> list[U8 | None]:
        found: list[U8 | None] = []
        for segment, mask in zip(self.snapshot.segments, masks, strict=True):
            # Rows ascend by chunk key (S6), so what is left out stands together.
            keys = segment.reader.columns.chunk_keys
            first, stop = np.searchsorted(keys, (without.start, without.stop))
            if first < stop:
                mask = np.ones(len(keys), np.uint8) if mask is None else mask.copy()
                mask[first:stop] = 0
            found.append(mask)
        return found

    def read_texts(self, keys: Sequence[int]) -> dict[int, str]:
        """Returns what models read of chunks, by key: their titles and texts."""
        from dowse.indexing.passages import read_passages

        passages = read_passages(self.snapshot, keys)
        return {passage.chunk_key: passage.text for passage in passages}

    def read_vectors(self, keys: Sequence[int]) -> Mapping[int, F32]:
        """Returns the unit vectors of chunks, by key; chunks without one are left out."""
        vectors = self.availability().vectors
        return {} if vectors is None else vectors.vectors(np.array(keys, np.int64))

    def deadline(self, budget_ms: float | None) -> Deadline:
        """Returns when an answer that may take so long from now on has to end; None for no limit."""
        if budget_ms is None and self.is_cancelled is _nobody_cancels:
            return self._no_deadline
        return Deadline(self.clock, budget_ms, self.is_cancelled)

    def for_stages(self, request: SearchRequest, query: str, deadline: Deadline) -> "StageContext":
        """Returns what the stages of a request may look at.

        Args:
            query: The question, in plain words.
        """
        return StageContext(
            request,
            self.read_texts,
            query,
            self.read_vectors,
            self.resources.cross_encoder,
            self.clock,
            deadline,
        )


def _no_chunk_vectors(keys: Sequence[int]) -> Mapping[int, F32]:
    return {}


def _no_time_passes() -> float:
    return 0.0


class StageContext(Struct, frozen=True):
    """What the stages of one request may look at; each part is fetched only when a stage asks for it.

    Attributes:
        texts: From chunk keys to their passages; chunks without one are left out.
        query: The question, in plain words.
        vectors: From chunk keys to unit vectors; chunks without one are left out.
        cross_encoder: Returns what reads a question and a passage together; raises CrossEncoderUnavailable.
        clock: Seconds, only going forward.
        deadline: When the answer has to be there.
    """

    request: SearchRequest
    texts: Callable[[Sequence[int]], Mapping[int, str]]
    query: str = ""
    vectors: Callable[[Sequence[int]], Mapping[int, F32]] = _no_chunk_vectors
    cross_encoder: Callable[[], CrossEncoder] = _no_cross_encoder
    clock: Clock = _no_time_passes
    deadline: Deadline = Deadline(_no_time_passes)
