"""TOML: the file is its own text, its tables are headings."""

import re
from collections.abc import Iterator

from dowse.ingest.extractor import Extracted
from dowse.ingest.limits import Allowance
from dowse.ingest.sections import Heading
from dowse.ingest.text_reading import build_own_text, read_own_text

_TABLE = re.compile(r"\s*\[{1,2}\s*([^\[\]]{1,300}?)\s*\]{1,2}\s*(?:#.*)?\Z")
_TITLE = re.compile(r"""title\s*=\s*["']([^"']{1,300})["']""")
_FENCES = ('"""', "'''")
_MAX_DEPTH = 6


class TomlExtractor:
    """Reads the outline of a TOML file."""

    name = "toml"

    def extract(self, data: bytes, path: str, _: Allowance) -> Extracted:
        """Reads a TOML file."""
        own = read_own_text(data, path)
        headings = list(_iter_headings(own.rows))
        first = headings[0].line_index if headings else len(own.rows)
        titles = (match[1] for row in own.rows[:first] if (match := _TITLE.match(row)))
        return build_own_text(own, path, headings, title=next(titles, ""), is_titled_by_heading=False)


def _iter_headings(rows: list[str]) -> Iterator[Heading]:
    """Yields a heading for each table; a line that looks like one inside a long string is none."""
    fence = ""
    for index, row in enumerate(rows):
        if fence:
            fence = "" if fence in row else fence
            continue
        for mark in _FENCES:
            if row.count(mark) % 2 and not row.lstrip().startswith("#"):
                fence = mark
        match = None if fence else _TABLE.match(row[:1_000])
        if match and match[1].strip():
            name = match[1].strip()
            yield Heading(min(name.count(".") + 1, _MAX_DEPTH), name, index)
