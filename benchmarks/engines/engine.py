"""What `lexical.py` asks of an engine."""

from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar, NamedTuple, Protocol


class Document(NamedTuple):
    """One passage."""

    doc_key: str
    title: str
    text: str


class Query(NamedTuple):
    """One query, before any engine's syntax.

    Attributes:
        kind: ``union`` (any word), ``intersection`` (all words) or ``phrase``.
        words: Letters and digits only, so that no engine's syntax can be hit by accident.
    """

    kind: str
    words: tuple[str, ...]


class Engine(Protocol):
    """One engine with one index in one folder.

    Attributes:
        name: As the table shows it.
        package: The distribution whose version is reported.
        kinds: The query kinds it can answer.
        index_of: Name of the engine whose index it answers from; its own when empty.
        keeps_text: Whether the index holds the passages' text, which others leave out.
        note: What a reader must know to compare fairly.
    """

    name: ClassVar[str]
    package: ClassVar[str]
    kinds: ClassVar[frozenset[str]]
    index_of: ClassVar[str]
    keeps_text: ClassVar[bool]
    note: ClassVar[str]

    def __init__(self, home: Path) -> None:
        """Remembers the folder; it exists and is empty before `build`."""

    def build(self, documents: Iterable[Document]) -> None:
        """Indexes documents; returns when they would survive a power cut."""

    def settle(self) -> None:
        """Waits for what goes on in the background, merging mostly, and closes the index."""

    def open(self) -> None:
        """Opens the index for searching."""

    def translate(self, query: Query) -> str:
        """Returns the query in the engine's syntax; not timed. Parsing that is part of `search`."""

    def search(self, text: str, limit: int) -> list[str]:
        """Parses and answers a query; returns document keys, best first."""
