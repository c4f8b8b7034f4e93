"""Which row of a table names its columns?"""

import pytest

from dowse.ingest.limits import Allowance
from dowse.ingest.table_rows import TableRows, is_number
from dowse.ingest.text_builder import TextBuilder


def write(rows: dict[int, list[str]]) -> list[str]:
    """Returns the lines that become of rows, by their numbers."""
    builder = TextBuilder("a.csv", Allowance())
    table = TableRows(builder)
    for number, cells in rows.items():
        table.add(number, cells)
    table.finish()
    return builder.finish().text.decode().splitlines()


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (["Name", "Age"], ["Ada", "36"], "Name: Ada | Age: 36"),
        (["", "2023", "2024"], ["Sales", "1", "2"], "Sales | 2023: 1 | 2024: 2"),
        (["12", "13"], ["14", "15"], "14 | 15"),
        (["x", "x"], ["1", "2"], "1 | 2"),
        (["Name:", "Ada"], ["Town:", "London"], "Town: | London"),
        (["x" * 81, "b"], ["1", "2"], "1 | 2"),
        (["a", "b", "", "", ""], ["", "", "1", "2", "3"], "1 | 2 | 3"),
    ],
)
def test_a_header_is_short_words_over_filled_columns(
    first: list[str], second: list[str], expected: str
) -> None:
    """Numbers, repeated words, forms and sentences name nothing; years do."""
    assert expected == write({0: first, 1: second})[1]


def test_a_title_above_the_header_is_a_line() -> None:
    """One lone cell names no column; the header may come after it."""
    lines = write({0: ["Prices"], 2: ["Fruit", "Price"], 3: ["Pear", "2"]})
    assert ["Prices", "Fruit | Price", "Fruit: Pear | Price: 2"] == lines


def test_a_second_table_has_its_own_header() -> None:
    """Words over numbers after a gap begin another table."""
    lines = write({0: ["A", "B"], 1: ["x", "1"], 5: ["C", "D"], 6: ["y", "2"]})
    assert ["A | B", "A: x | B: 1", "C | D", "C: y | D: 2"] == lines


def test_a_gap_alone_keeps_the_header() -> None:
    """Words over words after a gap are more rows of the same table."""
    assert "A: p | B: q" == write({0: ["A", "B"], 1: ["x", "y"], 5: ["p", "q"], 6: ["r", "s"]})[2]


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("12", True),
        ("1 234,50 €", True),
        ("2024-02-29", True),
        ("2024", False),
        ("-", False),
        ("a1", False),
        ("", False),
    ],
)
def test_numbers_dates_and_amounts_are_no_words(cell: str, expected: bool) -> None:
    """What counts as a number when a header is looked for."""
    assert expected == is_number(cell)
