"""CSV and its kin: one line a record, in which values follow the names of their columns."""

import csv
import io
from collections.abc import Iterator
from typing import Literal

from dowse.ingest.extractor import Extracted, choose_title
from dowse.ingest.limits import Allowance
from dowse.ingest.table_rows import TableRows
from dowse.ingest.text_builder import TextBuilder
from dowse.ingest.text_reading import open_composer

Quoting = Literal[0, 3]
"""`csv.QUOTE_MINIMAL` or `csv.QUOTE_NONE`."""

_DELIMITERS = (",", ";", "\t", "|")
_SNIFFED_CHARS = 65_536
_SNIFFED_RECORDS = 50
# A quote that is never closed swallows the rest of the file; a real value has fewer lines.
_MAX_LINES_IN_VALUE = 2_000
_MAX_FIELD_CHARS = 1 << 30


class DelimitedExtractor:
    """Reads tables of values separated by commas, semicolons, tabs or bars."""

    name = "csv"

    def extract(self, data: bytes, path: str, allowance: Allowance) -> Extracted:
        """Reads a table; what separates its values is found out."""
        text, builder = open_composer(data, path, allowance)
        delimiter = _sniff_delimiter(text[:_SNIFFED_CHARS])
        if not _write_into(builder, text, delimiter, csv.QUOTE_MINIMAL):
            _, builder = open_composer(data, path, allowance)
            builder.problem("open-quote", "a quotation mark is never closed; all of them are read as text")
            _write_into(builder, text, delimiter, csv.QUOTE_NONE)
        return builder.finish(title=choose_title(path=path))


def _write_into(builder: TextBuilder, text: str, delimiter: str, quoting: Quoting) -> bool:
    """Writes the records; returns False when a quotation mark was left open."""
    rows = TableRows(builder)
    last_line = 0
    # Consecutive numbers: an empty line in a list of values begins no other table.
    for number, (line, record) in enumerate(_iter_records(text, delimiter, quoting)):
        if line - last_line > _MAX_LINES_IN_VALUE and quoting != csv.QUOTE_NONE:
            return False
        last_line = line
        rows.add(number, record)
        if builder.is_full:
            break
    rows.finish()
    return True


def _iter_records(text: str, delimiter: str, quoting: Quoting) -> Iterator[tuple[int, list[str]]]:
    """Yields records that are not blank, each with the number of the line it ends on."""
    limit = csv.field_size_limit(_MAX_FIELD_CHARS)
    try:
        # A newline of "" splits at lone carriage returns too, which the reader would refuse.
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, quoting=quoting)
        for record in reader:
            if any(record):
                yield reader.line_num, record
    finally:
        csv.field_size_limit(limit)


def _sniff_delimiter(sample: str) -> str:
    """Returns what splits the first records most evenly into more than one value."""
    best, best_score = ",", 0.0
    for delimiter in _DELIMITERS:
        if delimiter not in sample:
            continue
        widths: list[int] = []
        for _, record in _iter_records(sample, delimiter, csv.QUOTE_MINIMAL):
            widths.append(len(record))
            if len(widths) == _SNIFFED_RECORDS:
                break
        usual = max(set(widths), key=widths.count) if widths else 1
        score = widths.count(usual) / len(widths) if usual > 1 else 0.0
        # When two split it equally well, the one that makes more values is no accident.
        if score + usual / 1_000 > best_score and usual > 1:
            best, best_score = delimiter, score + usual / 1_000
    return best
