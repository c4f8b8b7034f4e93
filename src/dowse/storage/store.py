"""Where one tree lives: its directory, its catalogue connections and its lock, on disk or in memory."""

import sqlite3
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from pathlib import Path

from dowse.errors import DowseError, IndexNotFoundError, ReadOnlyIndexError
from dowse.storage.catalog import (
    FILE_NAME,
    Catalog,
    open_catalog,
    open_memory_catalog,
    open_read_only_catalog,
)
from dowse.storage.commit_seqlock import CommitSeqlock
from dowse.storage.directory import Directory
from dowse.storage.disk_directory import DiskDirectory
from dowse.storage.home import Home
from dowse.storage.impressions import Impressions
from dowse.storage.lock import HeldLock, MemoryLock, WriterLock
from dowse.storage.memory_directory import MemoryDirectory
from dowse.storage.tree_entry import TreeEntry

MEMORY = ":memory:"


class Store:
    """The place of one tree.

    Args:
        home: The tree's folder, or ``":memory:"``.
        create: Whether a missing folder and catalogue are made.
        shared: What the trees of a home share; one of its own when not given.
        tree: What the home knows of the tree; what its catalogue says counts when not given.
    """

    def __init__(
        self, home: str | Path, *, create: bool, shared: Home | None = None, tree: TreeEntry | None = None
    ) -> None:
        self.home = str(home)
        self.is_memory = self.home == MEMORY
        self.tree = tree
        self.is_read_only = tree is not None and tree.is_mounted
        self.directory: Directory
        self.vector_directory: Directory
        self.open_snapshots = 0
        self._shared: Catalog | None = None
        if shared is not None:
            self.shared = shared
        self._owns_shared = shared is None
        if self.is_memory:
            self.directory, self.vector_directory = MemoryDirectory(), MemoryDirectory()
            self._shared = open_memory_catalog()
            self._memory_lock = MemoryLock()
            self.impressions = Impressions(None)
            return
        self.path = Path(home)
        self.impressions = Impressions(None if self.is_read_only else self.path)
        self.commit_seqlock = CommitSeqlock(self.path)
        self._may_create = create
        self.directory = DiskDirectory(self.path / "segments")
        self.vector_directory = DiskDirectory(self.path / "vectors")
        if create and not (self.path / FILE_NAME).exists():
            self.path.mkdir(parents=True, exist_ok=True)
            open_catalog(self.path, create=True).close()
        elif not (self.path / FILE_NAME).exists():
            raise IndexNotFoundError(home=home)

    @cached_property
    def shared(self) -> Home:
        """What this tree shares with the others of its home: the cache of vectors."""
        return Home(None if self.is_memory else self.path)

    def open_reader(self) -> Catalog:
        """Opens a connection for one snapshot; in memory, the shared one."""
        catalog = self._open_reader()
        catalog.tree = self.tree
        return catalog

    def _open_reader(self) -> Catalog:
        if self._shared is not None:
            return self._shared
        try:
            return open_read_only_catalog(self.path)
        except IndexNotFoundError:
            if not self._may_create:
                raise
            # A catalogue without tables: another process is making it now, or died when it was.
            open_catalog(self.path, create=True).close()
            return open_read_only_catalog(self.path)

    def open_writer(self) -> Catalog:
        """Opens a connection for the writer; in memory, the shared one."""
        catalog = self._shared or open_catalog(self.path)
        catalog.tree = self.tree
        return catalog

    @property
    def may_purge(self) -> bool:
        """Whether rows of deleted documents may go: in memory, readers share the writer's connection."""
        return not self.is_memory or not self.open_snapshots

    def make_visible(self, catalog: Catalog) -> None:
        """Commits a transaction; only the holder of the writer lock does."""
        if self.is_memory:
            catalog.connection.execute("COMMIT")
            return
        self.commit_seqlock.begin()
        catalog.connection.execute("COMMIT")
        self.commit_seqlock.end()

    def checkpoint(self, catalog: Catalog) -> None:
        """Moves committed pages from the write-ahead log into the database, as far as readers allow.

        Not part of a commit: what is in the log is safe already, and nobody should wait for the copy. So
        it may fail, too: a full disk is for the next transaction to name.
        """
        if not self.is_memory:
            with suppress(sqlite3.Error):
                catalog.fetch("PRAGMA wal_checkpoint(PASSIVE)")

    def close_shared(self) -> None:
        """Closes what is shared with others, if it was opened for this tree alone."""
        if self._owns_shared and "shared" in self.__dict__:
            self.shared.close()
            del self.shared

    def truncate_log(self, catalog: Catalog) -> None:
        """Moves the whole log into the database and gives its space back, unless a reader still needs it."""
        if not self.is_memory:
            with suppress(sqlite3.Error):
                catalog.fetch("PRAGMA busy_timeout = 0")
                catalog.fetch("PRAGMA wal_checkpoint(TRUNCATE)")

    def fold_log(self) -> None:
        """Removes the write-ahead log if nobody else has the index open: the last one to close does it.

        Read-only connections cannot, so the one that wrote does it when all of its own are closed.
        """
        if not self.is_memory and self.path.exists():
            with suppress(sqlite3.Error, DowseError):
                open_catalog(self.path).close()

    def remove(self) -> None:
        """Removes the tree's folder; only the holder of the writer lock does.

        The catalogue goes first: without it the rest is no tree, should the process die half way.
        """
        if not self.is_memory:
            import shutil  # late: no search removes anything

            (self.path / FILE_NAME).unlink(missing_ok=True)
            shutil.rmtree(self.path, ignore_errors=True)

    def remove_if_empty(self) -> None:
        """Removes a tree that was begun and never committed, unless another process is at it."""
        if self.is_memory:
            return
        with suppress(OSError, sqlite3.Error, DowseError):
            lock = self.acquire_lock(0.0)
            try:
                catalog = open_catalog(self.path)
                is_empty = not catalog.counter("generation") and not catalog.fetch("SELECT 1 FROM trees")
                catalog.close()
                if is_empty:
                    self.remove()
            finally:
                lock.release()

    def close_connection(self, catalog: Catalog) -> None:
        """Closes a connection unless it is the shared one."""
        if catalog is not self._shared:
            catalog.close()

    def acquire_lock(
        self, timeout_s: float, on_wait: Callable[[str], None] | None = None
    ) -> HeldLock:
        """Takes the writer lock: of all processes, or of the threads that share an index in memory.

        Raises:
            ReadOnlyIndexError: The tree is mounted to be read only.
            IndexLockedError: Somebody else has it, and does not give it back in time.
        """
        if self.is_read_only:
            raise ReadOnlyIndexError(home=self.home, reason="it is mounted to be read only")
        if self.is_memory:
            self._memory_lock.acquire(timeout_s, on_wait)
            return self._memory_lock
        lock = WriterLock(self.path)
        lock.acquire(timeout_s, on_wait)
        return lock
