"""Web pages."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.ingest import Extracted, get_extractor
from dowse.ingest.limits import Allowance


def read(page: str | bytes) -> Extracted:
    """Reads a page."""
    data = page.encode() if isinstance(page, str) else page
    return get_extractor("html").extract(data, "folder/page.html", Allowance())


def text(page: str | bytes) -> str:
    """Returns a page's stored text."""
    return read(page).text.decode()


def test_only_what_a_reader_sees_is_text() -> None:
    """Scripts, styles, templates, hidden parts, closed dialogs and comments are left out."""
    page = (
        "<script>a</script><style>b</style><template>c</template><p hidden>d</p><!-- e -->"
        "<p style='display: none'>f</p><dialog>g</dialog><dialog open>seen</dialog><p>also</p>"
    )
    assert "seen\n\nalso\n" == text(page)


def test_navigation_is_left_out_unless_it_is_all_there_is() -> None:
    """A page's menu is clutter; a table of contents is a page."""
    assert "words\n" == text("<nav>menu</nav><div role=navigation>menu</div><p>words")
    assert "- menu\n" == text("<nav><ul><li>menu</ul></nav>")


def test_headings_are_sections() -> None:
    """Depths are those of the tags, whatever is inside them."""
    found = read("<h1>One <div>more</div></h1><p>a<h3>Three</h3><h2>Two</h2>")
    expected = [("One more", 1), ("Three", 3), ("Two", 2)]
    assert expected == [(part.title, part.depth) for part in found.sections[1:]]


def test_white_space_folds_as_in_a_browser() -> None:
    """Inline elements do not part words, blocks and breaks do."""
    assert "bold word\nnext line\n\nblock\n" == text("<p><b>bo</b>ld\n  word<br>next line<div>block</div>")


def test_lists_are_lines() -> None:
    """Items follow each other; ordered ones are numbered; what follows stands apart."""
    page = "<p>a</p><ol><li>one<li><p>two</p><p>more</p></ol><p>b</p><ul><li>x<ul><li>y</ul></ul>"
    assert "a\n\n1. one\n2. two\nmore\n\nb\n\n- x\n- y\n" == text(page)


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ("<tr><th>Name<th>Born<tr><td>Ada<td>1815", ["Name: Ada | Born: 1815"]),
        ("<tr><th>A<th>B<tr><th colspan=2>Part<tr><td>1<td>2", ["Part", "A: 1 | B: 2"]),
        ("<tr><td>a<td>b<tr><td>c<td>d", ["a | b", "c | d"]),
        ("<tr><th>Born<td>1815<tr><th>Died<td>1852", ["Born: 1815", "Died: 1852"]),
        ("<tr><th rowspan=2>N<th colspan=2>X<tr><th>L<th>R<tr><td>a<td>b<td>c", ["N: a | X L: b | X R: c"]),
        ("<tr><th>N<th>V<tr><td rowspan=2>a<td>1<tr><td>2", ["N: a | V: 1", "V: 2"]),
        ("<caption>About</caption><tr><td>a<td>b", ["About", "a | b"]),
        ("<tr><td>left<td><table><tr><td>in<td>it</table><td>right", ["left", "in | it", "", "right"]),
        ("<tr><td><h2>Part</h2><p>words", ["Part", "", "words"]),
    ],
)  # fmt: skip
def test_tables_are_rows_under_their_names(table: str, expected: list[str]) -> None:
    """Header names, row names, spans; a table that holds tables or headings is layout."""
    assert expected == text(f"<table>{table}</table>").rstrip("\n").split("\n")


def test_code_keeps_its_shape() -> None:
    """What is preformatted is code, with its indentation, and nothing else is."""
    found = read("<p>a</p><pre><code>def f():\n    <b>pass</b>\n</code></pre><p>b <code>c</code></p>")
    assert ["def f():\n    pass\n"] == [found.text[start:end].decode() for start, end in found.code_spans]


def test_links_and_images_are_kept() -> None:
    """Targets with the words that lead there; what an image shows is text."""
    found = read("<p>See <a href=b.htm>the <i>other</i></a> <img src=x.png alt='a cat'> <a href='#'>up</a>")
    assert [("x.png", "a cat", "image"), ("b.htm", "the other", "link")] == sorted(
        ((link.target, link.text, link.kind) for link in found.links), key=lambda link: link[2]
    )
    assert "See the other a cat up\n" == found.text.decode()


def test_facts_are_metadata() -> None:
    """Title, language, author, date, description and keywords of the head."""
    found = read(
        "<html lang=de><title> A\n title </title><meta name=author content=Ada>"
        "<meta name=keywords content='x, y'>"
        "<meta name=description content=About><meta property='article:published_time' content=2024-01-02>"
    )
    assert ("A title", ("x", "y")) == (found.title, found.tags)
    expected = {"author": "Ada", "language": "de", "description": "About", "date": "2024-01-02"}
    assert expected == dict(found.metadata)


@pytest.mark.parametrize(
    "data",
    [
        "<p>grüße".encode(),
        "\ufeff<p>grüße".encode(),
        "\ufeff<p>grüße".encode("utf-16-le"),
        "<p>grüße".encode("utf-16-be"),
        "<meta charset=windows-1252><p>grüße".encode("cp1252"),
        "<meta http-equiv=content-type content='text/html; charset=iso-8859-1'><p>grüße".encode("cp1252"),
        "<?xml version='1.0' encoding='cp850'?><html><p>grüße".encode("cp850"),
        "<meta charset=utf-16><p>grüße".encode(),
        "<meta charset=nonsense><p>grüße".encode(),
    ],
)
def test_encodings_are_found(data: bytes) -> None:
    """By mark, by declaration unless it lies, by being UTF-8."""
    found = read(data)
    assert ("grüße\n", ()) == (found.text.decode(), found.problems)


def test_a_guessed_encoding_is_a_problem() -> None:
    """What nothing says is guessed, and the guess is named."""
    found = read("<p>grüße".encode("cp1252"))
    assert "grüße\n" == found.text.decode()
    assert ["not-utf8"] == [problem.code for problem in found.problems]
    assert "Windows-1252" in found.problems[0].message


@pytest.mark.parametrize("tag", ["div", "b", "table><tr><td", "ul><li", "x-y", "svg", "blockquote"])
def test_deep_nesting_costs_little(tag: str) -> None:
    """The text at the bottom of thirty thousand elements is found, in seconds."""
    started = time.process_time()
    assert "deep" in text(f"<{tag}>" * 30_000 + "deep")
    assert time.process_time() - started < 10


TAGS = (
    "<table>", "<tr>", "<td>", "<th>", "</table>", "<li>", "<ul>", "</ul>", "<h2>", "</h2>", "<pre>",
    "</pre>", "<a href=x>", "</a>", "<p>", "a b", "<br>", "<nav>", "<td rowspan=3 colspan=2>",
    "<dialog>", "<!--",
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(TAGS), max_size=40))
def test_any_soup_is_read(soup: list[str]) -> None:
    """However tags are mixed, the page is read and its text is whole."""
    found = read("".join(soup))
    assert found.sections[0].byte_end == len(found.text)
