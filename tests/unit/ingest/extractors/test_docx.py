"""Word documents: structure, what is beside the text, changes, properties."""

from dowse.ingest import Extracted, get_extractor
from dowse.ingest.limits import Allowance
from support.office_files import build_docx, paragraph, word_part


def read(body: str, **parts: object) -> Extracted:
    """Reads a document with this body."""
    return get_extractor("docx").extract(build_docx(body, **parts), "a/letter.docx", Allowance())  # type: ignore[arg-type]


def text_of(body: str, **parts: object) -> str:
    """Returns the stored text of a document with this body."""
    return read(body, **parts).text.decode()


def style(key: str, name: str, more: str = "") -> str:
    """Returns a paragraph style."""
    return f'<w:style w:type="paragraph" w:styleId="{key}"><w:name w:val="{name}"/>{more}</w:style>'


STYLES = word_part(
    "styles",
    '<w:docDefaults><w:rPrDefault><w:rPr><w:lang w:val="de-DE"/></w:rPr></w:rPrDefault></w:docDefaults>'
    + style("berschrift2", "heading 2")
    + style("Mine", "Mine", '<w:basedOn w:val="berschrift2"/>')
    + style("Level", "Level", '<w:pPr><w:outlineLvl w:val="2"/></w:pPr>')
    + style("Round", "Round", '<w:basedOn w:val="Round"/>')
    + style("Code", "Source Code")
    + style("T", "Title"),
)


def test_headings_come_from_styles_and_outline_levels() -> None:
    """A style's name, the style it is based on, an outline level, and the paragraph's own level count."""
    body = (
        paragraph("A", '<w:pStyle w:val="berschrift2"/>')
        + paragraph("B", '<w:pStyle w:val="Mine"/>')
        + paragraph("C", '<w:pStyle w:val="Level"/>')
        + paragraph("D", '<w:outlineLvl w:val="0"/>')
        + paragraph("E", '<w:pStyle w:val="Mine"/><w:outlineLvl w:val="9"/>')
        + paragraph("F", '<w:pStyle w:val="Round"/>')
    )
    sections = read(body, styles=STYLES).sections[1:]
    assert [("A", 2), ("B", 2), ("C", 3), ("D", 1)] == [(part.title, part.depth) for part in sections]


def test_headings_are_known_without_a_styles_part() -> None:
    """The usual keys of styles say enough."""
    assert ["One"] == [
        part.title for part in read(paragraph("One", '<w:pStyle w:val="Heading1"/>')).sections[1:]
    ]


def test_the_title_in_the_text_is_the_title() -> None:
    """A paragraph in the style of a title comes before what the properties say."""
    body = paragraph("Report", '<w:pStyle w:val="T"/>')
    assert "Report" == read(body, styles=STYLES, core="<dc:title>Template</dc:title>").title


def test_changes_are_read_as_if_accepted() -> None:
    """What was deleted or moved away is gone, what was inserted or moved here is text."""
    body = (
        "<w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:ins><w:r><w:t>come</w:t></w:r></w:ins>"
        "<w:moveFrom><w:r><w:t>left</w:t></w:r></w:moveFrom>"
        "<w:moveTo><w:r><w:t> arrived</w:t></w:r></w:moveTo></w:p>"
    )
    assert "come arrived\n" == text_of(body)


def test_a_table_is_rows_under_the_names_of_its_columns() -> None:
    """The row that is marked as a header names the values below it."""
    cells = "".join(f"<w:tc>{paragraph(name)}</w:tc>" for name in ("Name", "Born"))
    values = "".join(f"<w:tc>{paragraph(value)}</w:tc>" for value in ("Ada", "1815"))
    header = f"<w:tr><w:trPr><w:tblHeader/></w:trPr>{cells}</w:tr>"
    assert "Name: Ada | Born: 1815\n" == text_of(f"<w:tbl>{header}<w:tr>{values}</w:tr></w:tbl>")


def test_a_table_of_one_column_is_mere_layout() -> None:
    """Its paragraphs are paragraphs."""
    assert "one\n\ntwo\n" == text_of(
        f"<w:tbl><w:tr><w:tc>{paragraph('one')}{paragraph('two')}</w:tc></w:tr></w:tbl>"
    )


def test_notes_and_comments_follow_their_paragraph() -> None:
    """A footnote and a signed comment stand after the paragraph that refers to them."""
    body = (
        '<w:p><w:r><w:t>Claim</w:t><w:footnoteReference w:id="2"/><w:commentReference w:id="0"/></w:r></w:p>'
        + paragraph("Next")
    )
    footnotes = word_part("footnotes", f'<w:footnote w:id="2">{paragraph("Source")}</w:footnote>')
    comments = word_part("comments", f'<w:comment w:id="0" w:author="Ada">{paragraph("Sure?")}</w:comment>')
    assert "Claim\n\nSource\n\nAda: Sure?\n\nNext\n" == text_of(body, footnotes=footnotes, comments=comments)


def test_a_text_box_follows_its_paragraph_once() -> None:
    """The older twin of a drawing is left out."""
    box = f"<w:txbxContent>{paragraph('Boxed')}</w:txbxContent>"
    names = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    drawing = (
        f"<mc:AlternateContent {names}><mc:Choice>{box}</mc:Choice>"
        f"<mc:Fallback>{box}</mc:Fallback></mc:AlternateContent>"
    )
    assert "Around\n\nBoxed\n" == text_of(f"<w:p><w:r>{drawing}</w:r><w:r><w:t>Around</w:t></w:r></w:p>")


def test_lists_are_numbered_as_the_program_shows_them() -> None:
    """Numbers of two levels, and bullets where a list has no numbers."""
    levels = (
        '<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>'
        '<w:lvl w:ilvl="1"><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%1.%2"/></w:lvl>'
    )
    numbering = word_part(
        "numbering",
        f'<w:abstractNum w:abstractNumId="7">{levels}</w:abstractNum>'
        '<w:num w:numId="3"><w:abstractNumId w:val="7"/></w:num>',
    )
    items = (("one", 0), ("two", 0), ("inner", 1), ("three", 0))
    body = "".join(
        paragraph(text, f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="3"/></w:numPr>')
        for text, level in items
    )
    assert "1. one\n2. two\n2.a inner\n3. three\n" == text_of(body, numbering=numbering)


def test_code_is_marked_as_one_block() -> None:
    """Paragraphs in a style for code are lines of code; their indentation stays."""
    body = "".join(paragraph(line, '<w:pStyle w:val="Code"/>') for line in ("if x:", "    y()"))
    extracted = read(paragraph("Run") + body, styles=STYLES)
    assert ["if x:\n    y()\n"] == [extracted.text[start:end].decode() for start, end in extracted.code_spans]


def test_links_are_noted() -> None:
    """By relationship and by field."""
    body = (
        '<w:p><w:hyperlink r:id="web"><w:r><w:t>here</w:t></w:r></w:hyperlink>'
        '<w:r><w:fldChar w:fldCharType="begin"/><w:instrText>HYPERLINK "http://b.example/"</w:instrText></w:r>'
        '<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>there</w:t></w:r>'
        '<w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>'
    )
    links = [(link.target, link.text) for link in read(body).links]
    assert [("https://example.org/a", "here"), ("http://b.example/", "there")] == links


def test_headers_and_footers_stand_around_the_text() -> None:
    """Each text once."""
    header = word_part("hdr", paragraph("Secret") + paragraph("Secret"))
    assert "Secret\n\nBody\n\nPage\n" == text_of(
        paragraph("Body"), header=header, footer=word_part("ftr", paragraph("Page"))
    )


def test_properties_become_metadata() -> None:
    """Author, dates, language and keywords."""
    core = (
        "<dc:creator>Ada</dc:creator><cp:keywords>one; two</cp:keywords>"
        "<dcterms:created>2024-05-01T10:00:00Z</dcterms:created><dcterms:modified>soon</dcterms:modified>"
    )
    extracted = read(paragraph("x"), core=core, styles=STYLES)
    assert {"author": "Ada", "created": "2024-05-01T10:00:00Z", "language": "de-DE"} == extracted.metadata
    assert ("one", "two") == extracted.tags
    assert "letter" == extracted.title
