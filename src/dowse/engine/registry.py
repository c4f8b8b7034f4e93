"""Which trees a home has, where each one lives, and which folder belongs to which.

A tree is its folder: removed with it, copied with it. The registry in `home.db` only saves opening every
catalogue to know names and roots; it is compared with the folders whenever one came or went, which shows in
the time stamp of the folder they are in.
"""

import os
import re
import threading
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from dowse.engine.home import TREES
from dowse.errors import ResourceError, UnknownTreeError
from dowse.storage.home import Home
from dowse.storage.tree_entry import TreeEntry
from dowse.storage.tree_folder import find_name_and_root, has_files_of

SETTLED_NS = 100_000_000
"""Time stamps of folders are no finer than some milliseconds: one younger than this may change unnoticed."""
_PLAIN = re.compile(r"[a-z0-9][a-z0-9_.-]{0,60}\Z")
_NOT_PLAIN = re.compile(r"[^a-z0-9_-]+")


class Registry:
    """The trees of one home. Any thread may ask.

    Args:
        home: The database that all trees share.
        path: The home's folder; None for a home in memory.
    """

    def __init__(self, home: Home, path: Path | None) -> None:
        self._home = home
        self.folder = None if path is None else path / TREES
        self._lock = threading.RLock()
        self._known: dict[str, TreeEntry] = {}
        self._version = -1
        self._is_one_made = False
        """Whether a tree is in the making: whoever makes it may die between its commit and saying so."""

    @property
    def entries(self) -> Mapping[str, TreeEntry]:
        """All trees by name."""
        version = self._stamp()
        if version != self._version or version < 0:
            with self._lock:
                self._known = {entry.name: entry for entry in self._compare()}
                is_settled = not self._is_one_made and time.time_ns() - version > SETTLED_NS
                self._version = version if is_settled else -1
        return self._known

    def _stamp(self) -> int:
        """Returns a number that changes when a tree comes or goes; -1 when nobody can tell."""
        if self.folder is None:
            return -1
        try:
            return os.stat(self.folder).st_mtime_ns  # noqa: PTH116 - before every search
        except FileNotFoundError:
            return 0

    def get(self, name: str) -> TreeEntry:
        """Returns a tree by name; raises UnknownTreeError when there is none."""
        entry = self.entries.get(name)
        if entry is None:
            known = ", ".join(sorted(self.entries)) or "none yet"
            raise UnknownTreeError(name=name, known=known)
        return entry

    def path_of(self, entry: TreeEntry) -> Path:
        """Returns the folder that holds a tree."""
        return Path(entry.folder) if self.folder is None else self.folder / entry.folder

    def new_entry(self, name: str, root: str | None) -> TreeEntry:
        """Returns what a new tree will be; `register` makes it known, after its first commit."""
        return TreeEntry(choose_folder(name), name, root, identity_of(root))

    def register(self, entry: TreeEntry) -> None:
        """Makes a tree known, or what has changed about it."""
        with self._lock:
            try:
                self._home.put_trees([entry])
            finally:  # a new tree is found by its folder as well
                self._announce()

    def forget(self, entry: TreeEntry) -> None:
        """Forgets a tree whose folder was removed, or that is no longer mounted."""
        with self._lock:
            self._home.put_trees([], gone=[entry.folder])
            self._announce()

    def _announce(self) -> None:
        """Lets other processes see that there is something to see."""
        self._version = -1
        if self.folder is not None and self.folder.is_dir():
            os.utime(self.folder)

    def _compare(self) -> list[TreeEntry]:
        """Returns the trees there are, and registers those that came, without those that went."""
        known = {entry.folder: entry for entry in self._home.list_trees()}
        if self.folder is None:
            return list(known.values())
        present = {entry.name for entry in _folders(self.folder)}
        gone = [folder for folder, entry in known.items() if not entry.is_mounted and folder not in present]
        for folder in gone:
            del known[folder]
        came = [self._describe(folder, known.values()) for folder in sorted(present - known.keys())]
        new = [entry for entry in came if entry is not None]
        self._is_one_made = len(new) < len(came)
        if gone or new:
            with suppress(ResourceError):  # a full disk keeps nobody from searching; it is compared again
                self._home.put_trees(new, gone)
        return [*known.values(), *new]

    def _describe(self, folder: str, known: Iterable[TreeEntry]) -> TreeEntry | None:
        """Returns what a folder nobody knows is; None while its tree is being made."""
        assert self.folder is not None
        found = find_name_and_root(self.folder / folder)
        if found is None:
            return None
        others = list(known)
        name, root = found
        if name in {entry.name for entry in others}:
            name = folder  # a copy, beside what it is a copy of
        if root is not None and root in {entry.root for entry in others}:
            root = None
        return TreeEntry(folder, name, root, identity_of(root))

    # Folders that are indexed ---------------------------------------------------------------------

    def find_moved(self, path: Path) -> TreeEntry | None:
        """Returns the tree whose folder is now at a path, or above it; None when no tree has moved there.

        Inodes are used again, so that one of the tree's files must be there as well, as it was.
        """
        lost = {
            entry.identity: entry
            for entry in self.entries.values()
            if entry.identity and not entry.is_mounted and not os.path.isdir(entry.root or "")  # noqa: PTH112
        }
        for place in (path, *path.parents) if lost else ():
            entry = lost.get(identity_of(str(place)))
            if entry is not None and has_files_of(self.path_of(entry), place):
                return replace(entry, root=str(place))
        return None

    def inner_roots(self, root: str) -> tuple[str, ...]:
        """Returns the roots of trees inside a root; their files are theirs."""
        return tuple(
            entry.root
            for entry in self.entries.values()
            if entry.root is not None and entry.root != root and is_below(entry.root, root)
        )


def is_below(path: str, root: str) -> bool:
    """Says whether a path is a root or inside it."""
    return path == root or path.startswith(root.rstrip(os.sep) + os.sep)


def identity_of(root: str | None) -> str:
    """Returns what a folder is known by when it has moved; empty without one."""
    try:
        status = None if root is None else os.stat(root)  # noqa: PTH116
    except OSError:
        return ""
    return "" if status is None else f"{status.st_dev}:{status.st_ino}"


def choose_folder(name: str) -> str:
    """Returns the name of the folder for a tree: the tree's own where every file system takes it."""
    if _PLAIN.match(name):
        return name
    import hashlib  # loads OpenSSL, 3 ms, for unusual names only

    digest = hashlib.sha256(name.encode("utf-8", "surrogateescape")).hexdigest()[:8]
    return f"{_NOT_PLAIN.sub('-', name.lower())[:40].strip('-') or 'tree'}-{digest}"


def _folders(folder: Path) -> list["os.DirEntry[str]"]:
    try:
        with os.scandir(folder) as entries:
            return [entry for entry in entries if not entry.name.startswith(".") and entry.is_dir()]
    except FileNotFoundError:
        return []


