"""What an indexing run says while it runs and when it ends."""

from typing import Protocol


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
