"""CSV: separators, headers, quotes."""

import pytest

from dowse.ingest import Extracted, get_extractor
from dowse.ingest.limits import Allowance, ExtractionLimits


def read(text: str, limits: ExtractionLimits | None = None) -> Extracted:
    """Reads a table."""
    return get_extractor("csv").extract(text.encode(), "people.csv", Allowance(limits or ExtractionLimits()))


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
def test_what_separates_values_is_found_out(mark: str) -> None:
    """All four usual signs are told apart, also when others stand in the values."""
    text = f'name{mark}note\nAda{mark}"a, b; c | d\te"\nBob{mark}plain\n'
    assert b"name | note\nname: Ada | note: a, b; c | d e\nname: Bob | note: plain\n" == read(text).text


def test_a_value_may_have_lines() -> None:
    """A quoted line break does not end a record."""
    assert b"a | b\na: one two | b: 3\n" == read('a,b\n"one\ntwo",3\n').text


def test_a_table_of_numbers_has_no_header() -> None:
    """Values without names stand alone."""
    assert b"1 | 2\n3 | 4\n" == read("1,2\n3,4\n").text


def test_lone_returns_end_records() -> None:
    """Old Macintosh line ends are read."""
    assert b"a | b\na: 1 | b: 2\n" == read("a,b\r1,2\r").text


def test_an_open_quote_does_not_swallow_the_file() -> None:
    """When a quotation mark is never closed, quotation marks mean nothing, and a problem says so."""
    extracted = read('a,b\n"x,1\n' + "y,2\n" * 3_000)
    assert 3_002 == extracted.text.count(b"\n")
    assert ["open-quote"] == [problem.code for problem in extracted.problems]


def test_a_huge_value_is_read() -> None:
    """A value may be longer than Python's own limit, which stays as it was."""
    import csv

    before = csv.field_size_limit()
    assert b"x" * 500_000 in read("a,b\n" + "x" * 500_000 + ",1\n").text
    assert before == csv.field_size_limit()


def test_a_long_table_is_cut_with_a_problem() -> None:
    """The stored text is bounded."""
    extracted = read("a,b\n" + "x,1\n" * 10_000, ExtractionLimits(text_bytes=1_000))
    assert len(extracted.text) <= 1_000
    assert ["text-cut"] == [problem.code for problem in extracted.problems]
