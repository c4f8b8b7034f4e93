"""Damaged, hostile and random packages: text or a refusal, nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.ingest import get_extractor
from dowse.ingest.limits import Allowance, UnextractableError
from support.office_files import (
    build_docx,
    build_epub,
    build_open_document,
    build_pptx,
    build_zip,
    paragraph,
    shape,
    word_part,
)

_CELL = f"<w:tc>{paragraph('a')}</w:tc>"
FILES = {
    "docx": build_docx(paragraph("Text") + f"<w:tbl><w:tr>{_CELL}{_CELL}</w:tr></w:tbl>"),
    "pptx": build_pptx(shape("T", "title") + shape("x")),
    "odt": build_open_document("<text:list><text:list-item><text:p>x</text:p></text:list-item></text:list>"),
    "odp": build_open_document("<draw:page/>", kind="presentation"),
    "epub": build_epub({"a.xhtml": "<html><body><p>x</p></body></html>"}),
}
_ELEMENTS = st.sampled_from(
    ("p", "r", "t", "tbl", "tr", "tc", "tcPr", "trPr", "pPr", "hyperlink", "fldChar", "txbxContent", "del")
)
_TREES = st.recursive(
    st.just("x"),
    lambda inner: st.builds(
        lambda name, parts: f"<w:{name} w:val='1' w:fldCharType='end'>{''.join(parts)}</w:{name}>",
        _ELEMENTS,
        st.lists(inner, max_size=4),
    ),
)


def read_or_refuse(name: str, data: bytes) -> bytes | None:
    """Returns the text, or None for a refusal."""
    try:
        return get_extractor(name).extract(data, f"a.{name}", Allowance()).text
    except UnextractableError:
        return None


@pytest.mark.parametrize("name", FILES)
@given(data=st.data())
def test_mutated_packages_are_read_or_refused(name: str, data: st.DataObject) -> None:
    """Flipped, cut and doubled bytes anywhere in a file."""
    content = bytearray(FILES[name])
    for place, value in data.draw(st.lists(st.tuples(st.integers(0, len(content) - 1), st.integers(0, 255)))):
        content[place] = value
    cut = data.draw(st.integers(0, len(content)))
    read_or_refuse(name, bytes(content))
    read_or_refuse(name, bytes(content[:cut]))


@pytest.mark.parametrize("name", FILES)
@given(data=st.binary())
def test_random_bytes_are_refused(name: str, data: bytes) -> None:
    """There is no text in noise."""
    assert read_or_refuse(name, data) is None
    read_or_refuse(name, b"PK\x03\x04" + data)


@given(_TREES)
def test_elements_may_stand_anywhere(tree: str) -> None:
    """A cell without a row, a paragraph in a table, an end without a beginning."""
    assert read_or_refuse("docx", build_docx(tree)) is not None


@pytest.mark.parametrize("element", ["w:tbl><w:tr><w:tc", "w:p><w:r><w:txbxContent", "w:sdt"])
def test_any_depth_is_survived(element: str) -> None:
    """Elements in elements, deeper than the parser goes."""
    opened = f"<{element}>" * 5_000
    read_or_refuse("docx", build_docx(paragraph("x") + opened))


def test_a_missing_part_is_no_text() -> None:
    """A package of something else is refused, or read as far as it goes."""
    for name in FILES:
        read_or_refuse(name, build_zip({"[Content_Types].xml": "<Types/>", "word/x.xml": "<a/>"}))
        read_or_refuse(
            name, build_zip({"word/document.xml": "", "ppt/presentation.xml": "", "content.xml": ""})
        )


def test_entities_are_neither_expanded_nor_fetched() -> None:
    """Laughs and files alike stay outside."""
    document = (
        '<!DOCTYPE x [<!ENTITY a "laugh"><!ENTITY b "&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>'
        + word_part("document", f"<w:body>{paragraph('x&b;&f;y')}</w:body>")
    )
    text = read_or_refuse("docx", build_docx("", parts={"word/document.xml": document}))
    assert text is not None
    assert b"laugh" not in text
    assert b"root:" not in text


def test_a_note_that_is_referred_to_a_thousand_times_is_read_once() -> None:
    """Else a small file would grow without end."""
    body = '<w:p><w:r><w:footnoteReference w:id="2"/><w:t>x</w:t></w:r></w:p>' * 1_000
    footnotes = word_part("footnotes", f'<w:footnote w:id="2">{paragraph("long " * 100)}</w:footnote>')
    text = read_or_refuse("docx", build_docx(body, footnotes=footnotes))
    assert text is not None
    assert 100 == text.count(b"long")
