"""INI, `.cfg`, `.conf` and `.properties`: the file is its own text, its sections are headings."""

import re

from dowse.ingest.extractor import Extracted
from dowse.ingest.limits import Allowance
from dowse.ingest.sections import Heading
from dowse.ingest.text_reading import build_own_text, read_own_text

_SECTION = re.compile(r"\[([^\[\]]{1,300})\]\s*(?:[#;].*)?\Z")


class IniExtractor:
    """Reads settings of programs, by line."""

    name = "ini"

    def extract(self, data: bytes, path: str, _: Allowance) -> Extracted:
        """Reads a file of settings."""
        own = read_own_text(data, path)
        headings = [
            Heading(1, match[1].strip(), index)
            for index, row in enumerate(own.rows)
            if (match := _SECTION.match(row[:1_000])) and match[1].strip()
        ]
        return build_own_text(own, path, headings, is_titled_by_heading=False)
