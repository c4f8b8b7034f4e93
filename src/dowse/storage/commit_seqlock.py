"""A seqlock beside the catalogue: it tells readers, in a microsecond, that nothing was committed.

SQLite's own number (`PRAGMA data_version`) is the truth, and costs a statement: a tenth of a search. This
number is odd while a commit is under way and even afterwards. A reader that finds the same even number as
when it last asked SQLite need not ask again: whatever became visible since would have made it odd first. A
writer that dies in between leaves it odd, and readers ask SQLite until the next commit.
"""

import os
from contextlib import suppress
from pathlib import Path

FILE_NAME = "commits"
SIZE = 8
_CAN_READ = hasattr(os, "pread")


class CommitSeqlock:
    """The seqlock of one index. One writer at a time, which holds the lock; readers in any thread.

    Args:
        home: The index's folder.
    """

    def __init__(self, home: Path) -> None:
        self._path = home / FILE_NAME
        self._file_number = -1

    def read(self) -> bytes | None:
        """Returns the mark; None while a commit is under way, and when there is no mark to read."""
        if self._file_number < 0 and not self._open():
            return None
        mark = os.pread(self._file_number, SIZE, 0)
        return mark if len(mark) == SIZE and not mark[0] & 1 else None

    def _open(self) -> bool:
        try:
            self._file_number = os.open(self._path, os.O_RDONLY) if _CAN_READ else -1
        except OSError:
            return False
        return _CAN_READ

    def begin(self) -> None:
        """Says that a commit is about to be made."""
        self._write((self._number() | 1) + 2)

    def end(self) -> None:
        """Says that it was. When that cannot be written the mark stays odd, and readers ask SQLite."""
        with suppress(OSError):
            self._write(self._number() + 1)

    def close(self) -> None:
        """Stops reading."""
        if self._file_number >= 0:
            os.close(self._file_number)
            self._file_number = -1

    def _number(self) -> int:
        try:
            mark = self._path.read_bytes()
        except FileNotFoundError:
            mark = b""
        # A new beginning may not repeat a number that a reader knows.
        return int.from_bytes(mark if len(mark) == SIZE else os.urandom(SIZE), "little")

    def _write(self, number: int) -> None:
        # In place: a reader has the file open. Nothing is synced, for after a power loss nobody has.
        mode = "r+b" if self._path.exists() else "xb"
        with self._path.open(mode, buffering=0) as file:
            file.write((number % (1 << 64)).to_bytes(SIZE, "little"))
