"""Paragraphs first, then sentences, lines and words: nothing is split further than it must be."""

from collections.abc import Iterator

from dowse.ingest.chunking.chunker import Body, SectionChunker
from dowse.ingest.chunking.packing import pack
from dowse.ingest.chunking.pieces import Break, iter_pieces


class RecursiveChunker(SectionChunker):
    """Packs whole paragraphs; only one that does not fit by itself is broken up."""

    name = "recursive"

    def cut(self, body: Body) -> Iterator[tuple[int, int]]:
        """Yields windows; they overlap only where a paragraph is short enough to be repeated."""
        pieces = tuple(iter_pieces(body, Break.PARAGRAPH, self.settings.max_words))
        return pack(
            pieces, self.settings.max_words, self.settings.overlap_words, seeks_breaks=False
        )
