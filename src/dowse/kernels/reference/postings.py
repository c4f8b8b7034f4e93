"""Look up, score, and check positions in one segment; the plain twin of the compiled `Postings`."""

from bisect import bisect_left
from collections.abc import Sequence

import numpy as np

from dowse.kernels.layout import F64, MAX_TERM_FREQ, SKIP_EVERY, U8, U16, U32, U64, Lists
from dowse.kernels.reference.inversion import split_positions

# A list of the segment by number, or one made for this query: rows, term frequencies, field.
ListSource = int | tuple[U32, U8, int]
# weight, saturation, and the lists with their tables [term_freq, length bucket].
Group = tuple[float, float, Sequence[tuple[ListSource, F64]]]


class _Terms(Sequence[bytes]):
    """The sorted dictionary as a sequence, for `bisect`."""

    def __init__(self, offsets: U64, text: U8) -> None:
        self.offsets, self.text = offsets, text

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, at: int) -> bytes:  # type: ignore[override]
        return self.text[int(self.offsets[at]) : int(self.offsets[at + 1])].tobytes()


class Postings:
    """One segment's dictionary, postings, positions and lengths, ready to be searched.

    Args:
        term_offsets: Start of each term in `term_bytes`, and its end; ``terms + 1`` values.
        term_bytes: The terms in ascending byte order.
        lists: The posting lists (`layout.Lists`).
        buckets: Length buckets, shape (fields, rows).
    """

    def __init__(self, term_offsets: U64, term_bytes: U8, lists: Lists, buckets: U8) -> None:
        self.term_offsets, self.term_bytes = term_offsets, term_bytes
        self.lists, self.buckets = lists, buckets
        self.term_count, self.row_count = len(term_offsets) - 1, buckets.shape[1]

    def find_term(self, term: bytes) -> int:
        """Returns the term's ordinal, or -1."""
        terms = _Terms(self.term_offsets, self.term_bytes)
        at = bisect_left(terms, term)
        return at if at < len(terms) and terms[at] == term else -1

    def lists_of(self, term: int) -> list[tuple[int, int]]:
        """Returns (list, field) pairs of a term, in field order."""
        first, stop = int(self.lists.term_lists[term]), int(self.lists.term_lists[term + 1])
        return [(index, int(self.lists.list_field[index])) for index in range(first, stop)]

    def rows_of(self, index: int) -> U32:
        """Returns a list's rows, ascending, as a read-only view."""
        size, start = int(self.lists.list_doc_freq[index]), int(self.lists.list_postings[index])
        return np.frombuffer(self.lists.postings, np.uint32, size, start)

    def _freqs_of(self, index: int) -> U8:
        size, start = int(self.lists.list_doc_freq[index]), int(self.lists.list_postings[index])
        return self.lists.postings[start + 4 * size : start + 5 * size]

    def freq_at(self, index: int, row: int) -> int:
        """Returns the term frequency of a list in one row, 0 when the row is not in the list."""
        at = self._posting_of(index, row)
        return 0 if at is None else int(self._freqs_of(index)[at])

    def _posting_of(self, index: int, row: int) -> int | None:
        rows = self.rows_of(index)
        at = int(np.searchsorted(rows, row))
        return at if at < len(rows) and rows[at] == row else None

    def score_top_k(
        self, groups: Sequence[Group], allowed: U8 | None, k: int, floor: float
    ) -> tuple[U32, F64, int, bool]:
        """Returns the best `k` rows that score above `floor`.

        A group is one scored thing, a term or a phrase. With one list its score in a row is
        ``weight * table[freq, bucket]``; with several (one per field) the tables' values are added first
        and saturate together: ``weight * (sum / (sum + saturation))``. A row's score is the sum over
        groups in the order given; heaviest first prunes best. Weights must be positive. Tables must be
        positive from frequency 1 on, not fall with the frequency nor rise with the length bucket: a
        list's largest frequency and smallest bucket bound what it can give.

        Args:
            groups: See `Group`.
            allowed: One byte a row, 0 for rows that must not appear; None for all.
            k: At least 1.
            floor: Rows must score above it; what another segment's k-th best has.

        Returns:
            Rows and scores by descending score, ties by ascending row; how many rows matched; and
            whether that count is exact (the compiled twin stops counting when it prunes).
        """
        sums = np.zeros(self.row_count)
        for weight, saturation, members in groups:
            parts = np.zeros(self.row_count)
            for source, table in members:
                rows, freqs, field = self._resolve(source)
                freqs = np.minimum(freqs, len(table) - 1)
                parts[rows] += table[freqs, self.buckets[field, rows]]
            touched = np.flatnonzero(parts)
            if len(members) > 1:
                parts[touched] = parts[touched] / (parts[touched] + saturation)
            sums[touched] += weight * parts[touched]
        matched = sums > 0
        if allowed is not None:
            matched &= allowed != 0
        candidates = np.flatnonzero(matched & (sums > floor))
        order = np.lexsort((candidates, -sums[candidates]))[:k]
        best = candidates[order].astype(np.uint32)
        return best, sums[best], int(matched.sum()), True

    def _resolve(self, source: ListSource) -> tuple[U32, U8, int]:
        if isinstance(source, tuple):
            return source
        return self.rows_of(source), self._freqs_of(source), int(self.lists.list_field[source])

    def phrase(self, list_indices: Sequence[int], offsets: Sequence[int]) -> tuple[U32, U8]:
        """Returns the rows where the lists' terms stand at the given relative positions, and how often.

        Args:
            list_indices: Lists of one field, one for each word of the phrase; at least one.
            offsets: Position of each word relative to the start of the phrase.
        """
        common = self.rows_of(list_indices[0])
        for index in list_indices[1:]:
            common = np.intersect1d(common, self.rows_of(index), assume_unique=True)
        rows, freqs = [], []
        for row in common.tolist():
            starts = set(range(1 << 16))
            for index, offset in zip(list_indices, offsets, strict=True):
                starts &= {at - offset for at in self.positions_at(index, row).tolist()}
            if starts:
                rows.append(row)
                freqs.append(min(len(starts), MAX_TERM_FREQ))
        return np.array(rows, np.uint32), np.array(freqs, np.uint8)

    def positions_at(self, index: int, row: int) -> U16:
        """Returns the positions of a list's term in one row, ascending; empty when it is not there."""
        at = self._posting_of(index, row)
        if at is None:
            return np.zeros(0, np.uint16)
        start = int(self.lists.list_positions[index])
        first = start + 4 * ((int(self.lists.list_doc_freq[index]) - 1) // SKIP_EVERY)
        block = at // SKIP_EVERY
        if block:
            first += int(np.frombuffer(self.lists.positions, "<u4", 1, start + 4 * (block - 1))[0])
        encoded = split_positions(self.lists.positions.tobytes(), first)
        for _ in range(at % SKIP_EVERY):
            next(encoded)
        return _decode_positions(next(encoded))


def _decode_positions(encoded: bytes) -> U16:
    positions, value, shift, position = [], 0, 0, 0
    for byte in encoded:
        value |= (byte & 127) << shift
        shift += 7
        if not byte & 128:
            position += value >> 1
            positions.append(position)
            value = shift = 0
    return np.array(positions, np.uint16)
