"""The segments of vectors that a generation names.

A larger `generation` is younger: of two vectors of one sort, the younger counts.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from dowse.storage.catalog import Catalog
from dowse.storage.catalog_parts import CatalogView
from dowse.storage.directory import Directory
from dowse.storage.folder_sweeping import sweep_folders

if TYPE_CHECKING:
    from dowse.storage.vectors import WrittenVectors


class VectorSegmentRow(NamedTuple):
    """A segment of vectors as the catalogue names it.

    Attributes:
        checksum: Of its manifest.
        generation: The one that added its newest vector.
    """

    folder: str
    model_id: int
    checksum: int
    rows: int
    disk_bytes: int
    generation: int


_COLUMNS = "folder, model_id, checksum, rows, disk_bytes, generation"


def list_vector_segments(catalog: Catalog, model_id: int | None = None) -> list[VectorSegmentRow]:
    """Returns the segments of vectors of one model, or of all, oldest first."""
    sql = (
        f"SELECT {_COLUMNS} FROM vector_segments WHERE ?1 IS NULL OR model_id = ?1"
        " ORDER BY generation, folder"
    )
    return [VectorSegmentRow(*row) for row in catalog.fetch(sql, (model_id,))]


def find_vector_segment(catalog: Catalog, folder: str) -> VectorSegmentRow | None:
    """Returns a segment of vectors by its folder; None when the generation does not name it."""
    row = catalog.fetch_one(f"SELECT {_COLUMNS} FROM vector_segments WHERE folder = ?", (folder,))
    return None if row is None else VectorSegmentRow(*row)


def has_vectors(view: CatalogView) -> bool:
    """Says whether any model has made vectors for this index."""
    sql = "SELECT 1 FROM vector_segments LIMIT 1"
    return any(part.catalog.fetch_one(sql) is not None for part in view.parts)


def list_names_with_vectors(view: CatalogView) -> list[str]:
    """Returns the names of the models that have made vectors for this index."""
    sql = "SELECT DISTINCT m.name FROM models m JOIN vector_segments v ON v.model_id = m.model_id"
    return list(dict.fromkeys(row[0] for part in view.parts for row in part.catalog.fetch(sql)))


def list_vector_folders(catalog: Catalog) -> set[str]:
    """Returns the folders of all segments of vectors that the catalogue names."""
    return {row.folder for row in list_vector_segments(catalog)}


def next_vector_folder(catalog: Catalog) -> str:
    """Returns the folder of the segment of vectors that the open transaction may write."""
    return f"v{catalog.counter('generation') + 1:08}"


def insert_vector_segment(
    catalog: Catalog, model_id: int, made: "WrittenVectors", generation: int | None = None
) -> None:
    """Names a written segment of vectors in the open transaction.

    Args:
        generation: In which its vectors were made; the open transaction's own when not given.
    """
    if generation is None:
        generation = catalog.counter("generation") + 1
    catalog.connection.execute(
        "INSERT INTO vector_segments VALUES (?, ?, ?, ?, ?, ?)",
        (made.folder, model_id, made.checksum, made.rows, made.disk_bytes, generation),
    )


def delete_vector_segments(catalog: Catalog, folders: Iterable[str]) -> None:
    """Takes segments of vectors out of the next generation; their files go with the next sweep."""
    rows = [(folder,) for folder in folders]
    catalog.connection.executemany("DELETE FROM vector_segments WHERE folder = ?", rows)


def sweep_vector_folders(catalog: Catalog, directory: Directory) -> None:
    """Removes folders of vectors that the catalogue does not name: left by a crash or by a merge."""
    sweep_folders(directory, list_vector_folders(catalog))
