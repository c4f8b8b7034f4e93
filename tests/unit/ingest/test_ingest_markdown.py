"""Markdown: one rule a test."""

import pytest

from dowse.ingest import Extracted, get_extractor
from dowse.ingest.limits import Allowance
from dowse.schema import Link


def extract(text: str, path: str = "notes/My note.md") -> Extracted:
    """Reads a Markdown text."""
    return get_extractor("markdown").extract(text.encode(), path, Allowance())


def code_of(text: str) -> list[str]:
    """Returns the code found in a text."""
    extracted = extract(text)
    return [extracted.text[start:end].decode() for start, end in extracted.code_spans]


def links_of(text: str) -> list[Link]:
    """Returns the links found in a text."""
    return list(extract(text).links)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: From YAML\n---\n# Heading\n", "From YAML"),
        ("## Two\n\n# One\n", "One"),
        ("## Two\n", "My note"),
        ("", "My note"),
        ("#\n# Real\n", "Real"),
        ("One\n===\n", "One"),
        ("---\ntitle: 2024\n---\n", "2024"),
        ("---\ntitle:\n---\n# Heading\n", "Heading"),
    ],
)
def test_title_is_front_matter_then_heading_then_file_name(text: str, title: str) -> None:
    """The title rule, in order."""
    assert title == extract(text).title


def test_sections_form_a_tree() -> None:
    """A section's parent is the nearest heading above it with a smaller depth."""
    extracted = extract("pre\n\n# A\na\n### B\nb\n## C\n\nD\n===\nd\n")
    found = [(s.title, s.depth, s.parent, s.line_start, s.line_end) for s in extracted.sections[1:]]
    assert found == [("A", 1, 0, 3, 8), ("B", 3, 1, 5, 6), ("C", 2, 1, 7, 8), ("D", 1, 0, 9, 11)]


def test_section_bytes_include_heading_and_sub_sections() -> None:
    """A section reaches from its heading to the next heading of its depth."""
    extracted = extract("# A\na\n## B\nb\n# C\n")
    section = extracted.sections[1]
    assert extracted.text[section.byte_start : section.byte_end] == b"# A\na\n## B\nb\n"


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ("# A *b* **c** `d`", "A b c d"),
        ("# [text](url) and ![alt](src)", "text and alt"),
        ("# [[Note|shown]] [[Other]]", "shown Other"),
        ("# A &amp; B \\# c", "A & B # c"),
        ("# snake_case_name", "snake_case_name"),
        ("# closed ##", "closed"),
        ("# C#", "C#"),
        ("two\nlines\n---", "two lines"),
    ],
)
def test_heading_text_has_no_markup(source: str, title: str) -> None:
    """A heading's title is what a reader sees."""
    assert title == extract(source).sections[1].title


def test_headings_in_code_quotes_and_lists_are_not_sections() -> None:
    """Only headings of the document itself start sections."""
    assert (
        len(extract("```\n# a\n```\n\n    # b\n\n> # c\n\n- # d\n\n<!--\n# e\n-->\n").sections) == 1
    )


def test_fenced_and_indented_code_is_marked() -> None:
    """The lines of code without their fences, also inside lists and quotes."""
    text = "a\n\n```py\nx = 1\n```\n\n    y\n\n- b\n\n  ~~~\n  z\n  ~~~\n\n> ```\n> q\n> ```\n"
    assert code_of(text) == ["x = 1\n", "    y\n", "  z\n", "> q\n"]


def test_unclosed_fence_reaches_the_end() -> None:
    """A fence without an end makes the rest code, headings included."""
    assert code_of("```\n# no\n\ntext\n") == ["# no\n\ntext\n"]


def test_empty_code_block_has_no_span() -> None:
    """A fence around nothing marks nothing."""
    assert code_of("```\n```\n") == []


def test_links_and_images_are_collected() -> None:
    """Link text is kept with its target, image alternative text likewise, with the line."""
    text = 'see [the *site*](https://a.b/c?d=e "t")\nand ![pic](<my pic.png>) <https://x.y>\n'
    expected = [
        Link("https://a.b/c?d=e", "the *site*", "link", 1),
        Link("my pic.png", "pic", "image", 2),
        Link("https://x.y", "https://x.y", "link", 2),
    ]
    assert expected == links_of(text)


def test_image_inside_a_link_gives_both() -> None:
    """A badge is a link and an image."""
    assert [(x.target, x.kind) for x in links_of("[![a](b)](c)")] == [("c", "link"), ("b", "image")]


def test_reference_links_find_their_definition() -> None:
    """Full, collapsed and short references are resolved; unknown ones are text."""
    text = "[a][One] [two][] [two] [three]\n\n[one]: /1\n[Two]: </2>\n"
    assert [link.target for link in links_of(text)] == ["/1", "/2", "/2"]


def test_wikilinks_and_embeds_are_collected() -> None:
    """Target, heading and alias; an embed is its own kind."""
    expected = [
        Link("a#b", "c", "wikilink", 1),
        Link("x", "x", "embed", 1),
        Link("Deep note", "Deep note", "wikilink", 2),
    ]
    assert expected == links_of("[[a#b|c]] ![[x]]\n[[Deep note]]\n")


def test_nothing_is_linked_or_tagged_in_code() -> None:
    """Code blocks and inline code hold neither links nor tags."""
    extracted = extract("`[[a]] #b` ``[c](d) ` #e``\n\n```\n[[f]] #g\n```\n\n    [[h]] #i\n")
    assert (extracted.links, extracted.tags) == ((), ())


def test_unclosed_backtick_does_not_hide_links() -> None:
    """A backtick without a partner in its paragraph is text."""
    assert [link.target for link in links_of("it` [[a]]\n\n`` [[b]] `\n")] == ["a", "b"]


def test_escapes_stop_links_and_tags() -> None:
    """A backslash makes the next mark ordinary."""
    extracted = extract("\\[a](b) \\#tag \\[[c]]\n")
    assert (extracted.links, extracted.tags) == ((), ())


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("#one text #two/sub, (#three) #a-b_c", ("one", "two/sub", "three", "a-b_c")),
        ("# Heading\n## Other\n", ()),
        ("#123 #1-2 ##x a#b http://x/#y", ()),
        ("#y2024 #été #日本", ("y2024", "été", "日本")),
        ("#same #same", ("same",)),
        ("---\ntags: [a, '#b']\nkeywords: c d, e\n---\n#f #a", ("a", "b", "c d", "e", "f")),
        ("---\ntags: a b,c\n---\n", ("a", "b", "c")),
    ],
)
def test_tags(text: str, tags: tuple[str, ...]) -> None:
    """Inline tags and front-matter tags, in order, each once."""
    assert tags == extract(text).tags


def test_front_matter_becomes_metadata() -> None:
    """Other keys are kept, dates as ISO text, aliases as a list."""
    text = "---\ndate: 2024-05-06\nalias: Foo\nn: 3\ndeep: {a: [1, null, 2.5]}\n'1': x\n---\nbody"
    expected = {
        "date": "2024-05-06",
        "n": 3,
        "deep": {"a": [1, None, 2.5]},
        "1": "x",
        "aliases": ["Foo"],
    }
    assert expected == dict(extract(text).metadata)


def test_broken_front_matter_is_a_problem_and_the_rest_is_read() -> None:
    """Bad YAML costs the metadata, nothing else."""
    extracted = extract("---\ntitle: a: b: c\n---\n# Real\n")
    assert [problem.code for problem in extracted.problems] == ["bad-front-matter"]
    assert extracted.title == "Real"


@pytest.mark.parametrize(
    "yaml",
    [
        "a: &a [*a]",
        "a: .nan",
        "a: 0x" + "f" * 5000,
        "a: 2024-13-45",
        'a: "\\ud800"',
        "? [x]\n: y",
        "a: !!binary aGk=",
        "a: !!set {x, y}",
        "a: !!python/object:os.system x",
        "[" * 3000,
        "a: 1:2:3",
        "? {a: b}\n: c",
    ],
)
def test_hostile_front_matter_is_harmless(yaml: str) -> None:
    """Whatever YAML can say, the file is read and its metadata is plain."""
    assert extract(f"---\n{yaml}\n---\n# Real\n").sections[1].title == "Real"


def test_rule_around_prose_is_not_front_matter() -> None:
    """Text between two rules that is not keys and values stays text."""
    assert [s.title for s in extract("---\njust prose\n---\n").sections[1:]] == ["just prose"]


def test_windows_line_ends_change_nothing_but_bytes() -> None:
    """The same structure with CR LF as with LF."""
    text = "---\ntitle: T\n---\n# A\n\n```\nx\n```\n\nB\n---\n- [[c]]\n"
    unix, windows = extract(text), extract(text.replace("\n", "\r\n"))
    assert [s.title for s in unix.sections] == [s.title for s in windows.sections]
    assert unix.links == windows.links
    assert [windows.text[start:end] for start, end in windows.code_spans] == [b"x\r\n"]
