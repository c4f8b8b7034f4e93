"""The inside of an index that has one tree, for tests that look at its snapshot, store or vectors."""

from pathlib import Path

import dowse
from dowse.engine.tree_index import TreeIndex


def only_tree(index: dowse.Index) -> TreeIndex:
    """Returns the tree of an index that has one, opened; that of pushed texts when it has none yet."""
    (entry, *others) = index._trees.find_scope(None) or (None,)
    assert not others, "there are several trees"
    return index._trees.get_or_make("default") if entry is None else index._trees.open(entry)


def tree_folder(home: Path) -> Path:
    """Returns the folder of the only tree of a home."""
    (folder,) = (home / "trees").iterdir()
    return folder


def tree_folders(home: Path) -> list[Path]:
    """Returns the folders of all trees of a home, by name; none before the first tree is made."""
    return sorted((home / "trees").iterdir()) if (home / "trees").exists() else []
