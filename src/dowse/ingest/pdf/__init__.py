"""What does a PDF say, in which order, and on which page?

A PDF knows places of letters, not paragraphs. PDFium puts letters together to lines in the order in which
they were drawn; that order is kept unless it is plainly not the reader's.

May import: `dowse.ingest` (composing), pypdfium2.

Main names: `compose_pdf` · `PdfMetadata`.

Reading order: `lines` (the lines of a page and their places) · `columns` (when the order drawn is wrong) ·
`running_heads` · `hyphens` · `outline` (bookmarks become headings) · `metadata` ·
`annotations` (fields, comments, links) · `document` (all of it).

Invariants:
1. No word is lost: what stands on every page is kept where it stands first.
2. A damaged page costs that page only.

Not for: recognising letters in pictures; a PDF without text says so.
"""

from dowse.ingest.pdf.document import compose_pdf
from dowse.ingest.pdf.metadata import PdfMetadata

__all__ = ["PdfMetadata", "compose_pdf"]
