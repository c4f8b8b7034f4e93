"""Finds and makes trees: which folder is which, and how its texts are analysed."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from dowse.analysis import AnalysisSettings
from dowse.errors import FolderNotFoundError, InvalidParameterError
from dowse.ingest.chunking.settings import ChunkingSettings
from dowse.ingest.formats import EXTRACTION_VERSION
from dowse.planning.analyzers import decode_settings, encode_settings
from dowse.storage.stored_trees import (
    Tree,
    insert_tree,
    list_trees,
    set_tree_analysis,
    set_tree_place,
)
from dowse.storage.tree_entry import TreeEntry

if TYPE_CHECKING:
    from dowse.indexing import IndexWriter

PUSHED_TREE = "default"
STOP_WORD_MODES = ("default", "none", "auto")


class TreeSettings(Struct, frozen=True):
    """How the texts of a tree are cut and analysed."""

    analysis_settings: AnalysisSettings = field(default_factory=AnalysisSettings)
    chunking: ChunkingSettings = ChunkingSettings()

    @classmethod
    def merged(
        cls, analysis: str, language: str | None, stop_words: str | None, chunking: ChunkingSettings
    ) -> "TreeSettings":
        """Takes a tree's settings and changes what was asked for."""
        settings = decode_settings(analysis)
        if language is not None:
            settings = replace(settings, language=language)
        if stop_words in STOP_WORD_MODES:
            settings = replace(settings, stop_words=stop_words, custom_stop_words=())
        elif stop_words is not None:
            words = tuple(word.strip() for word in stop_words.split(",") if word.strip())
            settings = replace(settings, stop_words="custom", custom_stop_words=words)
        return cls(settings, chunking)

    @property
    def analysis(self) -> str:
        """The analysis settings as JSON."""
        return encode_settings(self.analysis_settings)

    @property
    def fingerprint(self) -> str:
        """What terms and chunks depend on: another one means that files must be read again."""
        parts = (
            f"extraction {EXTRACTION_VERSION}",
            self.analysis_settings.fingerprint(),
            self.chunking.fingerprint(),
        )
        return " · ".join(parts)


def real_folder(folder: Path) -> Path:
    """Returns a folder's absolute path, links resolved.

    Raises:
        FolderNotFoundError: It is not there, or is not a folder.
    """
    path = folder.expanduser()
    if not path.exists():
        raise FolderNotFoundError(path=folder, reason="there is no such folder")
    if not path.is_dir():
        raise FolderNotFoundError(path=folder, reason="this is a file, not a folder")
    return path.resolve()


def choose_name(
    entries: Mapping[str, TreeEntry], path: Path, name: str | None, preferred_name: str | None
) -> str:
    """Returns what to call the new tree of a folder.

    Args:
        entries: All trees, by name.
        path: The folder, links resolved.
        name: What it must be called; None when any name will do.
        preferred_name: What to call it when `name` is None and that name is free.

    Raises:
        InvalidParameterError: The folder has a tree already, or the name belongs to another.
    """
    for entry in entries.values():
        if entry.root == str(path):
            legal = f"this folder is indexed as “{entry.name}”; remove that tree first"
            raise InvalidParameterError(name="name", value=name, legal=legal)
    if name is not None and name in entries:
        legal = "this name belongs to another tree; choose a new one"
        raise InvalidParameterError(name="name", value=name, legal=legal)
    chosen = name or preferred_name or path.name or "root"
    if chosen in entries or chosen == PUSHED_TREE:
        chosen = f"{chosen}-{_digest(path)[:6]}"
    return chosen


def _digest(path: Path) -> str:
    import hashlib  # loads OpenSSL, 3 ms, for folders of the same name only

    return hashlib.sha256(os.fsencode(path)).hexdigest()


class OtherTreeError(Exception):
    """A folder below the home has a tree of another root: another process made it a moment ago."""


def new_tree(entry: TreeEntry) -> Tree:
    """Returns a tree as it will be made (tree_id 0)."""
    return Tree(0, entry.name, entry.root, encode_settings(AnalysisSettings()), "", None)


def find_or_add_tree(
    writer: "IndexWriter", entry: TreeEntry, settings: TreeSettings, *, is_new: bool = False
) -> Tree:
    """Returns the tree of a catalogue, made or changed in the open transaction when needed.

    Args:
        is_new: Whether there was no tree a moment ago.

    Raises:
        OtherTreeError: There is one now, of another folder.
    """
    found = list_trees(writer.catalog)
    if not found:
        with writer.change() as catalog:
            insert_tree(catalog, entry.name, entry.root, settings.analysis, settings.fingerprint)
            (tree,) = list_trees(catalog)
        return tree
    (tree,) = found
    if entry.root is None:
        return tree
    if is_new and tree.root != entry.root:
        raise OtherTreeError
    with writer.change() as catalog:
        if (tree.name, tree.root) != (entry.name, entry.root):
            set_tree_place(catalog, tree.tree_id, entry.name, entry.root)
        if tree.analysis != settings.analysis:
            set_tree_analysis(catalog, tree.tree_id, settings.analysis)
    return tree
