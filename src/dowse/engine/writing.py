"""The one way to write to a store: many threads, one writer, one pending transaction.

`step` is for texts that are pushed one by one. All threads share the transaction that the first step begins,
and whichever commits makes the changes of all of them true, as Lucene's `IndexWriter` does.

`transaction` is for everything that commits by itself, such as bringing a folder up to date. It starts with
nothing pending, so it can neither commit nor roll back what somebody has pushed: it waits until other threads
have committed theirs, and refuses when the calling thread has not, since it would wait for itself.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from dowse.errors import IndexLockedError, UncommittedChangesError
from dowse.logs import Log
from dowse.storage.store import Store

if TYPE_CHECKING:
    from dowse.indexing import IndexWriter

THIS_THREAD, OTHER_THREAD = "this thread", "another thread of this program"


LOG = Log(__name__)


class Writing:
    """Owns the writer of a store; safe to use from any number of threads.

    Args:
        store: What is written to.
        lock_timeout_s: How long a change waits for other processes and other threads.
        prepare: Called before a writer is opened: what is damaged or of an older format must be healed first.
    """

    def __init__(self, store: Store, lock_timeout_s: float, prepare: Callable[[], object]) -> None:
        self._store, self._lock_timeout_s, self._prepare = store, lock_timeout_s, prepare
        self._turn = threading.Condition(threading.RLock())
        self._writer: IndexWriter | None = None
        self._pending_threads: set[int] = set()
        self._waiting = 0
        self._is_exclusive = False
        self._step = _Step(self)
        self.has_written = False
        self.epoch = 0
        """Rises whenever pending changes are committed or forgotten with their writer."""

    @property
    def has_pending(self) -> bool:
        """Whether any thread has changes that are not committed."""
        return bool(self._pending_threads)

    def step(self) -> "_Step":
        """Returns a context in which one change joins the pending transaction; it yields the writer."""
        return self._step

    def begin_step(self) -> "IndexWriter":
        """Takes the turn for one change and returns the writer; what `step` does when it is entered."""
        if self._writer is None:
            self._prepare()
        timeout_s, thread = self._lock_timeout_s, threading.get_ident()
        self._take_turn(timeout_s)
        try:
            # Whoever has nothing pending lets those go first who wait for nothing to be pending.
            if self._waiting and not self._turn.wait_for(
                lambda: not self._waiting or thread in self._pending_threads, timeout_s
            ):
                raise IndexLockedError(home=self._store.home, holder=OTHER_THREAD, waited_s=timeout_s)
            return self._writer or self._open(timeout_s, None)
        except BaseException:
            self._turn.release()
            raise

    def end_step(self) -> None:
        """Gives the turn to the next thread."""
        if self._writer is not None and self._writer.has_changes:
            self._pending_threads.add(threading.get_ident())
        self._turn.release()

    @contextmanager
    def transaction(
        self,
        on_wait: Callable[[str], None] | None = None,
        *,
        timeout_s: float | None = None,
        heals: bool = True,
    ) -> "Iterator[IndexWriter]":
        """Yields a writer with nothing pending; what its user has not committed at the end is forgotten.

        Args:
            on_wait: Called with a description of the other writer when waiting starts.
            timeout_s: How long to wait; as long as all changes do when not given.
            heals: Whether damage is healed first.

        Raises:
            UncommittedChangesError: The calling thread has changes pending, or another one keeps its own.
            IndexLockedError: Another process or thread is writing and does not finish in time.
        """
        timeout_s = self._lock_timeout_s if timeout_s is None else timeout_s
        if heals and self._writer is None:
            self._prepare()
        self._take_turn(timeout_s)
        try:
            self._wait_until_settled(timeout_s, on_wait)
            self._is_exclusive = True
            try:
                yield self._open(timeout_s, on_wait)
            finally:
                self._is_exclusive = False
                self._close()
        finally:
            self._turn.release()

    def commit(self) -> int | None:
        """Makes what all threads have pending true at once; returns the generation, None without a writer."""
        self._take_turn(self._lock_timeout_s)
        try:
            if self._writer is None:
                return None
            try:
                generation = self._writer.commit()
                self._writer.start_merge()
            except BaseException:
                self._close()
                raise
            self._settle()
            return generation
        finally:
            self._turn.release()

    def rollback(self) -> None:
        """Forgets what all threads have pending."""
        self._take_turn(self._lock_timeout_s)
        try:
            if self._writer is not None:
                self._writer.rollback()
                self._settle()
        finally:
            self._turn.release()

    def release(self) -> None:
        """Gives the lock back to other processes, once nothing is pending; raises as `transaction` does."""
        self._take_turn(self._lock_timeout_s)
        try:
            self._wait_until_settled(self._lock_timeout_s, None)
            self._close()
        finally:
            self._turn.release()

    def close(self) -> None:
        """Forgets what is pending and gives the lock back."""
        with self._turn:
            self._close()

    # All below with the turn taken ---------------------------------------------------------------

    def _take_turn(self, timeout_s: float) -> None:
        if not self._turn.acquire(timeout=timeout_s):
            raise IndexLockedError(home=self._store.home, holder=OTHER_THREAD, waited_s=timeout_s)
        if self._is_exclusive:  # only this thread can be here: a listener that changes what it listens to
            self._turn.release()
            raise IndexLockedError(home=self._store.home, holder=THIS_THREAD, waited_s=0)

    def _wait_until_settled(self, timeout_s: float, on_wait: Callable[[str], None] | None) -> None:
        if threading.get_ident() in self._pending_threads:
            raise UncommittedChangesError(home=self._store.home)
        if not self._pending_threads:
            return
        LOG.debug("waiting until other threads have committed")
        if on_wait is not None:
            on_wait(OTHER_THREAD)
        self._waiting += 1
        try:
            if not self._turn.wait_for(lambda: not self._pending_threads, timeout_s):
                raise UncommittedChangesError(home=self._store.home)
        finally:
            self._waiting -= 1
            self._turn.notify_all()

    def _open(self, timeout_s: float, on_wait: Callable[[str], None] | None) -> "IndexWriter":
        if self._writer is None:
            from dowse.indexing import IndexWriter  # late: most searches change nothing

            self.has_written = True
            self._writer = IndexWriter(self._store, lock_timeout_s=timeout_s, on_wait=on_wait)
        return self._writer

    def _close(self) -> None:
        writer, self._writer = self._writer, None
        self._settle()
        if writer is not None:
            writer.close()

    def _settle(self) -> None:
        self.epoch += 1
        self._pending_threads.clear()
        self._turn.notify_all()


class _Step:
    """One change of the pending transaction. A class, not a generator: it surrounds every text pushed."""

    __slots__ = ("_writing",)

    def __init__(self, writing: Writing) -> None:
        self._writing = writing

    def __enter__(self) -> "IndexWriter":
        return self._writing.begin_step()

    def __exit__(self, *_: object) -> None:
        self._writing.end_step()
