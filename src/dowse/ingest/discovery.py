"""Which files of a folder are to be indexed?

One `os.scandir` a folder and one `stat` an accepted file; the cheap questions come first, so that a
file of another kind costs no system call. The walk keeps its own stack: depth is limited by the
file system only.

Links to folders are not followed, so there are no loops. A link to a file is followed when its
target lies in the tree, in a place that would have been walked, and is no secret.

Ignore files count from the root down. Those above the root, and git's own excludes, do not: a
folder that was named outright is wanted, even below a home folder whose `.gitignore` is ``*``.
"""

import os
import stat
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from dowse.errors import FolderNotFoundError, InvalidParameterError
from dowse.ingest.extractors import find_extractor
from dowse.ingest.filters import (
    BUILD_FOLDERS,
    PROJECT_MARKERS,
    PRUNED_FOLDERS,
    is_excluded_name,
    is_secret_name,
)
from dowse.ingest.gitignore import IgnoreRules, parse_ignore_file
from dowse.ingest.names import printable_names
from dowse.schema import Problem

_IGNORE_FILES = (".gitignore", ".dowseignore")
_MAX_IGNORE_FILE_BYTES = 1_000_000


@dataclass(frozen=True, slots=True)
class DiscoverySettings:
    """How a folder is walked.

    Attributes:
        max_file_bytes: A larger file is a problem, not a document. uses_gitignore: Whether
            `.gitignore` files count; `.dowseignore` always does. includes_hidden: Whether names
            with a leading dot are walked; pruned folders and secrets never are.
        include: Patterns in `.gitignore` syntax; when there are any, a file must match one.
            exclude: Patterns in `.gitignore` syntax, relative to the root; they come after all
            ignore files.
    """

    max_file_bytes: int = 2 * 1024 * 1024
    uses_gitignore: bool = True
    includes_hidden: bool = False
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.max_file_bytes < 1:
            raise InvalidParameterError(
                name="max_file_bytes",
                value=self.max_file_bytes,
                legal="a number of bytes from 1 up",
            )


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file to be indexed.

    Attributes:
        path: Relative to the root, with ``/``, in Unicode form NFC, unique and printable.
        absolute: What to give to the operating system; links are resolved.
    """

    path: str
    absolute: str
    size: int
    mtime_ns: int


class Skipped:
    """Counts what was passed over, by reason.

    Reasons: ``other-kind`` (no extractor), ``ignored`` (ignore files and patterns), ``hidden``,
    ``pruned-folder``, ``excluded-name``, ``secret``, ``link`` (to a folder, out of the tree, or
    broken), ``special-file`` (pipe, socket, device), ``too-large``. A skipped folder counts once.
    """

    def __init__(self) -> None:
        self.by_reason: Counter[str] = Counter()

    @property
    def total(self) -> int:
        """Everything passed over, folders included."""
        return self.by_reason.total()


def iter_files(
    root: Path, settings: DiscoverySettings, count_into: Skipped | None = None
) -> Iterator[FoundFile | Problem]:
    """Walks a folder and yields the files to index, each folder's entries sorted by name.

    Args:
        root: The folder; it may be a link.
        settings: What is wanted.
        count_into: Receives the number of entries passed over, when given.

    Raises:
        FolderNotFoundError: `root` is missing or is not a folder. Raised at the call, not at the
        first item.
    """
    real_root = os.path.realpath(root)
    if not os.path.isdir(real_root):  # noqa: PTH112
        reason = "not a folder" if os.path.lexists(real_root) else "there is no such folder"
        raise FolderNotFoundError(path=str(root), reason=reason)
    return _Walk(real_root, settings, Skipped() if count_into is None else count_into).run()


@dataclass(frozen=True, slots=True)
class _Folder:
    """A folder to walk: its printable path with a final slash, and its rules, deepest last."""

    absolute: str
    prefix: str
    ignore_chain: tuple[tuple[int, IgnoreRules], ...]


class _Walk:
    def __init__(self, root: str, settings: DiscoverySettings, skipped: Skipped) -> None:
        self._root = root
        self._settings = settings
        self._skipped = skipped.by_reason
        self._include = IgnoreRules(settings.include) if settings.include else None
        self._exclude = IgnoreRules(settings.exclude)

    def run(self) -> Iterator[FoundFile | Problem]:
        # A stack of half-walked folders keeps the order depth first and sorted.
        stack = [iter(self._entries(_Folder(self._root, "", ())))]
        while stack:
            for item in stack[-1]:
                if isinstance(item, _Folder):
                    stack.append(iter(self._entries(item)))
                    break
                yield item
            else:
                stack.pop()

    def _entries(self, folder: _Folder) -> Iterator["FoundFile | Problem | _Folder"]:
        try:
            with os.scandir(folder.absolute) as scan:
                entries = sorted(scan, key=_entry_name)
        except OSError as failure:
            yield _unreadable_folder(folder.prefix, failure)
            return
        names = {entry.name for entry in entries}
        chain, problems = self._ignore_chain(folder, names)
        yield from problems
        printable = printable_names(names)
        for entry in entries:
            name = entry.name
            shown = name
            if printable and name in printable:
                shown, trouble = printable[name]
                if trouble:
                    yield Problem(
                        "odd-file-name", folder.prefix + shown, trouble, "rename it if you can"
                    )
            try:
                if entry.is_dir(follow_symlinks=False):
                    if self._walks_into(folder.prefix + shown, shown, names, chain):
                        yield _Folder(entry.path, f"{folder.prefix}{shown}/", chain)
                elif self._accepts_name(folder.prefix + shown, shown, chain):
                    yield from self._found(entry, folder.prefix + shown)
            except OSError as failure:
                yield Problem("unreadable-file", folder.prefix + shown, _reason(failure))

    def _ignore_chain(
        self, folder: _Folder, names: set[str]
    ) -> tuple[tuple[tuple[int, IgnoreRules], ...], list[Problem]]:
        chain, problems = folder.ignore_chain, []
        for name in _IGNORE_FILES:
            if name not in names or (name == ".gitignore" and not self._settings.uses_gitignore):
                continue
            try:
                rules = parse_ignore_file(_read_small(f"{folder.absolute}/{name}"))
            except OSError as failure:
                problems.append(Problem("unreadable-file", folder.prefix + name, _reason(failure)))
                continue
            if rules:
                chain = (*chain, (len(folder.prefix), rules))
        return chain, problems

    def _is_ignored(
        self, path: str, name: str, chain: tuple[tuple[int, IgnoreRules], ...], *, is_folder: bool
    ) -> bool:
        if self._exclude:
            decision = self._exclude.decide(path, name, is_folder=is_folder)
            if decision is not None:
                return decision
        for prefix_length, rules in reversed(chain):
            decision = rules.decide(path[prefix_length:], name, is_folder=is_folder)
            if decision is not None:
                return decision
        return False

    def _walks_into(
        self, path: str, name: str, siblings: set[str], chain: tuple[tuple[int, IgnoreRules], ...]
    ) -> bool:
        lowered = name.lower()
        if lowered in PRUNED_FOLDERS or (lowered in BUILD_FOLDERS and _is_project(siblings)):
            self._skipped["pruned-folder"] += 1
        elif name.startswith(".") and not self._settings.includes_hidden:
            self._skipped["hidden"] += 1
        elif self._is_ignored(path, name, chain, is_folder=True):
            self._skipped["ignored"] += 1
        else:
            return True
        return False

    def _accepts_name(
        self, path: str, name: str, chain: tuple[tuple[int, IgnoreRules], ...]
    ) -> bool:
        if is_secret_name(name):
            self._skipped["secret"] += 1
        elif is_excluded_name(name):
            self._skipped["excluded-name"] += 1
        elif name.startswith(".") and not self._settings.includes_hidden:
            self._skipped["hidden"] += 1
        elif find_extractor(name) is None:
            self._skipped["other-kind"] += 1
        elif self._is_ignored(path, name, chain, is_folder=False) or not self._is_included(
            path, name
        ):
            self._skipped["ignored"] += 1
        else:
            return True
        return False

    def _is_included(self, path: str, name: str) -> bool:
        return self._include is None or self._include.decide(path, name, is_folder=False) is True

    def _found(self, entry: os.DirEntry[str], path: str) -> Iterator[FoundFile | Problem]:
        absolute = entry.path
        if entry.is_symlink():
            target = self._link_target(absolute)
            if target is None:
                self._skipped["link"] += 1
                return
            absolute = target
            status = os.stat(absolute)  # noqa: PTH116
        else:
            status = entry.stat(follow_symlinks=False)
        if not stat.S_ISREG(status.st_mode):
            self._skipped["special-file"] += 1
        elif status.st_size > self._settings.max_file_bytes:
            self._skipped["too-large"] += 1
            yield too_large(path, status.st_size, self._settings.max_file_bytes)
        else:
            yield FoundFile(path, absolute, status.st_size, status.st_mtime_ns)

    def _link_target(self, absolute: str) -> str | None:
        """Returns the file a link leads to, if the walk may read it."""
        target = os.path.realpath(absolute)
        within = target.removeprefix(self._root.rstrip("/") + "/")
        if within == target or not os.path.isfile(target):  # noqa: PTH113
            return None
        *folders, name = within.split("/")
        if is_secret_name(name) or any(folder.lower() in PRUNED_FOLDERS for folder in folders):
            return None
        if not self._settings.includes_hidden and any(
            part.startswith(".") for part in (*folders, name)
        ):
            return None
        return target


def too_large(path: str, size: int, max_bytes: int) -> Problem:
    """Builds the problem of a file over the size cap."""
    return Problem(
        "too-large",
        path,
        f"{size:,} bytes is more than the limit of {max_bytes:,}; it is not indexed",
        "raise max_file_bytes to include it",
    )


def _entry_name(entry: os.DirEntry[str]) -> str:
    return entry.name


def _is_project(siblings: set[str]) -> bool:
    return any(name.lower() in PROJECT_MARKERS for name in siblings)


def _read_small(path: str) -> bytes:
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    with open(descriptor, "rb") as file:  # noqa: PTH123
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError("it is not a regular file")
        return file.read(_MAX_IGNORE_FILE_BYTES)


def _reason(failure: OSError) -> str:
    return (failure.strerror or str(failure)).lower()


def _unreadable_folder(prefix: str, failure: OSError) -> Problem:
    return Problem(
        "unreadable-folder",
        prefix.rstrip("/") or ".",
        f"this folder cannot be read: {_reason(failure)}",
        "check its permissions",
    )
