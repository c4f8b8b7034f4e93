"""The default: a section is a chunk; a long one becomes overlapping windows."""

from collections.abc import Iterable

from dowse.ingest.chunking.chunker import Body, SectionChunker
from dowse.ingest.chunking.measure import count_words
from dowse.ingest.chunking.packing import pack
from dowse.ingest.chunking.pieces import MAX_PIECE_BYTES, Break, iter_pieces


class StructureChunker(SectionChunker):
    """Keeps what an author put under one heading together for as long as it fits."""

    name = "structure"

    def cut(self, body: Body) -> Iterable[tuple[int, int]]:
        """Yields the whole body, or windows that end at the strongest break near their end."""
        limit = self.settings.max_words
        is_short = body.end - body.start <= MAX_PIECE_BYTES
        if is_short and count_words(body.text, body.start, body.end) <= limit:
            return ((body.start, body.end),)
        pieces = tuple(iter_pieces(body, Break.LINE, limit))
        return pack(pieces, limit, self.settings.overlap_words, seeks_breaks=True)
