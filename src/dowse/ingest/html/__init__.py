"""What does a web page say to its reader?

Web pages come as files, as chapters of books and as bodies of mails; all are read here. The visible text is
kept complete, in order, with its headings, lists, tables, code and links; scripts, styles, hidden parts and
navigation are left out.

May import: `dowse.ingest` (composing, decoding), selectolax.

Main names: `compose_html` (adds a page to a builder) · `HtmlMetadata` (what the page says of itself).

Reading order: `encoding` (bytes to characters) · `nesting` · `metadata` (title and meta) ·
`tables` (rows under their header names) · `page` (the walk).

Invariants:
1. No recursion: a page may nest as deep as it likes.
2. Nothing is fetched, no script is run.
3. Time and memory grow linearly with the page.

Not for: XML that is no web page (`dowse.ingest.markup`).
"""

from dowse.ingest.html.metadata import HtmlMetadata
from dowse.ingest.html.page import compose_html

__all__ = ["HtmlMetadata", "compose_html"]
