"""Which rows of a segment a request may see at all: live ones, in the right tree and folder."""

from dowse.kernels import mark_prefix
from dowse.kernels.layout import U8
from dowse.storage.snapshot import LiveSegment


def place_mask(segment: LiveSegment, tree_id: int, under: str) -> U8 | None:
    """Returns which rows lie in a tree and in a folder below its root.

    Args:
        under: What the keys of documents start with; empty for the whole tree.

    Returns:
        One byte per row, 0 for rows of other documents; None when all rows count.
    """
    columns = segment.reader.columns
    rows: U8 = (columns.tree_ids == tree_id).astype("u1")
    if under:
        rows &= mark_prefix(columns.key_offsets, columns.key_bytes, under.encode("utf-8", "replace"))
    return None if rows.all() else rows
