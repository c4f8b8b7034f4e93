"""The newest generation of one store: opened when something was committed, healed when it is damaged."""

import threading
from collections.abc import Sequence

from dowse.engine.health import OpenWriter, heal_segments
from dowse.logs import Log
from dowse.planning import Analyzers
from dowse.storage.failures import storage_failures
from dowse.storage.segment_reader import SegmentReader
from dowse.storage.snapshot import Snapshot, open_snapshot
from dowse.storage.store import Store

LOG = Log(__name__)
CHECK_ON_OPEN_BYTES = 32 << 20
NEVER = -1


class Generations:
    """Opens snapshots of a store, for any number of threads.

    Args:
        store: The index.
        analyzers: For rebuilding damaged segments.
        open_writer: Returns a writer at once, or raises ResourceError when somebody else is writing.
    """

    def __init__(self, store: Store, analyzers: Analyzers, open_writer: OpenWriter) -> None:
        self._store, self._analyzers, self._open_writer = store, analyzers, open_writer
        self._snapshot: Snapshot | None = None
        self._refreshing = threading.Lock()
        self._watch = store.open_reader()
        self._seen_version = NEVER
        self._known_version: tuple[bytes | None, int] = (None, NEVER)
        self._has_damage = False

    @property
    def is_open(self) -> bool:
        """Whether a snapshot was opened before."""
        return self._snapshot is not None

    def current(self) -> Snapshot:
        """Returns the newest generation; opens it only when something was committed.

        Threads that still use an older one may go on doing so: it is closed when nobody holds it.
        """
        version = self._version()
        snapshot = self._snapshot
        if snapshot is not None and version == self._seen_version:
            return snapshot
        with self._refreshing, storage_failures(self._store.home):
            version = self._version()  # another thread may have opened it, or committed, meanwhile
            if self._snapshot is None or version != self._seen_version:
                self._refresh(version)
            assert self._snapshot is not None
            return self._snapshot

    def note_damage(self) -> None:
        """Says that bytes were found damaged: the next `current` checks and heals before it answers."""
        self._has_damage = True
        self.refresh()

    def refresh(self) -> None:
        """Lets the next `current` open a new snapshot, whether or not something was committed."""
        self._seen_version = NEVER

    def close(self) -> None:
        """Closes the snapshot and what watches for commits."""
        if self._snapshot is not None:
            self._snapshot.close()
            self._snapshot = None
        self._store.open_snapshots = 0
        self._store.close_connection(self._watch)
        if not self._store.is_memory:
            self._store.commit_seqlock.close()

    def _version(self) -> int:
        """Returns a number that changes with every commit, by whichever process."""
        if self._store.is_memory:
            return self._watch.counter("generation")
        # Asked before every search: first what costs least.
        mark = self._store.commit_seqlock.read()
        known = self._known_version
        if mark is not None and mark == known[0]:
            return known[1]
        version = self._watch.data_version()
        self._known_version = mark, version
        return version

    def _refresh(self, version: int) -> None:
        snapshot = self._open()
        if self._needs_healing(snapshot):
            snapshot.close()
            heal_segments(self._store, self._analyzers, self._open_writer)
            version = self._version()
            snapshot = self._open()
        LOG.debug("opened generation %d: %d segments", snapshot.generation, len(snapshot.segments))
        # The snapshot before is not closed here: another thread may still be answering from it.
        self._snapshot = snapshot
        self._seen_version = version
        self._store.open_snapshots = 1

    def _open(self) -> Snapshot:
        known = self._snapshot.segments if self._snapshot else ()
        catalog = self._store.open_reader()
        with catalog.lock:  # in memory, a commit by another thread must not come between
            is_own = not self._store.is_memory
            return open_snapshot(catalog, self._store.directory, known, owns_catalog=is_own)

    def _needs_healing(self, snapshot: Snapshot) -> bool:
        """Compares new segments with their checksums: few bytes at once, many in the background."""
        if snapshot.problems or self._has_damage:
            self._has_damage = False
            return True
        known = {id(one.reader) for one in self._snapshot.segments} if self._snapshot else set()
        new = [one.reader for one in snapshot.segments if id(one.reader) not in known]
        if sum(reader.disk_bytes for reader in new) <= CHECK_ON_OPEN_BYTES:
            return not all(reader.is_intact() for reader in new)
        threading.Thread(target=self._check_later, args=(new,), daemon=True).start()
        return False

    def _check_later(self, readers: Sequence[SegmentReader]) -> None:
        if not all(reader.is_intact() for reader in readers):
            self.note_damage()
