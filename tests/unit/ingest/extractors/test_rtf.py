"""Rich text: characters, structure, and files that lie."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.ingest import Extracted, get_extractor
from dowse.ingest.limits import Allowance, UnextractableError
from support.well_formed import assert_well_formed

WORDS = (
    "{", "}", "\\par ", "\\cell ", "\\row ", "\\nestcell ", "\\nestrow ", "\\itap9 ", "\\intbl ",
    "{\\footnote ", "{\\*\\annotation ", "{\\header ", "{\\field ", "{\\*\\fldinst ", "{\\fldrslt ",
    "\\u", "\\u-1 ", "\\'", "\\'8", "\\bin3 ", "\\f1 ", "{\\fonttbl ", "{\\stylesheet", "{\\info",
    "{\\title ", "\\s1 ", "x", "\\", "\\*", "{\\upr ", "\\ansicpg932 ", "\\uc9 ", "\\trowd ", "\\ls1 ",
    "\\plain ", "\\pard ",
)  # fmt: skip


def read(body: bytes | str) -> Extracted:
    """Reads rich text with this body."""
    content = body.encode("ascii") if isinstance(body, str) else body
    return get_extractor("rtf").extract(b"{\\rtf1\\ansi " + content + b"}", "a/text.rtf", Allowance())


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (r"\ansicpg1251 \'cf\'f0\'e8", "При"),
        (r"{\fonttbl{\f0\fcharset0 A;}{\f1\fcharset128 B;}}\f1 \'83A\'83\'43 \f0 \'e9", "アイ é"),
        (r"\uc1 \u8364?\u-10179?\u-8704? x", "€\U0001f600 x"),
        (r"\uc2 \u233\'c3\'a9t", "ét"),
        (r"a\emdash b\~c\_d\-e\lquote f", "a—b\N{NO-BREAK SPACE}c-de‘f"),
        (r"\{a\}\\", "{a}\\"),
        ("one\\par two\\line three", "one\n\ntwo\nthree"),
        (r"{\upr{plain}{\*\ud{\u233?}}}", "é"),
        (r"a{\*\unknown hidden}{\pict 00ff}b", "ab"),
        (r"a\deleted gone\deleted0 b", "ab"),
    ],
)
def test_characters(body: str, text: str) -> None:
    """Code pages of the document and of fonts, escapes with their substitutes, symbols, skipped groups."""
    assert text == read(body).text.decode().strip()


def test_headings_come_from_styles_and_levels() -> None:
    """A style by its name or level, and a paragraph's own level."""
    styles = r"{\stylesheet{\s0 Normal;}{\s1 heading 1;}{\s2\outlinelevel2 Mine;}{\s3\sbasedon1 Other;}}"
    body = r"\pard\s1 A\par\pard\s2 B\par\pard\s3 C\par\pard\outlinelevel3 D\par\pard E\par"
    sections = read(styles + body).sections[1:]
    assert [("A", 1), ("B", 3), ("C", 1), ("D", 4)] == [(part.title, part.depth) for part in sections]


def test_tables_lists_and_notes() -> None:
    """Rows under a header row, items, and a footnote after its paragraph."""
    table = r"\trowd\trhdr\pard\intbl Name\cell Born\cell\row\trowd\pard\intbl Ada\cell 1815\cell\row"
    body = rf"\pard Claim{{\footnote\pard Source}}\par{table}\pard{{\listtext\'b7\tab}}\ls1 item\par"
    assert "Claim\n\nSource\nName: Ada | Born: 1815\n\n- item\n" == read(body).text.decode()


def test_a_table_in_a_cell_is_part_of_its_text() -> None:
    """No word of it is lost."""
    inner = r"\pard\intbl\itap2 x\nestcell y\nestcell{\*\nesttableprops\trowd\nestrow}{\nonesttables\par}"
    text = read(rf"\trowd {inner}\pard\intbl\itap1 a\cell b\cell\row\pard end\par").text.decode()
    assert ["a", "b", "end", "x", "y"] == sorted(text.replace("|", " ").split())


def test_links_and_properties() -> None:
    """A field's address with its words; title, author and dates."""
    info = r"{\info{\title Plan}{\author \'c9va}{\keywords a, b}{\creatim\yr2020\mo2\dy3\hr4\min5}}"
    extracted = read(info + r'{\field{\*\fldinst HYPERLINK "http://x.example/"}{\fldrslt go}}\par')
    assert [("http://x.example/", "go")] == [(link.target, link.text) for link in extracted.links]
    assert ("Plan", ("a", "b")) == (extracted.title, extracted.tags)
    assert {"author": "Éva", "created": "2020-02-03T04:05:00"} == extracted.metadata


def test_binary_bytes_are_passed_over_and_lies_about_them_ignored() -> None:
    """Braces in them are not braces; a length past the end is none."""
    assert b"ab\n" == read(rb"a{\pict\bin4 }}}}}b").text
    assert b"a b\n" == read(r"a \bin2000000000 b").text


@pytest.mark.parametrize(
    "group", [b"{", b"{\\footnote ", b"{\\field{\\*\\fldinst ", b"{\\*\\shpinst{\\shptxt "]
)
def test_any_depth_is_survived(group: bytes) -> None:
    """Groups in groups cost a reference each, never a call."""
    assert b"x" in read(b"x\\par" + group * 20_000 + b"y").text


@given(st.lists(st.sampled_from(WORDS)))
def test_any_order_of_words_is_read(pieces: list[str]) -> None:
    """Whatever follows what, the text is whole and everything found in it lies in it."""
    assert_well_formed(read("".join(pieces)))


@given(st.binary())
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    """With the start of rich text and without it."""
    assert read(data).title
    with contextlib.suppress(UnextractableError):
        get_extractor("rtf").extract(data, "a.rtf", Allowance())
