"""Books: order, chapters, what the book says of itself, protection."""

import pytest

from dowse.ingest import Extracted, get_extractor
from dowse.ingest.limits import Allowance, UnextractableError
from support.office_files import build_epub

PAGE = "<html xmlns='http://www.w3.org/1999/xhtml'><head><title>t</title></head><body>{}</body></html>"


def read(data: bytes) -> Extracted:
    """Reads a book."""
    return get_extractor("epub").extract(data, "a/book.epub", Allowance())


def test_chapters_come_in_reading_order() -> None:
    """The spine decides, each chapter is read once, and has an anchor."""
    chapters = {
        "b 2.xhtml": PAGE.format("<h2>Two</h2><p>b</p>"),
        "a.xhtml": PAGE.format("<h1>One</h1><p>a</p>"),
    }
    extracted = read(build_epub(chapters, order=["a.xhtml", "b 2.xhtml", "a.xhtml"]))
    assert b"One\n\na\n\nTwo\n\nb\n" == extracted.text
    assert [("chapter", "1"), ("chapter", "2")] == [
        (anchor.kind, anchor.label) for anchor in extracted.anchors
    ]


def test_a_chapter_without_a_heading_is_named_by_the_table_of_contents() -> None:
    """So is its anchor."""
    point = "<navPoint><navLabel><text>Prologue</text></navLabel><content src='a%20b.xhtml#x'/></navPoint>"
    toc = {"OEBPS/toc.ncx": f"<ncx><navMap>{point}</navMap></ncx>"}
    extracted = read(build_epub({"a b.xhtml": PAGE.format("<p>It was</p>")}, **toc))
    assert ["Prologue"] == [part.title for part in extracted.sections[1:]]
    assert ["Prologue"] == [anchor.label for anchor in extracted.anchors]


def test_the_package_says_title_author_and_date() -> None:
    """Several authors are all named; subjects are tags."""
    metadata = (
        "<dc:title>Book</dc:title><dc:creator>Ada</dc:creator><dc:creator>Bob</dc:creator>"
        "<dc:language>de</dc:language><dc:date>1949</dc:date><dc:subject>Novel</dc:subject>"
    )
    extracted = read(build_epub({"a.xhtml": PAGE.format("x")}, metadata=metadata))
    assert ("Book", ("Novel",)) == (extracted.title, extracted.tags)
    assert {"author": "Ada, Bob", "language": "de", "created": "1949"} == extracted.metadata


def test_a_protected_book_says_so() -> None:
    """When its chapters are encrypted; fonts may be."""
    lock = "<encryption><CipherReference URI='{}'/></encryption>"
    chapters = {"a.xhtml": PAGE.format("x")}
    assert (
        b"x\n" == read(build_epub(chapters, **{"META-INF/encryption.xml": lock.format("OEBPS/f.otf")})).text
    )
    with pytest.raises(UnextractableError) as caught:
        read(build_epub(chapters, **{"META-INF/encryption.xml": lock.format("OEBPS/a.xhtml")}))
    assert "encrypted" == caught.value.code


def test_a_missing_chapter_costs_that_chapter() -> None:
    """The rest is read, with a problem."""
    extracted = read(build_epub({"a.xhtml": PAGE.format("x")}).replace(b"OEBPS/a.xhtml", b"OEBPS/z.xhtml"))
    assert ["damaged-file"] == [problem.code for problem in extracted.problems]
