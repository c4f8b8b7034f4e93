"""An open index: the one object faces and programs use."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from dowse.config.settings import FolderSettings
from dowse.engine.changing import Changing
from dowse.engine.health import analyzer_lookup, check_index, describe_index, disk_bytes
from dowse.engine.home import default_home
from dowse.engine.trees import TreeSettings, find_or_add_tree, folder_tree, tree_containing
from dowse.errors import InvalidParameterError
from dowse.indexing.folder_sync import FolderSync, known_files, known_problems
from dowse.indexing.report import SyncListener, SyncReport
from dowse.storage.failures import storage_failures
from dowse.storage.snapshot import Tree
from dowse.storage.store import MEMORY, Store

# What changes an index is imported when something changes: most searches only look.
if TYPE_CHECKING:
    from dowse.engine.answering import EmbeddingChoice
    from dowse.engine.meaning import MeaningListener
    from dowse.engine.status import DoctorReport, IndexStatus, PendingChanges, SweepReport
    from dowse.storage.live_vectors import Coverage

LOCK_TIMEOUT_S = 60.0
DEFAULT_WORKERS = 2


def open_index(
    home: str | os.PathLike[str] | None = None,
    *,
    create: bool = True,
    lock_timeout_s: float = LOCK_TIMEOUT_S,
    settings_of: Callable[[Path], FolderSettings] | None = None,
    embedding: "EmbeddingChoice" = None,
) -> "Index":
    """Opens an index.

    Args:
        home: Its folder; None for the default one, ``":memory:"`` for an index that lives in memory. In
            memory `get` and `status` see changes before they are committed; searches never do.
        create: Whether a missing index is made.
        lock_timeout_s: How long a change waits for another process that is writing.
        settings_of: Says how a folder is walked, read and cut; everything is as by default when not given.
        embedding: Which model makes vectors, or what says so when first asked; the default one when not
            given. It is loaded when first needed.

    Raises:
        IndexNotFoundError: There is none, and `create` is False.
        UnsupportedFormatError: A newer Dowse wrote it.
        ReadOnlyIndexError: It must be made, and cannot.
    """
    place = default_home() if home is None else home
    where = MEMORY if str(place) == MEMORY else Path(place).expanduser().absolute()
    with storage_failures(where):
        return Index(Store(where, create=create), lock_timeout_s, settings_of, embedding)


class Index(Changing):
    """An open index. Safe to search from several threads; changes come from one at a time.

    Use it as a context manager, or call `close`: changes that were not committed are then forgotten.
    """

    # Folders -------------------------------------------------------------------------------------

    def find_tree(self, folder: str | os.PathLike[str]) -> tuple[str, str] | None:
        """Returns the tree a folder belongs to and its place below the root (``""`` or ``"sub/"``)."""
        return tree_containing(self._current().snapshot.trees.values(), Path(folder))

    def sync_folder(
        self,
        root: str | os.PathLike[str],
        *,
        name: str | None = None,
        language: str | None = None,
        stop_words: str | None = None,
        listener: SyncListener | None = None,
    ) -> SyncReport:
        """Brings the tree of a folder up to date; makes it when new.

        Args:
            root: The folder.
            name: What to call a new tree; made from the folder's name when not given.
            language: Stemming and stop words; English for a new tree. Changing it reads all files again.
            stop_words: ``default``, ``none``, ``auto`` or words separated by commas.
            listener: Hears how it goes.

        Raises:
            FolderNotFoundError: It is not a folder.
            IndexLockedError: Another process is writing and does not finish in time.
        """
        snapshot = self._current().snapshot
        preferred_name = self._wanted(root).name
        tree = folder_tree(snapshot.trees.values(), Path(root), name, preferred_name)
        settings = self._tree_settings(tree, root, language, stop_words)
        sync = self._folder_sync(replace(tree, root=tree.root or str(root)), settings, listener)
        sync.look()
        sync.reads_all = tree.fingerprint not in ("", settings.fingerprint)
        if tree.tree_id and settings.analysis == tree.analysis and not sync.reads_all:
            work = sync.compare(known_files(snapshot.catalog, tree.tree_id))
            before = known_problems(snapshot.catalog, tree.tree_id)
            is_same = set(before) == set(sync.problems_after(before, work))
            if not work.to_read and not work.removed and is_same:
                return SyncReport(
                    tree.name,
                    str(tree.root),
                    unchanged=work.unchanged,
                    skipped=sync.skipped_files(work),
                    problems=tuple(sync.problems),
                )
        return self._sync_changes(sync, settings, listener)

    def _folder_sync(
        self, tree: Tree, settings: TreeSettings, listener: SyncListener | None
    ) -> FolderSync:
        assert tree.root is not None, "only a folder can be compared with its tree"
        wanted = self._wanted(tree.root)
        return FolderSync(
            Path(tree.root),
            tree.name,
            wanted.discovery,
            wanted.chunking,
            self._analyzers.get(settings.analysis),
            time.monotonic,
            settings.fingerprint,
            wanted.limits,
            wanted.workers or DEFAULT_WORKERS,
            listener,
        )

    def _wanted(self, root: str | os.PathLike[str]) -> FolderSettings:
        if self._settings_of is None:
            return FolderSettings(chunking=self._chunking)
        return self._settings_of(Path(root))

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

    def _sync_changes(
        self, sync: FolderSync, settings: TreeSettings, listener: SyncListener | None
    ) -> SyncReport:
        try:
            writer = self._changes(listener.waiting_for_lock if listener else None)
            tree = find_or_add_tree(writer, sync.tree, str(sync.root), settings)
            known = known_files(writer.catalog, tree.tree_id)
            report = sync.run(writer, tree.tree_id, known, sync.compare(known))
            if not report.interrupted:
                writer.execute(
                    "UPDATE trees SET fingerprint = ?, last_sync = ? WHERE tree_id = ?",
                    (settings.fingerprint, time.time(), tree.tree_id),
                )
                writer.commit()
                writer.merge(listener.merging if listener else None)
            return report
        finally:
            self._end_changes()

    def pending(self, tree: str) -> "PendingChanges":
        """Compares a tree with its folder without changing anything; costs one `stat` a file.

        Raises:
            FolderNotFoundError: Its folder is not there.
        """
        from dowse.engine.status import PendingChanges

        searcher = self._current()
        found = searcher.get_tree(tree)
        if found.root is None:
            return PendingChanges(0, 0)
        settings = self._tree_settings(found, found.root, None, None)
        sync = self._folder_sync(found, settings, None)
        sync.look()
        sync.reads_all = found.fingerprint != settings.fingerprint
        work = sync.compare(known_files(searcher.snapshot.catalog, found.tree_id))
        return PendingChanges(len(work.to_read), len(work.removed))

    def watched_trees(self) -> dict[str, str]:
        """Returns the roots of the trees that `dowse watch run` keeps up to date, by name."""
        trees = self._current().snapshot.trees.values()
        return {tree.name: tree.root for tree in trees if tree.is_watched and tree.root is not None}

    def set_watched(self, tree: str, *, is_watched: bool) -> None:
        """Says whether a tree is to be watched, and commits."""
        found = self._current().get_tree(tree)
        if found.root is None:
            legal = "a tree of pushed texts has no folder to watch"
            raise InvalidParameterError(name="tree", value=tree, legal=legal)
        try:
            sql = "UPDATE trees SET is_watched = ? WHERE tree_id = ?"
            writer = self._changes()
            writer.execute(sql, (is_watched, found.tree_id))
            writer.commit()
        finally:
            self._end_changes()

    # Vectors -------------------------------------------------------------------------------------

    def embed(
        self, listener: "MeaningListener | None" = None, *, with_model: bool = True
    ) -> "Coverage | None":
        """Gives chunks their vectors: rough ones at some thousands a second, then the model's own.

        Commits first. What is written stays when this is stopped; the next call goes on from there. Searches
        use whatever vectors there are.

        Args:
            listener: Hears how far it is.
            with_model: Whether the model reads the chunks itself, at some tens a second.

        Returns:
            How many chunks have vectors now; None when vectors are switched off.

        Raises:
            ModelMissingError: The model is not on this machine.
        """
        if not self.meaning.is_wanted:
            return None
        from dowse.engine.meaning import SILENT

        self.commit()
        self._end_changes()  # others may write while vectors are being made
        with storage_failures(self.home):
            self.meaning.embed_index(
                self._store, self._current, self._lock_timeout_s, listener or SILENT, with_model=with_model
            )
        return self.coverage()

    def restore_vectors(self) -> int:
        """Gives chunks without a vector those that the model made of the same texts before; commits first.

        Nothing is embedded, and no model is loaded.

        Returns:
            How many chunks have one now.
        """
        if not self.meaning.is_wanted:
            return 0
        self.commit()
        self._end_changes()
        with storage_failures(self.home):
            return self.meaning.restore_vectors(self._store, self._current, self._lock_timeout_s)

    # Looking after it ----------------------------------------------------------------------------

    def status(self, *, looks: bool = False) -> "IndexStatus":
        """Returns what the index holds, and what it does not.

        Args:
            looks: Whether each tree is compared with its folder, at one `stat` a file.
        """
        reason, coverage = self.meaning.why_not(), self.coverage()
        status = replace(
            describe_index(self._store, self._current().snapshot),
            coverage=coverage,
            embedding_model=self.meaning.model_name if self.meaning.is_wanted else "",
            no_vectors=reason or self.why_no_vectors(),
        )
        if not looks:
            return status
        trees = (
            replace(tree, pending=self.pending(tree.name)) if tree.root and tree.has_root else tree
            for tree in status.trees
        )
        return replace(status, trees=tuple(trees))

    def why_no_vectors(self) -> str:
        """Returns why there are none, or why those that are there cannot be used; empty when all is well."""
        searcher = self._current()
        vectors = self._vectors(searcher)
        if vectors is None:
            others = self._only_others(searcher)
            why = others.message if others else "none yet"
        elif vectors.model.fingerprint != self.meaning.find_fingerprint():
            why = "which are by the model as it was before, and not used"
        else:
            return ""
        return f"{why}; make them: dowse index FOLDER"

    def check(self, *, repair: bool = False) -> "DoctorReport":
        """Compares every byte with its checksum and the catalogue with itself; mends it when asked to."""
        with storage_failures(self.home):
            report = check_index(self._store, self._analyzers, repair=repair)
        self._seen_version = -1
        if report.repaired:
            self.restore_vectors()
        return report

    def sweep(
        self, *, removes_missing_trees: bool = False, removes_other_models: bool = False
    ) -> "SweepReport":
        """Removes documents whose files are gone, and space that is of no use any more; commits.

        Args:
            removes_missing_trees: Whether trees go whose folders are not there. A folder on a drive that is
                not connected looks the same, so this must be asked for.
            removes_other_models: Whether vectors go that were made by other models than the chosen one. To
                make them again takes hours, so this must be asked for, too.
        """
        from dowse.engine.status import SweepReport
        from dowse.engine.sweeping import (
            empty_shelf,
            find_other_models,
            forget_gone_texts,
            forget_models,
            give_space_back,
            merge_vectors,
            remove_gone_documents,
        )

        before = disk_bytes(self._store)
        trees = tuple(self._current().snapshot.trees.values())
        missing = [tree for tree in trees if tree.root is not None and not Path(tree.root).is_dir()]
        removed = tuple(tree.name for tree in missing) if removes_missing_trees else ()
        documents = sum(map(self.remove_tree, removed))
        snapshot = self._current().snapshot
        chosen = self.meaning.find_known_model(snapshot) if self.meaning.is_wanted else None
        others = find_other_models(snapshot, chosen)
        try:
            writer = self._changes()
            documents += remove_gone_documents(writer, (tree for tree in trees if tree not in missing))
            shelved = empty_shelf(writer)
            cache = self._store.shared.vectors
            vectors = forget_models(writer, cache, others) if removes_other_models else 0
            vectors += forget_gone_texts(writer, cache)
            writer.commit()
            writer.merge()
            self._end_changes()
            merge_vectors(self._store, self._current().snapshot, self._lock_timeout_s)
            give_space_back(self._changes())
        finally:
            self._end_changes()
        kept = () if removes_missing_trees else tuple(str(tree.root) for tree in missing)
        names = () if removes_other_models else tuple(model.name for model in others)
        freed = max(0, before - disk_bytes(self._store))
        return SweepReport(documents, shelved, kept, removed, vectors, names, freed)

    def rebuild(self, listener: SyncListener | None = None) -> int:
        """Makes all segments again from the catalogue; returns how many there were."""
        from dowse.indexing import rebuild_segment

        try:
            writer = self._changes(listener.waiting_for_lock if listener else None, heals=False)
            analyzer_of = analyzer_lookup(writer.catalog, self._analyzers)
            folders = [
                row[0]
                for row in writer.catalog.fetch("SELECT folder FROM segments ORDER BY first_key")
            ]
            for number, folder in enumerate(folders, 1):
                rebuild_segment(writer, folder, analyzer_of)
                writer.commit()
                if listener:
                    listener.advanced(number, 0)
            writer.merge(listener.merging if listener else None)
        finally:
            self._end_changes()
        return len(folders)
