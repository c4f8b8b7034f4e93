"""A collection: documents, and questions with judgements of what answers them."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct


class SourceText(NamedTuple):
    """A document of a collection that is one file of texts."""

    doc_key: str
    title: str
    text: str


class JudgedQuery(NamedTuple):
    """A question.

    Attributes:
        key: Its name in the collection.
        category: What kind of question it is; empty when the collection has no kinds.
        grades: How well each judged document answers, 0 not at all; at least one is 1 or more.
    """

    key: str
    text: str
    category: str
    grades: Mapping[str, int]


class Collection(Struct, frozen=True):
    """Documents and judged questions; the documents are read when they are indexed.

    Attributes:
        name: What its tree in an index is called.
        queries: Those that can be answered.
        folder: Of files to index; None when the documents come from `iter_texts`.
        iter_texts: Reads the documents; None when they are files.
        unanswerable: How many questions were left out, because nothing relevant was judged.
    """

    name: str
    queries: tuple[JudgedQuery, ...]
    folder: Path | None = None
    iter_texts: Callable[[], Iterator[SourceText]] | None = None
    unanswerable: int = 0

    @property
    def categories(self) -> tuple[str, ...]:
        """The kinds of questions there are, in order of appearance; none when it has no kinds."""
        return tuple(dict.fromkeys(query.category for query in self.queries if query.category))
