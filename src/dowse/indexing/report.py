"""What an indexing run says while it runs and when it ends."""

from typing import Protocol

from msgspec import Struct

from dowse.schema import Problem


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


class SyncListener(Protocol):
    """Hears how a run goes on; every call is cheap and may be ignored."""

    def waiting_for_lock(self, holder: str) -> None:
        """Another process is writing; this one waits its turn."""

    def discovered(self, total_files: int, to_read: int) -> None:
        """Discovery is done: this many files are there, this many must be read."""

    def advanced(self, files_done: int, bytes_done: int) -> None:
        """So many of the files to read are done."""

    def committed(self, generation: int, documents: int) -> None:
        """A generation became searchable."""

    def merging(self, segments: int) -> None:
        """Segments are being merged before the run ends."""
