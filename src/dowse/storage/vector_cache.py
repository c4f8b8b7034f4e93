"""The vectors that models made, by the hash of the text: no text is embedded twice, whichever tree has it."""

import sqlite3
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Protocol, TypeVar

import numpy as np

from dowse.kernels.layout import F32
from dowse.storage.catalog import Row

AT_ONCE = 512
"""Hashes in one statement; SQLite's own limit is some thousands."""

Answer = TypeVar("Answer")


class Database(Protocol):
    """Where vectors are kept."""

    def fetch(self, sql: str, parameters: Sequence[object] = ()) -> list[Row]:
        """Runs a query and returns all rows."""
        ...

    def transact(self, work: Callable[[sqlite3.Connection], Answer]) -> Answer:
        """Does some work in one transaction and returns what it returns."""
        ...


class VectorCache:
    """The cache of one home, shared by all its trees.

    Vectors are kept as 16-bit numbers: `rounded` returns what `find` would, so that a vector is the same
    whether it was just made or was in the cache.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def has_any(self, fingerprint: str) -> bool:
        """Says whether there is a vector by a model."""
        sql = "SELECT 1 FROM vectors JOIN models USING (model_id) WHERE fingerprint = ? LIMIT 1"
        return bool(self._database.fetch(sql, (fingerprint,)))

    def find(self, fingerprint: str, hashes: Collection[bytes]) -> dict[bytes, F32]:
        """Returns the vectors that a model made of texts, by hash; texts it has not read are left out."""
        wanted, found = list(set(hashes)), dict[bytes, F32]()
        for start in range(0, len(wanted), AT_ONCE):
            few = wanted[start : start + AT_ONCE]
            places = ",".join("?" * len(few))
            sql = (
                "SELECT text_hash, vector FROM vectors JOIN models USING (model_id)"
                f" WHERE fingerprint = ? AND text_hash IN ({places})"
            )
            for text_hash, vector in self._database.fetch(sql, (fingerprint, *few)):
                found[bytes(text_hash)] = np.frombuffer(vector, np.float16).astype(np.float32)
        return found

    def add(self, fingerprint: str, vectors: Iterable[tuple[bytes, F32]]) -> None:
        """Keeps the vectors that a model made, by the hash of each text."""
        rows = [(text_hash, vector.astype(np.float16).tobytes()) for text_hash, vector in vectors]

        def add(connection: sqlite3.Connection) -> None:
            connection.execute("INSERT OR IGNORE INTO models (fingerprint) VALUES (?)", (fingerprint,))
            model_id = _find_model(connection, fingerprint)
            connection.executemany(
                "INSERT OR IGNORE INTO vectors VALUES (?, ?, ?)", [(model_id, *row) for row in rows]
            )

        if rows:
            self._database.transact(add)

    def keep_only(self, hashes: Collection[bytes]) -> int:
        """Forgets the vectors of all other texts; returns how many those were."""

        def keep(connection: sqlite3.Connection) -> int:
            known = connection.execute("SELECT model_id, text_hash FROM vectors").fetchall()
            gone = [row for row in known if bytes(row[1]) not in hashes]
            connection.executemany("DELETE FROM vectors WHERE model_id = ? AND text_hash = ?", gone)
            return len(gone)

        return self._database.transact(keep)

    def forget_model(self, fingerprint: str) -> None:
        """Forgets all vectors of a model."""

        def forget(connection: sqlite3.Connection) -> None:
            model_id = _find_model(connection, fingerprint)
            connection.execute("DELETE FROM vectors WHERE model_id = ?", (model_id,))
            connection.execute("DELETE FROM models WHERE model_id = ?", (model_id,))

        self._database.transact(forget)


def rounded(vectors: F32) -> F32:
    """Returns vectors as the cache would give them back."""
    kept: F32 = vectors.astype(np.float16).astype(np.float32)
    return kept


def _find_model(connection: sqlite3.Connection, fingerprint: str) -> int | None:
    row = connection.execute("SELECT model_id FROM models WHERE fingerprint = ?", (fingerprint,)).fetchone()
    return None if row is None else int(row[0])
