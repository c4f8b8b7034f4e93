"""Where a text may be cut: from paragraphs down to characters.

A body is split at the strongest breaks first. A piece that is still longer than a chunk may be is
split again at weaker ones, at last between words, and a run without spaces between characters. A
code block that fits in a chunk is one piece with its fences.
"""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator
from enum import IntEnum
from typing import NamedTuple

from dowse.ingest.chunking.chunker import MAX_CHUNK_BYTES, Body
from dowse.ingest.chunking.measure import BYTES_PER_WORD, LONG_RUN_BYTES, count_words, run_words

MAX_PIECE_BYTES = MAX_CHUNK_BYTES - 1_000
"""Leaves room for the indentation that a chunk's first line gets back."""


class Break(IntEnum):
    """How natural it is to cut after a piece."""

    WORD = 0
    LINE = 1
    SENTENCE = 2
    PARAGRAPH = 3


class Piece(NamedTuple):
    """A range that is not cut further; white space around it is left out."""

    start: int
    end: int
    words: int
    after: Break


# A full stop after a digit mostly ends a number or a list marker. The other marks, in UTF-8: Arabic question
# mark, danda, then the wide full stop, exclamation and question mark. What all breaks may begin with comes
# first and is looked back at: `re` skips to the next such byte, in a tenth of the time of trying every break
# at every byte.
_BREAK = re.compile(
    rb"""
    [\n.!?\xd8\xe0\xe3\xef]
    (?: (?<=\n) (?: (?P<PARAGRAPH> (?: [ \t\r]*\n )+ ) | (?P<LINE>) )
      | (?P<SENTENCE>
            (?: (?<=[.!?])(?<![0-9\s].) | (?<=\xd8)\x9f | (?<=\xe0)\xa5\xa4 ) ["')\]*_]*+
            (?: [ \t]+ | \r?\n(?![ \t\r]*\n) )
          | (?: (?<=\xe3)\x80\x82 | (?<=\xef)\xbc[\x81\x9f] ) (?: \xe3\x80[\x8d\x8f] )? (?!\r?\n)
        )
    )
    """,
    re.VERBOSE,
)
_STRENGTHS = {strength.name: strength for strength in Break}
_RUN = re.compile(rb"\S+")
_FENCE_LINE = re.compile(rb"[ \t>]*(?:```|~~~)")
_JOINER = "\u200d"


def iter_pieces(body: Body, weakest: Break, max_words: int) -> Iterator[Piece]:
    """Splits a body at every break of at least `weakest`, and further where a piece would not fit.

    Yields:
        Pieces in order; together they hold all of the body but white space. None is longer than
        `max_words` or `MAX_PIECE_BYTES`.
    """
    splitter = _Splitter(body.text, max_words)
    position = body.start
    if weakest > Break.WORD:
        for start, end in _code_blocks(body):
            if start >= position and splitter.fits(start, end):
                yield from splitter.split(position, start, weakest, Break.PARAGRAPH)
                yield from splitter.fit(start, end, weakest, Break.PARAGRAPH)
                position = end
    yield from splitter.split(position, body.end, weakest, Break.PARAGRAPH)


def _code_blocks(body: Body) -> Iterator[tuple[int, int]]:
    """Yields the code spans inside the body, each with the fence lines around it."""
    text = body.text
    for index in range(bisect_left(body.code_spans, (body.start, 0)), len(body.code_spans)):
        start, end = body.code_spans[index]
        if start >= body.end:
            return
        line_before = text.rfind(b"\n", body.start, max(start - 1, body.start)) + 1 or body.start
        if _FENCE_LINE.match(text, line_before, start):
            start = line_before
        if _FENCE_LINE.match(text, end, body.end):
            line_end = text.find(b"\n", end, body.end)
            end = line_end if line_end >= 0 else body.end
        yield start, min(end, body.end)


class _Splitter:
    def __init__(self, text: bytes, max_words: int) -> None:
        self._text = text
        self._max_words = max_words
        # Slices of an eighth of a chunk let windows of a text without spaces overlap.
        self._slice_bytes = BYTES_PER_WORD * max(1, max_words // 8)

    def fits(self, start: int, end: int) -> bool:
        is_short = end - start <= MAX_PIECE_BYTES
        return is_short and count_words(self._text, start, end) <= self._max_words

    def fit(self, start: int, end: int, weakest: Break, after: Break) -> Iterator[Piece]:
        """Yields a range as one piece, or splits it at weaker breaks until it fits."""
        content = self._text[start:end].rstrip()
        end = start + len(content)
        start = end - len(content.lstrip())
        if start == end:
            return
        words = count_words(content, 0, len(content))
        if words <= self._max_words and end - start <= MAX_PIECE_BYTES:
            yield Piece(start, end, words, after)
        else:
            yield from self.split(start, end, Break(max(weakest - 1, 0)), after)

    def split(self, start: int, end: int, weakest: Break, after: Break) -> Iterator[Piece]:
        if weakest == Break.WORD:
            yield from self._split_words(start, end, after)
            return
        position = start
        for match in _BREAK.finditer(self._text, start, end):
            strength = _STRENGTHS[match.lastgroup or "LINE"]
            if strength >= weakest:
                yield from self.fit(position, match.end(), weakest, strength)
                position = match.end()
        yield from self.fit(position, end, weakest, after)

    def _split_words(self, start: int, end: int, after: Break) -> Iterator[Piece]:
        last: Piece | None = None
        for match in _RUN.finditer(self._text, start, end):
            for piece in self._slices(*match.span()):
                if last is not None:
                    yield last
                last = piece
        if last is not None:
            yield Piece(last.start, last.end, last.words, after)

    def _slices(self, start: int, end: int) -> Iterator[Piece]:
        """Yields a run as one piece, or in slices when it is long."""
        if end - start <= max(self._slice_bytes, LONG_RUN_BYTES):
            yield Piece(start, end, run_words(end - start), Break.WORD)
            return
        while start < end:
            cut = end
            if end - start > self._slice_bytes:
                cut = min(character_boundary(self._text, start, start + self._slice_bytes), end)
            yield Piece(start, cut, -(-(cut - start) // BYTES_PER_WORD), Break.WORD)
            start = cut


def character_boundary(text: bytes, lowest: int, offset: int) -> int:
    """Finds where to cut at or before `offset`, but after `lowest`, without splitting a character.

    Never inside a UTF-8 sequence. Marks, variation selectors and joined emoji stay with what
    precedes them, unless that would reach back over 32 characters. When nothing lies between, the
    cut is moved forward.
    """
    plain = _sequence_start(text, offset)
    if plain <= lowest:
        plain = offset
        while plain < len(text) and text[plain] & 0xC0 == 0x80:
            plain += 1
        return plain
    cut = plain
    for _ in range(32):
        before = _sequence_start(text, cut - 1)
        if not _continues(_char_at(text, before), _char_at(text, cut)):
            return cut
        if before <= lowest:
            break
        cut = before
    return plain


def _sequence_start(text: bytes, offset: int) -> int:
    while 0 < offset < len(text) and text[offset] & 0xC0 == 0x80:
        offset -= 1
    return offset


def _char_at(text: bytes, offset: int) -> str:
    return text[offset : offset + 4].decode("utf-8", "ignore")[:1]


def _continues(before: str, char: str) -> bool:
    if not char:
        return False
    is_skin_tone = "\U0001f3fb" <= char <= "\U0001f3ff"
    return (
        char == _JOINER or before == _JOINER or is_skin_tone or unicodedata.category(char)[0] == "M"
    )
