"""Turns what the operating system and SQLite say into errors that say who must act."""

import errno
import sqlite3
from pathlib import Path

from dowse.errors import (
    CorruptFileError,
    DiskFullError,
    DowseError,
    ReadOnlyIndexError,
    StorageError,
)

_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_NOT_WRITABLE = {errno.EACCES, errno.EPERM, errno.EROFS}
_DAMAGED = {"SQLITE_CORRUPT", "SQLITE_NOTADB"}


class storage_failures:  # noqa: N801 - reads as the function it stands for
    """Wraps an operation on an index home; lets every other exception through.

    A class rather than a generator: it surrounds every document that is added.
    """

    __slots__ = ("_database", "_home")

    def __init__(self, home: object, database: str = "catalog.db") -> None:
        self._home, self._database = home, database

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if isinstance(error, OSError):
            raise _system_failure(self._home, error) from error
        if isinstance(error, sqlite3.DatabaseError):
            found = _database_failure(self._home, self._database, error)
            if found is not None:
                raise found from error


def _system_failure(home: object, error: OSError) -> DowseError:
    if error.errno in _NO_ROOM:
        return DiskFullError(home=home)
    if error.errno in _NOT_WRITABLE:
        return ReadOnlyIndexError(home=home, reason=error.strerror)
    return StorageError(home=home, reason=error.strerror or str(error))


def _database_failure(home: object, database: str, error: sqlite3.DatabaseError) -> DowseError | None:
    name = getattr(error, "sqlite_errorname", "") or ""
    if name in ("SQLITE_FULL", "SQLITE_IOERR_SHMSIZE"):  # the latter: no room for shared memory
        return DiskFullError(home=home)
    if name.startswith(("SQLITE_READONLY", "SQLITE_PERM", "SQLITE_CANTOPEN")):
        return _refusal_to_write(home) or ReadOnlyIndexError(home=home, reason=str(error))
    if any(name.startswith(damage) for damage in _DAMAGED):
        return CorruptFileError(path=f"{home}/{database}", expectation=str(error))
    return StorageError(home=home, reason=f"{error} ({name})") if name else None


def _refusal_to_write(home: object) -> DowseError | None:
    """What the operating system says to a byte written there.

    SQLite calls a database read-only as well when a full disk kept it from making the files beside it.
    """
    import tempfile  # late: few searches fail, and each would wait for it

    try:
        with tempfile.TemporaryFile(dir=Path(str(home))) as file:
            file.write(b"\0")
    except OSError as error:
        return _system_failure(home, error)
    return None
