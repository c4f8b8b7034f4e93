"""Spreadsheets: values as text, headers, places, and files made to be too large."""

from datetime import date, datetime, time, timedelta

import pytest

from dowse.ingest import Extracted, get_extractor
from dowse.ingest.limits import Allowance, ExtractionLimits, UnextractableError
from dowse.ingest.sheets.cells import show_place, show_value
from support.format_samples import build_open_document_sheet, build_package

MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def build_workbook(rows: str, **members: str) -> bytes:
    """Returns an `.xlsx` with one sheet, “My plan”, of these rows of XML."""
    return build_package(
        {
            "[Content_Types].xml": "<Types/>",
            "_rels/.rels": f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
            f'<Relationship Id="r1" Type="{LINKS}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
            "xl/workbook.xml": f'<workbook {MAIN} xmlns:r="{LINKS}"><sheets>'
            '<sheet name="My plan" sheetId="1" r:id="r1"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/'
            f'relationships"><Relationship Id="r1" Type="{LINKS}/worksheet" Target="worksheets/sheet1.xml"/>'
            "</Relationships>",
            "xl/worksheets/sheet1.xml": f"<worksheet {MAIN}><sheetData>{rows}</sheetData></worksheet>",
            **members,
        }
    )


def text_cell(place: str, text: str) -> str:
    """Returns a cell with a text of its own."""
    return f'<c r="{place}" t="inlineStr"><is><t>{text}</t></is></c>'


def read(data: bytes, limits: ExtractionLimits | None = None) -> Extracted:
    """Reads a spreadsheet."""
    return get_extractor("spreadsheet").extract(
        data, "plans/budget.xlsx", Allowance(limits or ExtractionLimits())
    )


def test_values_follow_the_names_of_their_columns() -> None:
    """The first row of words over numbers is the header; each sheet is a section."""
    rows = f'<row r="1">{text_cell("A1", "Name")}{text_cell("B1", "Born")}</row>'
    rows += f'<row r="2">{text_cell("A2", "Ada")}<c r="B2"><v>1815</v></c></row>'
    extracted = read(build_workbook(rows))
    assert b"My plan\nName | Born\nName: Ada | Born: 1815\n" == extracted.text
    assert ["budget", "My plan"] == [section.title for section in extracted.sections]


def test_places_of_cells_are_kept() -> None:
    """A table in the midst of a sheet is anchored at its first cell, and again every twenty rows."""
    rows = "".join(f'<row r="{n}"><c r="C{n}"><v>{n}</v></c></row>' for n in range(5, 30))
    anchors = [(anchor.kind, anchor.label) for anchor in read(build_workbook(rows)).anchors]
    assert [("sheet", "My plan"), ("cell", "'My plan'!C5"), ("cell", "'My plan'!C25")] == anchors


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (12.0, "12"),
        (0.1 + 0.2, "0.3"),
        (-2.5, "-2.5"),
        (1e300, "1e+300"),
        (float("nan"), "nan"),
        (True, "TRUE"),
        (date(2024, 2, 29), "2024-02-29"),
        (datetime(2024, 2, 29), "2024-02-29"),
        (datetime(2024, 2, 29, 7, 5), "2024-02-29 07:05:00"),
        (time(7, 5), "07:05:00"),
        (timedelta(hours=30, minutes=1), "30:01:00"),
        ("text", "text"),
        (None, ""),
    ],
)
def test_values_are_shown_as_people_write_them(value: object, shown: str) -> None:
    """Dates are ISO 8601, numbers have no noise."""
    assert shown == show_value(value)


@pytest.mark.parametrize(
    ("sheet", "row", "column", "place"),
    [
        ("Plan", 0, 0, "Plan!A1"),
        ("A b", 9, 25, "'A b'!Z10"),
        ("it's", 0, 26, "'it''s'!AA1"),
        ("S", 0, 16383, "S!XFD1"),
    ],
)
def test_places_are_written_as_in_formulas(sheet: str, row: int, column: int, place: str) -> None:
    """Letters count from A; a sheet's name that is not one word is quoted."""
    assert place == show_place(sheet, row, column)


def test_a_far_cell_costs_nothing() -> None:
    """Cells in opposite corners are read without laying out what lies between; their places are lost."""
    rows = (
        f'<row r="1">{text_cell("A1", "near")}</row><row r="1048576">{text_cell("XFD1048576", "far")}</row>'
    )
    extracted = read(build_workbook(rows))
    assert (b"near" in extracted.text, b"far" in extracted.text) == (True, True)
    assert ["cells-far-apart"] == [problem.code for problem in extracted.problems]


def test_too_many_cells_are_refused() -> None:
    """A sheet that stays too large when its cells are moved together is a problem, not an endless wait."""
    wide = '<row r="1">' + "<c/>" * 16_000 + '<c r="XFD1"><v>1</v></c></row>'
    tall = "".join(f'<row r="{n}"><c r="A{n}"><v>1</v></c></row>' for n in range(2, 1_000))
    with pytest.raises(UnextractableError) as caught:
        read(build_workbook(wide + tall))
    assert "expands-too-much" == caught.value.code


def test_a_bomb_in_a_package_is_refused() -> None:
    """Unpacking is bounded by the allowance."""
    with pytest.raises(UnextractableError) as caught:
        read(build_workbook(" " * 3_000_000), ExtractionLimits(expanded_bytes=1 << 20))
    assert "expands-too-much" == caught.value.code


def test_repeated_cells_are_written_a_few_times() -> None:
    """Seventeen billion equal cells make a short text."""
    row = (
        '<table:table-row table:number-rows-repeated="1048576"><table:table-cell '
        'table:number-columns-repeated="16384"><text:p>bomb</text:p></table:table-cell></table:table-row>'
    )
    assert len(read(build_open_document_sheet(row)).text) < 100_000


def test_open_document_cells_have_values_and_notes() -> None:
    """Numbers and dates come from the values, the rest as shown; gaps count; notes are kept."""
    row = (
        '<table:table-row table:number-rows-repeated="3"/><table:table-row>'
        '<table:table-cell table:number-columns-repeated="2"/>'
        '<table:table-cell office:value-type="float" office:value="1234.5"><text:p>1.234,50</text:p>'
        "<office:annotation><text:p>checked</text:p></office:annotation></table:table-cell>"
        '<table:table-cell office:value-type="date" office:date-value="2024-02-29T00:00:00">'
        "<text:p>x</text:p></table:table-cell>"
        '<table:table-cell office:value-type="percentage" office:value="0.5"><text:p>50 %</text:p>'
        "</table:table-cell></table:table-row>"
    )
    extracted = read(build_open_document_sheet(row))
    assert b"Plan\n1234.5 checked | 2024-02-29 | 50 %\n" == extracted.text
    assert "Plan!C4" == extracted.anchors[1].label


def test_properties_and_comments_are_read() -> None:
    """Title, author and keywords come from the package, and comments with their place."""
    core = (
        '<p xmlns:d="d"><d:title>Money</d:title><d:creator>Ada</d:creator><d:keywords>a; b</d:keywords></p>'
    )
    text = "<text><r><t>why so </t></r><r><t>much?</t></r></text>"
    comments = f'<comments {MAIN}><comment ref="B2">{text}</comment></comments>'
    members = {"docProps/core.xml": core, "xl/comments1.xml": comments}
    extracted = read(build_workbook(f'<row r="1">{text_cell("A1", "x")}</row>', **members))
    assert ("Money", ("a", "b"), {"author": "Ada"}) == (
        extracted.title,
        extracted.tags,
        dict(extracted.metadata),
    )
    assert b"B2: why so much?" in extracted.text


@pytest.mark.parametrize(
    "data", [b"", b"PK", b"PK\x03\x04 xl/", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"\x89PNG", b"a,b"]
)
def test_what_is_no_workbook_is_refused(data: bytes) -> None:
    """Nothing but the one error comes of other files."""
    with pytest.raises(UnextractableError):
        read(data)
