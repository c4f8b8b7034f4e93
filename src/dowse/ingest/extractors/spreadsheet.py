"""Spreadsheets: each sheet a section, each row a line in which values follow the names of their columns."""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from dowse.ingest.extractor import Extracted, choose_title
from dowse.ingest.limits import Allowance, UnextractableError
from dowse.ingest.table_rows import TableRows
from dowse.ingest.text_builder import TextBuilder

if TYPE_CHECKING:
    from dowse.ingest.packages import Package
    from dowse.ingest.sheets.cells import Sheet

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


class SpreadsheetExtractor:
    """Reads Excel's formats, old and new, and OpenDocument spreadsheets."""

    name = "spreadsheet"

    def extract(self, data: bytes, path: str, allowance: Allowance) -> Extracted:
        """Reads a workbook; its formulas give their results.

        Raises:
            UnextractableError: It is damaged, protected, or no spreadsheet.
        """
        builder = TextBuilder(path, allowance)
        if data.startswith(_OLE):
            # Imported late, as everywhere here: a search should not wait for libraries it does not need.
            from dowse.ingest.sheets.workbooks import iter_sheets

            _write_into(builder, iter_sheets(data))
            return builder.finish(title=choose_title(path=path))
        if data.startswith(b"PK"):
            return _extract_package(builder, data, allowance)
        if b"<office:document" in data[:8192]:
            _write_open_document_into(builder, data)
            return builder.finish(title=choose_title(path=path))
        raise UnextractableError("damaged-file", "this is no spreadsheet", "check what program wrote it")


def _extract_package(builder: TextBuilder, data: bytes, allowance: Allowance) -> Extracted:
    from dowse.ingest.packages import Package
    from dowse.ingest.sheets.metadata import iter_loose_texts, read_metadata

    package = Package(data, allowance)
    facts, keywords = read_metadata(package)
    if "content.xml" in package.names:
        _write_open_document_into(builder, package.read("content.xml"))
    else:
        _write_into(builder, _iter_packed_sheets(package, builder))
        _write_loose_into(builder, iter_loose_texts(package))
    # A workbook without a title is better named by its file than by its first sheet.
    title = facts.pop("title", "") or choose_title(path=builder.path)
    return builder.finish(title=title, tags=keywords, metadata=facts)


def _iter_packed_sheets(package: "Package", builder: TextBuilder) -> Iterator["Sheet"]:
    from dowse.ingest.sheets.workbooks import copy_uncompressed, iter_sheets

    copy, has_places = copy_uncompressed(package)
    if not has_places:
        builder.problem("cells-far-apart", "its cells stand so far apart that their places are not kept")
    return iter_sheets(copy)


def _write_open_document_into(builder: TextBuilder, content: bytes) -> None:
    from dowse.ingest.markup import parse_xml
    from dowse.ingest.sheets.open_document import iter_loose_texts, iter_sheets

    root = parse_xml(content)
    _write_into(builder, iter_sheets(root))
    _write_loose_into(builder, iter_loose_texts(root))


def _write_into(builder: TextBuilder, sheets: Iterable["Sheet"]) -> None:
    from dowse.ingest.sheets.cells import show_place

    for sheet in sheets:
        builder.anchor("sheet", sheet.name)
        builder.heading(1, sheet.name)
        rows = TableRows(builder, partial(show_place, sheet.name))
        for row in sheet.rows:
            rows.add(row.number, [""] * row.column + row.cells if row.column else row.cells)
            if builder.is_full:
                return
        rows.finish()


def _write_loose_into(builder: TextBuilder, texts: Iterable[str]) -> None:
    for text in texts:
        builder.paragraph(text)
