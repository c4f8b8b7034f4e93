"""OpenDocument: texts and presentations of LibreOffice and others, packed or flat."""

from dowse.ingest.extractor import Extracted
from dowse.ingest.limits import Allowance


class OpenTextExtractor:
    """Reads headings, lists, tables, notes, comments, text boxes, header and footer."""

    name = "odt"

    def extract(self, data: bytes, path: str, allowance: Allowance) -> Extracted:
        """Reads a text document."""
        # Imported late: a search should not wait for lxml.
        from dowse.ingest.office.open_text import extract_open_text

        return extract_open_text(data, path, allowance)


class OpenPresentationExtractor:
    """Reads pages in order, each under its title: text in reading order, tables, embedded sheets, notes."""

    name = "odp"

    def extract(self, data: bytes, path: str, allowance: Allowance) -> Extracted:
        """Reads a presentation."""
        from dowse.ingest.office.open_slides import extract_open_slides

        return extract_open_slides(data, path, allowance)
