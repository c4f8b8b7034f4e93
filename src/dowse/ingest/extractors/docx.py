"""DOCX: text documents of Word and whatever writes its format."""

from dowse.ingest.extractor import Extracted
from dowse.ingest.limits import Allowance


class DocxExtractor:
    """Reads headings by style, lists with their numbers, tables, notes, comments, text boxes, headers.

    Read from the package's XML: python-docx builds an object for each run and leaves out notes, text boxes
    and what was inserted with changes tracked.
    """

    name = "docx"

    def extract(self, data: bytes, path: str, allowance: Allowance) -> Extracted:
        """Reads a Word document."""
        # Imported late: a search should not wait for lxml.
        from dowse.ingest.office.word import extract_word

        return extract_word(data, path, allowance)
