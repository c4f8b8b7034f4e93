"""PPTX: presentations of PowerPoint and whatever writes its format."""

from dowse.ingest.extractor import Extracted
from dowse.ingest.limits import Allowance


class PptxExtractor:
    """Reads slides in order, each under its title: text in reading order, tables, charts, speaker notes."""

    name = "pptx"

    def extract(self, data: bytes, path: str, allowance: Allowance) -> Extracted:
        """Reads a presentation."""
        # Imported late: a search should not wait for lxml.
        from dowse.ingest.office.slides import extract_slides

        return extract_slides(data, path, allowance)
