"""Presentations: slides in order, titles, reading order, tables, notes."""

from dowse.ingest import Extracted, get_extractor
from dowse.ingest.limits import Allowance
from dowse.ingest.office.reading_order import Place, reading_order
from support.office_files import build_pptx, shape


def read(*slides: str, **more: object) -> Extracted:
    """Reads a presentation of these slides."""
    return get_extractor("pptx").extract(build_pptx(*slides, **more), "a/deck.pptx", Allowance())  # type: ignore[arg-type]


def test_slides_come_in_the_order_of_the_presentation() -> None:
    """Each under its title, with an anchor where it begins."""
    extracted = read(shape("First", "title") + shape("a"), shape("b") + shape("Second", "ctrTitle"))
    assert [("First", 1), ("Second", 1)] == [(part.title, part.depth) for part in extracted.sections[1:]]
    assert [("slide", "1"), ("slide", "2")] == [(anchor.kind, anchor.label) for anchor in extracted.anchors]
    assert b"First\n\na\n\nSecond\n\nb\n" == extracted.text


def test_shapes_are_read_from_the_top_down_and_from_the_left() -> None:
    """Whatever the order in which they were drawn."""
    slide = shape("low", place=(0, 90)) + shape("right", place=(50, 10)) + shape("left", place=(0, 12))
    assert b"left\n\nright\n\nlow\n" == read(slide).text


def test_a_shape_without_a_place_stays_with_the_one_before_it() -> None:
    """It is not put before everything."""
    shapes = [(Place(0, 50, 10), "a"), (None, "b"), (Place(0, 0, 10), "c")]
    assert ["c", "a", "b"] == reading_order(shapes)


def test_lists_tables_and_groups_are_read() -> None:
    """Body text is a list; the first row names the columns; shapes in groups count."""
    cell = "<a:tc><a:txBody><a:p><a:r><a:t>{}</a:t></a:r></a:p></a:txBody></a:tc>"
    rows = "".join(
        "<a:tr>" + "".join(map(cell.format, row)) + "</a:tr>" for row in (("Year", "Sum"), ("1999", "7"))
    )
    table = f'<p:graphicFrame><a:tbl><a:tblPr firstRow="1"/>{rows}</a:tbl></p:graphicFrame>'
    group = f"<p:grpSp><p:grpSp>{shape('deep')}</p:grpSp></p:grpSp>"
    text = read(shape("T", "title") + shape("one\ntwo", "body") + table + group).text.decode()
    assert "T\n\n- one\n- two\nYear: 1999 | Sum: 7\n\ndeep\n" == text


def test_speaker_notes_belong_to_their_slide() -> None:
    """After what is on it; numbers of slides are no notes."""
    notes = {1: shape("Breathe", "body") + shape("17", "sldNum")}
    assert b"T\n\nNotes: Breathe\n" == read(shape("T", "title"), notes=notes).text


def test_a_footer_is_read_once() -> None:
    """Not on each of a hundred slides."""
    slide = shape("T", "title") + shape("Confidential", "ftr")
    assert 1 == read(slide, slide).text.count(b"Confidential")


def test_a_slide_without_title_is_named() -> None:
    """By its first line, or by its number; never by the slide before it."""
    titles = [part.title for part in read(shape("Hello"), shape("long " * 40), "").sections[1:]]
    assert ["Hello", "Slide 2", "Slide 3"] == titles
