"""What filters can ask of documents, one row each, and how columns answer it.

Every filter is an operation on the columns of one segment that gives one mark per document. Texts are
compared in the dictionary, once per different value; documents then only look up the mark of their number.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from dowse.errors import UnknownFieldError
from dowse.kernels.layout import U8
from dowse.matching.path_filters import mark_below, mark_paths, path_of
from dowse.storage.columns import META, KeywordColumn, NumberColumn
from dowse.storage.snapshot import LiveSegment
from dowse.storage.stored_trees import Tree

DEFAULT_LANGUAGE = "english"
# Kinds of document that several formats belong to.
KINDS: dict[str, tuple[str, ...]] = {"document": ("text", "markdown", "restructuredtext")}
AUTHOR_KEYS = f"{META}author", f"{META}authors"
LANGUAGE_KEYS = f"{META}lang", f"{META}language"

Value = str | float


class Condition(NamedTuple):
    """What a document must have: one of the values, or a number with ``low <= number < high``.

    Attributes:
        name: A filter's name.
        values: For filters by text; empty for a range.
    """

    name: str
    values: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None


class SegmentDocuments(NamedTuple):
    """The documents of one segment, with what is known of them outside its columns."""

    segment: LiveSegment
    trees: Mapping[int, Tree]

    def keywords(self, name: str) -> KeywordColumn | None:
        """Returns a keyword column; None when no document has a value in it."""
        return self.segment.reader.document_columns.keywords(name)

    def numbers(self, name: str) -> NumberColumn | None:
        """Returns a column of numbers; None when no document has one in it."""
        return self.segment.reader.document_columns.numbers(name)

    def none(self) -> U8:
        """Returns marks of no document."""
        return np.zeros(self.segment.reader.document_columns.doc_count, np.uint8)

    def in_trees(self, is_wanted: Callable[[Tree], bool]) -> U8:
        """Returns the marks of documents in some trees."""
        wanted = [tree_id for tree_id, tree in self.trees.items() if is_wanted(tree)]
        reader = self.segment.reader
        tree_ids = reader.columns.tree_ids[reader.document_columns.doc_rows[:-1]]
        return np.isin(tree_ids, wanted).view(np.uint8)


class DocumentFilter(NamedTuple):
    """Something that can be asked of a document.

    Attributes:
        mark: Returns one mark per document of a segment for a condition.
        values: Returns what a document has, for explaining why a condition does not hold.
        is_single: Whether a document has one value of it, equal or not: filters for several, side by side,
            are then alternatives, because no document could meet them all.
    """

    name: str
    purpose: str
    mark: Callable[[SegmentDocuments, Condition], U8]
    values: Callable[[SegmentDocuments, str, int], Sequence[Value]]
    is_single: bool = False


def _mark_tree(documents: SegmentDocuments, condition: Condition) -> U8:
    wanted = {value.casefold() for value in condition.values}
    return documents.in_trees(lambda tree: tree.name.casefold() in wanted)


def _tree_values(documents: SegmentDocuments, name: str, doc: int) -> Sequence[Value]:
    reader = documents.segment.reader
    tree = documents.trees.get(int(reader.columns.tree_ids[reader.document_columns.doc_rows[doc]]))
    return () if tree is None else (tree.name,)


def _mark_path(documents: SegmentDocuments, condition: Condition) -> U8:
    columns = documents.segment.reader.document_columns
    return _any_of(documents, [mark_paths(columns, value.casefold()) for value in condition.values])


def _mark_folder(documents: SegmentDocuments, condition: Condition) -> U8:
    columns = documents.segment.reader.document_columns
    return _any_of(documents, [mark_below(columns, value.casefold()) for value in condition.values])


def _path_values(documents: SegmentDocuments, name: str, doc: int) -> Sequence[Value]:
    return (path_of(documents.segment.reader, doc),)


def _mark_equal(documents: SegmentDocuments, condition: Condition) -> U8:
    return _mark_keywords(documents, (condition.name,), condition.values)


def _mark_type(documents: SegmentDocuments, condition: Condition) -> U8:
    formats = [name for value in condition.values for name in KINDS.get(value.casefold(), ())]
    return _mark_keywords(documents, ("type",), [*condition.values, *formats])


def _mark_keywords(documents: SegmentDocuments, names: Sequence[str], values: Sequence[str]) -> U8:
    """Marks the documents that have one of the values in one of the columns."""
    found = []
    for name in names:
        column = documents.keywords(name)
        if column is not None:
            entries = [column.equal_to(value) for value in values]
            found.append(column.documents(np.bitwise_or.reduce(entries)))
    return _any_of(documents, found)


def _mark_author(documents: SegmentDocuments, condition: Condition) -> U8:
    found = []
    for name in AUTHOR_KEYS:
        column = documents.keywords(name)
        if column is not None:
            wanted = [value.casefold().encode("utf-8", "replace") for value in condition.values]
            entries = [column.containing(text) for text in wanted]
            found.append(column.documents(np.bitwise_or.reduce(entries)))
    return _any_of(documents, found)


def _mark_language(documents: SegmentDocuments, condition: Condition) -> U8:
    """What the document says itself, or else the language its tree is analysed in."""
    wanted = {value.casefold() for value in condition.values}
    marks = documents.in_trees(lambda tree: _language_of(tree).casefold() in wanted)
    for name in LANGUAGE_KEYS:
        column = documents.keywords(name)
        if column is not None:
            marks &= 1 - column.having_any()
    return marks | _mark_keywords(documents, LANGUAGE_KEYS, condition.values)


def _language_values(documents: SegmentDocuments, name: str, doc: int) -> Sequence[Value]:
    own = [value for key in LANGUAGE_KEYS for value in _keyword_values(documents, key, doc)]
    if own:
        return own
    reader = documents.segment.reader
    tree = documents.trees.get(int(reader.columns.tree_ids[reader.document_columns.doc_rows[doc]]))
    return () if tree is None else (_language_of(tree),)


def _language_of(tree: Tree) -> str:
    import json  # only this filter reads a tree's settings

    language: str = json.loads(tree.analysis).get("language", DEFAULT_LANGUAGE)
    return language


def _mark_date(documents: SegmentDocuments, condition: Condition) -> U8:
    """The date a document gives itself, or else when its file was changed."""
    times, own = documents.segment.file_times.column(), documents.numbers("date")
    found = [column.within(condition.low, condition.high) for column in (times, own) if column is not None]
    if times is None or own is None:
        return found[0] if found else documents.none()
    by_file, by_own = found
    return np.where(own.having_any(), by_own, by_file)


def _date_values(documents: SegmentDocuments, name: str, doc: int) -> Sequence[Value]:
    for column in (documents.numbers("date"), documents.segment.file_times.column()):
        if column is not None and (values := column.values_of(doc)):
            return values
    return ()


def _mark_size(documents: SegmentDocuments, condition: Condition) -> U8:
    column = documents.numbers("size")
    return documents.none() if column is None else column.within(condition.low, condition.high)


def _size_values(documents: SegmentDocuments, name: str, doc: int) -> Sequence[Value]:
    column = documents.numbers(name)
    return () if column is None else column.values_of(doc)


def _mark_metadata(documents: SegmentDocuments, condition: Condition) -> U8:
    name = condition.name.casefold()
    if condition.values:
        return _mark_keywords(documents, (name,), condition.values)
    column = documents.numbers(name)
    return documents.none() if column is None else column.within(condition.low, condition.high)


def _keyword_values(documents: SegmentDocuments, name: str, doc: int) -> Sequence[Value]:
    column = documents.keywords(name.casefold())
    return () if column is None else column.values_of(doc)


def _author_values(documents: SegmentDocuments, name: str, doc: int) -> Sequence[Value]:
    return [value for key in AUTHOR_KEYS for value in _keyword_values(documents, key, doc)]


def _any_of(documents: SegmentDocuments, found: Sequence[U8]) -> U8:
    return np.bitwise_or.reduce(found) if found else documents.none()


DOCUMENT_FILTERS: tuple[DocumentFilter, ...] = (
    DocumentFilter("tree", "the tree it belongs to", _mark_tree, _tree_values, is_single=True),
    DocumentFilter("path", "its path: a part of it, or a pattern", _mark_path, _path_values),
    DocumentFilter("dir", "a folder it lies in, at any depth", _mark_folder, _path_values),
    DocumentFilter("ext", "its file extension", _mark_equal, _keyword_values, is_single=True),
    DocumentFilter("type", "its format, or a kind of format", _mark_type, _keyword_values, is_single=True),
    DocumentFilter("tag", "one of its tags", _mark_equal, _keyword_values),
    DocumentFilter("author", "who wrote it: a part of the name", _mark_author, _author_values),
    DocumentFilter("lang", "its language, or its tree's", _mark_language, _language_values, is_single=True),
    DocumentFilter("date", "its own date, or when the file was changed", _mark_date, _date_values),
    DocumentFilter("size", "its size in bytes", _mark_size, _size_values),
    DocumentFilter(META, "what its metadata has under a key", _mark_metadata, _keyword_values),
)
_BY_NAME = {row.name: row for row in DOCUMENT_FILTERS}


def get_filter(name: str) -> DocumentFilter:
    """Returns a filter by its name in the query language.

    Raises:
        UnknownFieldError: There is none.
    """
    found = _BY_NAME.get(META if name.startswith(META) else name)
    if found is None:
        raise UnknownFieldError(name=name, known=", ".join(_BY_NAME))
    return found
