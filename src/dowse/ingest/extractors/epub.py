"""EPUB: books, chapter by chapter in reading order."""

from dowse.ingest.extractor import Extracted
from dowse.ingest.limits import Allowance


class EpubExtractor:
    """Reads the chapters in the order of the spine; title, author, language and date from the package."""

    name = "epub"

    def extract(self, data: bytes, path: str, allowance: Allowance) -> Extracted:
        """Reads a book."""
        # Imported late: a search should not wait for lxml and selectolax.
        from dowse.ingest.epub.book import extract_book

        return extract_book(data, path, allowance)
