"""Org, AsciiDoc and LaTeX: the file itself, with its outline."""

import pytest

from dowse.ingest import Extracted, get_extractor
from dowse.ingest.limits import Allowance


def read(name: str, text: str) -> Extracted:
    """Reads a text."""
    return get_extractor(name).extract(text.encode(), "notes/paper.txt", Allowance())


def outline(extracted: Extracted) -> list[tuple[int, str, int]]:
    """Returns depth, title and line of each section."""
    return [(section.depth, section.title, section.line_start) for section in extracted.sections[1:]]


def code(extracted: Extracted) -> list[bytes]:
    """Returns what is marked as code."""
    return [extracted.text[start:end] for start, end in extracted.code_spans]


def test_org_headlines_lose_their_marks() -> None:
    """State, priority, counts and tags are no part of a title; tags are tags."""
    extracted = read(
        "org",
        "#+title: Notes\n#+AUTHOR: Ada\n#+filetags: :a:\n* TODO [#A] Buy [[x][milk]] [1/2] :shop:\n** Two\n",
    )
    assert [(1, "Buy milk", 4), (2, "Two", 5)] == outline(extracted)
    assert ("Notes", ("a", "shop"), {"author": "Ada"}) == (
        extracted.title,
        extracted.tags,
        dict(extracted.metadata),
    )


def test_org_blocks_are_code() -> None:
    """A star inside a block is no headline."""
    extracted = read("org", "* One\n#+BEGIN_SRC sh\n* no\n#+END_SRC\n*bold* text\n")
    assert ([(1, "One", 1)], [b"* no\n"]) == (outline(extracted), code(extracted))


def test_asciidoc_header_and_sections() -> None:
    """Author, date and attributes come from the header, sections from equals signs."""
    extracted = read(
        "asciidoc",
        "= The *Title*\nAda Lovelace <a@b.c>\nv1, 2024-01-02\n:keywords: x, y\n\n== One\n\n----\n"
        "== no\n----\n\n=== Two\n",
    )
    assert [(1, "The Title", 1), (2, "One", 6), (3, "Two", 12)] == outline(extracted)
    assert ("The Title", ("x", "y")) == (extracted.title, extracted.tags)
    assert {"author": "Ada Lovelace", "email": "a@b.c", "date": "2024-01-02"} == extracted.metadata
    assert [b"== no\n"] == code(extracted)


def test_asciidoc_comments_are_no_code() -> None:
    """A comment block hides headings and is not code."""
    extracted = read("asciidoc", "////\n== no\n////\n== Yes\n")
    assert ([(2, "Yes", 4)], []) == (outline(extracted), code(extracted))


def test_latex_sections_title_and_author() -> None:
    """Commands are dropped from titles; the highest level used has depth 1."""
    extracted = read(
        "latex",
        "\\title{A \\emph{great}\n  title\\thanks{me}}\n\\author{Ada \\and Bob}\n"
        "\\section[s]{One \\label{a}}\n"
        "\\begin{verbatim}\n\\section{no}\n\\end{verbatim}\n\\subsection*{5\\% {\\bf more}}\n"
        "% \\section{no}\n",
    )
    assert [(1, "One", 4), (2, "5% more", 8)] == outline(extracted)
    assert ("A great title", {"author": "Ada, Bob"}) == (extracted.title, dict(extracted.metadata))
    assert [b"\\section{no}\n"] == code(extracted)


def test_latex_chapters_are_above_sections() -> None:
    """A book has chapters."""
    assert [(1, "C", 1), (2, "S", 2)] == outline(read("latex", "\\chapter{C}\n\\section{S}\n"))


@pytest.mark.parametrize("name", ["org", "asciidoc", "latex"])
@pytest.mark.parametrize(
    "text",
    ["\\section{" * 20_000, "* " * 50_000, "=" * 100_000 + " x", ":a" * 50_000, "* x " + ":a" * 50_000,
    "\\title{a\n" * 5_000,
     "[[" * 50_000, "#+a: b\n" * 20_000, "= T\n" + "a " * 50_000],
)  # fmt: skip
def test_endless_repetitions_take_no_time(name: str, text: str) -> None:
    """No pattern goes back and forth over a long line."""
    assert text.encode() == read(name, text).text
