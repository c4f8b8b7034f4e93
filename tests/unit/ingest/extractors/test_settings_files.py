"""YAML, TOML and INI: the file itself, with an outline."""

import pytest

from dowse.ingest import Extracted, get_extractor
from dowse.ingest.limits import Allowance


def read(name: str, text: str) -> Extracted:
    """Reads a file of settings."""
    return get_extractor(name).extract(text.encode(), "deploy/settings.conf", Allowance())


def outline(extracted: Extracted) -> list[tuple[int, str, int]]:
    """Returns depth, title and line of each section."""
    return [(section.depth, section.title, section.line_start) for section in extracted.sections[1:]]


def test_yaml_keys_with_something_under_them_are_headings() -> None:
    """Plain keys share a section: one a line would tear the file to pieces."""
    text = 'version: 3\nname: x\nservices:\n  web:\n    image: a\n# note\nlast: 1\nmore: 2\n"quoted":\n- a\n'
    assert [(1, "services", 3), (1, "last", 7), (1, "quoted", 9)] == outline(read("yaml", text))


def test_yaml_title_names_the_document() -> None:
    """The key `title` is the title, else the file's name."""
    assert "API" == read("yaml", "title: 'API'\n").title
    assert "settings" == read("yaml", "a:\n  title: no\n").title


def test_yaml_is_never_loaded() -> None:
    """Aliases that would expand to gigabytes are text like any other."""
    text = "a: &a [x, x]\n" + "".join(
        f"{b}: &{b} [*{a}, *{a}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)
    )
    assert text.encode() == read("yaml", text).text


def test_toml_tables_are_headings() -> None:
    """Dots make depth; what looks like a table inside a long string is none."""
    text = 'title = "T"\n[tool]\nx = """\n[no]\n"""\n[tool.ruff] # note\ny = [\n1,\n]\n[[package]]\n'
    extracted = read("toml", text)
    assert ("T", [(1, "tool", 2), (2, "tool.ruff", 6), (1, "package", 10)]) == (
        extracted.title,
        outline(extracted),
    )


def test_ini_sections_are_headings() -> None:
    """Keys stay under the section they stand in."""
    assert [(1, "a b", 2), (1, "c", 4)] == outline(read("ini", "x = 1\n[a b]\ny = 2\n[c] ; note\n"))


@pytest.mark.parametrize("name", ["yaml", "toml", "ini"])
@pytest.mark.parametrize(
    "text", ["[" * 50_000, ":" * 50_000, "a " * 50_000 + ":", '"""' * 20_000, "[a\n" * 5_000]
)
def test_endless_lines_take_no_time(name: str, text: str) -> None:
    """Patterns are tried on the first characters of a line only."""
    assert text.encode() == read(name, text).text
