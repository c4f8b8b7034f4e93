"""What named catalogue queries are asked of: one catalogue, or several searched as one.

Every query in the `stored_…` modules goes through the parts of a view and adds their bases, so it gives the
same answer whether keys come from one catalogue or from several side by side. One catalogue alone is one part
whose bases are 0.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from dowse.storage.catalog import Catalog

MAX_KEYS = 8192
"""Keys per statement; SQLite takes 32,766 parameters."""


class CatalogPart(NamedTuple):
    """One catalogue of a view.

    Attributes:
        key_base: What is added to its chunk keys to make them unique in the view.
        doc_base: The same for its document ids.
        tree_base: The same for its tree ids.
    """

    catalog: "Catalog"
    key_base: int = 0
    doc_base: int = 0
    tree_base: int = 0

    def resolve_file(self, value: str | bytes | None) -> str | None:
        """Returns the path of a document's file from what the catalogue keeps; None for a pushed text."""
        return self.catalog.resolve_file(value)


class CatalogView(Protocol):
    """One catalogue, or several as one: a `Catalog`, or a `Snapshot`."""

    @property
    def parts(self) -> tuple[CatalogPart, ...]:
        """The catalogues, by ascending bases."""
        ...


def split_keys(view: CatalogView, keys: Sequence[int]) -> Iterator[tuple[CatalogPart, list[int]]]:
    """Yields each part that has some of the chunk keys, with its own keys for them, `MAX_KEYS` at a time."""
    parts = view.parts
    after = [part.key_base for part in parts[1:]]
    for number, part in enumerate(parts):
        base, end = part.key_base, after[number] if number < len(after) else None
        own = list(keys) if len(parts) == 1 else _within(keys, base, end)
        for start in range(0, len(own), MAX_KEYS):
            yield part, own[start : start + MAX_KEYS]


def _within(keys: Sequence[int], base: int, end: int | None) -> list[int]:
    """Returns the keys of one part, as that part knows them; a part's own keys start at 1."""
    return [key - base for key in keys if key > base and (end is None or key <= end)]


def find_part(view: CatalogView, doc_id: int) -> tuple[CatalogPart, int]:
    """Returns the part that has a document, and the id it has there."""
    part = max((part for part in view.parts if part.doc_base < doc_id), key=lambda part: part.doc_base)
    return part, doc_id - part.doc_base


def find_tree_part(view: CatalogView, tree_id: int) -> tuple[CatalogPart, int]:
    """Returns the part that has a tree, and the id it has there."""
    # A tree that is not made yet has the id 0, which no part has.
    found = [part for part in view.parts if part.tree_base < tree_id] or view.parts[:1]
    part = max(found, key=lambda part: part.tree_base)
    return part, tree_id - part.tree_base


def placeholders(values: Sequence[object]) -> str:
    """Returns as many question marks as there are values, for an ``IN`` list."""
    return ",".join("?" * len(values))
