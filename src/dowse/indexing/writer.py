"""The one writer of an index: documents in, generations out.

A writer holds the lock from its first change to `close`. Everything between two commits is one SQLite
transaction plus segment folders that the catalogue does not name yet, so that a crash at any moment leaves
the state of the last commit (S1); folders it left behind are swept when the next writer starts.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import numpy as np

from dowse.analysis import Analyzer
from dowse.errors import CorruptFileError, ResourceError
from dowse.indexing.document_columns import values_of_document
from dowse.indexing.fields import iter_field_texts
from dowse.indexing.segment_builder import SegmentBuilder
from dowse.indexing.segment_merging import SegmentMerging
from dowse.kernels.layout import U8
from dowse.logs import Log
from dowse.schema import Document
from dowse.storage.catalog import Catalog
from dowse.storage.catalog_transaction import CatalogTransaction
from dowse.storage.catalog_writer import CatalogWriter, FileStat
from dowse.storage.failures import storage_failures
from dowse.storage.folder_sweeping import sweep_folders
from dowse.storage.lock import HeldLock
from dowse.storage.segment_reader import SegmentReader
from dowse.storage.segment_writer import WrittenSegment
from dowse.storage.store import Store
from dowse.storage.stored_segments import drop_segments, insert_segment, list_segments, set_deleted
from dowse.storage.stored_vector_segments import sweep_vector_folders

if TYPE_CHECKING:
    from concurrent.futures import Future

LOG = Log(__name__)
BUDGET_BYTES = 256 << 20


class IndexWriter:
    """Adds, replaces and removes documents, and commits.

    Args:
        store: Where the index lives.
        lock_timeout_s: How long to wait for another writer.
        on_wait: Called with the other writer's description when waiting starts.
        budget_bytes: Memory after which gathered rows are written out as a segment, committed or not.
    """

    def __init__(
        self,
        store: Store,
        *,
        lock_timeout_s: float,
        on_wait: Callable[[str], None] | None = None,
        budget_bytes: int = BUDGET_BYTES,
    ) -> None:
        self._store, self.home = store, store.home
        # Bytes of tokens after which a builder is written. Inverting needs about as much again, and the next
        # builder fills meanwhile. The smaller the segments, the less is left to do when a commit is asked
        # for, and everybody waits.
        self.row_budget = budget_bytes // 4
        with storage_failures(store.home):
            self._lock: HeldLock | None = store.acquire_lock(lock_timeout_s, on_wait)
            try:
                self.catalog = store.open_writer()
            except BaseException:
                self._release_lock()
                raise
        self._transaction = CatalogTransaction(store, self.catalog)
        self._readers: dict[str, SegmentReader] = {}
        self._merging = SegmentMerging(self.catalog, store.directory, self._reader)
        # Imported late: a search that changes nothing has no writer and should not wait for it.
        from concurrent.futures import ThreadPoolExecutor

        self._analysis_worker = ThreadPoolExecutor(1, "dowse-analysis")
        self._segment_worker = ThreadPoolExecutor(1, "dowse-segments")
        self._catalog_worker = ThreadPoolExecutor(1, "dowse-catalogue")
        self._rows = CatalogWriter(self.catalog, self._catalog_worker)
        self._sweep()
        self._reset()

    def _reset(self) -> None:
        self._builder: SegmentBuilder | None = None
        self._pending: defaultdict[int, dict[str, int]] = defaultdict(dict)
        self._filled_trees: dict[int, bool] = {}
        self._dead_keys: list[int] = []
        self._new_folders: list[str] = []
        self._writing: Future[WrittenSegment] | None = None
        self._written: list[WrittenSegment] = []

    # Changes -------------------------------------------------------------------------------------

    @property
    def has_changes(self) -> bool:
        """Whether there is something to commit."""
        return self._transaction.is_open

    def add(
        self, tree_id: int, document: Document, analyzer: Analyzer, stat: FileStat | None = None
    ) -> None:
        """Adds a document, replacing the one with the same key in the same tree."""
        with self._transaction.change():
            doc_key, pending = document.doc_key, self._pending[tree_id]
            if self._filled_trees.get(tree_id, True) or doc_key in pending:
                self._delete(tree_id, doc_key)
            builder = self._builder
            if builder is None or builder.analyzer is not analyzer:
                self._flush_segment()
                builder = self._builder = self.new_builder(analyzer)
            doc_id, first_key = self._transaction.next_doc_id, self._transaction.next_chunk_key
            self._transaction.next_doc_id += 1
            self._transaction.next_chunk_key += len(document.chunks)
            size, mtime_ns = (None, None) if stat is None else (stat.size, stat.mtime_ns)
            builder.begin_document(values_of_document(document, size, mtime_ns))
            for key, (chunk, texts, whole) in enumerate(iter_field_texts(document), first_key):
                builder.add(key, doc_id, tree_id, chunk.ordinal, doc_key, texts, whole)
            self._rows.insert(doc_id, tree_id, document, stat, first_key)
            pending[doc_key] = doc_id
            if builder.nbytes > self.row_budget:
                self._flush_segment()

    def delete(self, tree_id: int, doc_key: str) -> bool:
        """Removes a document; returns whether it was there."""
        with self._transaction.change():
            return self._delete(tree_id, doc_key)

    def _delete(self, tree_id: int, doc_key: str) -> bool:
        doc_id = self._pending[tree_id].pop(doc_key, None)
        if doc_id is not None:
            self._rows.flush()
        elif self._had_documents(tree_id):
            doc_id = self._rows.find_live(tree_id, doc_key)
        if doc_id is None:
            return False
        self._dead_keys += self._rows.mark_dead(doc_id)
        return True

    def _had_documents(self, tree_id: int) -> bool:
        """Says whether the tree had documents when the transaction began: a first run asks only once."""
        if tree_id not in self._filled_trees:
            self._filled_trees[tree_id] = self._rows.has_documents(tree_id)
        return self._filled_trees[tree_id]

    def touch(self, doc_id: int, stat: FileStat) -> None:
        """Records that a file has a new time stamp but its old content."""
        with self._transaction.change():
            self._rows.touch(doc_id, stat)

    @contextmanager
    def change(self) -> Iterator[Catalog]:
        """Lets named writes of `storage` change the catalogue, as part of the next commit."""
        with self._transaction.change() as catalog:
            self._rows.settle()
            yield catalog

    def commit(self) -> int:
        """Makes all changes true at once and returns the generation; the old one when nothing changed."""
        if not self.has_changes:
            return self.catalog.counter("generation")
        try:
            with self._transaction.change():
                self._flush_segment()
                self._rows.flush()
                self._finish_segment()
                for segment in self._written:
                    self._insert_segment(segment, None)
                self._apply_deletions()
                self._adopt_merge()
                if self._store.may_purge:
                    self._rows.purge_dead()
                generation = self._transaction.count_generation()
                # From here on a failure may leave a whole transaction in SQLite's log, which then is
                # true when the index is opened next: its segments must stay. The next sweep decides.
                self._new_folders = []
                self._transaction.commit()
        except BaseException:
            self.rollback()
            raise
        LOG.info("commit: generation %d, %d new segments", generation, len(self._written))
        self._reset()
        self._sweep()
        return generation

    def rollback(self) -> None:
        """Drops everything since the last commit."""
        if not self.has_changes:
            return
        try:
            self._rows.abandon()
            self._transaction.rollback()
        finally:
            if self._writing is not None and self._writing.exception() is None:
                self._new_folders.append(self._writing.result().folder)
            for folder in self._new_folders:
                self._store.directory.remove(folder)
            self._reset()

    def close(self) -> None:
        """Rolls back what was not committed and gives the lock back."""
        try:
            self.rollback()
            self._merging.abandon()
            self._store.truncate_log(self.catalog)
        finally:
            self._analysis_worker.shutdown()
            self._segment_worker.shutdown()
            self._catalog_worker.shutdown()
            self._store.close_connection(self.catalog)
            self._release_lock()

    def _release_lock(self) -> None:
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def __enter__(self) -> "IndexWriter":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Segments ------------------------------------------------------------------------------------

    def _flush_segment(self) -> None:
        """Writes the gathered rows as a segment of the open transaction."""
        builder, self._builder = self._builder, None
        self.write_builder(builder)

    def new_builder(self, analyzer: Analyzer) -> SegmentBuilder:
        """Returns an empty builder whose texts this writer's worker analyses."""
        return SegmentBuilder(analyzer, self._analysis_worker)

    def write_builder(self, builder: SegmentBuilder | None) -> None:
        """Starts writing a builder's rows, if it has any, as a segment of the open transaction.

        One segment at a time: while it is written the next rows are analysed, and no more than that.
        """
        if builder is not None and builder.row_count:
            self._finish_segment()
            self._writing = builder.write(self._store.directory, self._segment_worker)

    def _finish_segment(self) -> None:
        """Waits for the segment being written, if any.

        It is named by the commit and not before: in memory, readers share the connection of the transaction.
        """
        writing, self._writing = self._writing, None
        if writing is not None:
            with storage_failures(self._store.home):
                self._written.append(writing.result())
            self._new_folders.append(self._written[-1].folder)

    def _insert_segment(self, segment: WrittenSegment, deleted: U8 | None) -> None:
        """Names a written segment in the open transaction."""
        if segment.folder not in self._new_folders:
            self._new_folders.append(segment.folder)
        insert_segment(self.catalog, segment, deleted)

    def _reader(self, folder: str, checksum: int) -> SegmentReader:
        if folder not in self._readers:
            self._readers[folder] = SegmentReader(self._store.directory, folder, checksum)
        return self._readers[folder]

    def _apply_deletions(self) -> None:
        """Marks the rows of deleted documents in every segment that has them."""
        if not self._dead_keys:
            return
        dead = np.array(sorted(self._dead_keys), np.int64)
        for row in list_segments(self.catalog):
            here = dead[np.searchsorted(dead, row.first_key) : np.searchsorted(dead, row.last_key, "right")]
            if not len(here):
                continue
            keys = self._reader(row.folder, row.checksum).columns.chunk_keys
            found = np.minimum(np.searchsorted(keys, here), row.rows - 1)
            if not np.array_equal(keys[found], here):
                expectation = "it does not have the chunks that the catalogue says"
                raise CorruptFileError(path=f"{row.folder}/columns", expectation=expectation)
            marks = row.deleted_marks
            marks[found] = 1
            set_deleted(self.catalog, row.folder, marks)

    def _sweep(self) -> None:
        """Removes segment folders that no generation names: leftovers of a crash or of a merge.

        What cannot be removed now stays for the next sweep; nobody waits for it.
        """
        with suppress(ResourceError), storage_failures(self._store.home):
            live = {row.folder for row in list_segments(self.catalog)}
            if self._merging.running is not None:
                live.add(self._merging.running.target)
            for folder in sweep_folders(self._store.directory, live):
                self._readers.pop(folder, None)
            sweep_vector_folders(self.catalog, self._store.vector_directory)

    # Merging -------------------------------------------------------------------------------------

    def start_merge(self, *, into_one: bool = False) -> bool:
        """Starts the next merge in the background, if one is due and none runs; says whether one runs."""
        return self._merging.start(into_one=into_one)

    def merge(self, on_start: Callable[[int], None] | None = None, *, into_one: bool = False) -> int:
        """Merges until the policy is content, or one segment is left; each merge is a commit of its own.

        Returns:
            How many merges that took.

        Raises:
            CorruptFileError: A segment is damaged. Other errors as for `commit`.
        """
        count = 0
        while self.start_merge(into_one=into_one):
            merge = self._merging.running
            assert merge is not None, "a merge was started"
            if on_start is not None:
                on_start(len(merge.folders))
            merge.wait()
            self._transaction.begin()
            self.commit()
            count += 1
        if self._merging.failure is not None:
            with storage_failures(self._store.home):
                raise self._merging.failure
        return count

    def _adopt_merge(self) -> None:
        """Swaps a finished merge into the open transaction, with what was deleted meanwhile."""
        merged = self._merging.take()
        if merged is None:
            return
        drop_segments(self.catalog, merged.sources)
        if merged.written is not None:
            self._insert_segment(merged.written, merged.deleted)
