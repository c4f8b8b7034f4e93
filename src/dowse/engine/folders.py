"""A tree and its folder: compared, brought up to date, watched."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from dowse.config.settings import FolderSettings
from dowse.engine.generations import Generations
from dowse.engine.trees import TreeSettings, find_or_add_tree, new_tree
from dowse.engine.writing import Writing
from dowse.indexing.report import SyncListener
from dowse.indexing.source_sync import SourceSync, compare, known_items
from dowse.ingest.folder_source import DEFAULT_WORKERS, FolderSource
from dowse.planning import Analyzers
from dowse.schema import SyncReport
from dowse.storage.stored_trees import Tree, list_trees, set_tree_watched
from dowse.storage.tree_entry import TreeEntry

if TYPE_CHECKING:
    from dowse.schema import PendingChanges


class TreeFolder:
    """Keeps one tree in step with its folder.

    Args:
        generations: Where the tree and its files are looked up without a lock.
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

    def sync(
        self,
        entry: TreeEntry,
        language: str | None,
        stop_words: str | None,
        listener: SyncListener | None,
        leaves_out: tuple[str, ...] = (),
    ) -> SyncReport:
        """Brings the tree up to date; see `Index.sync_folder`.

        Args:
            entry: The tree; its root is there.
            leaves_out: Folders inside, whose files belong to trees of their own.

        Raises:
            OtherTreeError: Another process has just made a tree of another folder in the same place.
        """
        assert entry.root is not None, "only a folder can be compared with its tree"
        snapshot = self._generations.current()
        tree = next(iter(snapshot.trees.values()), None) or new_tree(entry)
        settings = self._tree_settings(tree, entry.root, language, stop_words)
        source = self._source(entry.root, leaves_out)
        reads_all = tree.fingerprint not in ("", settings.fingerprint)
        comparison = compare(source, snapshot, tree.tree_id, snapshot.generation, reads_all=reads_all)
        is_known = tree.tree_id and settings.analysis == tree.analysis and not reads_all
        if is_known and not comparison.has_changes:
            return comparison.unchanged_report(tree.name, entry.root)
        with self._writing.transaction(listener.waiting_for_lock if listener else None) as writer:
            tree = find_or_add_tree(writer, entry, settings, is_new=not tree.tree_id)
            sync = SourceSync(
                source,
                entry.name,
                entry.root,
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

    def pending(self, leaves_out: tuple[str, ...] = ()) -> "PendingChanges":
        """Compares the tree with its folder without changing anything; see `Index.pending`."""
        from dowse.schema import PendingChanges

        snapshot = self._generations.current()
        found = next(iter(snapshot.trees.values()), None)
        if found is None or found.root is None:
            return PendingChanges(0, 0)
        settings = self._tree_settings(found, found.root, None, None)
        reads_all = found.fingerprint != settings.fingerprint
        known = known_items(snapshot, found.tree_id)
        survey = self._source(found.root, leaves_out).survey(known, reads_all=reads_all)
        return PendingChanges(len(survey.to_read), len(survey.removed))

    @property
    def is_watched(self) -> bool:
        """Whether the tree is marked as watched."""
        return any(tree.is_watched for tree in self._generations.current().trees.values())

    def set_watched(self, *, is_watched: bool) -> None:
        """Marks the tree as watched or not, and commits."""
        with self._writing.transaction() as writer:
            with writer.change() as catalog:
                for tree in list_trees(catalog):
                    set_tree_watched(catalog, tree.tree_id, is_watched)
            writer.commit()

    def _source(self, root: str, leaves_out: tuple[str, ...]) -> FolderSource:
        wanted = self._wanted(root)
        return FolderSource(
            Path(root),
            wanted.discovery,
            wanted.chunking,
            time.monotonic,
            limits=wanted.limits,
            workers=wanted.workers or DEFAULT_WORKERS,
            leaves_out=leaves_out,
        )

    def _wanted(self, root: str | os.PathLike[str]) -> FolderSettings:
        return FolderSettings() if self._settings_of is None else self._settings_of(Path(root))

    def _tree_settings(
        self, tree: Tree, root: str | os.PathLike[str], language: str | None, stop_words: str | None
    ) -> TreeSettings:
        wanted = self._wanted(root)
        return TreeSettings.merged(
            tree.analysis,
            wanted.language if language is None else language,
            wanted.stop_words if stop_words is None else stop_words,
            wanted.chunking,
        )
