"""Why is a file indexed, or not? The rule that decides, and where it stands.

Follows one path from the root down with the very steps of the walk; a property test holds the two together.
"""

import os
import unicodedata
from pathlib import Path

from msgspec import Struct

from dowse.ingest.discovery import Folder, OpenFolder, Refused, Walk, find_root
from dowse.ingest.filters import PRUNED_FOLDERS, extension_of
from dowse.ingest.ignore_rules import DiscoverySettings, find_cap_setting, find_marker
from dowse.ingest.source import SourceItem
from dowse.remedy import Remedy

RULES: dict[str, tuple[str, str]] = {
    "included": ("it is read", ""),
    "walked": ("this folder is walked", ""),
    "ignored": ("it is ignored", Remedy.INCLUDE_IGNORED),
    "not-included": (
        "there are include patterns, and none of them fits",
        Remedy.INCLUDE_PATTERN,
    ),
    "hidden": (
        "its name starts with a dot",
        Remedy.READ_HIDDEN,
    ),
    "pruned-folder": ("folders of this name are never walked into", "rename the folder to have it indexed"),
    "excluded-name": ("files of this name are made by programs for programs", "rename it to have it indexed"),
    "secret": ("its name says that it holds keys or passwords", "rename it if it does not"),
    "binary-file": ("files of this extension hold no text", "rename it if it does"),
    "link": (
        "links are followed to files of the same tree only, never to folders, secrets or hidden places",
        "index the place it leads to",
    ),
    "special-file": ("it is a pipe, a socket or a device", ""),
    "too-large": ("it is larger than the limit", Remedy.SET_OPTION.about("discovery.{setting}", "{size}")),
    "no-text": ("its name lets it in, but no text is found in it", Remedy.INSPECT_FILE),
    "outside": ("it is not below this folder", "ask from the folder it is in"),
    "missing": ("there is no such file", ""),
    "unreadable-folder": ("the folder around it cannot be read", "check its permissions"),
    "not-a-folder": ("what should be a folder on the way is a file", ""),
}
"""Every rule: what it says, and what can be done about it."""


class Verdict(Struct, frozen=True):
    """Whether a path is indexed, and why.

    Attributes:
        is_included: Whether the walk finds it; for a folder, whether it is walked into.
        rule: A key of `RULES`.
        subject: The path the rule speaks of: the file's own, or that of a folder around it.
        source: Where the rule stands or what it compares, such as ``docs/.gitignore line 3: *.log``; empty
            when there is nothing to add.
        hint: What the reader can do about it; may be empty.
    """

    is_included: bool
    rule: str
    subject: str
    source: str = ""
    hint: str = ""

    @property
    def message(self) -> str:
        """What the rule says, as one sentence without a full stop."""
        return RULES[self.rule][0]


def explain_path(root: Path, path: str | Path, settings: DiscoverySettings) -> Verdict:
    """Says why a file is in or out, as `iter_files` decides.

    Args:
        root: The folder that is walked.
        path: Absolute, or relative to `root`; names as on disk or as `iter_files` shows them.
        settings: What is wanted.

    Raises:
        FolderNotFoundError: `root` is missing or is not a folder.
    """
    walk = Walk(find_root(root), settings)
    parts = _parts_below(walk.root, root, os.fspath(path))
    if parts is None:
        return _verdict("outside", os.fspath(path), walk.root)
    folder = Folder(walk.root, "", ())
    for number, part in enumerate(parts, 1):
        try:
            opened = walk.open_folder(folder)
        except OSError as failure:
            return _verdict("unreadable-folder", folder.prefix.rstrip("/") or ".", str(failure.strerror))
        entry, shown = _find_entry(opened, part)
        if entry is None:
            return _verdict("missing", folder.prefix + part)
        path_here = folder.prefix + shown
        if not entry.is_dir(follow_symlinks=False):
            if number == len(parts):
                return _judge_file(walk, opened, entry, path_here, shown)
            return _verdict("link" if entry.is_symlink() else "not-a-folder", path_here)
        reason = walk.admission.refuse_folder(path_here, shown, opened.names, opened.chain)
        if reason:
            return _verdict(reason, path_here, _folder_source(reason, walk, opened, path_here, shown))
        folder = Folder(entry.path, f"{path_here}/", opened.chain)
    return Verdict(True, "walked", folder.prefix.rstrip("/") or ".")


def _parts_below(real_root: str, root: Path, path: str) -> list[str] | None:
    """Returns the names on the way from the root to a path; None when it is not below."""
    if not path.startswith("/"):
        path = os.path.join(real_root, path)  # noqa: PTH118
    normal = os.path.normpath(path)
    # A way that goes through links above the root leads to the same place as the way without.
    around, name = os.path.split(normal)
    for candidate in (normal, os.path.join(os.path.realpath(around), name)):  # noqa: PTH118
        for start in (real_root, os.path.abspath(root)):  # noqa: PTH100
            if candidate == start:
                return []
            prefix = start.rstrip("/") + "/"
            if candidate.startswith(prefix):
                return candidate[len(prefix) :].split("/")
    return None


def _find_entry(opened: OpenFolder, part: str) -> tuple["os.DirEntry[str] | None", str]:
    composed = unicodedata.normalize("NFC", part)
    by_name = {entry.name: entry for entry in opened.entries}
    if part in by_name:
        return by_name[part], opened.printable.get(part, (part, ""))[0]
    for name, (shown, _) in opened.printable.items():
        if shown in (part, composed):
            return by_name[name], shown
    if composed in by_name:
        return by_name[composed], composed
    return None, part


def _judge_file(
    walk: Walk, opened: OpenFolder, entry: "os.DirEntry[str]", path: str, name: str
) -> Verdict:
    reason = walk.admission.refuse_file(path, name, opened.chain)
    if reason:
        return _verdict(reason, path, _file_source(reason, walk, opened, path, name))
    try:
        found = walk.examine(entry, path)
    except OSError as failure:
        return _verdict("missing", path, str(failure.strerror))
    if isinstance(found, SourceItem):
        return Verdict(True, "included", path)
    return _refused(walk, found, entry, path)


def _refused(walk: Walk, found: Refused, entry: "os.DirEntry[str]", path: str) -> Verdict:
    if found.reason == "link":
        return _verdict("link", path, f"leads to {os.path.realpath(entry.path)}")
    if found.reason == "too-large":
        setting, cap = find_cap_setting(path), walk.settings.cap_bytes(path)
        hint = RULES["too-large"][1].format(setting=setting, size=found.size)
        source = f"{found.size:,} bytes, discovery.{setting} is {cap:,}"
        return Verdict(False, "too-large", path, source, hint)
    return _verdict(found.reason, path)


def _folder_source(reason: str, walk: Walk, opened: OpenFolder, path: str, name: str) -> str:
    if reason == "ignored":
        return _ignore_source(walk, opened, path, name, is_folder=True)
    if reason == "pruned-folder" and name.lower() not in PRUNED_FOLDERS:
        return f"beside {find_marker(opened.names)}, which marks a software project"
    return ""


def _file_source(reason: str, walk: Walk, opened: OpenFolder, path: str, name: str) -> str:
    if reason == "ignored":
        return _ignore_source(walk, opened, path, name, is_folder=False)
    if reason == "binary-file":
        return f".{extension_of(name)}"
    if reason == "not-included":
        return ", ".join(walk.settings.include)
    return ""


def _ignore_source(walk: Walk, opened: OpenFolder, path: str, name: str, *, is_folder: bool) -> str:
    found = walk.admission.find_rule(path, name, opened.chain, is_folder=is_folder)
    assert found is not None, "a rule ignores it"
    rule, file = found
    return f"{file} line {rule.line}: {rule.text}" if file else f"exclude pattern {rule.text}"


def _verdict(rule: str, subject: str, source: str = "") -> Verdict:
    return Verdict(False, rule, subject, source, RULES[rule][1])
