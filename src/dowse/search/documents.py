"""Documents by the keys people call them by."""

from typing import NamedTuple

from dowse.storage.snapshot import Snapshot


class NamedDocument(NamedTuple):
    """A document as the catalogue names it.

    Attributes:
        tree: Its tree's name.
        first_key: The key of its first chunk; the others follow.
    """

    doc_id: int
    tree: str
    doc_key: str
    title: str
    first_key: int
    chunk_count: int

    @property
    def chunk_keys(self) -> range:
        """The keys of its chunks."""
        return range(self.first_key, self.first_key + self.chunk_count)


def find_documents(snapshot: Snapshot, doc_key: str) -> list[NamedDocument]:
    """Returns the documents with this key, one a tree at most."""
    # Naming the trees lets SQLite look the key up instead of reading all of them.
    rows = snapshot.catalog.fetch(
        "SELECT tree_id, doc_id, doc_key, title, first_key, chunk_count FROM documents"
        " WHERE tree_id IN (SELECT tree_id FROM trees) AND doc_key = ? AND is_live ORDER BY tree_id",
        (doc_key,),
    )
    return [
        NamedDocument(doc_id, snapshot.trees[tree_id].name, *rest) for tree_id, doc_id, *rest in rows
    ]


def nearest_keys(snapshot: Snapshot, doc_key: str) -> list[str]:
    """Returns up to three keys that may have been meant: of the same file name, or spelled alike."""
    from difflib import get_close_matches  # only a miss needs it

    keys = [row[0] for row in snapshot.catalog.fetch("SELECT doc_key FROM documents WHERE is_live")]
    tail = doc_key.rsplit("/", 1)[-1]
    same_name = [key for key in keys if key.rsplit("/", 1)[-1] == tail]
    return same_name[:3] or get_close_matches(doc_key, keys, 3, 0.5)
