"""Where the documents of a tree come from: a folder today; a git history or memory notes fit the same shape.

A source is surveyed against what the index knows of it, and the survey says what must be done. A source need
not list everything it has: one that knows what is new since the last survey (a git history) names only that.
An item need not be a file: its key and its stamp are all that a sync knows of it.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from dowse.schema import Problem

if TYPE_CHECKING:
    from dowse.ingest.jobs import FileReading

PASSING = frozenset({"vanished", "unreadable-file", "special-file"})
"""Problems of an item that was there a moment ago and may be readable the next time."""


class SourceItem(Struct, frozen=True):
    """One thing that a source can read a document from.

    Attributes:
        key: Names the document in its tree. Of a file: its path relative to the root, with ``/``, in Unicode
            form NFC, unique and printable.
        file: What to give to the operating system, links resolved; empty for an item that is not a file.
        size: Bytes, or whatever else changes with the content.
        mtime_ns: When it changed last. An item with the size and the time it had is not read again.
    """

    key: str
    file: str
    size: int
    mtime_ns: int


class KnownItem(Struct, frozen=True):
    """An item as it was when it was read last.

    Attributes:
        doc_id: Its document; 0 for an item that gave none.
        content_hash: SHA-256 of its content in hexadecimal; empty for an item that gave no document.
    """

    doc_id: int
    size: int | None
    mtime_ns: int | None
    content_hash: str


class Survey(Struct, frozen=True):
    """What must be done to bring a tree up to date with its source.

    Attributes:
        to_read: Items that are new or look different, in the order in which they are to be read.
        removed: Keys of items that are gone.
        unchanged: How many documents are as they were.
        total: How many items the source has.
        skipped: How many items were passed over, by reason.
        problems: What was wrong with items or with the source itself, before any item was read.
    """

    to_read: tuple[SourceItem, ...] = ()
    removed: tuple[str, ...] = ()
    unchanged: int = 0
    total: int = 0
    skipped: tuple[tuple[str, int], ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def has_work(self) -> bool:
        """Whether an item must be read, or a document removed."""
        return bool(self.to_read or self.removed)


class Source(Protocol):
    """Where the documents of one tree come from.

    Surveying and reading change nothing, and may be repeated: the same items with the same content give the
    same documents.
    """

    kind: str
    """As the catalogue names it for the tree."""

    def survey(self, known: Mapping[str, KnownItem], *, reads_all: bool) -> Survey:
        """Compares what there is with what is known.

        Args:
            known: What the items were like when they were read last, by key.
            reads_all: Whether unchanged items are read again, too: settings have changed.

        Raises:
            FolderNotFoundError: The source cannot be reached. An item that cannot be is a problem instead.
        """
        ...

    def read(
        self, items: Sequence[SourceItem], known_hashes: Mapping[str, str]
    ) -> Iterator[tuple[SourceItem, "FileReading"]]:
        """Reads items, several at a time where that is faster; yields each of them once, in any order.

        Args:
            items: From a survey of this source.
            known_hashes: By key, the hashes of what was read last; an item with the same content gives no
                document again.
        """
        ...

    def digest(self, item: SourceItem) -> str:
        """Returns the hash of an item's content, without making a document of it; empty when it has none."""
        ...

    def close(self) -> None:
        """Ends whatever `read` has started."""
