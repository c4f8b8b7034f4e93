"""Which entries of a folder are wanted: every rule about names, asked for one entry at a time.

The walk (`discovery`) and the question why a file is in or out (`explain_discovery`) ask the same rules, so
that they cannot disagree. The cheap rules come first; none of them opens a file or asks the operating system.
"""

import os
import stat
from typing import NamedTuple

from msgspec import Struct

from dowse.errors import InvalidParameterError
from dowse.ingest.filters import (
    BINARY_EXTENSIONS,
    BUILD_FOLDERS,
    LARGE_EXTENSIONS,
    PROJECT_MARKERS,
    PRUNED_FOLDERS,
    extension_of,
    is_excluded_name,
    is_secret_name,
)
from dowse.ingest.formats import find_format
from dowse.ingest.gitignore import IgnoreRule, IgnoreRules, parse_ignore_file
from dowse.schema import Problem

IGNORE_FILES = (".gitignore", ".dowseignore")
_MAX_IGNORE_FILE_BYTES = 1_000_000


class DiscoverySettings(Struct, frozen=True):
    """How a folder is walked.

    Attributes:
        max_file_bytes: A larger text file is a problem, not a document.
        max_document_bytes: The same for formats that are more than their text: PDF, office files, mail,
            archives.
        uses_gitignore: Whether `.gitignore` files count; `.dowseignore` always does.
        includes_hidden: Whether names with a leading dot are walked; pruned folders and secrets never are.
        include: Patterns in `.gitignore` syntax; when there are any, a file must match one.
        exclude: Patterns in `.gitignore` syntax; they come after all ignore files.
        include_below: Where the root lies below the folder that `include` is relative to (``docs/``);
            empty when it is the root.
        exclude_below: The same for `exclude`.
    """

    max_file_bytes: int = 2 * 1024 * 1024
    max_document_bytes: int = 64 * 1024 * 1024
    uses_gitignore: bool = True
    includes_hidden: bool = False
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    include_below: str = ""
    exclude_below: str = ""

    def __post_init__(self) -> None:
        for name in ("max_file_bytes", "max_document_bytes"):
            if getattr(self, name) < 1:
                legal = "a number of bytes from 1 up"
                raise InvalidParameterError(name=name, value=getattr(self, name), legal=legal)

    def cap_bytes(self, path: str) -> int:
        """Returns how large a file of this name may be."""
        if find_cap_setting(path) == "max_file_bytes":
            return self.max_file_bytes
        return max(self.max_file_bytes, self.max_document_bytes)


def find_cap_setting(path: str) -> str:
    """Returns which setting limits the size of a file of this name."""
    found = find_format(path)
    is_text = found is None or found.reads_text
    is_large = extension_of(path.rpartition("/")[2]) in LARGE_EXTENSIONS
    return "max_file_bytes" if is_text and not is_large else "max_document_bytes"


class IgnoreFile(NamedTuple):
    """The rules of one ignore file; `prefix_length` is that of its folder's path with a final slash."""

    path: str
    prefix_length: int
    rules: IgnoreRules


class DiscoveryRules:
    """The rules about names, for one set of settings."""

    def __init__(self, settings: DiscoverySettings) -> None:
        self.settings = settings
        self._include = IgnoreRules(settings.include) if settings.include else None
        self._exclude = IgnoreRules(settings.exclude)

    def refuse_folder(
        self, path: str, name: str, siblings: set[str], chain: tuple[IgnoreFile, ...]
    ) -> str:
        """Returns why a folder is not walked into; empty when it is.

        Args:
            path: Relative to the root, printable, with ``/``.
            name: Its last part.
            siblings: All names in the folder around it.
            chain: The ignore files that count here, deepest last.
        """
        lowered = name.lower()
        if lowered in PRUNED_FOLDERS or (lowered in BUILD_FOLDERS and find_marker(siblings)):
            return "pruned-folder"
        if name.startswith(".") and not self.settings.includes_hidden:
            return "hidden"
        return "ignored" if self.is_ignored(path, name, chain, is_folder=True) else ""

    def refuse_file(self, path: str, name: str, chain: tuple[IgnoreFile, ...]) -> str:
        """Returns why a file of this name is not read; empty when it may be."""
        if is_secret_name(name):
            return "secret"
        if is_excluded_name(name):
            return "excluded-name"
        if name.startswith(".") and not self.settings.includes_hidden:
            return "hidden"
        if extension_of(name) in BINARY_EXTENSIONS and find_format(name) is None:
            return "binary-file"
        if self.is_ignored(path, name, chain, is_folder=False):
            return "ignored"
        return "" if self._is_included(path, name) else "not-included"

    def is_ignored(
        self, path: str, name: str, chain: tuple[IgnoreFile, ...], *, is_folder: bool
    ) -> bool:
        """Says whether an exclude pattern or an ignore file leaves an entry out."""
        found = self.find_rule(path, name, chain, is_folder=is_folder)
        return found is not None and not found[0].negated

    def find_rule(
        self, path: str, name: str, chain: tuple[IgnoreFile, ...], *, is_folder: bool
    ) -> tuple[IgnoreRule, str] | None:
        """Returns the rule that decides about an entry and the ignore file it is in, empty for a pattern."""
        if self._exclude:
            rule = self._exclude.find_rule(
                self.settings.exclude_below + path, name, is_folder=is_folder
            )
            if rule is not None:
                return rule, ""
        for file in reversed(chain):
            rule = file.rules.find_rule(path[file.prefix_length :], name, is_folder=is_folder)
            if rule is not None:
                return rule, file.path
        return None

    def _is_included(self, path: str, name: str) -> bool:
        if self._include is None:
            return True
        full = self.settings.include_below + path
        decision = self._include.decide(full, name, is_folder=False)
        # As in git, a pattern that names a folder speaks of all below it.
        while decision is None and "/" in full:
            full = full.rpartition("/")[0]
            decision = self._include.decide(full, full.rpartition("/")[2], is_folder=True)
        return decision is True

    def read_ignore_files(
        self, absolute: str, prefix: str, names: set[str], chain: tuple[IgnoreFile, ...]
    ) -> tuple[tuple[IgnoreFile, ...], list[Problem]]:
        """Returns the chain that counts in a folder, and which of its ignore files could not be read."""
        problems = []
        for name in IGNORE_FILES:
            if name not in names or (name == ".gitignore" and not self.settings.uses_gitignore):
                continue
            try:
                rules = parse_ignore_file(_read_small(f"{absolute}/{name}"))
            except OSError as failure:
                problems.append(Problem("unreadable-file", prefix + name, reason_of(failure)))
                continue
            if rules:
                chain = (*chain, IgnoreFile(prefix + name, len(prefix), rules))
        return chain, problems

    def find_link_target(self, root: str, absolute: str) -> str | None:
        """Returns the file a link leads to, if the walk may read it."""
        target = os.path.realpath(absolute)
        within = target.removeprefix(root.rstrip("/") + "/")
        if within == target or not os.path.isfile(target):  # noqa: PTH113
            return None
        *folders, name = within.split("/")
        if is_secret_name(name) or any(folder.lower() in PRUNED_FOLDERS for folder in folders):
            return None
        hides = not self.settings.includes_hidden
        if hides and any(part.startswith(".") for part in (*folders, name)):
            return None
        return target


def find_marker(siblings: set[str]) -> str | None:
    """Returns the first name that marks a software project, if there is one."""
    return min((name for name in siblings if name.lower() in PROJECT_MARKERS), default=None)


def reason_of(failure: OSError) -> str:
    """Returns what the operating system says, as a part of a sentence."""
    return (failure.strerror or str(failure)).lower()


def _read_small(path: str) -> bytes:
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    with open(descriptor, "rb") as file:  # noqa: PTH123
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError("it is not a regular file")
        return file.read(_MAX_IGNORE_FILE_BYTES)
