"""RTF: rich text, as old word processors and mail programs write it."""

from dowse.ingest.extractor import Extracted
from dowse.ingest.limits import Allowance


class RtfExtractor:
    """Reads paragraphs, headings by style and outline level, lists, tables, notes, links and code pages."""

    name = "rtf"

    def extract(self, data: bytes, path: str, allowance: Allowance) -> Extracted:
        """Reads a rich text file; one that is none is read as plain text."""
        # Imported late: a search reads no files.
        from dowse.ingest.rtf.document import extract_rtf

        return extract_rtf(data, path, allowance)
