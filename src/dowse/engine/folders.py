"""Trees that belong to folders: found, compared with their files, brought up to date, watched, removed."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from dowse.config.settings import FolderSettings
from dowse.engine.generations import Generations
from dowse.engine.trees import TreeSettings, find_or_add_tree, folder_tree, tree_containing
from dowse.engine.writing import Writing
from dowse.errors import InvalidParameterError
from dowse.indexing.report import SyncListener
from dowse.indexing.source_sync import SourceSync, compare, known_items
from dowse.ingest.folder_source import DEFAULT_WORKERS, FolderSource
from dowse.planning import Analyzers
from dowse.schema import SyncReport
from dowse.storage.stored_trees import Tree, delete_tree, set_tree_watched

if TYPE_CHECKING:
    from dowse.schema import PendingChanges


class FolderTrees:
    """The trees of one store that have a folder.

    Args:
        generations: Where trees and files are looked up without a lock.
        writing: What changes them.
        analyzers: By the settings of each tree.
        settings_of: Says how a folder is walked, read and cut; everything is as by default when None.
    """

    def __init__(
        self,
        generations: Generations,
        writing: Writing,
        analyzers: Analyzers,
        settings_of: Callable[[Path], FolderSettings] | None,
    ) -> None:
        self._generations, self._writing, self._analyzers = generations, writing, analyzers
        self._settings_of = settings_of

    def find(self, folder: str | os.PathLike[str]) -> tuple[str, str] | None:
        """Returns the tree that holds a folder, and the folder's place in it; see `Index.find_tree`."""
        return tree_containing(self._generations.current().trees.values(), Path(folder))

    def sync(
        self,
        root: str | os.PathLike[str],
        name: str | None,
        language: str | None,
        stop_words: str | None,
        listener: SyncListener | None,
    ) -> SyncReport:
        """Brings the tree of a folder up to date; see `Index.sync_folder`."""
        snapshot = self._generations.current()
        preferred_name = self._wanted(root).name
        tree = folder_tree(snapshot.trees.values(), Path(root), name, preferred_name)
        settings = self._tree_settings(tree, root, language, stop_words)
        source = self._source(tree.root or str(root))
        reads_all = tree.fingerprint not in ("", settings.fingerprint)
        comparison = compare(source, snapshot, tree.tree_id, snapshot.generation, reads_all=reads_all)
        is_known = tree.tree_id and settings.analysis == tree.analysis and not reads_all
        if is_known and not comparison.has_changes:
            return comparison.unchanged_report(tree.name, str(tree.root))
        with self._writing.transaction(listener.waiting_for_lock if listener else None) as writer:
            tree = find_or_add_tree(writer, tree.name, str(source.root), settings)
            sync = SourceSync(
                source,
                tree.name,
                str(source.root),
                self._analyzers.get(settings.analysis),
                settings.fingerprint,
                time.monotonic,
                time.time,
                listener,
            )
            report = sync.run(
                writer, tree.tree_id, comparison.renewed(source, writer.catalog, tree.tree_id)
            )
            if not report.interrupted:
                writer.merge(listener.merging if listener else None)
            return report

    def pending(self, tree: str) -> "PendingChanges":
        """Compares a tree with its folder without changing anything; see `Index.pending`."""
        from dowse.schema import PendingChanges

        snapshot = self._generations.current()
        found = snapshot.get_tree(tree)
        if found.root is None:
            return PendingChanges(0, 0)
        settings = self._tree_settings(found, found.root, None, None)
        reads_all = found.fingerprint != settings.fingerprint
        known = known_items(snapshot, found.tree_id)
        survey = self._source(found.root).survey(known, reads_all=reads_all)
        return PendingChanges(len(survey.to_read), len(survey.removed))

    def watched(self) -> dict[str, str]:
        """Returns the roots of the trees that are marked as watched, by name."""
        trees = self._generations.current().trees.values()
        return {tree.name: tree.root for tree in trees if tree.is_watched and tree.root is not None}

    def set_watched(self, tree: str, *, is_watched: bool) -> None:
        """Marks a tree as watched or not, and commits."""
        found = self._generations.current().get_tree(tree)
        if found.root is None:
            legal = "a tree of pushed texts has no folder to watch"
            raise InvalidParameterError(name="tree", value=tree, legal=legal)
        with self._writing.transaction() as writer:
            with writer.change() as catalog:
                set_tree_watched(catalog, found.tree_id, is_watched)
            writer.commit()

    def remove(self, name: str) -> int:
        """Removes a tree with all its documents, and commits; returns how many documents it had."""
        tree = self._generations.current().get_tree(name)
        with self._writing.transaction() as writer:
            known = known_items(writer.catalog, tree.tree_id)
            keys = [key for key, file in known.items() if file.doc_id]
            for key in keys:
                writer.delete(tree.tree_id, key)
            with writer.change() as catalog:
                delete_tree(catalog, tree.tree_id)
            writer.commit()
        return len(keys)

    def _source(self, root: str) -> FolderSource:
        wanted = self._wanted(root)
        return FolderSource(
            Path(root),
            wanted.discovery,
            wanted.chunking,
            time.monotonic,
            limits=wanted.limits,
            workers=wanted.workers or DEFAULT_WORKERS,
        )

    def _wanted(self, root: str | os.PathLike[str]) -> FolderSettings:
        return FolderSettings() if self._settings_of is None else self._settings_of(Path(root))

    def _tree_settings(
        self, tree: Tree, root: str | os.PathLike[str], language: str | None, stop_words: str | None
    ) -> TreeSettings:
        wanted = self._wanted(tree.root or root)
        return TreeSettings.merged(
            tree.analysis,
            wanted.language if language is None else language,
            wanted.stop_words if stop_words is None else stop_words,
            wanted.chunking,
        )
