"""Word and PowerPoint files from before 2007, by LibreOffice when it is installed.

Their format is a file system of binary records in which text is spread over tables of pieces; LibreOffice has
read it for twenty years. It converts to the newer format, which then is read like any other. (The format's
name is ``legacy-office``; our house rules keep that word out of names in code.)
"""

from dowse.ingest.decoding import BINARY_FILE
from dowse.ingest.extractor import Extracted
from dowse.ingest.extractors.docx import DocxExtractor
from dowse.ingest.extractors.pptx import PptxExtractor
from dowse.ingest.limits import Allowance, UnextractableError


class CompoundOfficeExtractor:
    """Converts with LibreOffice, then reads."""

    name = "legacy-office"

    def extract(self, data: bytes, path: str, allowance: Allowance) -> Extracted:
        """Reads an old Word or PowerPoint file.

        Raises:
            UnextractableError: LibreOffice is not installed, or cannot read it.
        """
        from dowse.ingest.office.conversion import convert_by_libreoffice

        if _has_stream(data, "EncryptedPackage"):
            raise UnextractableError(
                "encrypted", "this file is protected by a password", "save a copy without a password"
            )
        if _has_stream(data, "WordDocument"):
            converted = convert_by_libreoffice(data, ".doc", ".docx", allowance.limits.seconds)
            return DocxExtractor().extract(converted, path, allowance)
        if _has_stream(data, "PowerPoint Document"):
            converted = convert_by_libreoffice(data, ".ppt", ".pptx", allowance.limits.seconds)
            return PptxExtractor().extract(converted, path, allowance)
        raise UnextractableError(BINARY_FILE, "this is not a text file, nor of any format that is read")


def _has_stream(data: bytes, name: str) -> bool:
    return name.encode("utf-16-le") in data
