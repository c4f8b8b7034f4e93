"""One chunk a paragraph: fine-grained hits for notes of short, independent paragraphs."""

from collections.abc import Iterator

from dowse.ingest.chunking.chunker import Body, SectionChunker
from dowse.ingest.chunking.pieces import MAX_PIECE_BYTES, Break, Piece, iter_pieces


class ParagraphChunker(SectionChunker):
    """Cuts at blank lines; a heading goes with the paragraph under it. There is no overlap."""

    name = "paragraph"

    def cut(self, body: Body) -> Iterator[tuple[int, int]]:
        """Yields paragraphs; one that is too long comes in parts."""
        pending: Piece | None = None
        is_heading = body.section > 0
        for piece in iter_pieces(body, Break.PARAGRAPH, self.settings.max_words):
            if pending is None:
                pending = piece
            elif (is_heading or pending.after < Break.PARAGRAPH) and self._fit(pending, piece):
                words = pending.words + piece.words
                pending = Piece(pending.start, piece.end, words, piece.after)
                is_heading = False
            else:
                yield pending.start, pending.end
                pending = piece
                is_heading = False
        if pending is not None:
            yield pending.start, pending.end

    def _fit(self, first: Piece, second: Piece) -> bool:
        words = first.words + second.words
        return words <= self.settings.max_words and second.end - first.start <= MAX_PIECE_BYTES
