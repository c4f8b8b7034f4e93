"""What a document has in each column."""

import datetime

import pytest

from dowse.indexing.document_columns import build_values, iter_keys, parse_date, values_of_document
from dowse.schema import Document


@pytest.mark.parametrize(
    ("path", "folder", "name", "extension"),
    [
        ("guide/deep/Tea.MD", "/guide/deep/", "Tea.MD", "MD"),
        ("notes", "/", "notes", None),
        (".hidden", "/", ".hidden", None),
        ("/abs/x.tar.gz", "//abs/", "x.tar.gz", "gz"),
    ],
)
def test_a_path_is_a_folder_a_name_and_an_extension(path, folder, name, extension):
    """A folder has a slash at both ends."""
    values = build_values(path, "text", (), {}, 3, None)
    keywords = dict(values.keywords)
    assert (folder, name, extension) == (keywords["dir"], values.name, keywords.get("ext"))


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        ({"modified": "2024-01-03", "created": "2024-01-02", "Date": "2024-01-01"}, "2024-01-01"),
        ({"modified": "2024-01-03", "created": "2024-01-02"}, "2024-01-02"),
        ({"modified": "2024-01-03", "created": "unknown"}, "2024-01-03"),
        ({"date": ["soon", "2024-01-04"]}, "2024-01-04"),
        ({"published": "2024-01-05"}, None),
    ],
)
def test_a_document_s_own_date(metadata, expected):
    """`date`, else `created`, else `modified`; the file's time is another column."""
    numbers = dict(build_values("a", "text", (), metadata, 3, 7_000_000_000).numbers)
    assert (parse_date(expected) if expected else None) == numbers.get("date")
    assert 7.0 == numbers["file_time"]


def test_metadata_becomes_keywords_and_numbers():
    """Every value as text; those that are numbers, or written like one, as numbers as well."""
    metadata = {"Year": 2021, "series": {"part": ["2", "b"]}, "draft": True, "none": None}
    values = build_values("a", "text", (), metadata, 3, None)
    own = [pair for pair in values.keywords if pair[0].startswith("meta.")]
    assert [
        ("meta.year", "2021"), ("meta.series.part", "2"), ("meta.series.part", "b"), ("meta.draft", "True"),
    ] == own  # fmt: skip
    assert [("size", 3.0), ("meta.year", 2021.0), ("meta.series.part", 2.0)] == values.numbers


def test_a_key_with_a_dot_comes_before_one_within_another():
    """As filters read it."""
    assert {"a.b": 1, "a.c": 3} == dict(iter_keys({"A.b": 1, "a": {"b": 2, "c": 3}}))


def test_metadata_counts_as_the_catalogue_keeps_it():
    """A date that YAML read is the text that JSON has, so a rebuilt segment has the same columns."""
    metadata = {"date": datetime.date(2024, 5, 17), "n": (1, 2)}
    document = Document("a", "-", "", b"text", (), (), metadata=metadata)
    values = values_of_document(document, None, None)
    assert ("meta.date", "2024-05-17") in values.keywords
    assert [1715904000.0, 1.0, 2.0] == [number for name, number in values.numbers if name != "size"]


@pytest.mark.parametrize(
    ("text", "expected"), [("1970-01-02", 86400.0), ("1970-01-01T01:00:00+01:00", 0.0), ("soon", None)]
)
def test_dates_of_documents(text, expected):
    """ISO dates, in UTC unless they say otherwise."""
    assert expected == parse_date(text)
