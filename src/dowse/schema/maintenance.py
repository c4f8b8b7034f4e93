"""What the upkeep of an index reports: a sync, a sweep, a check of every byte."""

from msgspec import Struct

from dowse.schema.problem import Problem


class SyncReport(Struct, frozen=True):
    """The outcome of bringing one tree up to date.

    Attributes:
        skipped: Files of other kinds that were passed over, by reason.
        interrupted: True when the run was stopped early; everything committed is kept.
    """

    tree: str
    root: str
    added: int = 0
    changed: int = 0
    moved: int = 0
    removed: int = 0
    unchanged: int = 0
    chunks_added: int = 0
    bytes_read: int = 0
    commits: int = 0
    seconds: float = 0.0
    skipped: tuple[tuple[str, int], ...] = ()
    problems: tuple[Problem, ...] = ()
    interrupted: bool = False


class Committed(Struct, frozen=True):
    """A commit of a sync: one generation, and the keys of the documents that it changed in the tree.

    A document that was moved has its new key among the added and its old one among the removed. A long sync
    commits every few seconds; no commit names more than some tens of thousands of keys.
    """

    generation: int
    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


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
    """What a full check found, and which segments it rebuilt when asked to."""

    checked_files: int
    checked_bytes: int
    findings: tuple[Problem, ...]
    repaired: tuple[str, ...] = ()

    @property
    def is_healthy(self) -> bool:
        """True when nothing is wrong, or all that was wrong has been repaired."""
        return all(finding.location in self.repaired for finding in self.findings)
