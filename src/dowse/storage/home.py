"""What all trees of a home share: the registry of trees and the cache of vectors, in one small database.

Nothing here is the only copy of anything. A tree's own catalogue says what the tree is, so the registry can
be made again from the folders; a vector that the cache has lost is embedded again. So a damaged `home.db` is
put aside and a new one takes its place, and a home that cannot be written to keeps its registry in memory.
"""

import sqlite3
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from dowse.storage.catalog import Row, decode_path, encode_path, start_log
from dowse.storage.failures import storage_failures
from dowse.storage.tree_entry import TreeEntry
from dowse.storage.vector_cache import VectorCache

FILE_NAME = "home.db"
HOME_VERSION = 1
BUSY_MS = 60_000
LOG_BYTES = 4 << 20
_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE trees (
    folder TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    root TEXT,
    identity TEXT NOT NULL,
    is_mounted INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE models (model_id INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL UNIQUE);
CREATE TABLE vectors (
    model_id INTEGER NOT NULL,
    text_hash BLOB NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY (model_id, text_hash)
) WITHOUT ROWID;
"""
_DAMAGED = ("SQLITE_CORRUPT", "SQLITE_NOTADB")
_NOT_WRITABLE = ("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")

Answer = TypeVar("Answer")


class Home:
    """An open `home.db`. Any thread may use it; each call is a transaction of its own.

    Args:
        path: The home's folder; None for a home in memory.
    """

    def __init__(self, path: Path | None) -> None:
        self._lock = threading.RLock()
        self._place = ":memory:" if path is None else path
        self._connection = _open(path)
        self.vectors = VectorCache(self)

    def transact(self, work: Callable[[sqlite3.Connection], Answer]) -> Answer:
        """Does some work in one transaction and returns what it returns."""
        with self._lock, storage_failures(self._place, FILE_NAME):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                answer = work(self._connection)
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
            return answer

    def fetch(self, sql: str, parameters: Sequence[object] = ()) -> list[Row]:
        """Runs a query and returns all rows."""
        with self._lock, storage_failures(self._place, FILE_NAME):
            return self._connection.execute(sql, parameters).fetchall()

    def list_trees(self) -> list[TreeEntry]:
        """Returns all trees that were registered, by name."""
        rows = self.fetch("SELECT folder, name, root, identity, is_mounted FROM trees ORDER BY name")
        return [
            TreeEntry(folder, name, None if root is None else decode_path(root), identity, bool(is_mounted))
            for folder, name, root, identity, is_mounted in rows
        ]

    def put_trees(self, entries: Iterable[TreeEntry], gone: Iterable[str] = ()) -> None:
        """Registers trees, or changes what is known of them; forgets those whose folders are gone."""
        rows = [
            (
                entry.folder,
                entry.name,
                None if entry.root is None else encode_path(entry.root),
                entry.identity,
                entry.is_mounted,
            )
            for entry in entries
        ]

        def put(connection: sqlite3.Connection) -> None:
            connection.executemany("DELETE FROM trees WHERE folder = ?", [(folder,) for folder in gone])
            # Replaces as well what had the name: its folder is gone, or another process was first.
            connection.executemany("INSERT OR REPLACE INTO trees VALUES (?, ?, ?, ?, ?)", rows)

        self.transact(put)

    def close(self) -> None:
        """Closes the connection; the last one to close folds the log."""
        with self._lock:
            self._connection.close()


def _open(path: Path | None) -> sqlite3.Connection:
    if path is None:
        return _connect(":memory:")
    file = path / FILE_NAME
    try:
        return _connect(str(file))
    except sqlite3.DatabaseError as error:
        name = getattr(error, "sqlite_errorname", "") or ""
        if name.startswith(_NOT_WRITABLE):
            return _copy_in_memory(file)
        if not name.startswith(_DAMAGED):
            raise
    _put_aside(file)
    return _connect(str(file))


def _connect(database: str) -> sqlite3.Connection:
    connection = sqlite3.connect(database, isolation_level=None, check_same_thread=False)
    try:
        connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
        if database != ":memory:" and connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
            start_log(connection)
        # A cache and a registry that can be made again: after a power loss an older state does.
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(f"PRAGMA journal_size_limit = {LOG_BYTES}")
        _create_schema(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _create_schema(connection: sqlite3.Connection) -> None:
    sql = "SELECT 1 FROM sqlite_master WHERE name = 'meta'"
    if connection.execute(sql).fetchone() is not None:
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        if connection.execute(sql).fetchone() is None:
            for statement in _SCHEMA.split(";"):
                connection.execute(statement)
            connection.execute("INSERT INTO meta VALUES ('home_version', ?)", (HOME_VERSION,))
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _copy_in_memory(file: Path) -> sqlite3.Connection:
    """Returns a home in memory with the registry of one that cannot be written to; without its vectors."""
    connection = _connect(":memory:")
    for more in ("", "&immutable=1"):  # the second where no log can be opened, and so nobody writes
        with suppress(sqlite3.Error):
            found = sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro{more}", uri=True)
            try:
                rows = found.execute("SELECT folder, name, root, identity, is_mounted FROM trees").fetchall()
            finally:
                found.close()
            connection.executemany("INSERT INTO trees VALUES (?, ?, ?, ?, ?)", rows)
            break
    return connection


def _put_aside(file: Path) -> None:
    """Renames a damaged database; what it knew is found again, or made again."""
    file.replace(file.with_name(f"{FILE_NAME}.damaged"))
    for ending in ("-wal", "-shm"):
        file.with_name(FILE_NAME + ending).unlink(missing_ok=True)
