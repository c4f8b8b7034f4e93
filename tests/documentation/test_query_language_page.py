"""The page on the query language: every example is legal, and every name is on it."""

import re
from pathlib import Path

import pytest

from dowse.query import KNOWN_NAMES, parse_query

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "query-language.md").read_text(encoding="utf-8")
EXAMPLES = [cell.replace("\\|", "|") for cell in re.findall(r"^\| `([^`]+)` \|", PAGE, re.MULTILINE)]


@pytest.mark.parametrize("text", EXAMPLES)
def test_every_example_on_the_page_is_legal(text: str) -> None:
    """What people are told to type is read without a problem, even by programs."""
    assert parse_query(text, strict=True).root is not None


@pytest.mark.parametrize("name", KNOWN_NAMES)
def test_every_name_is_on_the_page(name: str) -> None:
    """A name that can stand before a colon is shown with its colon."""
    assert f"{name}:" in PAGE


def test_the_page_has_examples() -> None:
    """The table is found at all."""
    assert len(EXAMPLES) > 50
