"""The segments that a generation names, with the deletions in each: rows of the tables of segments."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dowse.kernels.layout import U8
from dowse.storage.catalog import Catalog

if TYPE_CHECKING:
    from dowse.storage.segment_writer import WrittenSegment


class SegmentRow(NamedTuple):
    """A segment as the catalogue names it.

    Attributes:
        checksum: Of its manifest.
        first_key: The smallest key among its chunks.
        deleted: One bit per row, packed; None when nothing is deleted.
    """

    folder: str
    checksum: int
    rows: int
    terms: int
    disk_bytes: int
    first_key: int
    last_key: int
    deleted: bytes | None

    @property
    def deleted_marks(self) -> U8:
        """One byte per row, 1 for a deleted one."""
        return unpack_deleted(self.deleted, self.rows)


_COLUMNS = "folder, checksum, rows, terms, disk_bytes, first_key, last_key, deleted"


def list_segments(catalog: Catalog) -> list[SegmentRow]:
    """Returns the segments of a generation, by first key."""
    rows = catalog.fetch(f"SELECT {_COLUMNS} FROM segments ORDER BY first_key")
    return [SegmentRow(*row) for row in rows]


def find_segment(catalog: Catalog, folder: str) -> SegmentRow | None:
    """Returns a segment by its folder; None when the generation does not name it."""
    row = catalog.fetch_one(f"SELECT {_COLUMNS} FROM segments WHERE folder = ?", (folder,))
    return None if row is None else SegmentRow(*row)


def insert_segment(catalog: Catalog, segment: "WrittenSegment", deleted: U8 | None) -> None:
    """Names a written segment in the open transaction."""
    catalog.connection.execute(
        "INSERT INTO segments VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            segment.folder,
            segment.checksum,
            segment.manifest.rows,
            segment.manifest.terms,
            segment.disk_bytes,
            segment.first_key,
            segment.last_key,
            None if deleted is None else pack_deleted(deleted),
        ),
    )


def set_deleted(catalog: Catalog, folder: str, marks: U8) -> None:
    """Stores which rows of a segment are deleted."""
    sql = "UPDATE segments SET deleted = ? WHERE folder = ?"
    catalog.connection.execute(sql, (pack_deleted(marks), folder))


def drop_segments(catalog: Catalog, folders: Iterable[str]) -> None:
    """Takes segments out of the next generation; their files go after the commit."""
    rows = [(folder,) for folder in folders]
    catalog.connection.executemany("DELETE FROM segments WHERE folder = ?", rows)


def unpack_deleted(deleted: bytes | None, rows: int) -> U8:
    """Returns one byte per row, 1 for a deleted one."""
    if deleted is None:
        return np.zeros(rows, np.uint8)
    return np.unpackbits(np.frombuffer(deleted, np.uint8), count=rows)


def pack_deleted(marks: U8) -> bytes | None:
    """Packs one byte per row into one bit per row; None when nothing is deleted."""
    return np.packbits(marks).tobytes() if marks.any() else None
