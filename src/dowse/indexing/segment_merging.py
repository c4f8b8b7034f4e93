"""Merging beside a writer: started in the background, taken over by a commit."""

from collections.abc import Callable
from typing import NamedTuple

from dowse.indexing.background_merge import BackgroundMerge, plan_merge
from dowse.kernels.layout import U8
from dowse.storage.catalog import Catalog
from dowse.storage.directory import Directory
from dowse.storage.segment_reader import SegmentReader
from dowse.storage.segment_writer import WrittenSegment
from dowse.storage.stored_segments import list_segments


class MergedSegment(NamedTuple):
    """A finished merge.

    Attributes:
        sources: Folders of the segments that it replaces.
        written: The segment in their place; None when none of their rows was live.
        deleted: Marks of its rows that were deleted meanwhile; None without a segment.
    """

    sources: list[str]
    written: WrittenSegment | None
    deleted: U8 | None


class SegmentMerging:
    """The merges of one writer, one at a time.

    A merge that failed costs no document: the segments stay as they are, and this writer starts no other one.

    Args:
        catalog: The writer's.
        directory: Where the segments are.
        open_reader: Opens a segment by folder and checksum.

    Attributes:
        failure: What stopped the last merge, if anything did.
    """

    def __init__(
        self, catalog: Catalog, directory: Directory, open_reader: Callable[[str, int], SegmentReader]
    ) -> None:
        self._catalog, self._directory, self._open_reader = catalog, directory, open_reader
        self.running: BackgroundMerge | None = None
        self.failure: BaseException | None = None

    def start(self, *, into_one: bool = False) -> bool:
        """Starts the merge that is due, if none runs; says whether one runs.

        The thread only writes a folder that the catalogue does not name; the next commit swaps the segments.

        Args:
            into_one: Whether all segments are to become one.
        """
        if self.running is None and self.failure is None:
            self.running = plan_merge(
                self._catalog, self._directory, self._open_reader, into_one=into_one
            )
        return self.running is not None

    def take(self) -> MergedSegment | None:
        """Returns the merge if it is done and still fits the segments there are; else None."""
        merge = self.running
        if merge is None or not merge.is_done:
            return None
        self.running, self.failure = None, merge.failure
        if merge.failure is not None:
            return None
        now = {row.folder: row.deleted_marks for row in list_segments(self._catalog)}
        if not all(folder in now for folder in merge.folders):
            return None  # one of them was rebuilt in the meantime; the merged folder is swept later
        deleted = None if merge.written is None else merge.deletions_since(now)
        return MergedSegment(merge.folders, merge.written, deleted)

    def abandon(self) -> None:
        """Waits for a merge that runs and removes what it wrote."""
        if self.running is not None:
            self.running.abandon()
