"""Several who make the same catalogue at the same moment."""

import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from dowse.storage import catalog
from dowse.storage.catalog import open_catalog


class SentAway(sqlite3.Connection):
    """A connection that SQLite sends away some times, as it does when two wait for each other."""

    times = 2
    name = "SQLITE_BUSY"

    def execute(self, sql, *parameters):
        """Runs a statement, except for the first tries to switch to a log."""
        if "journal_mode" in sql and self.times:
            self.times -= 1
            error = sqlite3.OperationalError("database is locked")
            error.sqlite_errorname = self.name
            raise error
        return super().execute(sql, *parameters)


def connect(kind: type[sqlite3.Connection], path: Path) -> sqlite3.Connection:
    """Opens a database with connections of a kind."""
    return sqlite3.connect(path / "catalog.db", isolation_level=None, factory=kind)


def test_who_is_sent_away_tries_again(tmp_path):
    """The switch is made in the end."""
    connection = connect(SentAway, tmp_path)
    catalog.start_log(connection)
    assert ("wal",) == connection.execute("PRAGMA journal_mode").fetchone()
    connection.close()


def test_nobody_tries_for_ever(tmp_path, monkeypatch):
    """After the time for making a catalogue the error is told."""
    monkeypatch.setattr(catalog, "MAKING_BUSY_MS", -1)
    connection = connect(SentAway, tmp_path)
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        catalog.start_log(connection)
    connection.close()


def test_other_errors_are_told_at_once(tmp_path):
    """A disk that fails does not get better by trying."""
    connection = connect(type("Failing", (SentAway,), {"name": "SQLITE_IOERR"}), tmp_path)
    with pytest.raises(sqlite3.OperationalError):
        catalog.start_log(connection)
    assert 1 == connection.times
    connection.close()


def test_many_make_one_catalogue_together(tmp_path):
    """Six at a time, all at once; before, one in thirty rounds lost one of them."""
    with ThreadPoolExecutor(6) as threads:
        for number in range(30):
            home, together = tmp_path / str(number), threading.Barrier(6)
            home.mkdir()

            def make(_, home=home, together=together):
                together.wait()
                open_catalog(home, create=True).close()

            list(threads.map(make, range(6)))
