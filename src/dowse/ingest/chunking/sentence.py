"""Whole sentences, as many as fit: windows that never begin in the middle of a thought."""

from collections.abc import Iterator

from dowse.ingest.chunking.chunker import Body, SectionChunker
from dowse.ingest.chunking.packing import pack
from dowse.ingest.chunking.pieces import Break, iter_pieces


class SentenceChunker(SectionChunker):
    """Packs sentences up to the limit and repeats the last ones in the next window."""

    name = "sentence"

    def cut(self, body: Body) -> Iterator[tuple[int, int]]:
        """Yields windows of whole sentences; one longer than a window is cut at lines or words."""
        pieces = tuple(iter_pieces(body, Break.SENTENCE, self.settings.max_words))
        return pack(
            pieces, self.settings.max_words, self.settings.overlap_words, seeks_breaks=False
        )
