"""A merge on its way: written by a thread while the writer goes on."""

import threading
from collections.abc import Callable, Mapping, Sequence

from dowse.errors import CorruptFileError
from dowse.indexing.segment_builder import new_folder
from dowse.kernels.layout import U8
from dowse.logs import Log
from dowse.storage.catalog import Catalog
from dowse.storage.directory import Directory
from dowse.storage.merging import SegmentSize, carry_deletions, choose_merge, merge_segments
from dowse.storage.segment_reader import SegmentReader
from dowse.storage.segment_writer import WrittenSegment
from dowse.storage.stored_segments import list_segments

Sources = Sequence[tuple[SegmentReader, U8]]


LOG = Log(__name__)


class BackgroundMerge:
    """Writes the live rows of some segments into one new segment.

    Sources are compared with their checksums first: a merge must not turn damage into truth.

    Attributes:
        written: The new segment, once the thread is done; None when no row was live.
        failure: What stopped the thread, if anything did.
    """

    def __init__(self, directory: Directory, sources: Sources) -> None:
        self.folders = [reader.folder for reader, _ in sources]
        self.target = new_folder()
        self._directory, self._sources = directory, sources
        self.written: WrittenSegment | None = None
        self.failure: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="dowse-merge", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        LOG.info("merge of %d segments into %s", len(self.folders), self.target)
        try:
            for reader, _ in self._sources:
                reader.verify()
            self.written = merge_segments(self._directory, self.target, self._sources)
        except BaseException as failure:  # for the writer's thread to look at
            self._directory.remove(self.target)
            self.failure = failure
            LOG.warning("merge into %s failed: %s", self.target, failure)

    @property
    def is_done(self) -> bool:
        """True when the thread has ended, well or not."""
        return not self._thread.is_alive()

    def wait(self) -> None:
        """Waits for the thread."""
        self._thread.join()

    def abandon(self) -> None:
        """Waits for the thread and removes what it wrote."""
        self.wait()
        self._directory.remove(self.target)

    def deletions_since(self, now: Mapping[str, U8]) -> U8:
        """Returns the new segment's deletion marks, given the sources' marks now."""
        assert self.written is not None, "there is no merged segment"
        marks = [now[folder] for folder in self.folders]
        return carry_deletions(self._sources, marks, self.written.manifest.rows)


def plan_merge(
    catalog: Catalog,
    directory: Directory,
    open_reader: Callable[[str, int], SegmentReader],
    *,
    into_one: bool = False,
) -> BackgroundMerge | None:
    """Starts the merge that is due; None when there is none, or when a source cannot be opened.

    Args:
        into_one: Whether all segments are to become one, rather than as few as is worth the writing.
    """
    rows = list_segments(catalog)
    marks = {row.folder: row.deleted_marks for row in rows}
    sizes = [SegmentSize(row.folder, row.rows, int(marks[row.folder].sum())) for row in rows]
    checksums = {row.folder: row.checksum for row in rows}
    is_one = len(sizes) == 1 and not sizes[0].deleted
    chosen = choose_merge(sizes) if not into_one else [] if is_one else list(checksums)
    if not chosen:
        return None
    try:
        sources = [(open_reader(name, checksums[name]), marks[name]) for name in chosen]
    except CorruptFileError:
        return None  # `doctor` and the next search name it; merging waits until it is healed
    return BackgroundMerge(directory, sources)
