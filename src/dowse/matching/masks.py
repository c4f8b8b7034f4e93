"""Which rows of a segment a request may see at all: live ones, in the right tree and folder."""

import os

import numpy as np

from dowse.kernels import mark_prefix
from dowse.kernels.layout import U8
from dowse.storage.snapshot import LiveSegment, Snapshot


def place_masks(snapshot: Snapshot, tree: str | None, under: str) -> list[U8 | None]:
    """Returns, for each segment, which rows lie in a tree and in a folder below its root.

    A folder has the files of the trees inside it, too: of these everything counts, or what is below the
    folder that was asked for.

    Args:
        tree: Its name; None for all trees.
        under: The folder below its root, as the keys of documents begin with it; empty for the whole tree.

    Returns:
        One byte per row, 0 for rows of other documents; None where all rows count.

    Raises:
        UnknownTreeError: There is no such tree.
    """
    if tree is None:
        return [None] * len(snapshot.segments)
    asked = snapshot.get_tree(tree)
    places = {
        tree_id: under if one.tree_id == asked.tree_id else _find_place(asked.root, under, one.root)
        for tree_id, one in snapshot.trees.items()
    }
    # A segment's rows are all of one tree.
    return [
        _place_mask(segment, places[int(segment.reader.columns.tree_ids[0])]) for segment in snapshot.segments
    ]


def _find_place(root: str | None, under: str, inner: str | None) -> str | None:
    """Returns what of another tree lies in a folder: everything (empty), a part of it, or nothing (None)."""
    if root is None or inner is None:
        return None
    outer, below = _names(root) + _names(under), _names(inner)
    if below[: len(outer)] == outer:
        return ""
    rest = outer[len(below) :]
    return "/".join((*rest, "")) if outer[: len(below)] == below else None


def _names(path: str) -> list[str]:
    return [name for name in path.replace(os.sep, "/").split("/") if name]


def _place_mask(segment: LiveSegment, under: str | None) -> U8 | None:
    columns = segment.reader.columns
    if under is None:
        return np.zeros(segment.reader.row_count, np.uint8)
    if not under:
        return None
    rows: U8 = mark_prefix(columns.key_offsets, columns.key_bytes, under.encode("utf-8", "replace"))
    return None if rows.all() else rows
