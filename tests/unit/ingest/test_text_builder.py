"""Texts put together of parts: headings, rows, code, anchors, links, files inside files."""

from hypothesis import given
from hypothesis import strategies as st

from dowse.ingest.limits import Allowance, ExtractionLimits
from dowse.ingest.text_builder import TextBuilder
from dowse.schema import Anchor, Link

TEXTS = st.text(max_size=40)


def compose(limits: ExtractionLimits | None = None) -> TextBuilder:
    """An empty builder."""
    return TextBuilder("folder/report.docx", Allowance(limits or ExtractionLimits()))


def test_parts_are_set_apart_as_people_do() -> None:
    """Headings and paragraphs stand apart; rows and lines follow each other."""
    builder = compose()
    builder.heading(1, "Report")
    builder.paragraph("First\nlines.")
    builder.row(["Ada", "", "1815"], ["Name", "Title", "Born"])
    builder.row(["Alan", "Dr", "1912"], ["Name", "Title", "Born"])
    builder.line("a note")
    extracted = builder.finish()
    assert (
        "Report\n\nFirst\nlines.\nName: Ada | Born: 1815\nName: Alan | Title: Dr | Born: 1912\na note\n"
        == extracted.text.decode()
    )
    assert "Report" == extracted.title
    assert not extracted.has_source_lines


def test_sections_begin_at_their_headings() -> None:
    """The tree follows the depths; too deep is the deepest there is."""
    builder = compose()
    for depth, title in ((1, "A"), (2, "B"), (9, "C"), (2, "D"), (1, " ")):
        builder.heading(depth, title)
        builder.paragraph(f"text of {title}")
    sections = builder.finish().sections[1:]
    assert [("A", 1, 0), ("B", 2, 1), ("C", 6, 2), ("D", 2, 1)] == [
        (section.title, section.depth, section.parent) for section in sections
    ]


def test_anchors_links_and_code_know_their_place() -> None:
    """An anchor lies before what follows it, a link on the line of what is added next, code is spanned."""
    builder = compose()
    builder.anchor("page", "1")
    builder.paragraph("one")
    builder.anchor("page", "2")
    builder.link("https://example.org", "here")
    builder.paragraph("look here")
    builder.code("\n  if x:\n    y()\n")
    extracted = builder.finish()
    text = extracted.text
    assert (Anchor(0, "page", "1"), Anchor(text.index(b"\nlook"), "page", "2")) == extracted.anchors
    assert (Link("https://example.org", "here", "link", 3),) == extracted.links
    ((start, end),) = extracted.code_spans
    assert b"  if x:\n    y()\n" == text[start:end]


def test_a_file_inside_keeps_its_structure() -> None:
    """Sections, anchors, code and links are moved to where its text went; problems name both files."""
    inner = TextBuilder("inner.md", Allowance())
    inner.heading(1, "Inner")
    inner.anchor("page", "7")
    inner.link("target", "text")
    inner.paragraph("inside")
    inner.code("code()")
    inner.problem("odd", "it is odd")
    builder = compose()
    builder.heading(1, "inner.md")
    builder.include(inner.finish(), 1)
    builder.paragraph("after")
    extracted = builder.finish()
    section = extracted.sections[2]
    assert ("Inner", 2) == (section.title, section.depth)
    assert extracted.text[section.byte_start :].startswith(b"Inner\n")
    ((start, end),) = extracted.code_spans
    assert b"code()\n" == extracted.text[start:end]
    (link,) = extracted.links
    assert b"inside" == extracted.text.split(b"\n")[link.line - 1]
    assert ["folder/report.docx › inner.md"] == [problem.location for problem in extracted.problems]


def test_what_is_too_much_is_left_out_and_said() -> None:
    """The text stays within its limit, and a problem says that it was cut."""
    builder = compose(ExtractionLimits(text_bytes=1 << 20))
    for _ in range(30):
        builder.paragraph("word " * 20_000)
    extracted = builder.finish()
    assert builder.is_full
    assert len(extracted.text) <= 1 << 20
    assert ["text-cut"] == [problem.code for problem in extracted.problems]


def test_blank_metadata_and_tags_are_dropped() -> None:
    """Only what says something is kept."""
    extracted = compose().finish(
        title=" ", tags=["#a", "", "a", "b c"], metadata={"author": "Ada", "subject": "", "created": None}
    )
    assert ("report", ("a", "b c"), {"author": "Ada"}) == (
        extracted.title,
        extracted.tags,
        extracted.metadata,
    )


@given(
    st.lists(
        st.tuples(st.sampled_from(["heading", "paragraph", "line", "row", "code", "anchor", "link"]), TEXTS),
        max_size=20,
    )
)
def test_any_parts_make_a_sound_document(parts: list[tuple[str, str]]) -> None:
    """Whatever is added, sections, spans, links and anchors lie inside a text that is valid UTF-8."""
    builder = compose()
    for kind, text in parts:
        match kind:
            case "heading":
                builder.heading(1 + len(text) % 8, text)
            case "row":
                builder.row(text.split("a"), text.split("b"))
            case "anchor":
                builder.anchor("page", text)
            case "link":
                builder.link(text, text)
            case _:
                getattr(builder, kind)(text)
    extracted = builder.finish()
    size = len(extracted.text)
    text = extracted.text.decode()
    line_count = max(1, text.count("\n"))
    for section in extracted.sections[1:]:
        line = extracted.text[section.byte_start :].split(b"\n", 1)[0].decode()
        assert line.startswith(section.title[:100])
    assert all(0 <= start < end <= size for start, end in extracted.code_spans)
    assert all(1 <= link.line <= line_count for link in extracted.links)
    places = [anchor.byte_start for anchor in extracted.anchors]
    assert sorted(places) == places
    assert all(0 <= place <= size for place in places)
