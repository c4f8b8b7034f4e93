"""From tokens to posting lists; the plain twin.

Inverting is a stable sort by (term, field): tokens arrive in row order, so each list comes out with
ascending rows.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter

import numpy as np

from dowse.kernels.layout import FIELD_SLOTS, MAX_TERM_FREQ, SKIP_EVERY, U8, U16, U32, Lists

Posting = tuple[int, int, bytes]  # row, term frequency, encoded positions


def invert(
    list_ids: U32,
    rows: U32,
    positions: U16,
    term_count: int,
    buckets: U8,
    first_term: int = 0,
) -> Lists:
    """Groups tokens by (term, field) and encodes their posting lists.

    Args:
        list_ids: ``term * 8 + field`` of each token.
        rows: Row of each token; ascending within each list id.
        positions: Position of each token in its field; repeated ones count once.
        term_count: Terms to invert; every one must occur.
        buckets: Length buckets, shape (fields, rows).
        first_term: The first of them; tokens of others are left out. So a segment can be inverted a block
            of terms at a time, on several threads.
    """
    terms = list_ids // FIELD_SLOTS
    order = np.argsort(list_ids, kind="stable")
    order = order[(terms[order] >= first_term) & (terms[order] < first_term + term_count)]
    tokens = zip(
        list_ids[order].tolist(), rows[order].tolist(), positions[order].tolist(), strict=True
    )
    builder = ListsBuilder(buckets)
    by_term = groupby(tokens, key=lambda token: token[0] // FIELD_SLOTS)
    for _, term_tokens in by_term:
        builder.add_term(
            (list_id % FIELD_SLOTS, _encode_postings(group))
            for list_id, group in groupby(term_tokens, key=itemgetter(0))
        )
    return builder.finish()


def _encode_postings(tokens: Iterable[tuple[int, int, int]]) -> list[Posting]:
    postings = []
    for row, group in groupby(tokens, key=itemgetter(1)):
        positions = sorted({token[2] for token in group})
        freq = min(len(positions), MAX_TERM_FREQ)
        postings.append((row, freq, encode_positions(positions)))
    return postings


def encode_positions(positions: Sequence[int]) -> bytes:
    """Encodes ascending positions as varints of ``delta << 1 | is_last``."""
    out = bytearray()
    previous = 0
    for i, position in enumerate(positions):
        value = (position - previous) << 1 | (i == len(positions) - 1)
        previous = position
        while value >= 128:
            out.append(value & 127 | 128)
            value >>= 7
        out.append(value)
    return bytes(out)


def split_positions(stream: bytes, start: int) -> Iterator[bytes]:
    """Yields the encoded positions of one posting after the other, from `start` on."""
    at = begin = start
    while at < len(stream):
        is_last = stream[at] & 1
        while at < len(stream) and stream[at] & 128:
            at += 1
        at += 1
        if is_last:
            yield stream[begin:at]
            begin = at


class ListsBuilder:
    """Collects posting lists term by term and lays them out."""

    def __init__(self, buckets: U8) -> None:
        self.buckets = buckets
        self.term_lists = [0]
        self.term_doc_freq: list[int] = []
        self.lists: list[tuple[int, int, int, int, int, int]] = []
        self.postings = bytearray()
        self.positions = bytearray()

    def add_term(self, lists: Iterable[tuple[int, list[Posting]]]) -> bool:
        """Adds a term's lists; returns False, and adds nothing, when they have no postings."""
        rows: set[int] = set()
        for field, postings in lists:
            if postings:
                rows.update(row for row, _, _ in postings)
                self._add_list(field, postings)
        if rows:
            self.term_lists.append(len(self.lists))
            self.term_doc_freq.append(len(rows))
        return bool(rows)

    def _add_list(self, field: int, postings: list[Posting]) -> None:
        rows = np.array([row for row, _, _ in postings], np.uint32)
        freqs = np.array([freq for _, freq, _ in postings], np.uint8)
        sizes = np.cumsum([len(encoded) for _, _, encoded in postings])
        self.lists.append(
            (
                field,
                int(freqs.max()),
                int(self.buckets[field, rows].min()),
                len(postings),
                len(self.postings),
                len(self.positions),
            )
        )
        self.postings += rows.tobytes() + freqs.tobytes()
        self.postings += bytes(-len(self.postings) % 4)
        self.positions += sizes[SKIP_EVERY - 1 : -1 : SKIP_EVERY].astype(np.uint32).tobytes()
        for _, _, encoded in postings:
            self.positions += encoded

    def finish(self) -> Lists:
        columns = list(zip(*self.lists, strict=True)) or [()] * 6
        types = (np.uint8, np.uint8, np.uint8, np.uint32, np.uint64, np.uint64)
        arrays = [np.array(column, kind) for column, kind in zip(columns, types, strict=True)]
        return Lists._make(
            (
                np.array(self.term_lists, np.uint32),
                np.array(self.term_doc_freq, np.uint32),
                *arrays,
                np.frombuffer(bytes(self.postings), np.uint8),
                np.frombuffer(bytes(self.positions), np.uint8),
            )
        )
