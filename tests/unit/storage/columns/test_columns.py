"""Columns of one segment: written, read, counted, sorted and merged."""

import msgspec
import numpy as np
import pytest

from dowse.errors import CorruptFileError
from dowse.storage.columns import (
    COLUMNS,
    ColumnArrays,
    ColumnsWriter,
    DocumentColumns,
    DocumentValues,
    merge_columns,
)

ANA = DocumentValues("Tea.md", [("ext", "md"), ("tag", "Drink"), ("tag", "hot")], [("size", 10.0)])
BO = DocumentValues("milk", [("tag", "drink")], [("size", 30.0), ("date", 5.0)])
CY = DocumentValues("x.MD", [("ext", "MD")], [("size", 20.0), ("meta.n", 1.5), ("meta.n", 2.0)])


def build(*documents: DocumentValues, rows_each: int = 2) -> DocumentColumns:
    """Returns the columns of some documents, each with so many rows."""
    writer = ColumnsWriter()
    for number, values in enumerate(documents):
        writer.add(number * rows_each, values)
    rows = len(documents) * rows_each
    return DocumentColumns(writer.finish(rows), rows, "s/columns")


@pytest.fixture
def columns():
    """Three documents."""
    return build(ANA, BO, CY)


def test_keywords_are_compared_without_letter_case_and_kept_as_written(columns):
    """“md” finds “MD”; facets still show both."""
    column = columns.keywords("ext")
    assert [1, 0, 1] == column.documents(column.equal_to("mD")).tolist()
    assert [b"MD", b"md"] == column.entries
    assert [("MD", 1), ("md", 1)] == column.counts(None)
    assert ["MD"] == column.values_of(2)
    assert [1, 0, 1] == column.having_any().tolist()


def test_documents_may_have_several_keywords(columns):
    """Tags are pairs of document and entry."""
    column = columns.keywords("tag")
    assert [1, 1, 0] == column.documents(column.equal_to("DRINK")).tolist()
    assert [1, 0, 0] == column.documents(column.containing(b"ot")).tolist()
    assert [("drink", 1)] == column.counts(np.array([0, 1, 1], np.uint8))
    assert ["Drink", "hot"] == column.values_of(0)


def test_numbers_are_compared_counted_and_sorted(columns):
    """Ranges are half-open; what has no number is in none."""
    sizes, numbers = columns.numbers("size"), columns.numbers("meta.n")
    assert [0, 0, 1] == sizes.within(20, 30).tolist()
    assert [0, 1, 0] == sizes.within(30, None).tolist()
    assert [0, 0, 1] == numbers.within(2, 3).tolist()
    assert [1, 2] == sizes.counts(None, np.array([0.0, 20.0, 40.0])).tolist()
    assert [1, 2] == sizes.best(None, 2, is_descending=True).tolist()
    assert [0, 1] == sizes.best(np.array([1, 1, 0], np.uint8), 9, is_descending=False).tolist()
    assert [20.0, 10.0] == sizes.take([2, 0]).tolist()
    assert [1.5, 2.0] == numbers.values_of(2)
    assert [5.0] == [value for value in columns.numbers("date").dense().tolist() if value == value]


def test_rows_have_the_marks_of_their_documents(columns):
    """Two rows each; and the other way round."""
    assert [1, 1, 0, 0, 1, 1] == columns.rows(np.array([1, 0, 1], np.uint8)).tolist()
    assert [0, 0, 1, 2] == columns.docs_of([0, 1, 2, 5]).tolist()


def test_names_are_folded(columns):
    """In the order of documents."""
    assert [b"tea.md", b"milk", b"x.md"] == columns.names().entries
    assert [1, 0, 1] == columns.names().containing(b".md\xff").tolist()


def test_a_column_nobody_has_is_none(columns):
    """Filters then find nothing."""
    assert (None, None) == (columns.keywords("meta.x"), columns.numbers("ext"))


def test_long_values_are_found_whole(columns):
    """They are kept as a digest, whatever their letter case, and not counted."""
    long = "Ü" * 2_000
    column = build(DocumentValues("a", [("meta.about", long)], [])).keywords("meta.about")
    assert [1] == column.documents(column.equal_to(long.lower())).tolist()
    assert [0] == column.documents(column.equal_to(long[:-1])).tolist()
    assert [] == column.counts(None)
    assert len(column.folds) < 100


def test_merging_equals_writing_at_once():
    """Dictionaries become one; documents without a live row are gone, with what only they had."""
    first, second = build(ANA, BO), build(CY, BO)
    deleted = np.array([0, 0, 1, 1], np.uint8)
    merged = merge_columns([(first, deleted), (second, np.zeros(4, np.uint8))])
    expected = build(ANA, CY, BO)
    found = DocumentColumns(merged, 6, "s/columns")
    assert expected.directory.keys() == found.directory.keys()
    for ours, theirs in zip(expected._arrays, merged, strict=True):
        assert ours.tolist() == theirs.tolist()


@pytest.mark.parametrize(
    "directory",
    [
        b"{",
        b'[["ext","keyword",null,["|u1",0,99],["|u1",0,1],null]]',
        b'[["ext","keyword",null,["|O",0,1],null,null]]',
    ],
)
def test_a_damaged_directory_is_named(directory):
    """What does not lie in the pool is not read."""
    arrays = ColumnArrays(
        np.array([0, 1], np.uint32), np.frombuffer(directory, np.uint8), np.zeros(8, np.uint8)
    )
    with pytest.raises(CorruptFileError, match="columns"):
        DocumentColumns(arrays, 1, "s/columns").keywords("ext")


def test_the_directory_is_json(columns):
    """FORMAT.md says so (C2)."""
    entries = msgspec.json.decode(columns._arrays.column_directory.tobytes())
    assert {"name", "ext", "tag", "size", "date", "meta.n"} == {entry[0] for entry in entries}
    assert {"dir", "name", "ext", "type", "tag", "date", "file_time", "size", "meta."} == {
        column.name for column in COLUMNS
    }
