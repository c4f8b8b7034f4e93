"""One generation, open for reading: its segments, what is deleted in them, and their statistics.

Statistics count live chunks only, so a chunk's score depends on what the index holds, never on how it got
there: many small commits, deletions and merges rank exactly as one fresh index would (S10).
"""

import weakref
from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from dowse.errors import CorruptFileError, UnknownTreeError
from dowse.kernels.layout import F64, U8
from dowse.schema import FIELD_COUNT, Problem
from dowse.storage.catalog import Catalog
from dowse.storage.catalog_parts import CatalogPart
from dowse.storage.directory import Directory
from dowse.storage.segment_reader import SegmentReader
from dowse.storage.stored_segments import list_segments, unpack_deleted
from dowse.storage.stored_trees import Tree, list_trees
from dowse.storage.touched_files import FileTimes, TouchedFiles

OPEN_ATTEMPTS = 5


class LiveSegment(Struct, frozen=True):
    """A segment as one generation sees it.

    Attributes:
        live: One byte a row, 0 for a deleted one; None when nothing is deleted.
        file_times: When the files of its documents were changed.
    """

    reader: SegmentReader
    live: U8 | None
    deleted_count: int
    file_times: FileTimes

    def allowed(self, documents: U8 | None) -> U8 | None:
        """Combines deletions with a filter's mask.

        Returns:
            One byte per row, 0 for rows that must not appear; None when every row may.
        """
        if self.live is None:
            return documents
        return self.live if documents is None else self.live & documents


def _as_known(catalog: Catalog, tree: Tree) -> Tree:
    """Returns a tree as its home knows it: its folder may have moved, and a copy has another name."""
    entry = catalog.tree
    return tree if entry is None else replace(tree, name=entry.name, root=entry.root)


class Snapshot(Struct, weakref=True):
    """An open generation. Not changed after it is built.

    Closed by `close`, or when nobody holds it any more: threads that search while another one opens the
    next generation finish on theirs (S9).

    Attributes:
        doc_count: Live chunks: N in every formula.
        avg_lengths: Per field, the mean length over the live chunks in which it is not empty.
        total_lengths: Per field, the lengths of all live chunks added up.
        problems: Segments that could not be opened; their chunks are missing from every answer.
    """

    catalog: Catalog
    generation: int
    segments: tuple[LiveSegment, ...]
    trees: dict[int, Tree]
    doc_count: int
    avg_lengths: F64
    total_lengths: F64
    problems: tuple[Problem, ...] = ()
    owns_catalog: bool = True
    _is_closed: bool = False

    @property
    def parts(self) -> tuple[CatalogPart, ...]:
        """The catalogues that named queries ask; see `CatalogView`."""
        return self.catalog.parts

    def get_tree(self, name: str) -> Tree:
        """Returns a tree by name.

        Raises:
            UnknownTreeError: There is none.
        """
        for tree in self.trees.values():
            if tree.name == name:
                return tree
        known = ", ".join(sorted(tree.name for tree in self.trees.values())) or "none yet"
        raise UnknownTreeError(name=name, known=known)

    def close(self) -> None:
        """Ends the read transaction; open arrays stay valid."""
        if not self._is_closed and self.owns_catalog:
            self.catalog.close()
        self._is_closed = True


def open_snapshot(
    catalog: Catalog,
    directory: Directory,
    known: Sequence[LiveSegment] = (),
    *,
    owns_catalog: bool = True,
) -> Snapshot:
    """Opens the newest generation.

    Args:
        catalog: A connection of the snapshot's own; it begins a read transaction on it.
        directory: Where the segments are.
        known: Segments of an older snapshot, reused when they are still live.
        owns_catalog: False for the shared connection of an index in memory.
    """
    readers = {segment.reader.folder: segment.reader for segment in known}
    suspects: set[str] = set()
    for _ in range(OPEN_ATTEMPTS):
        catalog.begin_reading()
        segments, problems = _open_segments(catalog, directory, readers)
        # A merge may have replaced and removed a segment between our reading its name and opening it;
        # then a new look names other segments. What fails twice is damaged.
        damaged = {problem.location for problem in problems}
        if damaged <= suspects:
            break
        suspects = damaged
    doc_count, avg_lengths, total_lengths = sum_statistics(segments)
    trees = {tree.tree_id: _as_known(catalog, tree) for tree in list_trees(catalog)}
    snapshot = Snapshot(
        catalog,
        catalog.counter("generation"),
        tuple(segments),
        trees,
        doc_count,
        avg_lengths,
        total_lengths,
        tuple(problems),
        owns_catalog,
    )
    if owns_catalog:
        weakref.finalize(snapshot, catalog.close)
    return snapshot


def _open_segments(
    catalog: Catalog, directory: Directory, readers: dict[str, SegmentReader]
) -> tuple[list[LiveSegment], list[Problem]]:
    segments, problems = [], []
    touched = TouchedFiles(catalog)
    for row in list_segments(catalog):
        try:
            reader = readers.get(row.folder) or SegmentReader(directory, row.folder, row.checksum)
            segments.append(_live_segment(reader, row.deleted, touched))
        except CorruptFileError as error:
            problems.append(damaged_segment(row.folder, row.rows, error))
    return segments, problems


def damaged_segment(folder: str, rows: int, error: CorruptFileError) -> Problem:
    """Describes a segment that cannot be used."""
    return Problem(
        "damaged-segment",
        folder,
        f"{error.message}; {rows} chunks are missing from the answers until it is rebuilt",
        error.hint,
    )


def _live_segment(reader: SegmentReader, deleted: bytes | None, touched: TouchedFiles) -> LiveSegment:
    if deleted is None:
        return LiveSegment(reader, None, 0, FileTimes(touched, reader))
    marks = unpack_deleted(deleted, reader.row_count)
    return LiveSegment(reader, 1 - marks, int(marks.sum()), FileTimes(touched, reader))


def sum_statistics(segments: Sequence[LiveSegment]) -> tuple[int, F64, F64]:
    doc_count = 0
    totals, present = np.zeros(FIELD_COUNT), np.zeros(FIELD_COUNT)
    for segment in segments:
        reader = segment.reader
        doc_count += reader.row_count - segment.deleted_count
        if segment.live is None:
            lengths = reader.total_lengths, reader.present_rows
        else:
            lengths = reader.lengths_without(1 - segment.live)
        totals += lengths[0]
        present += lengths[1]
    return doc_count, np.where(present > 0, totals / np.maximum(present, 1), 1.0), totals
