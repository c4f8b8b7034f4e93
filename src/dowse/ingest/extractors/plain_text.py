"""Plain text: no structure, one section.

A short first line that stands alone (a blank line or an underline after it) is the title. A first
line that runs straight into the next is a sentence or a log entry, and the file name says more.
"""

import re

from dowse.ingest.decoding import decode
from dowse.ingest.extractor import Extracted, choose_title
from dowse.ingest.limits import Allowance
from dowse.ingest.lines import LineTable
from dowse.ingest.sections import build_sections

MAX_TITLE_CHARS = 80
# Files whose first line may be their title; an extensionless README or LICENSE is known by its name.
NAMED_BY_TEXT = (".txt", ".text")
_FIRST_LINES = re.compile(
    rb"\s*?([^\s][^\n]*)\n(?:[ \t\r]*\n|[ \t]*([=\-~*_#])\2{2,}[ \t\r]*\n)\s*[^\s]"
)


class PlainTextExtractor:
    """Reads any text as it is."""

    name = "text"

    def extract(self, data: bytes, path: str, _: Allowance) -> Extracted:
        """Reads a text file."""
        text, problems = decode(data, path)
        title = choose_title(_title_line(text, path), path=path)
        lines = LineTable(text)
        sections = build_sections(title, (), lines)
        return Extracted(text, title, sections, lines, problems=problems)


def _title_line(text: bytes, path: str) -> str:
    if not path.lower().endswith(NAMED_BY_TEXT):
        return ""
    match = _FIRST_LINES.match(text, 0, 4096)
    if match is None:
        return ""
    title = " ".join(match[1].decode("utf-8", "replace").split())
    return title if len(title) <= MAX_TITLE_CHARS and any(map(str.isalnum, title)) else ""
