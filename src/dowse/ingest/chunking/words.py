"""Fixed windows of words, blind to structure below the section: the usual baseline."""

from collections.abc import Iterator

from dowse.ingest.chunking.chunker import Body, SectionChunker
from dowse.ingest.chunking.packing import pack
from dowse.ingest.chunking.pieces import Break, iter_pieces


class WordsChunker(SectionChunker):
    """Cuts after every `max_words` words and repeats `overlap_words` of them."""

    name = "words"

    def cut(self, body: Body) -> Iterator[tuple[int, int]]:
        """Yields windows that end where they are full."""
        pieces = tuple(iter_pieces(body, Break.WORD, self.settings.max_words))
        return pack(
            pieces, self.settings.max_words, self.settings.overlap_words, seeks_breaks=False
        )
