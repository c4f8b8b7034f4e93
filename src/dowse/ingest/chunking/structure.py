"""The default: a section is a chunk; a long one becomes overlapping windows."""

from collections.abc import Iterable

from dowse.ingest.chunking.chunker import MAX_KEPT_INDENT, Body, SectionChunker
from dowse.ingest.chunking.measure import count_words, measure_text
from dowse.ingest.chunking.packing import pack
from dowse.ingest.chunking.pieces import MAX_PIECE_BYTES, Break, iter_pieces
from dowse.ingest.chunking.settings import ChunkingSettings
from dowse.ingest.extractor import Extracted
from dowse.schema import Chunk


class StructureChunker(SectionChunker):
    """Keeps what an author put under one heading together for as long as it fits."""

    name = "structure"

    def chunk(self, extracted: Extracted) -> tuple[Chunk, ...]:
        """Returns the chunks of one document in order; empty when its text is blank.

        Most documents that programs push are one short section: they need no list of lines, and take a
        third of the time.
        """
        if len(extracted.sections) == 1 and not extracted.code_spans:
            chunk = cut_short(extracted.text, self.settings)
            if chunk is not None:
                return (chunk,)
        return super().chunk(extracted)

    def cut(self, body: Body) -> Iterable[tuple[int, int]]:
        """Yields the whole body, or windows that end at the strongest break near their end."""
        limit = self.settings.max_words
        is_short = body.end - body.start <= MAX_PIECE_BYTES
        if is_short and count_words(body.text, body.start, body.end) <= limit:
            return ((body.start, body.end),)
        pieces = tuple(iter_pieces(body, Break.LINE, limit))
        return pack(pieces, limit, self.settings.overlap_words, seeks_breaks=True)


def cut_short(text: bytes, settings: ChunkingSettings) -> Chunk | None:
    """Returns the only chunk of a text without structure; None when it is blank, or too long for one."""
    words, line_start, start, end, first, last = measure_text(text)
    if not 0 < words <= settings.max_words or end - start > MAX_PIECE_BYTES:
        return None
    return Chunk(0, 0, first, last, line_start if start - line_start <= MAX_KEPT_INDENT else start, end)
