"""PDF files."""

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.ingest import Extracted, get_extractor
from dowse.ingest.extraction import extract
from dowse.ingest.limits import Allowance, UnextractableError
from dowse.ingest.pdf.hyphens import join_divided
from dowse.ingest.pdf.metadata import parse_date
from support.pdf_files import PdfFile, Placed
from support.well_formed import assert_well_formed


def read(data: bytes) -> Extracted:
    """Reads a PDF."""
    return get_extractor("pdf").extract(data, "folder/file.pdf", Allowance())


def lines_at(left: float, texts: list[str], top: float = 700) -> list[Placed]:
    """Places lines under each other."""
    return [(left, top - 14 * number, 10, text) for number, text in enumerate(texts)]


def test_pages_are_anchors() -> None:
    """Each page's text follows its anchor; labels are used where there are any."""
    pages = [lines_at(50, ["first page"]), lines_at(50, ["second page"])]
    found = read(PdfFile(pages).build())
    assert [(0, "page", "1"), (11, "page", "2")] == [tuple(anchor) for anchor in found.anchors]
    assert ["i", "ii"] == [anchor.label for anchor in read(PdfFile(pages, label_style="r").build()).anchors]


@pytest.mark.parametrize("is_drawn_across", [False, True])
def test_columns_are_read_one_after_the_other(is_drawn_across: bool) -> None:
    """The left column comes first, in whatever order the lines were drawn."""
    left = lines_at(50, [f"left line {number} with some words in it" for number in range(10)])
    right = lines_at(320, [f"right line {number} with some other words" for number in range(10)])
    across = [line for pair in zip(left, right, strict=True) for line in pair]
    drawn = [(50, 740, 20, "A title across both columns"), *(across if is_drawn_across else left + right)]
    words = read(PdfFile([drawn]).build()).text.decode()
    assert words.startswith("A title across")
    assert words.index("left line 9") < words.index("right line 0")


def test_a_table_is_read_row_by_row() -> None:
    """Short cells beside each other are a row, not columns of prose."""
    names = lines_at(50, [f"name {number}" for number in range(10)])
    values = lines_at(320, [f"value {number}" for number in range(10)])
    rows = [cell for row in zip(names, values, strict=True) for cell in row]
    assert "name 3 value 3" in read(PdfFile([rows]).build()).text.decode()


def test_lines_drawn_in_no_order_are_put_in_order() -> None:
    """When the order jumps up and down the page, the places decide."""
    lines = lines_at(50, [f"line number {number:02}" for number in range(20)])
    shuffled = [lines[number * 13 % 20] for number in range(20)]
    found = read(PdfFile([shuffled]).build()).text.decode().split("\n")
    assert [text for *_, text in lines] == [line for line in found if line]


def test_running_heads_stand_once() -> None:
    """A header with changing numbers is kept on the first page only."""
    pages = [
        [(50, 780, 8, "The Journal"), *lines_at(50, body), (300, 20, 8, f"Page {number}")]
        for number, body in enumerate((["a", "b", "c", "same words", "d", "e", "f"],) * 5, start=1)
    ]
    words = read(PdfFile(pages).build()).text.decode()
    assert (1, 1, 5) == tuple(map(words.count, ("The Journal", "Page", "same words")))


def test_bookmarks_are_headings_at_their_line() -> None:
    """A bookmark starts a section at the line with its words, or at the top of its page."""
    page = lines_at(50, ["before it", "2. Methods", "after it"])
    found = read(PdfFile([page, lines_at(50, ["last"])], outline=[("Methods", 0), ("Elsewhere", 1)]).build())
    assert ["Methods", "Elsewhere"] == [part.title for part in found.sections[1:]]
    assert b"before it" not in found.text[found.sections[1].byte_start :]
    assert b"2. Methods" in found.text


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["an exam-", "ple of it"], ["an example", "of it"]),
        (["a well-", "known one"], ["a well-known", "one"]),
        (["Anne-", "Marie"], ["Anne-", "Marie"]),
        (["1990-", "2000"], ["1990-", "2000"]),
        (["divi\x02", "ded."], ["divided."]),
        ([], []),
    ],
)
def test_divided_words_are_whole(lines: list[str], expected: list[str]) -> None:
    """A hyphen at a line's end goes, unless the word has it elsewhere too."""
    assert expected == join_divided(lines, frozenset({"well-known"}))


def test_facts_are_metadata() -> None:
    """Title, author, subject, dates and keywords."""
    facts = {
        "Title": "On Words (2nd)", "Author": "Ada", "Subject": "Words", "Keywords": "a, b; c",
        "CreationDate": "D:20240131120000+01'00'",
    }  # fmt: skip
    found = read(PdfFile([lines_at(50, ["words"])], facts=facts).build())
    assert ("On Words (2nd)", ("a", "b", "c")) == (found.title, found.tags)
    expected = {"author": "Ada", "subject": "Words", "created": "2024-01-31T12:00:00+01:00", "pages": 1}
    assert expected == dict(found.metadata)


def test_without_a_title_the_largest_line_is_it() -> None:
    """Titles that programs write by themselves are none."""
    page = [(50, 740, 24, "Large Words"), *lines_at(50, ["small words", "and more", "and more"])]
    assert "Large Words" == read(PdfFile([page], facts={"Title": "Microsoft Word - x.docx"}).build()).title


@pytest.mark.parametrize(
    ("text", "expected"),
    [("D:2024", "2024"), ("20240131", "2024-01-31"), ("20240131120000Z", "2024-01-31T12:00:00Z"), ("x", "")],
)
def test_dates_are_read(text: str, expected: str) -> None:
    """As much of a date as there is."""
    assert expected == parse_date(text)


@pytest.mark.parametrize(
    ("data", "code"),
    [(PdfFile([[]]).build(), "no-text-layer"), (b"%PDF-1.4\n", "damaged-file"), (b"", "damaged-file")],
)
def test_what_cannot_be_read_says_why(data: bytes, code: str) -> None:
    """Pictures of pages need recognition; rubbish is damaged."""
    with pytest.raises(UnextractableError) as caught:
        read(data)
    assert code == caught.value.code


SAMPLE = PdfFile(
    [lines_at(50, ["some words", "and more"]), lines_at(50, ["other words"])], [("Part", 1)], {"Title": "T"}
).build()


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, len(SAMPLE) - 1), st.integers(0, 255)), max_size=20),
    st.integers(0, len(SAMPLE)),
)
def test_damage_costs_this_file_only(changes: list[tuple[int, int]], length: int) -> None:
    """Changed and cut files are read, with all that was found in its place, or refused."""
    data = bytearray(SAMPLE)
    for place, value in changes:
        data[place] = value
    for damaged in (bytes(data), SAMPLE[:length]):
        with contextlib.suppress(UnextractableError):
            assert_well_formed(extract(damaged, "a.pdf", get_extractor("pdf"), Allowance()))
