"""Looks after all trees of a home, one after the other: each one's damage, locks and reports are its own."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from dowse.engine.health import describe_index, describe_nothing, disk_bytes
from dowse.engine.open_trees import OpenTrees
from dowse.engine.tree_index import TreeIndex
from dowse.errors import CorruptFileError, DamageError, DowseError, ResourceError
from dowse.schema import Coverage, DoctorReport, IndexStatus, Problem, SweepReport, TreeStatus
from dowse.storage.failures import storage_failures
from dowse.storage.home import Home
from dowse.storage.store import Store
from dowse.storage.tree_entry import TreeEntry

if TYPE_CHECKING:
    from dowse.indexing.report import SyncListener


class HomeUpkeep:
    """Reports on trees, checks, sweeps, merges and rebuilds them.

    Args:
        home: Path of the home, or ``":memory:"``.
        shared: What the trees share.
        trees: The trees.
    """

    def __init__(self, home: str, shared: Home, trees: OpenTrees) -> None:
        self._home, self._shared, self._trees = home, shared, trees

    def open_all(self) -> tuple[list[TreeIndex], list[Problem]]:
        """Opens every tree; returns as well what is wrong with those that cannot be opened."""
        found, problems = self._trees.open_all(self._trees.find_scope(None))
        sound: list[TreeIndex] = []
        for tree in found:
            try:
                tree.generations.current()
            except (DamageError, ResourceError) as error:
                problems.append(_unusable(tree.entry, error))
            else:
                sound.append(tree)
        return sound, problems

    def iter_writable(self) -> Iterable[TreeIndex]:
        """Returns the trees that can be changed; raises what is wrong with one when it is its turn."""
        return map(self._trees.open, self._trees.find_changeable(None))

    def status(self, describe: Callable[[TreeIndex, TreeStatus], TreeStatus]) -> IndexStatus:
        """Returns what the home holds; see `Index.status`.

        Args:
            describe: Adds to what is known of a tree.
        """
        found, problems = self.open_all()
        parts = [describe_index(tree.store, tree.generations.current()) for tree in found]
        trees = [
            describe(tree, status) for tree, part in zip(found, parts, strict=True) for status in part.trees
        ]
        known = {entry.name: entry for entry in self._trees.find_scope(None)}
        trees += [_damaged_tree(known[problem.location], problem) for problem in problems]
        coverages = [tree.coverage for tree in trees if tree.coverage is not None]
        return replace(
            describe_nothing(self._home),
            generation=sum(part.generation for part in parts),
            documents=sum(tree.documents for tree in trees),
            chunks=sum(tree.chunks for tree in trees),
            disk_bytes=self._disk_bytes() or sum(part.disk_bytes for part in parts),
            trees=tuple(sorted(trees, key=lambda tree: tree.name)),
            segments=tuple(segment for part in parts for segment in part.segments),
            coverage=_sum_coverage(coverages, sum(tree.chunks for tree in trees)),
        )

    def _disk_bytes(self) -> int:
        folder = self._trees.registry.folder
        return 0 if folder is None else disk_bytes(folder.parent)

    def check(self, *, repair: bool) -> DoctorReport:
        """Checks every tree; see `Index.check`."""
        reports: list[DoctorReport] = []
        for entry in self._trees.find_scope(None):
            try:
                tree = self._trees.open(entry)
                reports.append(tree.upkeep.check(repair=repair and not entry.is_mounted))
            except DamageError as error:
                problem = Problem("unusable-tree", entry.name, error.message, error.hint)
                reports.append(DoctorReport(0, 0, (problem,)))
        return DoctorReport(
            sum(report.checked_files for report in reports),
            sum(report.checked_bytes for report in reports),
            tuple(finding for report in reports for finding in report.findings),
            tuple(name for report in reports for name in report.repaired),
        )

    def sweep(self, *, removes_missing_trees: bool, removes_other_models: bool) -> SweepReport:
        """Sweeps every tree; see `Index.sweep`."""
        before = self._disk_bytes()
        removed: list[str] = []
        documents = 0
        if removes_missing_trees:
            for entry in self._trees.find_scope(None):
                if entry.root is not None and not entry.is_mounted and not Path(entry.root).is_dir():
                    documents += self.remove(entry.name)
                    removed.append(entry.name)
        trees = self.iter_writable()
        reports = [tree.upkeep.sweep(removes_other_models=removes_other_models) for tree in trees]
        vectors = sum(report.vectors for report in reports) + self._forget_gone_texts()
        models = {name for report in reports for name in report.other_models}
        return SweepReport(
            documents + sum(report.documents for report in reports),
            sum(report.shelved for report in reports),
            tuple(root for report in reports for root in report.missing_roots),
            tuple(removed),
            vectors,
            tuple(sorted(models)),
            max(0, before - self._disk_bytes()),
        )

    def _forget_gone_texts(self) -> int:
        """Forgets the vectors of texts that no tree has any more; returns how many."""
        found, problems = self.open_all()
        if problems:
            return 0  # of a tree that cannot be read nobody knows the texts
        used: set[bytes] = set()
        for tree in found:
            used |= tree.upkeep.list_text_hashes()
        return self._shared.vectors.keep_only(used)

    def remove(self, name: str) -> int:
        """Removes a tree with its folder; returns how many documents it had."""
        entry = self._trees.registry.get(name)
        documents = 0
        if not entry.is_mounted:
            try:
                tree = self._trees.open(entry)
                status = describe_index(tree.store, tree.generations.current())
                documents = status.documents
                tree.remove()
            except CorruptFileError:  # what cannot be read can be removed all the same
                self._trees.drop(entry)
                self._remove_unread(entry)
        self._trees.drop(entry)
        self._trees.registry.forget(entry)
        return documents

    def _remove_unread(self, entry: TreeEntry) -> None:
        """Removes the folder of a tree whose catalogue is damaged; nobody can be writing to it for long."""
        path = self._trees.registry.path_of(entry)
        with storage_failures(path):
            store = Store(path, create=False, shared=self._shared, tree=entry)
            lock = store.acquire_lock(0.0)
            try:
                store.remove()
            finally:
                lock.release()

    def merge_all(self) -> int:
        """Merges each tree into one segment; returns how many merges that took."""
        return sum(tree.upkeep.merge_all() for tree in self.iter_writable())

    def rebuild(self, listener: "SyncListener | None") -> int:
        """Makes all segments again; returns how many there were."""
        return sum(tree.upkeep.rebuild(listener) for tree in self.iter_writable())


def _unusable(entry: TreeEntry, error: DowseError) -> Problem:
    return Problem("unusable-tree", entry.name, error.message, error.hint)


def _damaged_tree(entry: TreeEntry, problem: Problem) -> TreeStatus:
    return TreeStatus(entry.name, entry.root, "", 0, 0, 0, None, (problem,))


def _sum_coverage(coverages: list[Coverage], chunks: int) -> Coverage | None:
    if not coverages:
        return None
    return Coverage(chunks, sum(one.static for one in coverages), sum(one.model for one in coverages))


