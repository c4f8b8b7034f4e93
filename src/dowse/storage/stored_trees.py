"""Trees as the catalogue keeps them: what they are called, which folder they index, how they are analysed."""

from msgspec import Struct

from dowse.storage.catalog import Catalog, Row, decode_path, encode_path

FOLDER_KIND, PUSHED_KIND = "folder", "pushed"
"""Kinds of trees: one that follows a folder, and one of texts that somebody pushes."""


class Tree(Struct, frozen=True):
    """A tree as the catalogue has it.

    Attributes:
        root: Absolute path of its folder; None for pushed texts.
        analysis: How its texts are analysed, as JSON.
        fingerprint: What its chunks and terms were made by; a different one means reading again.
        last_sync: When it was last compared with its folder, in seconds since 1970.
        is_watched: Whether `dowse watch run` keeps it up to date.
        kind: Where its documents come from: `folder`, or `pushed` by whoever calls `add`.
    """

    tree_id: int
    name: str
    root: str | None
    analysis: str
    fingerprint: str
    last_sync: float | None
    is_watched: bool = False
    kind: str = FOLDER_KIND


_COLUMNS = "tree_id, name, root, analysis, fingerprint, last_sync, is_watched, kind"


def list_trees(catalog: Catalog) -> list[Tree]:
    """Returns the trees of a catalogue, by id."""
    return [_read_tree(row) for row in catalog.fetch(f"SELECT {_COLUMNS} FROM trees ORDER BY tree_id")]


def _read_tree(row: Row) -> Tree:
    tree_id, name, root, analysis, fingerprint, last_sync, is_watched, kind = row
    folder = None if root is None else decode_path(root)
    return Tree(tree_id, name, folder, analysis, fingerprint, last_sync, bool(is_watched), kind)


def insert_tree(catalog: Catalog, name: str, root: str | None, analysis: str, fingerprint: str) -> None:
    """Makes a tree."""
    catalog.connection.execute(
        "INSERT INTO trees (name, root, analysis, fingerprint, kind) VALUES (?, ?, ?, ?, ?)",
        (
            name,
            None if root is None else encode_path(root),
            analysis,
            fingerprint,
            PUSHED_KIND if root is None else FOLDER_KIND,
        ),
    )


def set_tree_analysis(catalog: Catalog, tree_id: int, analysis: str) -> None:
    """Stores how the texts of a tree are analysed."""
    catalog.connection.execute("UPDATE trees SET analysis = ? WHERE tree_id = ?", (analysis, tree_id))


def set_tree_place(catalog: Catalog, tree_id: int, name: str, root: str) -> None:
    """Stores what a tree is called and which folder it indexes, after it has moved."""
    sql = "UPDATE trees SET name = ?, root = ? WHERE tree_id = ?"
    catalog.connection.execute(sql, (name, encode_path(root), tree_id))


def set_tree_synced(catalog: Catalog, tree_id: int, fingerprint: str, last_sync: float) -> None:
    """Stores when a tree was compared with its folder, and what its chunks and terms are made by."""
    sql = "UPDATE trees SET fingerprint = ?, last_sync = ? WHERE tree_id = ?"
    catalog.connection.execute(sql, (fingerprint, last_sync, tree_id))


def set_tree_watched(catalog: Catalog, tree_id: int, is_watched: bool) -> None:
    """Stores whether a tree is kept up to date."""
    catalog.connection.execute("UPDATE trees SET is_watched = ? WHERE tree_id = ?", (is_watched, tree_id))
