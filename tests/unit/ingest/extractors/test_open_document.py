"""OpenDocument texts and presentations, packed and flat."""

import pytest

from dowse.ingest import Extracted, get_extractor
from dowse.ingest.limits import Allowance, UnextractableError
from support.office_files import build_flat_open_document, build_open_document, build_zip


def read(body: str, **more: str) -> Extracted:
    """Reads a text with this body."""
    return get_extractor("odt").extract(build_open_document(body, **more), "a/text.odt", Allowance())


def test_headings_lists_and_breaks() -> None:
    """Levels of headings, numbers where the list counts, spaces and breaks as elements."""
    automatic = (
        '<text:list-style style:name="L1">'
        '<text:list-level-style-number text:level="1" style:num-format="1"/>'
        '<text:list-level-style-bullet text:level="2"/></text:list-style>'
    )
    body = (
        '<text:h text:outline-level="2">Part</text:h>'
        '<text:p>a<text:s text:c="2"/>b<text:line-break/>c</text:p>'
        '<text:list text:style-name="L1"><text:list-item><text:p>one</text:p><text:list><text:list-item>'
        "<text:p>inner</text:p></text:list-item></text:list></text:list-item>"
        "<text:list-item><text:p>two</text:p></text:list-item></text:list>"
    )
    extracted = read(body, automatic=automatic)
    assert [("Part", 2)] == [(part.title, part.depth) for part in extracted.sections[1:]]
    assert "Part\n\na  b\nc\n\n1. one\n- inner\n2. two\n" == extracted.text.decode()


def test_text_after_elements_is_kept_and_white_space_folded() -> None:
    """Text stands between elements; line breaks of the file are none of the text."""
    body = "<text:p>one\n  <text:span>two</text:span> three<text:bookmark/>four</text:p>"
    assert b"one two threefour\n" == read(body).text


def test_asides_follow_their_paragraph() -> None:
    """Notes, signed comments and text boxes."""
    body = (
        "<text:p>Claim<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>Source</text:p>"
        "</text:note-body></text:note><office:annotation><dc:creator>Ada</dc:creator><dc:date>2020-01-01</dc:date>"
        "<text:p>Sure?</text:p></office:annotation><draw:frame><draw:text-box><text:p>Boxed</text:p></draw:text-box>"
        "</draw:frame> made.</text:p>"
    )
    assert "Claim made.\n\nSource\n\nAda: Sure?\n\nBoxed\n" == read(body).text.decode()


def test_deleted_text_is_left_out() -> None:
    """It is kept in the file under tracked changes."""
    body = "<text:tracked-changes><text:p>gone</text:p></text:tracked-changes><text:p>here</text:p>"
    assert b"here\n" == read(body).text


def test_tables_have_named_columns_and_bounded_repeats() -> None:
    """Header rows name values; a cell repeated a billion times is a cell."""
    cell = "<table:table-cell><text:p>{}</text:p></table:table-cell>"
    header = f"<table:table-row>{cell.format('K')}{cell.format('V')}</table:table-row>"
    header = f"<table:table-header-rows>{header}</table:table-header-rows>"
    filler = '<table:table-cell table:number-columns-repeated="99999999"/>'
    row = f"<table:table-row>{cell.format('a')}{cell.format('1')}{filler}</table:table-row>"
    assert b"K: a | V: 1\n" == read(f"<table:table>{header}{row}</table:table>").text


def test_styles_make_headings_and_code() -> None:
    """By outline level of the style, or of the style it is derived from."""
    styles = '<style:style style:name="Big" style:family="paragraph" style:default-outline-level="3"/>'
    automatic = (
        '<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Big"/>'
        '<style:style style:name="P2" style:family="paragraph" '
        'style:parent-style-name="Preformatted_20_Text"/>'
    )
    body = '<text:p text:style-name="P1">Head</text:p><text:p text:style-name="P2">x = 1</text:p>'
    extracted = read(body, styles=styles, automatic=automatic)
    assert [3] == [part.depth for part in extracted.sections[1:]]
    assert 1 == len(extracted.code_spans)


def test_links_and_properties() -> None:
    """Addresses with their words; author, dates, keywords and title."""
    meta = (
        "<dc:title>Plan</dc:title><meta:initial-creator>Ada</meta:initial-creator><dc:creator>Bob</dc:creator>"
        "<meta:keyword>k1</meta:keyword><meta:creation-date>2020-02-03T04:05:06</meta:creation-date>"
    )
    extracted = read('<text:p><text:a xlink:href="http://x.example/">go</text:a></text:p>', meta=meta)
    assert [("http://x.example/", "go")] == [(link.target, link.text) for link in extracted.links]
    assert ("Plan", ("k1",)) == (extracted.title, extracted.tags)
    assert {"author": "Ada", "created": "2020-02-03T04:05:06"} == extracted.metadata


def test_flat_files_are_read_alike() -> None:
    """Pictures inside them are passed over."""
    picture = "<office:binary-data>" + "QUJD" * 1000 + "</office:binary-data>"
    data = build_flat_open_document(
        f"<text:h>H</text:h><text:p>t{picture}</text:p>", meta="<dc:title>F</dc:title>"
    )
    extracted = get_extractor("odt").extract(data, "a.fodt", Allowance())
    assert ("F", b"H\n\nt\n") == (extracted.title, extracted.text)


def test_a_protected_file_says_so() -> None:
    """Its parts are there, but nobody can read them."""
    manifest = "<manifest><encryption-data/></manifest>"
    data = build_zip({"content.xml": b"\x01\x02", "META-INF/manifest.xml": manifest})
    with pytest.raises(UnextractableError) as caught:
        get_extractor("odt").extract(data, "a.odt", Allowance())
    assert "encrypted" == caught.value.code


def test_pages_of_a_presentation_are_slides() -> None:
    """Title first, then from the top down, then the notes; shared text once."""
    frame = (
        '<draw:frame presentation:class="{}" svg:x="1cm" svg:y="{}">'
        "<draw:text-box><text:p>{}</text:p></draw:text-box></draw:frame>"
    )
    page = (
        '<draw:page draw:master-page-name="M">'
        + frame.format("", "90mm", "low")
        + frame.format("outline", "2cm", "high")
        + frame.format("title", "5cm", "Title")
        + "<presentation:notes>"
        + frame.format("notes", "0cm", "Breathe")
        + "</presentation:notes></draw:page>"
    )
    footer = frame.format("footer", "19cm", "Fixed")
    master = f'<style:master-page style:name="M">{footer}</style:master-page>'
    styles = f"<office:master-styles>{master}</office:master-styles>"
    data = build_open_document(page + page, kind="presentation", styles=styles)
    extracted = get_extractor("odp").extract(data, "a.odp", Allowance())
    once = "Title\n\nhigh\n\nlow\n\nNotes: Breathe\n"
    assert f"{once}\nFixed\n\n{once}" == extracted.text.decode()
    assert ["1", "2"] == [anchor.label for anchor in extracted.anchors]
