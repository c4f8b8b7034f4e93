"""Which rows of a segment a request may see at all: live ones, in the right tree and folder."""


import numpy as np
from msgspec import Struct

from dowse.kernels.layout import U8
from dowse.storage.catalog_parts import CatalogView
from dowse.storage.segment_reader import SegmentReader
from dowse.storage.snapshot import LiveSegment
from dowse.storage.stored_documents import list_doc_ids_below


class DocumentFilter(Struct, frozen=True):
    """Only documents of one tree, and of one folder in it.

    Attributes:
        doc_ids: Ascending ids of the documents that count; None for all of the tree.
    """

    tree_id: int
    doc_ids: tuple[int, ...] | None = None

    @classmethod
    def build(cls, view: CatalogView, tree_id: int, under: str) -> "DocumentFilter":
        """Builds the filter for a tree and a folder below its root (empty: the whole tree)."""
        if not under:
            return cls(tree_id)
        return cls(tree_id, tuple(list_doc_ids_below(view, tree_id, under)))

    def mask(self, reader: SegmentReader) -> U8 | None:
        """Returns one byte a row, 0 for rows of other documents; None when all rows count."""
        rows = reader.columns.tree_ids == self.tree_id
        if self.doc_ids is not None:
            rows &= np.isin(reader.columns.doc_ids, np.array(self.doc_ids, np.int64))
        return None if rows.all() else rows.astype(np.uint8)


def row_mask(segment: LiveSegment, documents: U8 | None) -> U8 | None:
    """Combines deletions with a filter's mask.

    Returns:
        One byte a row, 0 for rows that must not appear; None when every row may.
    """
    if segment.live is None:
        return documents
    return segment.live if documents is None else segment.live & documents
