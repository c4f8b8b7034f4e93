"""Which rows filters let through, segment by segment."""

import threading
from collections import OrderedDict

import numpy as np
from msgspec import Struct, field

from dowse.errors import CorruptFileError
from dowse.kernels.layout import U8, U32
from dowse.matching.document_filters import Condition, SegmentDocuments, get_filter
from dowse.matching.names import Names
from dowse.storage.snapshot import LiveSegment, Snapshot

# Masks are made in a fraction of a millisecond; these are for the filter that a user keeps while typing.
MOST_MASK_BYTES = 8 << 20


class Documents(Struct):
    """The documents of one snapshot by what is asked of them; keeps the masks that were asked for last.

    Several threads may ask at once.
    """

    snapshot: Snapshot
    _names: Names | None = None
    _masks: OrderedDict[tuple[Condition, int], U8] = field(default_factory=OrderedDict)
    _bytes: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def names(self) -> Names:
        """Titles and file names."""
        if self._names is None:
            self._names = Names(self.snapshot)
        return self._names

    def __len__(self) -> int:
        """How many masks are kept."""
        return len(self._masks)

    @property
    def nbytes(self) -> int:
        """Bytes of the masks that are kept."""
        return self._bytes

    def mask(self, condition: Condition, segment: int) -> U8:
        """Returns one byte per row of a segment, 0 for rows of other documents.

        Raises:
            CorruptFileError: The segment's columns are damaged.
        """
        key = condition, segment
        with self._lock:
            found = self._masks.get(key)
            if found is not None:
                self._masks.move_to_end(key)
                return found
        found = self._build(condition, self.snapshot.segments[segment])
        self._keep(key, found)
        return found

    def _build(self, condition: Condition, segment: LiveSegment) -> U8:
        wanted = get_filter(condition.name)
        try:
            marks = wanted.mark(SegmentDocuments(segment, self.snapshot.trees), condition)
            return segment.reader.document_columns.rows(marks)
        except (ValueError, IndexError) as error:  # kernels and arrays refuse numbers that are out of range
            path = f"{segment.reader.folder}/columns"
            raise CorruptFileError(path=path, expectation="its columns do not fit together") from error

    def _keep(self, key: tuple[Condition, int], mask: U8) -> None:
        with self._lock:
            if key not in self._masks:
                self._bytes += mask.nbytes
            self._masks[key] = mask
            while self._bytes > MOST_MASK_BYTES:
                _, oldest = self._masks.popitem(last=False)
                self._bytes -= oldest.nbytes


class OfDocuments(Struct, frozen=True):
    """Rows of the documents that meet a condition."""

    documents: Documents
    condition: Condition

    def rows_in(self, segment: int) -> U32:
        """See `Matcher`."""
        return np.flatnonzero(self.documents.mask(self.condition, segment)).astype(np.uint32)


class FilteredRows(Struct, frozen=True):
    """Rows of the documents that meet all of some conditions, and none of others.

    Attributes:
        needed: What all of them meet.
        excluded: What none of them meets.
    """

    documents: Documents
    needed: tuple[Condition, ...]
    excluded: tuple[Condition, ...] = ()

    def narrow(self, allowed: U8 | None, segment: int) -> U8 | None:
        """Returns which of the rows that are allowed in a segment pass: one byte per row, or None for all."""
        for condition in self.needed:
            mask = self.documents.mask(condition, segment)
            allowed = mask if allowed is None else allowed & mask
        for condition in self.excluded:
            mask = (self.documents.mask(condition, segment) == 0).view(np.uint8)
            allowed = mask if allowed is None else allowed & mask
        return allowed
