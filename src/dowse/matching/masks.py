"""Which rows of a segment may appear: live, in the right tree and folder, required, not excluded."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from dowse.kernels.layout import U8
from dowse.matching.leaf import SegmentLists, rows_of
from dowse.storage.catalog import Catalog
from dowse.storage.segment_reader import SegmentReader
from dowse.storage.snapshot import LiveSegment


@dataclass(frozen=True, slots=True)
class DocumentFilter:
    """Only documents of one tree, and of one folder in it.

    Attributes:
        doc_ids: Ascending ids of the documents that count; None for all of the tree.
    """

    tree_id: int
    doc_ids: tuple[int, ...] | None = None

    @classmethod
    def build(cls, catalog: Catalog, tree_id: int, under: str) -> "DocumentFilter":
        """Builds the filter for a tree and a folder below its root (empty: the whole tree)."""
        if not under:
            return cls(tree_id)
        rows = catalog.fetch(
            "SELECT doc_id FROM documents WHERE tree_id = ? AND is_live"
            " AND substr(doc_key, 1, ?) = ? ORDER BY doc_id",
            (tree_id, len(under), under),
        )
        return cls(tree_id, tuple(row[0] for row in rows))

    def mask(self, reader: SegmentReader) -> U8 | None:
        """Returns one byte a row, 0 for rows of other documents; None when all rows count."""
        rows = reader.columns.tree_ids == self.tree_id
        if self.doc_ids is not None:
            rows &= np.isin(reader.columns.doc_ids, np.array(self.doc_ids, np.int64))
        return None if rows.all() else rows.astype(np.uint8)


def row_mask(
    segment: LiveSegment,
    documents: U8 | None,
    required: Sequence[SegmentLists],
    excluded: Iterable[SegmentLists],
) -> U8 | None:
    """Combines all that decides whether a row may appear.

    Args:
        segment: Its deletions count.
        documents: From `DocumentFilter.mask`.
        required: Leaves' lists in this segment; a row must be in each of them.
        excluded: Leaves' lists in this segment; a row must be in none of them.

    Returns:
        One byte a row, 0 for rows that must not appear; None when every row may.
    """
    masks = [mask for mask in (segment.live, documents) if mask is not None]
    for lists in required:
        mask = np.zeros(segment.reader.row_count, np.uint8)
        for source, _ in lists:
            mask[rows_of(segment.reader, source)] = 1
        masks.append(mask)
    for lists in excluded:
        if lists:
            mask = np.ones(segment.reader.row_count, np.uint8)
            for source, _ in lists:
                mask[rows_of(segment.reader, source)] = 0
            masks.append(mask)
    if not masks:
        return None
    combined = masks[0]
    for mask in masks[1:]:
        combined = combined & mask
    return combined
