"""From the posting lists of several segments to merged lists; the plain twin.

Lists are concatenated in segment order: row maps ascend within and across segments, so rows keep ascending.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from dowse.kernels.layout import DROPPED, FIELD_SLOTS, SKIP_EVERY, U8, U32, U64, Lists
from dowse.kernels.reference.inversion import ListsBuilder, Posting, split_positions

MergeSource = tuple[U64, U8, Lists, U32]


class Merger:
    """Merges the lists of several segments, a block of terms at a time.

    Args:
        sources: Per segment its term offsets, term bytes, lists and row map. A row map gives the row in
            the merged segment, or 0xFFFFFFFF for a deleted one; kept rows ascend within and across
            segments.
        buckets: Length buckets of the merged segment, shape (fields, rows).
    """

    def __init__(self, sources: Sequence[MergeSource], buckets: U8) -> None:
        self._buckets = buckets
        self._sources = sources
        holders: dict[bytes, list[tuple[int, int]]] = {}
        for s, (offsets, text, _, _) in enumerate(sources):
            raw = text.tobytes()
            for term in range(len(offsets) - 1):
                word = raw[int(offsets[term]) : int(offsets[term + 1])]
                holders.setdefault(word, []).append((s, term))
        self._work = iter(sorted(holders.items()))
        self._is_done = False

    def next_block(self, limit_bytes: int) -> tuple[U64, U8, Lists] | None:
        """Returns sizes, bytes and lists of the next terms, about `limit_bytes`; None at the end."""
        if self._is_done:
            return None
        builder = ListsBuilder(self._buckets)
        terms = []
        self._is_done = True
        for word, holders in self._work:
            if builder.add_term(
                (field, self._merge_field(holders, field)) for field in range(FIELD_SLOTS)
            ):
                terms.append(word)
            if len(builder.postings) + len(builder.positions) >= limit_bytes:
                self._is_done = False
                break
        if not terms and self._is_done:
            return None
        sizes = np.fromiter(map(len, terms), np.uint64, len(terms))
        return sizes, np.frombuffer(b"".join(terms), np.uint8), builder.finish()

    def _merge_field(self, holders: list[tuple[int, int]], field: int) -> list[Posting]:
        merged = []
        for s, term in holders:
            _, _, lists, row_map = self._sources[s]
            for index in range(int(lists.term_lists[term]), int(lists.term_lists[term + 1])):
                if int(lists.list_field[index]) == field:
                    merged += [
                        (int(row_map[row]), freq, encoded)
                        for row, freq, encoded in _read_postings(lists, index)
                        if int(row_map[row]) != DROPPED
                    ]
        return merged


def _read_postings(lists: Lists, index: int) -> Iterator[Posting]:
    size, start = int(lists.list_doc_freq[index]), int(lists.list_postings[index])
    rows = np.frombuffer(lists.postings, np.uint32, size, start).tolist()
    freqs = lists.postings[start + 4 * size : start + 5 * size].tolist()
    stream = lists.positions.tobytes()
    first = int(lists.list_positions[index]) + 4 * ((size - 1) // SKIP_EVERY)
    return zip(rows, freqs, split_positions(stream, first), strict=False)
