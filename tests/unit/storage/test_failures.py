"""What SQLite says about a full disk, told apart from a folder that cannot be written to."""

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from dowse.errors import ReadOnlyIndexError
from dowse.storage.failures import storage_failures

READ_ONLY_WRITE = """
import resource, sqlite3, sys
from pathlib import Path
from dowse.errors import DiskFullError
from dowse.storage.failures import storage_failures
home = Path(sys.argv[1])
database = sqlite3.connect(f"{(home / 'catalog.db').as_uri()}?mode=ro", uri=True)
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
try:
    with storage_failures(home):
        database.execute("INSERT INTO t VALUES (1)")
except DiskFullError:
    print("full")
"""


def make_database(home: Path) -> str:
    """Makes a database with one table; returns its address for reading only."""
    with sqlite3.connect(home / "catalog.db") as database:
        database.execute("CREATE TABLE t (a)")
    database.close()
    return f"{(home / 'catalog.db').as_uri()}?mode=ro"


def test_a_read_only_database_is_called_so(tmp_path: Path) -> None:
    """A refused write in a folder with room is a matter of permissions."""
    database = sqlite3.connect(make_database(tmp_path), uri=True)
    with pytest.raises(ReadOnlyIndexError), storage_failures(tmp_path):
        database.execute("INSERT INTO t VALUES (1)")
    database.close()


def test_a_full_disk_that_sqlite_calls_read_only_is_called_full(tmp_path: Path) -> None:
    """A refused write where no byte fits any more is a full disk, whatever SQLite calls it."""
    make_database(tmp_path)
    command = [sys.executable, "-c", READ_ONLY_WRITE, str(tmp_path)]
    assert "full\n" == subprocess.run(command, capture_output=True, text=True, check=True).stdout
