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
        for piece in iter_pieces(body, Break.PARAGRAPH, self.settings.max_words):
            if pending is not None and self._belong_together(body, pending, piece):
                piece = Piece(pending.start, piece.end, pending.words + piece.words, piece.after)
            elif pending is not None:
                yield pending.start, pending.end
            pending = piece
        if pending is not None:
            yield pending.start, pending.end

    def _belong_together(self, body: Body, first: Piece, second: Piece) -> bool:
        """Joins a heading with what follows, and the parts of a long paragraph up to the limit."""
        is_heading = body.section > 0 and first.start == body.start
        fits = first.words + second.words <= self.settings.max_words
        return (
            (is_heading or first.after < Break.PARAGRAPH)
            and fits
            and second.end - first.start <= MAX_PIECE_BYTES
        )
