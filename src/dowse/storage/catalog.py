"""The catalogue: one SQLite database that holds what is true about an index.

On disk every `Catalog` is a connection of its own, in write-ahead mode: a reader's transaction sees one
committed state for as long as it lasts, and never blocks the writer. In memory there is one connection
that all share under a lock, and dead rows stay until nobody reads them (`purge_dead`).
"""

import os
import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from dowse.errors import CorruptFileError, IndexNotFoundError, UnsupportedFormatError
from dowse.storage.catalog_parts import CatalogPart
from dowse.storage.catalog_schema import CATALOG_VERSION, COUNTERS, SCHEMA, UPGRADES
from dowse.storage.text_codec import add_text_function
from dowse.storage.tree_entry import TreeEntry

Row = tuple[Any, ...]
FILE_NAME = "catalog.db"
PAGE_BYTES = 8192
BUSY_MS = 60_000
MAKING_BUSY_MS = 10_000
LOG_BYTES = 16 << 20
# What SQLite says of any exception in a function of ours; the only one is `text_part`.
_FUNCTION_FAILED = "user-defined function raised exception"
IS_SERIALIZED = sqlite3.threadsafety == 3
"""Whether SQLite lets threads share a connection; it does unless it was built in an unusual way."""


class Catalog:
    """One connection to the catalogue of the index at `home`.

    Args:
        is_shared: Whether readers and the writer share this connection: in memory.

    Attributes:
        tree: What its home knows of the tree; None outside of a home.
    """

    def __init__(self, connection: sqlite3.Connection, home: str, *, is_shared: bool = False) -> None:
        self.connection, self.home, self.is_shared = connection, home, is_shared
        self.tree: TreeEntry | None = None
        self.lock = threading.RLock()

    @property
    def parts(self) -> tuple[CatalogPart, ...]:
        """This catalogue alone; see `CatalogView`."""
        return (CatalogPart(self),)

    def fetch(self, sql: str, parameters: Sequence[object] = ()) -> list[Row]:
        """Runs a query and returns all rows.

        Raises:
            CorruptFileError: A stored text is damaged.
        """
        with self.lock:
            try:
                return self.connection.execute(sql, parameters).fetchall()
            except sqlite3.OperationalError as error:
                raise self._named(error) from error

    def fetch_one(self, sql: str, parameters: Sequence[object] = ()) -> Row | None:
        """Runs a query and returns the first row, or None.

        Raises:
            CorruptFileError: A stored text is damaged.
        """
        with self.lock:
            try:
                row: Row | None = self.connection.execute(sql, parameters).fetchone()
            except sqlite3.OperationalError as error:
                raise self._named(error) from error
        return row

    def _named(self, error: sqlite3.OperationalError) -> Exception:
        """Returns what an error of SQLite is: damage where our own function failed, which decodes texts."""
        if str(error) != _FUNCTION_FAILED:
            return error
        return CorruptFileError(
            path=f"{self.home}/catalog.db", expectation="a stored text cannot be decompressed"
        )

    def iter_rows(self, sql: str, parameters: Sequence[object] = ()) -> Iterator[Row]:
        """Yields rows one by one, for results that should not be held in memory whole."""
        return iter(self.connection.execute(sql, parameters))

    def counter(self, key: str) -> int:
        """Returns one of the counters in `meta`."""
        row = self.fetch_one("SELECT value FROM meta WHERE key = ?", (key,))
        assert row is not None, f"the catalogue has no counter {key}"
        return int(row[0])

    def set_counters(self, counters: Mapping[str, int]) -> None:
        """Stores counters of `meta`, in the open transaction."""
        rows = [(value, key) for key, value in counters.items()]
        self.connection.executemany("UPDATE meta SET value = ? WHERE key = ?", rows)

    def begin_reading(self) -> None:
        """Begins a transaction that sees the newest generation for as long as it lasts.

        The connection that an index in memory shares has none: its readers see what the writer does.
        """
        if self.is_shared:
            return
        if self.connection.in_transaction:
            self.connection.execute("ROLLBACK")
        self.connection.execute("BEGIN")

    def data_version(self) -> int:
        """Returns a number that changes when another connection has committed."""
        row = self.fetch_one("PRAGMA data_version")
        assert row is not None, "SQLite has a data version"
        return int(row[0])

    def copy_to(self, path: Path) -> None:
        """Writes the generation that this connection sees into a database of its own, without a log."""
        copy = sqlite3.connect(path)
        try:
            with self.lock:
                self.connection.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
        finally:
            copy.close()

    def encode_file(self, file: str) -> str | bytes:
        """Returns the path of a document's file as this catalogue keeps it; `resolve_file` reads it."""
        return encode_path(file if self.tree is None else self.tree.shorten(file))

    def resolve_file(self, value: str | bytes | None) -> str | None:
        """Returns the path of a document's file; None for a pushed text, and where the folder is not."""
        if value is None or self.tree is None:
            return None if value is None else decode_path(value)
        return self.tree.resolve(decode_path(value))

    def close(self) -> None:
        """Closes the connection."""
        self.connection.close()


def encode_path(path: str) -> str | bytes:
    """Returns a file path as SQLite can keep it: text, or bytes when the name is not UTF-8."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return os.fsencode(path)
    return path


def decode_path(value: str | bytes) -> str:
    """Reads what `encode_path` made."""
    return os.fsdecode(value)


def open_memory_catalog() -> Catalog:
    """Opens a new, empty catalogue in memory."""
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    add_text_function(connection)
    _create_schema(connection)
    return Catalog(connection, ":memory:", is_shared=True)


def open_catalog(home: Path, *, create: bool = False) -> Catalog:
    """Opens the catalogue for reading and writing.

    Raises:
        IndexNotFoundError: There is none, and `create` is False.
        UnsupportedFormatError: It was written by another version.
    """
    path = home / FILE_NAME
    if not create and not path.exists():
        raise IndexNotFoundError(home=home)
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    try:
        add_text_function(connection)
        # Others who make the same index are soon done; who reads it, made badly, may never be.
        connection.execute(f"PRAGMA busy_timeout = {MAKING_BUSY_MS}")
        connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")
        start_log(connection)
        connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA cache_size = -16384")
        # The writer moves the log into the database between transactions (`Store.checkpoint`).
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        connection.execute(f"PRAGMA journal_size_limit = {LOG_BYTES}")
        _create_schema(connection)
        _upgrade(connection)
        _check_version(connection, home)
    except BaseException:
        connection.close()
        raise
    return Catalog(connection, str(home))


def start_log(connection: sqlite3.Connection) -> None:
    """Switches to a write-ahead log.

    Two who do so at the same moment may each wait for the other. SQLite then sends one of them away at once,
    whatever its patience; it is soon let in.

    The answer comes before the change is written: only who reads to the end hears that it could not be.
    """
    stop = time.monotonic() + MAKING_BUSY_MS / 1e3
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL").fetchall()
        except sqlite3.OperationalError as error:
            if not error.sqlite_errorname.startswith("SQLITE_BUSY") or time.monotonic() > stop:
                raise
            time.sleep(0.01)
        else:
            return


def open_read_only_catalog(home: Path) -> Catalog:
    """Opens the catalogue for reading; works in a folder that cannot be written to as well."""
    path = home / FILE_NAME
    if not path.exists():
        raise IndexNotFoundError(home=home)
    uri = path.resolve().as_uri()
    try:
        connection = _connect_read_only(f"{uri}?mode=ro")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorname == "SQLITE_READONLY_ROLLBACK":
            # Only a catalogue in the making has a journal of this kind: somebody died making it.
            raise IndexNotFoundError(home=home) from error
        # A write-ahead log needs a shared-memory file beside the database. Where none can be made
        # nobody can be writing either, so the database may be read as it is, unless it is not all:
        # without its log it would be an older generation.
        log = path.with_name(f"{FILE_NAME}-wal")
        if os.access(home, os.W_OK) or (log.exists() and log.stat().st_size):
            raise
        connection = _connect_read_only(f"{uri}?mode=ro&immutable=1")
    try:
        if _version(connection) in UPGRADES:
            # What an older Dowse wrote is brought up to date once, by whoever comes first.
            open_catalog(home).close()
        _check_version(connection, home)
    except BaseException:
        connection.close()
        raise
    return Catalog(connection, str(home))


def _connect_read_only(uri: str) -> sqlite3.Connection:
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)
    try:
        add_text_function(connection)
        connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection


def _create_schema(connection: sqlite3.Connection) -> None:
    """Makes the tables in one transaction, unless another process was first."""
    if _has_schema(connection):
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        if not _has_schema(connection):
            for statement in SCHEMA.split(";"):
                connection.execute(statement)
            connection.executemany("INSERT INTO meta VALUES (?, ?)", COUNTERS.items())
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _upgrade(connection: sqlite3.Connection) -> None:
    """Makes a catalogue of an older version one of this, in one transaction."""
    if _version(connection) not in UPGRADES:
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        while (version := _version(connection)) in UPGRADES:
            for statement in UPGRADES[version].split(";"):
                connection.execute(statement)
            sql = "UPDATE meta SET value = ? WHERE key = 'catalog_version'"
            connection.execute(sql, (version + 1,))
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _version(connection: sqlite3.Connection) -> int:
    """Returns the catalogue's version; 0 when there is no telling."""
    if not _has_schema(connection):
        return 0
    row = connection.execute("SELECT value FROM meta WHERE key = 'catalog_version'").fetchone()
    return int(row[0]) if row else 0


def _has_schema(connection: sqlite3.Connection) -> bool:
    sql = "SELECT 1 FROM sqlite_master WHERE name = 'meta'"
    return connection.execute(sql).fetchone() is not None


def _check_version(connection: sqlite3.Connection, home: Path) -> None:
    if not _has_schema(connection):
        raise IndexNotFoundError(home=home)
    found = _version(connection)
    if found != CATALOG_VERSION:
        raise UnsupportedFormatError(home=home, found=found or "unknown", supported=CATALOG_VERSION)
