"""Which files of a folder are to be indexed?

One `os.scandir` per folder and one `stat` per accepted file; the cheap questions come first, so that a
file that is passed over by its name costs no system call. The walk keeps its own stack: depth is limited by
the file system only. No file is opened: whether one of unknown kind is text is seen when it is read.

Links to folders are not followed, so there are no loops. A link to a file is followed when its
target lies in the tree, in a place that would have been walked, and is no secret.

Ignore files count from the root down. Those above the root, and git's own excludes, do not: a
folder that was named outright is wanted, even below a home folder whose `.gitignore` is ``*``.
"""

import os
import stat
from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

from dowse.errors import FolderNotFoundError
from dowse.ingest.ignore_rules import (
    DiscoveryRules,
    DiscoverySettings,
    IgnoreFile,
    find_cap_setting,
    reason_of,
)
from dowse.ingest.names import printable_names
from dowse.ingest.source import SourceItem
from dowse.remedy import Remedy
from dowse.schema import Problem

__all__ = [
    "DiscoverySettings",
    "OpenFolder",
    "Refused",
    "Skipped",
    "Walk",
    "find_root",
    "iter_files",
    "too_large",
]

OTHER_TREE = "other-tree"


class Skipped:
    """Counts what was passed over, by reason.

    Reasons: ``binary-file`` (by its extension), ``ignored`` (ignore files and exclude patterns),
    ``not-included`` (there are include patterns, and none fits), ``hidden``, ``pruned-folder``,
    ``excluded-name``, ``secret``, ``link`` (to a folder, out of the tree, or broken), ``special-file``
    (pipe, socket, device), ``too-large``, ``other-tree`` (a folder that is a tree of its own). A skipped
    folder counts once.
    """

    def __init__(self) -> None:
        self.by_reason: Counter[str] = Counter()

    @property
    def total(self) -> int:
        """Everything passed over, folders included."""
        return self.by_reason.total()


def iter_files(
    root: Path,
    settings: DiscoverySettings,
    count_into: Skipped | None = None,
    leaves_out: Collection[str] = (),
) -> Iterator[SourceItem | Problem]:
    """Walks a folder and yields the files to index, each folder's entries sorted by name.

    Args:
        root: The folder; it may be a link.
        settings: What is wanted.
        count_into: Receives the number of entries passed over, when given.
        leaves_out: Real paths of folders that are not walked.

    Raises:
        FolderNotFoundError: `root` is missing or is not a folder. Raised at the call, not at the
        first item.
    """
    skipped = Skipped() if count_into is None else count_into
    return Walk(find_root(root), settings, leaves_out).run(skipped.by_reason)


def find_root(root: Path) -> str:
    """Returns the real path of the folder to walk.

    Raises:
        FolderNotFoundError: It is missing, or is not a folder.
    """
    real_root = os.path.realpath(root)
    if not os.path.isdir(real_root):  # noqa: PTH112
        reason = "not a folder" if os.path.lexists(real_root) else "there is no such folder"
        raise FolderNotFoundError(path=str(root), reason=reason)
    return real_root


class Folder(NamedTuple):
    """A folder to walk: its printable path with a final slash, and its ignore files, deepest last."""

    absolute: str
    prefix: str
    chain: tuple[IgnoreFile, ...]


class OpenFolder(NamedTuple):
    """What is in a folder.

    Attributes:
        entries: Sorted by name.
        printable: Shown name and trouble of those entries whose name cannot be shown as it is.
        chain: The ignore files that count for the entries, deepest last.
    """

    entries: list[os.DirEntry[str]]
    names: set[str]
    printable: dict[str, tuple[str, str]]
    chain: tuple[IgnoreFile, ...]
    problems: list[Problem]


class Refused(NamedTuple):
    """Why a file of an acceptable name is not read: ``link``, ``special-file`` or ``too-large``."""

    reason: str
    size: int = 0


class Walk:
    """One way through one tree."""

    def __init__(self, root: str, settings: DiscoverySettings, leaves_out: Collection[str] = ()) -> None:
        self.root = root
        self.leaves_out = leaves_out
        self.settings = settings
        self.admission = DiscoveryRules(settings)

    def run(self, skipped: Counter[str]) -> Iterator[SourceItem | Problem]:
        """Walks everything; counts into `skipped` what is passed over."""
        # A stack of half-walked folders keeps the order depth first and sorted.
        stack = [iter(self._entries(Folder(self.root, "", ()), skipped))]
        while stack:
            for item in stack[-1]:
                if isinstance(item, Folder):
                    stack.append(iter(self._entries(item, skipped)))
                    break
                yield item
            else:
                stack.pop()

    def open_folder(self, folder: Folder) -> OpenFolder:
        """Lists a folder and reads its ignore files.

        Raises:
            OSError: It cannot be listed.
        """
        with os.scandir(folder.absolute) as scan:
            entries = sorted(scan, key=_entry_name)
        names = {entry.name for entry in entries}
        chain, problems = self.admission.read_ignore_files(
            folder.absolute, folder.prefix, names, folder.chain
        )
        return OpenFolder(entries, names, printable_names(names), chain, problems)

    def _entries(
        self, folder: Folder, skipped: Counter[str]
    ) -> Iterator["SourceItem | Problem | Folder"]:
        try:
            opened = self.open_folder(folder)
        except OSError as failure:
            yield _unreadable_folder(folder.prefix, failure)
            return
        yield from opened.problems
        for entry in opened.entries:
            shown, trouble = opened.printable.get(entry.name, (entry.name, ""))
            path = folder.prefix + shown
            if trouble:
                yield Problem("odd-file-name", path, trouble, "rename it if you can")
            try:
                if entry.is_dir(follow_symlinks=False):
                    reason = (
                        OTHER_TREE
                        if entry.path in self.leaves_out
                        else self.admission.refuse_folder(path, shown, opened.names, opened.chain)
                    )
                    if not reason:
                        yield Folder(entry.path, f"{path}/", opened.chain)
                else:
                    reason = self.admission.refuse_file(path, shown, opened.chain)
                    if not reason:
                        found = self.examine(entry, path)
                        if isinstance(found, SourceItem):
                            yield found
                        else:
                            reason = found.reason
                            if reason == "too-large":
                                yield too_large(path, found.size, self.settings.cap_bytes(path))
                if reason:
                    skipped[reason] += 1
            except OSError as failure:
                yield Problem("unreadable-file", path, reason_of(failure))

    def examine(self, entry: os.DirEntry[str], path: str) -> SourceItem | Refused:
        """Asks the operating system about a file of an acceptable name.

        Raises:
            OSError: It cannot be asked about.
        """
        absolute = entry.path
        if entry.is_symlink():
            target = self.admission.find_link_target(self.root, absolute)
            if target is None:
                return Refused("link")
            absolute = target
            status = os.stat(absolute)  # noqa: PTH116
        else:
            status = entry.stat(follow_symlinks=False)
        if not stat.S_ISREG(status.st_mode):
            return Refused("special-file")
        if (
            status.st_size > self.settings.max_file_bytes
            and status.st_size > self.settings.cap_bytes(path)
        ):
            return Refused("too-large", status.st_size)
        return SourceItem(path, absolute, status.st_size, status.st_mtime_ns)


def too_large(path: str, size: int, max_bytes: int) -> Problem:
    """Builds the problem of a file over the size cap."""
    return Problem(
        "too-large",
        path,
        f"{size:,} bytes is more than the limit of {max_bytes:,}; it is not indexed",
        Remedy.SET_OPTION.about(f"discovery.{find_cap_setting(path)}", str(size)),
    )


def _entry_name(entry: os.DirEntry[str]) -> str:
    return entry.name


def _unreadable_folder(prefix: str, failure: OSError) -> Problem:
    return Problem(
        "unreadable-folder",
        prefix.rstrip("/") or ".",
        f"this folder cannot be read: {reason_of(failure)}",
        "check its permissions",
    )
