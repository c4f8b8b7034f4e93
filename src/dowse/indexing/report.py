"""What a sync tells whoever listens while it runs."""

from typing import Protocol

from dowse.schema import Committed


class SyncListener(Protocol):
    """Is told how a sync goes on; every call is cheap and may be ignored."""

    def waiting_for_lock(self, holder: str) -> None:
        """Another process is writing; this one waits its turn."""

    def discovered(self, total_files: int, to_read: int) -> None:
        """The source was surveyed: it has this many items, and this many of them must be read."""

    def advanced(self, files_done: int, bytes_done: int) -> None:
        """Reports how many of the items to read are done."""

    def committed(self, event: Committed) -> None:
        """A generation became searchable; the event names the documents that it changed."""

    def merging(self, segments: int) -> None:
        """Segments are being merged before the run ends."""
