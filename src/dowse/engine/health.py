"""Is everything as it was written? And if not, made so again."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from dowse.analysis import Analyzer
from dowse.errors import CorruptFileError, ResourceError, UncommittedChangesError
from dowse.kernels import FALLBACKS, KERNELS
from dowse.logs import Log
from dowse.planning import Analyzers
from dowse.planning.analyzers import decode_settings
from dowse.remedy import Remedy
from dowse.schema import Problem
from dowse.storage.catalog import Catalog
from dowse.storage.catalog_upkeep import check_catalog
from dowse.storage.segment_files import FILES, FORMAT_VERSION
from dowse.storage.segment_reader import verify_segment
from dowse.storage.snapshot import Snapshot, damaged_segment
from dowse.storage.store import Store
from dowse.storage.stored_counts import count_live_chunks, count_tree
from dowse.storage.stored_problems import list_problems
from dowse.storage.stored_segments import find_segment, list_segments
from dowse.storage.stored_trees import Tree, list_trees
from dowse.storage.stored_vector_segments import find_vector_segment, list_vector_segments

LOG = Log(__name__)
# Every search loads this module, in case there is something to heal; few want a report.
if TYPE_CHECKING:
    from dowse.indexing import IndexWriter
    from dowse.schema import DoctorReport, IndexStatus, TreeStatus

OpenWriter = Callable[[], AbstractContextManager["IndexWriter"]]
"""Opens a writer for one transaction; raises ResourceError when somebody else is writing."""


def check_index(store: Store, analyzers: Analyzers, open_writer: OpenWriter | None) -> "DoctorReport":
    """Checks the catalogue and every byte of every segment.

    Args:
        store: The index.
        analyzers: For rebuilding.
        open_writer: For rebuilding damaged segments from the catalogue; None when they are to stay.
    """
    from dowse.schema import DoctorReport

    catalog = store.open_reader()
    try:
        findings = _check_catalog(catalog)
        damaged, segment_findings, files, checked = _check_segments(store, catalog)
        damaged_vectors, vector_findings, vector_files, vector_bytes = _check_vectors(store, catalog)
        findings += segment_findings + vector_findings
    finally:
        store.close_connection(catalog)
    repaired: list[str] = []
    if open_writer and damaged:
        repaired = _rebuild(open_writer, analyzers, damaged)
    if open_writer and damaged_vectors:
        from dowse.indexing.vector_writer import VectorWriter

        VectorWriter(store, open_writer).drop(damaged_vectors)
        repaired += damaged_vectors
    return DoctorReport(files + vector_files, checked + vector_bytes, tuple(findings), tuple(repaired))


def _check_vectors(store: Store, catalog: Catalog) -> tuple[list[str], list[Problem], int, int]:
    """Returns the damaged segments of vectors, what to say of them, and files and bytes that were read."""
    from dowse.storage.vectors import VectorReader
    from dowse.storage.vectors.vector_files import VECTOR_FILES

    damaged, findings, files, checked = [], [], 0, 0
    for row in list_vector_segments(catalog):
        files, checked = files + len(VECTOR_FILES.files) + 1, checked + row.disk_bytes
        try:
            VectorReader(store.vector_directory, row.folder, row.checksum).verify()
        except CorruptFileError as error:
            if not _is_named_still(store, find_vector_segment, row.folder):
                continue
            damaged.append(row.folder)
            message = f"{row.rows:,} vectors cannot be used: {error.message}"
            hint = f"{Remedy.REPAIR_INDEX}; {Remedy.EMBED_AGAIN}"
            findings.append(Problem("damaged-vectors", row.folder, message, hint))
    return damaged, findings, files, checked


def heal_segments(store: Store, analyzers: Analyzers, open_writer: OpenWriter) -> None:
    """Rebuilds damaged segments if nobody else is writing; otherwise leaves them for later."""
    try:
        catalog = store.open_reader()
        try:
            damaged, _, _, _ = _check_segments(store, catalog)
        finally:
            store.close_connection(catalog)
        if damaged:
            _rebuild(open_writer, analyzers, damaged)
            LOG.warning("damaged segments were rebuilt from the catalogue: %s", ", ".join(damaged))
    except (ResourceError, UncommittedChangesError) as error:
        LOG.warning("damaged segments cannot be rebuilt now: %s", error)
        # Locked, read-only or full: the search goes on without the damaged rows and says so.
        return


def _check_catalog(catalog: Catalog) -> list[Problem]:
    findings = []
    for message in check_catalog(catalog):
        hint = "copy the index home away and index again; documents can still be read from it"
        findings.append(Problem("damaged-catalogue", "catalog.db", message, hint))
    return findings


def _check_segments(store: Store, catalog: Catalog) -> tuple[list[str], list[Problem], int, int]:
    """Returns the damaged segments, what is wrong with them, and how many files and bytes were read.

    Another process may be writing: everything is compared with one generation, and a segment it has merged
    away and removed since is not damaged.
    """
    catalog.begin_reading()
    damaged, findings, files, checked = [], [], 0, 0
    for row in list_segments(catalog):
        folder = row.folder
        errors = verify_segment(store.directory, folder, row.checksum)
        if errors and not _is_named_still(store, find_segment, folder):
            continue
        findings += [damaged_segment(folder, row.rows, error) for error in errors]
        live = row.rows - int(row.deleted_marks.sum())
        known = count_live_chunks(catalog, row.first_key, row.last_key)
        if known != live:
            message = f"it has {live} live chunks, the catalogue has {known}"
            findings.append(Problem("segment-mismatch", folder, message, Remedy.REPAIR_INDEX))
        if errors or known != live:
            damaged.append(folder)
        files, checked = files + len(FILES) + 1, checked + row.disk_bytes
    return damaged, findings, files, checked


def _is_named_still(store: Store, find: Callable[[Catalog, str], object | None], folder: str) -> bool:
    """Says whether the newest generation has a segment: one that was merged away is not damaged."""
    catalog = store.open_reader()
    try:
        return find(catalog, folder) is not None
    finally:
        store.close_connection(catalog)


def _rebuild(open_writer: OpenWriter, analyzers: Analyzers, folders: list[str]) -> list[str]:
    # Imported late: nearly every search finds nothing to heal.
    from dowse.indexing import rebuild_segment

    with open_writer() as writer:
        analyzer_of = analyzer_lookup(writer.catalog, analyzers)
        for folder in folders:
            rebuild_segment(writer, folder, analyzer_of)
        writer.commit()
    return folders


def analyzer_lookup(catalog: Catalog, analyzers: Analyzers) -> Callable[[int], Analyzer]:
    """Returns a function from a tree's id to its analyzer."""
    trees = {tree.tree_id: tree.analysis for tree in list_trees(catalog)}
    return lambda tree_id: analyzers.get(trees[tree_id])


def describe_index(store: Store, snapshot: Snapshot) -> "IndexStatus":
    """Returns what a tree holds."""
    from dowse.schema import SegmentStatus

    segments = tuple(
        SegmentStatus(row.folder, row.rows, int(row.deleted_marks.sum()), row.terms, row.disk_bytes)
        for part in snapshot.parts
        for row in list_segments(part.catalog)
    )
    trees = tuple(_describe_tree(snapshot, tree) for _, tree in sorted(snapshot.trees.items()))
    return replace(
        describe_nothing(store.home),
        generation=snapshot.generation,
        documents=sum(tree.documents for tree in trees),
        chunks=sum(tree.chunks for tree in trees),
        disk_bytes=(0 if store.is_memory else disk_bytes(store.path))
        or sum(segment.disk_bytes for segment in segments),
        trees=trees,
        segments=segments,
    )


def describe_nothing(home: str) -> "IndexStatus":
    """Returns the status of a home without trees."""
    from dowse import __version__
    from dowse.schema import IndexStatus

    return IndexStatus(
        home=home,
        version=__version__,
        format_version=FORMAT_VERSION,
        kernels=KERNELS,
        generation=0,
        documents=0,
        chunks=0,
        disk_bytes=0,
        trees=(),
        segments=(),
        kernel_fallbacks=tuple(FALLBACKS.items()),
    )


def _describe_tree(snapshot: Snapshot, tree: Tree) -> "TreeStatus":
    from dowse.schema import TreeStatus

    counts = count_tree(snapshot, tree.tree_id)
    return TreeStatus(
        tree.name,
        tree.root,
        decode_settings(tree.analysis).language,
        counts.documents,
        counts.chunks,
        counts.text_bytes,
        tree.last_sync,
        tuple(list_problems(snapshot, tree.tree_id)),
        tree.is_watched,
        counts.formats,
        has_root=tree.root is None or Path(tree.root).is_dir(),
    )


def disk_bytes(folder: Path) -> int:
    """Returns how much a folder takes on disk."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
