"""reStructuredText, plain text, decoding, slugs and the registry."""

import pytest

from dowse.errors import InvalidParameterError
from dowse.ingest import Extracted, find_format, get_extractor
from dowse.ingest.decoding import decode
from dowse.ingest.limits import Allowance
from dowse.ingest.sections import SlugMaker, slugify


def rst(text: str) -> Extracted:
    """Reads a reStructuredText."""
    return get_extractor("restructuredtext").extract(text.encode(), "doc/index.rst", Allowance())


def test_rst_levels_follow_order_of_first_use() -> None:
    """A style's level is the order in which it appears; above-and-under is its own style."""
    text = "=====\nTitle\n=====\n\nOne\n===\n\nTwo\n---\n\nThree\n=====\n"
    assert [(section.title, section.depth) for section in rst(text).sections[1:]] == [
        ("Title", 1),
        ("One", 2),
        ("Two", 3),
        ("Three", 2),
    ]


def test_rst_heading_starts_at_its_overline() -> None:
    """The section begins with the line above the title."""
    assert (
        rst("x\n\n=====\nTitle\n=====\n").sections[1].line_start,
        rst("").sections[0].byte_end,
    ) == (3, 0)


def test_rst_transition_is_not_a_heading() -> None:
    """A line of marks between blank lines separates; it names nothing."""
    assert len(rst("para\n\n-----\n\npara\n").sections) == 1


def test_rst_code_is_marked() -> None:
    """Literal blocks and code directives, without their options."""
    text = "Run::\n\n    a\n\n    b\n\ntext\n\n.. code-block:: py\n   :linenos:\n\n   c\n\nend\n"
    extracted = rst(text)
    assert [extracted.text[start:end].decode() for start, end in extracted.code_spans] == [
        "    a\n\n    b\n",
        "   c\n",
    ]


def test_rst_headings_in_code_are_code() -> None:
    """An example of a heading inside a literal block starts no section."""
    assert len(rst("Like::\n\n  Title\n  =====\n").sections) == 1


def test_rst_fields_become_metadata_and_tags() -> None:
    """The field list at the top, before or under the title."""
    for text in (
        ":tags: a, b\n:date: 2024\n\nTitle\n=====\n",
        "Title\n=====\n\n:tags: a, b\n:date: 2024\n",
    ):
        extracted = rst(text)
        assert (extracted.tags, dict(extracted.metadata)) == (("a", "b"), {"date": "2024"})
        assert extracted.title == "Title"


def test_rst_heading_markup_is_dropped() -> None:
    """Roles, literals and emphasis leave only their text."""
    assert (
        rst("The :class:`foo.Bar` *class*\n============================\n").title
        == "The foo.Bar class"
    )


@pytest.mark.parametrize(
    ("text", "path", "title"),
    [
        ("A title\n\nand text", "a.txt", "A title"),
        ("A title\n-------\ntext", "a.txt", "A title"),
        ("first line of\nprose", "a.txt", "a"),
        ("only this", "a.txt", "a"),
        ("2024-01-01 started\n\nmore", "server.log", "server"),
        ("Project\n\ntext", "README", "README"),
        ("x" * 81 + "\n\ntext", "a.txt", "a"),
        ("", "notes/.txt", ".txt"),
    ],
)
def test_plain_text_title(text: str, path: str, title: str) -> None:
    """A short first line that stands alone, else the file's name."""
    assert title == get_extractor("text").extract(text.encode(), path, Allowance()).title


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("a.md", "markdown"),
        ("A.MD", "markdown"),
        ("x/y.markdown", "markdown"),
        ("a.mdx", "markdown"),
        ("a.rst", "restructuredtext"),
        ("a.txt", "text"),
        ("b.log", "text"),
        ("README", "text"),
        ("src/Makefile", "code"),
        ("a.py", "code"),
        ("CMakeLists.txt", "code"),
        ("a.xyz", None),
        ("a", None),
        (".md", None),
        ("md", None),
        ("", None),
    ],
)
def test_extractor_is_found_by_name(path: str, name: str | None) -> None:
    """Extensions in any case, known names without one, nothing else."""
    found = find_format(path)
    assert name == (found.name if found else None)


def test_unknown_format_is_refused() -> None:
    """Asking for a format by a name nobody has is an error that lists the names."""
    with pytest.raises(InvalidParameterError) as caught:
        get_extractor("doc")
    assert "markdown" in caught.value.hint


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("OAuth 2.0 Setup", "oauth-20-setup"),
        ("C++ Integration", "c-integration"),
        ("日本語", "日本語"),
        ("a -- b", "a-b"),
        ("!!!", "heading"),
        ("snake_case", "snake_case"),
        ("  A\tB ", "a-b"),
        ("हिन्दी में", "हिन्दी-में"),
        ("E\u0301t\u00e9", "été"),
        ("", "heading"),
    ],
)
def test_slug(title: str, slug: str) -> None:
    """Lower case, letters of any script, hyphens for spaces."""
    assert slug == slugify(title)


def test_repeated_slugs_are_numbered() -> None:
    """Duplicates get -1, -2; a heading that is called so already is passed over."""
    maker = SlugMaker()
    titles = ["A", "A", "A 2", "A", "A"]
    assert [maker.make(title) for title in titles] == ["a", "a-1", "a-2", "a-3", "a-4"]


def test_private_key_is_refused() -> None:
    """A private key is never indexed, whatever its name."""
    text, problems = decode(b"\n-----BEGIN OPENSSH PRIVATE KEY-----\nabc", "notes.txt")
    assert (text, [problem.code for problem in problems]) == (b"", ["secret-file"])


def test_utf16_needs_its_mark() -> None:
    """With a mark it is text; without, its NULs make it binary."""
    assert decode("\ufeffab".encode("utf-16-be"), "a") == (b"ab", ())
    assert decode("ab".encode("utf-16-be"), "a")[1][0].code == "binary-file"
