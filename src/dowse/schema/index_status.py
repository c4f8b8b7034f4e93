"""What an index reports about itself: its trees, its segments, its size, its vectors."""

from msgspec import Struct

from dowse.schema.coverage import Coverage
from dowse.schema.problem import Problem


class PendingChanges(Struct, frozen=True):
    """How far a tree is behind its folder, in files."""

    to_read: int
    to_remove: int


class TreeStatus(Struct, frozen=True):
    """One tree: where it is, what it holds, what failed.

    Attributes:
        last_sync: In seconds since 1970; None for a tree that was never synced.
        formats: How many documents of each format, most first.
        pending: How far it is behind its folder; None when nobody looked, or the folder is not there.
        has_root: Whether its folder is there; True for pushed texts, which have none.
        coverage: How many of its chunks have vectors of the chosen model; None when none has.
        is_mounted: Whether it lies outside the home and is only read.
    """

    name: str
    root: str | None
    language: str
    documents: int
    chunks: int
    text_bytes: int
    last_sync: float | None
    problems: tuple[Problem, ...]
    is_watched: bool = False
    formats: tuple[tuple[str, int], ...] = ()
    pending: PendingChanges | None = None
    has_root: bool = True
    coverage: Coverage | None = None
    is_mounted: bool = False


class SegmentStatus(Struct, frozen=True):
    """One segment: rows in it, rows deleted, bytes on disk."""

    name: str
    rows: int
    deleted: int
    terms: int
    disk_bytes: int


class CacheStatus(Struct, frozen=True):
    """What a cache of an open index keeps in memory between requests."""

    name: str
    entries: int
    memory_bytes: int


class IndexStatus(Struct, frozen=True):
    """The whole index.

    Attributes:
        kernels: ``compiled``, ``partly compiled`` or ``numpy`` (no compiler at install time: slower).
        kernel_fallbacks: Kernels that run as their slower twins, and why each could not be loaded.
        coverage: How many chunks have vectors of the chosen model; None when none has.
        embedding_model: What makes vectors; empty when they are switched off.
        no_vectors: Why there are none, or none can be made; empty when all is well.
        caches: What this process keeps between requests; each is bounded.
    """

    home: str
    version: str
    format_version: int
    kernels: str
    generation: int
    documents: int
    chunks: int
    disk_bytes: int
    trees: tuple[TreeStatus, ...]
    segments: tuple[SegmentStatus, ...]
    coverage: Coverage | None = None
    embedding_model: str = ""
    no_vectors: str = ""
    kernel_fallbacks: tuple[tuple[str, str], ...] = ()
    caches: tuple[CacheStatus, ...] = ()
