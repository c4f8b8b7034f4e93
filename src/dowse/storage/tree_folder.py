"""What the folder of a tree says about the tree, without opening it for anything else."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dowse.errors import DowseError
from dowse.storage.catalog import Catalog, decode_path, open_read_only_catalog

SAMPLE_FILES = 64


def find_name_and_root(folder: Path) -> tuple[str, str | None] | None:
    """Returns name and root of the tree in a folder; None when there is no tree, or none that can be read."""
    with _open(folder) as catalog:
        row = None if catalog is None else catalog.fetch_one("SELECT name, root FROM trees")
    return None if row is None else (row[0], None if row[1] is None else decode_path(row[1]))


def has_files_of(folder: Path, root: Path) -> bool:
    """Says whether a file of the tree in a folder lies below a root as it was when it was read last."""
    sql = (
        "SELECT file, file_size, mtime_ns FROM documents WHERE is_live AND file IS NOT NULL"
        f" LIMIT {SAMPLE_FILES}"
    )
    with _open(folder) as catalog:
        rows = [] if catalog is None else catalog.fetch(sql)
    return any(_is_same(os.path.join(root, decode_path(file)), size, mtime) for file, size, mtime in rows)  # noqa: PTH118


def _is_same(path: str, size: int, mtime_ns: int) -> bool:
    try:
        status = os.stat(path)  # noqa: PTH116 - some dozens, when a folder has moved
    except OSError:
        return False
    return (size, mtime_ns) == (status.st_size, status.st_mtime_ns)


@contextmanager
def _open(folder: Path) -> Iterator[Catalog | None]:
    try:
        catalog = open_read_only_catalog(folder)
    except (DowseError, sqlite3.Error):
        yield None
        return
    try:
        yield catalog
    except sqlite3.Error:
        return
    finally:
        catalog.close()
