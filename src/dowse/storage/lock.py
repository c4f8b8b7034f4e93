"""One writer at a time, across processes, by a lock that a dead process cannot hold.

The operating system releases a file lock when its process ends, however it ends, so there is no stale lock
to clean up. What the file says (process id, since when) is for messages only.
"""

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from dowse.errors import IndexLockedError

POLL_S = 0.05


class HeldLock(Protocol):
    """The right to write to one index, held until it is released."""

    def release(self) -> None:
        """Gives the right back."""


class MemoryLock:
    """The right to write to an index in memory, which only threads of one process compete for."""

    def __init__(self) -> None:
        self._lock = threading.Lock()

    def acquire(self, timeout_s: float, on_wait: Callable[[str], None] | None = None) -> None:
        """Takes the lock; see `WriterLock.acquire`."""
        if self._lock.acquire(blocking=False):
            return
        if on_wait is not None and timeout_s > 0:
            on_wait("another thread")
        if not self._lock.acquire(timeout=timeout_s):
            raise IndexLockedError(home="memory", holder="another thread", waited_s=timeout_s)

    def release(self) -> None:
        """Gives the lock back."""
        self._lock.release()


class WriterLock:
    """The right to write to one index home."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._path = home / "lock"
        self._descriptor: int | None = None

    def acquire(self, timeout_s: float, on_wait: Callable[[str], None] | None = None) -> None:
        """Takes the lock, waiting its turn.

        Args:
            timeout_s: How long to wait; 0 tries once.
            on_wait: Called once, with the holder's description, when waiting starts.

        Raises:
            IndexLockedError: The holder did not finish in time.
        """
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
        start = time.monotonic()
        has_told = False
        try:
            while not _try_lock(descriptor):
                waited = time.monotonic() - start
                if waited >= timeout_s:
                    raise IndexLockedError(
                        home=self._home, holder=self._holder(), waited_s=waited
                    )
                if not has_told and on_wait is not None:
                    on_wait(self._holder())
                has_told = True
                time.sleep(min(POLL_S, timeout_s - waited))
            os.ftruncate(descriptor, 0)
            os.lseek(descriptor, 0, os.SEEK_SET)
            os.write(descriptor, f"process {os.getpid()}".encode())
        except BaseException:
            os.close(descriptor)  # a full disk, too, must not leave the lock held
            raise
        self._descriptor = descriptor

    def release(self) -> None:
        """Gives the lock back; no error when it is not held."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _holder(self) -> str:
        try:
            return self._path.read_text(encoding="utf-8").strip() or "another process"
        except OSError:
            return "another process"


def _try_lock(descriptor: int) -> bool:
    if os.name == "nt":
        import msvcrt

        try:
            # A byte far beyond the text, so that other processes can still read who holds it.
            os.lseek(descriptor, 1 << 20, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        except OSError:
            return False
        return True
    import fcntl

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
