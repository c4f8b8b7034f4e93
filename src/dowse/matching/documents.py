"""Which documents a filter lets through, and the rows they have.

A filter speaks of documents (their folder, kind, date, metadata), so it is answered from the catalogue,
once for a snapshot, and then acts on rows inside every leg, before the best are chosen.
"""


import numpy as np
import numpy.typing as npt
from msgspec import Struct, field

from dowse.kernels.layout import U8, U32
from dowse.matching.facts import Condition, get_fact, holds
from dowse.matching.names import Names
from dowse.storage.snapshot import Snapshot

I64 = npt.NDArray[np.int64]


class Documents(Struct):
    """The documents of one snapshot by what is asked of them; remembers its answers."""

    snapshot: Snapshot
    _ids: dict[Condition, I64] = field(default_factory=dict)
    _names: Names | None = None
    _masks: dict[tuple[Condition, int], U8] = field(default_factory=dict)

    def ids_of(self, condition: Condition) -> I64:
        """Returns the ids of the live documents that meet a condition, ascending."""
        found = self._ids.get(condition)
        if found is None:
            fact = get_fact(condition.name)
            rows = self.snapshot.catalog.fetch(
                f"SELECT doc_id, {fact.columns} FROM documents WHERE is_live ORDER BY doc_id"
            )
            trees = self.snapshot.trees
            ids = [
                row[0] for row in rows if holds(condition, fact.read(condition.name, trees, *row[1:]))
            ]
            found = self._ids[condition] = np.array(ids, np.int64)
        return found

    @property
    def names(self) -> Names:
        """Titles and file names."""
        if self._names is None:
            self._names = Names(self.snapshot)
        return self._names

    def mask(self, condition: Condition, segment: int) -> U8:
        """Returns one byte a row of a segment, 0 for rows of other documents."""
        key = condition, segment
        found = self._masks.get(key)
        if found is None:
            columns = self.snapshot.segments[segment].reader.columns
            found = self._masks[key] = np.isin(columns.doc_ids, self.ids_of(condition)).view(np.uint8)
        return found


class OfDocuments(Struct, frozen=True):
    """Rows of the documents that meet a condition."""

    documents: Documents
    condition: Condition

    def rows_in(self, segment: int) -> U32:
        """See `Matcher`."""
        return np.flatnonzero(self.documents.mask(self.condition, segment)).astype(np.uint32)
