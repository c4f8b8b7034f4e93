"""Finds and makes trees: which folder is which, and how its texts are analysed."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from dowse.analysis import AnalysisSettings
from dowse.errors import FolderNotFoundError, InvalidParameterError
from dowse.ingest.chunking.settings import ChunkingSettings
from dowse.ingest.formats import EXTRACTION_VERSION
from dowse.planning.analyzers import decode_settings, encode_settings
from dowse.storage.stored_trees import Tree, find_tree, insert_tree, set_tree_analysis

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


def tree_containing(trees: Iterable[Tree], folder: Path) -> tuple[str, str] | None:
    """Returns the deepest tree whose root is the folder or holds it, and the folder's place in it."""
    path = str(real_folder(folder))
    best: tuple[int, str, str] | None = None
    for tree in trees:
        root = tree.root
        if root is None:
            continue
        prefix = root.rstrip(os.sep) + os.sep
        if path == root or path.startswith(prefix):
            below = path[len(prefix) :].replace(os.sep, "/")
            candidate = (len(root), tree.name, f"{below}/" if below else "")
            best = max(best, candidate) if best else candidate
    return best[1:] if best else None


def folder_tree(
    trees: Iterable[Tree], folder: Path, name: str | None, preferred_name: str | None = None
) -> Tree:
    """Returns the tree of a folder as it is, or as it would be made (tree_id 0).

    A folder inside a tree belongs to that tree: two trees over the same files would find all twice.

    Args:
        trees: All that there are.
        folder: The folder.
        name: What it must be called; None when any name will do.
        preferred_name: What to call a new tree when `name` is None and that name is free.
    """
    known = list(trees)
    path = real_folder(folder)
    inside = tree_containing(known, path)
    if inside is not None and (name is None or name == inside[0]):
        return next(tree for tree in known if tree.name == inside[0])
    for tree in known:
        if tree.root == str(path):
            legal = f"this folder is indexed as “{tree.name}”; dowse delete --tree {tree.name} removes that"
            raise InvalidParameterError(name="name", value=name, legal=legal)
    names = {tree.name for tree in known}
    if name is not None and name in names:
        legal = "this name belongs to another tree; choose a new one"
        raise InvalidParameterError(name="name", value=name, legal=legal)
    chosen = name or preferred_name or path.name or "root"
    if chosen in names or chosen == PUSHED_TREE:
        chosen = f"{chosen}-{_digest(path)[:6]}"
    analysis = encode_settings(AnalysisSettings())
    return Tree(0, chosen, str(path), analysis, "", None)


def _digest(path: Path) -> str:
    import hashlib  # loads OpenSSL, 3 ms, for folders of the same name only

    return hashlib.sha256(os.fsencode(path)).hexdigest()


def find_or_add_tree(
    writer: "IndexWriter", name: str, root: str | None, settings: TreeSettings
) -> Tree:
    """Returns the tree with this name, made or changed in the open transaction when needed."""
    tree = find_tree(writer.catalog, name)
    if tree is None:
        with writer.change() as catalog:
            insert_tree(catalog, name, root, settings.analysis, settings.fingerprint)
            tree = find_tree(catalog, name)
    elif root is not None and tree.analysis != settings.analysis:
        with writer.change() as catalog:
            set_tree_analysis(catalog, tree.tree_id, settings.analysis)
    assert tree is not None, "the tree was just made"
    return tree
