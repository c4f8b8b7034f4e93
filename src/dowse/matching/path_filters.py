"""Filters by path, answered from folders and file names, which are columns of their own.

A folder stands in the dictionary once, with a slash at both ends (``/guide/deep/``); the path of a document
is its folder without the first slash and then its name. So a part of a path lies in the folder, in the name,
or in both, and then its last slash is the one between them.
"""

import fnmatch
import re

import numpy as np

from dowse.kernels.layout import U8
from dowse.storage.columns import DocumentColumns, KeywordColumn
from dowse.storage.segment_reader import SegmentReader

_END = b"\xff"  # as `mark_entries` reads it: where an entry starts or ends
_WILDCARDS = re.compile(r"[*?\[]")


def mark_below(columns: DocumentColumns, wanted: str) -> U8:
    """Marks the documents that lie in a folder, at any depth; the folder is folded."""
    folders = columns.keywords("dir")
    if folders is None:
        return np.zeros(columns.doc_count, np.uint8)
    return folders.documents(folders.containing(f"/{wanted.strip('/')}/".encode("utf-8", "replace")))


def mark_paths(columns: DocumentColumns, wanted: str) -> U8:
    """Marks the documents whose path has a part, or fits a pattern; both folded.

    A pattern must fit the whole path, or all of it below some folder.
    """
    folders = columns.keywords("dir")
    if folders is None:
        return np.zeros(columns.doc_count, np.uint8)
    if _WILDCARDS.search(wanted):
        return _mark_pattern(columns, folders, wanted)
    return _mark_part(columns, folders, wanted.encode("utf-8", "replace"))


def _mark_part(columns: DocumentColumns, folders: KeywordColumn, wanted: bytes) -> U8:
    if not wanted:
        return np.ones(columns.doc_count, np.uint8)
    marks = folders.documents(_without_first_slash(folders, folders.containing(wanted), wanted, is_end=False))
    above, slash, start = wanted.rpartition(b"/")
    names = columns.names()
    if not slash:
        return marks | names.containing(wanted)
    end = above + slash
    ending = _without_first_slash(folders, folders.containing(end + _END), end, is_end=True)
    at_end = folders.documents(ending)
    return marks | (at_end & names.containing(_END + start) if start else at_end)


def _without_first_slash(folders: KeywordColumn, marks: U8, wanted: bytes, *, is_end: bool) -> U8:
    """Leaves out entries that have what is wanted only by the slash that no path starts with."""
    if not wanted.startswith(b"/"):
        return marks
    for number in np.flatnonzero(marks).tolist():
        path = folders.folded[number - 1][1:]
        marks[number] = path.endswith(wanted) if is_end else wanted in path
    return marks


def _mark_pattern(columns: DocumentColumns, folders: KeywordColumn, wanted: str) -> U8:
    """Compares the paths that have the longest plain part of the pattern."""
    parts = re.split(r"[*?]", wanted.partition("[")[0])
    candidates = _mark_part(columns, folders, max(parts, key=len).encode("utf-8", "replace"))
    whole, below = (re.compile(fnmatch.translate(form)).match for form in (wanted, f"*/{wanted}"))
    names, marks = columns.names().entries, np.zeros(columns.doc_count, np.uint8)
    numbers, entries = folders.numbers.tolist(), [b"/", *folders.folded]
    for doc in np.flatnonzero(candidates).tolist():
        path = (entries[numbers[doc]][1:] + names[doc]).decode("utf-8", "replace")
        marks[doc] = (whole(path) or below(path)) is not None
    return marks


def path_of(reader: SegmentReader, doc: int) -> str:
    """Returns the path of a document, in its own letter case where its key has it."""
    columns = reader.document_columns
    folders = columns.keywords("dir")
    folder = folders.values_of(doc)[0][1:] if folders is not None else ""
    path = folder + columns.names().entries[doc].decode("utf-8", "replace")
    ((_, doc_key, _),) = reader.names.read([int(columns.doc_rows[doc])])
    return doc_key if doc_key.casefold() == path.casefold() else path
