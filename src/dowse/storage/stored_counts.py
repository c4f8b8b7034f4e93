"""How much a tree holds: counts of documents, chunks, bytes and formats."""

from typing import NamedTuple

from dowse.storage.catalog_parts import CatalogView, find_tree_part


class TreeCounts(NamedTuple):
    """What the live documents of a tree add up to.

    Attributes:
        formats: How many documents have each format, most first.
    """

    documents: int
    chunks: int
    text_bytes: int
    formats: tuple[tuple[str, int], ...]


_TOTALS = (
    "SELECT count(*), coalesce(sum(chunk_count), 0), coalesce(sum(x.size), 0)"
    " FROM documents d LEFT JOIN texts x ON x.doc_id = d.doc_id WHERE tree_id = ? AND is_live"
)
_FORMATS = (
    "SELECT format, count(*) FROM documents WHERE tree_id = ? AND is_live GROUP BY format ORDER BY 2 DESC, 1"
)


def count_tree(view: CatalogView, tree_id: int) -> TreeCounts:
    """Returns what a tree holds."""
    part, own_id = find_tree_part(view, tree_id)
    row = part.catalog.fetch_one(_TOTALS, (own_id,))
    assert row is not None, "a sum has one row"
    formats = part.catalog.fetch(_FORMATS, (own_id,))
    return TreeCounts(row[0], row[1], row[2], tuple((name, count) for name, count in formats))


def count_live_chunks(view: CatalogView, first_key: int, last_key: int) -> int:
    """Returns how many live chunks one catalogue has between two keys, both included."""
    (part,) = view.parts
    row = part.catalog.fetch_one(
        "SELECT count(*) FROM chunks c JOIN documents d ON d.doc_id = c.doc_id"
        " WHERE c.chunk_key BETWEEN ? AND ? AND d.is_live",
        (first_key, last_key),
    )
    return 0 if row is None else int(row[0])
