"""What an index says about itself."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from dowse.schema import Problem, Section

if TYPE_CHECKING:
    from dowse.storage.live_vectors import Coverage


class PendingChanges(NamedTuple):
    """How far a tree is behind its folder, in files."""

    to_read: int
    to_remove: int


class TreeStatus(Struct, frozen=True):
    """One tree: where it is, what it holds, what failed.

    Attributes:
        formats: How many documents of each format, most first.
        pending: How far it is behind its folder; None when nobody looked, or the folder is not there.
        has_root: Whether its folder is there; True for pushed texts, which have none.
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


class SegmentStatus(Struct, frozen=True):
    """One segment: rows in it, rows deleted, bytes on disk."""

    name: str
    rows: int
    deleted: int
    terms: int
    disk_bytes: int


class IndexStatus(Struct, frozen=True):
    """The whole index.

    Attributes:
        kernels: ``compiled``, ``partly compiled`` or ``numpy`` (no compiler at install time: slower).
        kernel_fallbacks: Kernels that run as their slower twins, and why each could not be loaded.
        coverage: How many chunks have vectors of the chosen model; None when none has.
        embedding_model: What makes vectors; empty when they are switched off.
        no_vectors: Why there are none, or none can be made; empty when all is well.
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
    coverage: "Coverage | None" = None
    embedding_model: str = ""
    no_vectors: str = ""
    kernel_fallbacks: tuple[tuple[str, str], ...] = ()


class SweepReport(Struct, frozen=True):
    """What a sweep removed.

    Attributes:
        documents: Whose files were gone.
        shelved: Documents of files gone long before, that were kept for their return.
        missing_roots: Folders of trees that are not there; their documents stay unless asked for.
        removed_trees: Trees that went with their folders.
        vectors: Of texts that are gone, and of models that are not chosen when they were to go.
        other_models: Models that are not chosen, whose vectors were kept.
        freed_bytes: Of disk.
    """

    documents: int
    shelved: int
    missing_roots: tuple[str, ...]
    removed_trees: tuple[str, ...]
    vectors: int
    other_models: tuple[str, ...]
    freed_bytes: int


class DoctorReport(Struct, frozen=True):
    """What a full check found, and which segments it made again when asked to."""

    checked_files: int
    checked_bytes: int
    findings: tuple[Problem, ...]
    repaired: tuple[str, ...] = ()

    @property
    def is_healthy(self) -> bool:
        """True when nothing is wrong, or all that was wrong has been mended."""
        return all(finding.location in self.repaired for finding in self.findings)


class StoredDocument(Struct, frozen=True):
    """A document as the catalogue keeps it."""

    tree: str
    doc_key: str
    title: str
    file: str | None
    text: str
    tags: tuple[str, ...]
    format: str
    metadata: Mapping[str, object]
    sections: tuple[Section, ...]
    chunk_count: int
