"""The trees of a home, each opened when first asked for: a search opens what it searches, and no more."""

import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from dowse.engine.registry import Registry, is_below
from dowse.engine.tree_index import TreeIndex
from dowse.engine.trees import real_folder
from dowse.errors import DamageError, DowseError, ResourceError
from dowse.schema import Problem
from dowse.storage.tree_entry import TreeEntry

OpenTree = Callable[[TreeEntry, bool], TreeIndex]
"""Opens a tree; made first when it is new."""


class OpenTrees:
    """Opens trees and keeps them open. Any thread may ask.

    Args:
        registry: Which trees there are.
        open_tree: Opens one.
    """

    def __init__(self, registry: Registry, open_tree: OpenTree) -> None:
        self.registry, self._open_tree = registry, open_tree
        self._lock = threading.RLock()
        self._open: dict[str, TreeIndex] = {}
        self._new: set[str] = set()

    @property
    def entries(self) -> dict[str, TreeEntry]:
        """All trees by name, with those that were begun here and are not committed yet."""
        with self._lock:
            new = {self._open[folder].entry.name: self._open[folder].entry for folder in self._new}
        return {**new, **self.registry.entries}

    def find_changeable(self, tree: str | None) -> list[TreeEntry]:
        """Returns the trees of a scope that are not only read; of all, those not committed yet as well."""
        scope = self.find_scope(tree) if tree is not None else self.entries.values()
        return sorted((entry for entry in scope if not entry.is_mounted), key=lambda entry: entry.name)

    # Which ----------------------------------------------------------------------------------------

    def find_scope(self, tree: str | None) -> tuple[TreeEntry, ...]:
        """Returns the trees that are searched as one, by name: all, or one with those inside its folder.

        Raises:
            UnknownTreeError: There is no such tree.
        """
        entries = self.registry.entries
        if tree is None:
            return tuple(entries[name] for name in sorted(entries))
        asked = self.registry.get(tree)
        inner = () if asked.root is None else self.inner_trees(asked.root)
        return tuple(sorted((asked, *inner), key=lambda entry: entry.name))

    def inner_trees(self, root: str) -> tuple[TreeEntry, ...]:
        """Returns the trees whose folders are inside a folder: the files in them are theirs."""
        return tuple(
            entry
            for entry in self.registry.entries.values()
            if entry.root is not None and entry.root != root and is_below(entry.root, root)
        )

    def find_place(self, folder: str | Path) -> tuple[TreeEntry, str] | None:
        """Returns the innermost tree that holds a folder, and the folder's place in it (``""``, ``"sub/"``).

        A folder that was moved brings its tree along.

        Raises:
            FolderNotFoundError: It is not there, or is not a folder.
        """
        path = real_folder(Path(folder))
        entries = [entry for entry in self.entries.values() if entry.root is not None]
        if not any(entry.root == str(path) for entry in entries):
            moved = self.registry.find_moved(path)
            if moved is not None:
                self.change(moved)
                entries = [entry for entry in entries if entry.folder != moved.folder] + [moved]
        holding = [entry for entry in entries if entry.root is not None and is_below(str(path), entry.root)]
        if not holding:
            return None
        found = max(holding, key=lambda entry: len(entry.root or ""))
        below = path.relative_to(found.root or "").as_posix()
        return found, "" if below == "." else f"{below}/"

    # Open -----------------------------------------------------------------------------------------

    @property
    def opened(self) -> list[TreeIndex]:
        """The trees that are open, by name."""
        with self._lock:
            return sorted(self._open.values(), key=lambda tree: tree.entry.name)

    def get(self, name: str) -> TreeIndex:
        """Returns a tree that is known, or has been made and is not committed yet; opens it.

        Raises:
            UnknownTreeError: There is none.
        """
        entry = self.entries.get(name)
        return self.open(self.registry.get(name) if entry is None else entry)

    def get_or_make(self, name: str, root: str | None = None) -> TreeIndex:
        """Returns a tree by name; makes it when there is none. It becomes known with its first commit."""
        with self._lock:
            known = self.entries.get(name)
            if known is not None:
                return self.open(known)
            entry = self.registry.new_entry(name, root)
            tree = self._open[entry.folder] = self._open_tree(entry, True)
            self._new.add(entry.folder)
            if self.registry.folder is None:  # nobody else could see it half made
                self.note_commit()
            return tree

    def open(self, entry: TreeEntry) -> TreeIndex:
        """Returns an open tree as it is known now."""
        with self._lock:
            tree = self._open.get(entry.folder)
            if tree is not None and tree.entry is not entry:
                if tree.entry == entry:
                    return tree
                tree.entry = entry
            if tree is None:
                tree = self._open[entry.folder] = self._open_tree(entry, False)
            return tree

    def open_all(self, entries: Iterable[TreeEntry]) -> tuple[list[TreeIndex], list[Problem]]:
        """Opens trees; those that cannot be opened cost only themselves, and are named."""
        found: list[TreeIndex] = []
        problems: list[Problem] = []
        for entry in entries:
            try:
                found.append(self.open(entry))
            except (DamageError, ResourceError) as error:
                problems.append(unusable_tree(entry, error))
        return found, problems

    def change(self, entry: TreeEntry) -> None:
        """Makes known what has changed about a tree."""
        self.registry.register(entry)
        with self._lock:
            if entry.folder in self._open:
                self._open[entry.folder].entry = entry

    def note_commit(self) -> None:
        """Makes new trees known that have been committed.

        They are safe already and found by their folders: where the registry cannot be written, later does.
        """
        with self._lock:
            for folder in list(self._new):
                tree = self._open[folder]
                if self.registry.folder is None or tree.generations.current().trees:
                    with suppress(ResourceError):
                        self.registry.register(tree.entry)
                        self._new.discard(folder)

    def drop(self, entry: TreeEntry) -> None:
        """Closes a tree, if it is open."""
        with self._lock:
            tree = self._open.pop(entry.folder, None)
            self._new.discard(entry.folder)
            if tree is not None:
                tree.close()

    def drop_gone(self) -> None:
        """Closes the trees whose folders were removed."""
        with self._lock:
            known = {entry.folder for entry in self.registry.entries.values()} | self._new
            for folder in set(self._open) - known:
                self._open.pop(folder).close()

    def close(self) -> None:
        """Closes all; what was begun and never committed goes."""
        with self._lock:
            for folder, tree in list(self._open.items()):
                tree.close()
                if folder in self._new:
                    tree.store.remove_if_empty()
            self._open.clear()
            self._new.clear()


def unusable_tree(entry: TreeEntry, error: DowseError) -> Problem:
    """Describes a tree that cannot be read."""
    message = f"{error.message}; its documents are missing from this answer"
    return Problem("unusable-tree", entry.name, message, error.hint)
