"""The outline of one source file: sections, code and names."""

from typing import NamedTuple

from dowse.ingest.sections import Heading
from dowse.ingest.source_code.definitions import Definition, iter_definitions, section_start
from dowse.ingest.source_code.language import Language
from dowse.ingest.source_code.prose import find_prose
from dowse.ingest.source_code.python_definitions import parse_definitions

MAX_SYMBOLS = 200
MAX_DEPTH = 6


class Outline(NamedTuple):
    """What a source file is made of; `code` holds half-open ranges of line indexes."""

    headings: list[Heading]
    code: list[tuple[int, int]]
    symbols: list[str]


def build_outline(rows: list[str], language: Language) -> Outline:
    """Finds definitions and comments."""
    prose = find_prose(rows, language)
    parsed = parse_definitions("\n".join(rows)) if language.name == "python" else None
    if parsed is None:
        definitions = list(iter_definitions(rows, prose, language))
    else:
        definitions, documentation = parsed
        prose = bytearray(row.lstrip().startswith("#") for row in rows)
        for first, after in documentation:
            prose[first:after] = b"\x01" * (after - first)
    names = dict.fromkeys(entry.name.rpartition(".")[2] for entry in definitions)
    return Outline(_headings(rows, prose, definitions), _code(rows, prose), list(names)[:MAX_SYMBOLS])


def _headings(rows: list[str], prose: bytearray, definitions: list[Definition]) -> list[Heading]:
    headings: list[Heading] = []
    lowest = 0
    for entry in definitions:
        if entry.line_index < lowest:
            continue  # several on one line: the first names the section
        start = section_start(rows, prose, entry.line_index, lowest)
        headings.append(Heading(min(entry.depth, MAX_DEPTH), f"{entry.kind} {entry.name}".strip(), start))
        lowest = entry.line_index + 1
    return headings


def _code(rows: list[str], prose: bytearray) -> list[tuple[int, int]]:
    """Returns ranges of code; blank lines between two lines of code belong to it."""
    ranges: list[tuple[int, int]] = []
    first: int | None = None
    last = 0
    for index, row in enumerate(rows):
        if prose[index]:
            if first is not None:
                ranges.append((first, last))
            first = None
        elif row and not row.isspace():
            first = index if first is None else first
            last = index + 1
    if first is not None:
        ranges.append((first, last))
    return ranges
