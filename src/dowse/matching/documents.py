"""Which rows filters let through, segment by segment."""

from collections import OrderedDict

import numpy as np
from msgspec import Struct, field

from dowse.kernels.layout import U8, U32
from dowse.matching.document_filters import Condition, SegmentDocuments, get_filter
from dowse.matching.names import Names
from dowse.storage.snapshot import Snapshot

# Masks are made in a fraction of a millisecond; these are for the filter that a user keeps while typing.
MOST_MASK_BYTES = 8 << 20


class Documents(Struct):
    """The documents of one snapshot by what is asked of them; remembers the last masks."""

    snapshot: Snapshot
    _names: Names | None = None
    _masks: OrderedDict[tuple[Condition, int], U8] = field(default_factory=OrderedDict)
    _bytes: int = 0

    @property
    def names(self) -> Names:
        """Titles and file names."""
        if self._names is None:
            self._names = Names(self.snapshot)
        return self._names

    @property
    def nbytes(self) -> int:
        """Bytes of the masks that are kept."""
        return self._bytes

    def mask(self, condition: Condition, segment: int) -> U8:
        """Returns one byte per row of a segment, 0 for rows of other documents."""
        key = condition, segment
        found = self._masks.get(key)
        if found is None:
            live = self.snapshot.segments[segment]
            marks = get_filter(condition.name).mark(
                SegmentDocuments(live, self.snapshot.trees), condition
            )
            found = live.reader.document_columns.rows(marks)
            self._keep(key, found)
        return found

    def _keep(self, key: tuple[Condition, int], mask: U8) -> None:
        self._masks[key] = mask
        self._bytes += mask.nbytes
        while self._bytes > MOST_MASK_BYTES and self._masks:
            _, oldest = self._masks.popitem(last=False)
            self._bytes -= oldest.nbytes


class OfDocuments(Struct, frozen=True):
    """Rows of the documents that meet a condition."""

    documents: Documents
    condition: Condition

    def rows_in(self, segment: int) -> U32:
        """See `Matcher`."""
        return np.flatnonzero(self.documents.mask(self.condition, segment)).astype(np.uint32)
