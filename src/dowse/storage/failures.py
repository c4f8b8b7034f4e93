"""Turns what the operating system and SQLite say into errors that say who must act."""

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from dowse.errors import CorruptFileError, DiskFullError, ReadOnlyIndexError, StorageError

_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_NOT_WRITABLE = {errno.EACCES, errno.EPERM, errno.EROFS}
_DAMAGED = {"SQLITE_CORRUPT", "SQLITE_NOTADB"}


@contextmanager
def storage_failures(home: object) -> Iterator[None]:
    """Wraps an operation on an index home; lets every other exception through."""
    try:
        yield
    except OSError as error:
        if error.errno in _NO_ROOM:
            raise DiskFullError(home=home) from error
        if error.errno in _NOT_WRITABLE:
            raise ReadOnlyIndexError(home=home, reason=error.strerror) from error
        raise StorageError(home=home, reason=error.strerror or str(error)) from error
    except sqlite3.DatabaseError as error:
        name = getattr(error, "sqlite_errorname", "") or ""
        if name in ("SQLITE_FULL", "SQLITE_IOERR_SHMSIZE"):  # the latter: no room for shared memory
            raise DiskFullError(home=home) from error
        if name.startswith(("SQLITE_READONLY", "SQLITE_PERM", "SQLITE_CANTOPEN")):
            raise ReadOnlyIndexError(home=home, reason=str(error)) from error
        if any(name.startswith(damage) for damage in _DAMAGED):
            raise CorruptFileError(path=f"{home}/catalog.db", expectation=str(error)) from error
        if name:
            raise StorageError(home=home, reason=f"{error} ({name})") from error
        raise
