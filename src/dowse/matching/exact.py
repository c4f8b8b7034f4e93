"""Matches a text as it stands, in any place: a substring of the chunk's text after folding.

The signatures of a segment say which rows may have it (their n-grams, with chance hits); the stored text
says which do. Reading texts is what costs, so at most `MAX_CHECKED` candidates are read, shortest chunks
first, and the answer says when that was not all.
"""

import math
from functools import cache
from typing import NamedTuple

import numpy as np

from dowse.analysis import fold_text
from dowse.kernels import signature_bits
from dowse.kernels.layout import U32
from dowse.matching.factored import Factored
from dowse.schema import Field
from dowse.storage.snapshot import LiveSegment, Snapshot
from dowse.storage.stored_texts import iter_chunk_texts

MAX_CHECKED = 1_000
_BATCH = 500


class ExactMatch(NamedTuple):
    """Rows that have a text.

    Attributes:
        candidates: Rows that the signatures could not rule out.
        checked: Those whose text was read.
    """

    match: Factored
    candidates: int
    checked: int


def match_exact(snapshot: Snapshot, text: str) -> ExactMatch:
    """Finds the live rows whose folded text has the folded `text` in it.

    A match is worth 1 / ((1 + ln(1 + place)) * (1 + ln(1 + length))): more the earlier it comes and the
    shorter the chunk is.
    """
    wanted = fold_text(text)
    bits = signature_bits(wanted)
    candidates = [
        _live_candidates(segment, bits) if wanted else np.zeros(0, np.uint32)
        for segment in snapshot.segments
    ]
    total, left = sum(map(len, candidates)), MAX_CHECKED
    rows, factors = [], []
    for segment, found in zip(snapshot.segments, candidates, strict=True):
        # Each segment gets its share, so that the newest are not left out.
        share = len(found) if total <= MAX_CHECKED else math.ceil(MAX_CHECKED * len(found) / total)
        chosen = _shortest(segment, found, min(share, left))
        left -= len(chosen)
        places = _read(snapshot, segment, chosen, wanted)
        rows.append(np.array([row for row, _ in places], np.uint32))
        factors.append(np.array([value for _, value in places], np.float64))
    match = Factored(f"“{text}” exactly", "earlier and in shorter chunks is worth more", rows, factors, ())
    return ExactMatch(match, total, MAX_CHECKED - left)


def _live_candidates(segment: LiveSegment, bits: U32) -> U32:
    found = segment.reader.signatures.find_candidates(bits)
    return found if segment.live is None else found[segment.live[found] != 0]


def _shortest(segment: LiveSegment, rows: U32, count: int) -> U32:
    if len(rows) <= count:
        return rows
    buckets = segment.reader.buckets[Field.BODY, rows]
    return np.sort(rows[np.argsort(buckets, kind="stable")[:count]])


@cache
def _ascii_folding() -> tuple[bytes, bytes]:
    """Returns what each byte of an ASCII text becomes when it is folded, and those that vanish."""
    folded = [fold_text(chr(code)) for code in range(128)]
    table = [ord(text) if len(text) == 1 else code for code, text in enumerate(folded)]
    return bytes([*table, *range(128, 256)]), bytes(code for code, text in enumerate(folded) if not text)


def _read(
    snapshot: Snapshot, segment: LiveSegment, rows: U32, wanted: str
) -> list[tuple[int, float]]:
    """Returns the rows that do have the text, ascending, with what each match is worth."""
    keys = segment.reader.columns.chunk_keys[rows].tolist()
    row_of = dict(zip(keys, rows.tolist(), strict=True))
    lowered, vanishing = _ascii_folding()
    # White space apart, folding ASCII is a matter of single bytes: most chance hits go without more.
    piece = max(wanted.encode().split(b" "), key=len) if wanted.isascii() else b""
    found = []
    for start in range(0, len(keys), _BATCH):
        batch = keys[start : start + _BATCH]
        for key, text in iter_chunk_texts(snapshot, batch):
            if piece and text.isascii() and piece not in text.translate(lowered, vanishing):
                continue
            folded = fold_text(text.decode("utf-8", "replace"))
            place = folded.find(wanted)
            if place >= 0:
                value = (1.0 + math.log1p(place)) * (1.0 + math.log1p(len(folded)))
                found.append((row_of[key], 1.0 / value))
    return sorted(found)
