"""YAML: the file is its own text, its top-level keys are headings.

Read by its lines, never loaded: aliases can make a few hundred bytes into gigabytes, and templates of other
programs are seldom valid YAML.
"""

import re
from collections.abc import Iterator

from dowse.ingest.extractor import Extracted
from dowse.ingest.limits import Allowance
from dowse.ingest.sections import Heading
from dowse.ingest.text_reading import build_own_text, read_own_text

_KEY = re.compile(
    r"""("[^"]{1,200}"|'[^']{1,200}'|[^\s#"'\[\]{},&*!|>%@`-][^:#]{0,200})(?<!\s)\s*:(?:\s+(.*))?\Z"""
)
_TITLE_KEYS = ("title",)


class YamlExtractor:
    """Reads the outline of a YAML file."""

    name = "yaml"

    def extract(self, data: bytes, path: str, _: Allowance) -> Extracted:
        """Reads a YAML file."""
        own = read_own_text(data, path)
        keys = list(_iter_keys(own.rows))
        titles = [value.strip("\"' ") for key, value, _, _ in keys if key in _TITLE_KEYS and value]
        return build_own_text(
            own,
            path,
            list(_iter_headings(keys)),
            title=titles[0] if titles else "",
            is_titled_by_heading=False,
        )


def _iter_keys(rows: list[str]) -> Iterator[tuple[str, str, int, bool]]:
    """Yields top-level keys, each with its value, its line, and whether more of it stands underneath."""
    found: tuple[str, str, int] | None = None
    has_more = False
    for index, row in enumerate(rows):
        if not row or row.startswith("#"):
            continue
        if row[0] in " \t-" and not row.startswith("---"):
            has_more = True
            continue
        match = _KEY.match(row[:1_000])
        if match is None:
            continue
        if found:
            yield (*found, has_more)
        found, has_more = (match[1].strip("\"'"), match[2] or "", index), False
    if found:
        yield (*found, has_more)


def _iter_headings(keys: list[tuple[str, str, int, bool]]) -> Iterator[Heading]:
    """Yields a heading for each key with something underneath, and for the first of plain keys after it."""
    is_open = False
    for key, _, index, has_more in keys:
        if key.strip() and (has_more or is_open):
            yield Heading(1, key.strip(), index)
        is_open = has_more
