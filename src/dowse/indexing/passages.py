"""What is embedded for a chunk, read from the catalogue."""

import hashlib
from collections.abc import Sequence

from msgspec import Struct

from dowse.storage.catalog import Catalog

PASSAGE_CHARS = 8192
_PASSAGES = (
    "SELECT c.chunk_key, d.title, s.title, substr(x.text, c.byte_start + 1, c.byte_end - c.byte_start)"
    " FROM chunks c JOIN documents d ON d.doc_id = c.doc_id JOIN texts x ON x.doc_id = c.doc_id"
    " LEFT JOIN sections s ON s.doc_id = c.doc_id AND s.ordinal = c.section AND c.section > 0"
    " WHERE c.chunk_key IN ({places})"
)


class Passage(Struct, frozen=True):
    """What is embedded for a chunk: its title and heading before its text."""

    chunk_key: int
    text: str

    @property
    def text_hash(self) -> bytes:
        """Names the text in the cache."""
        return hashlib.blake2b(self.text.encode("utf-8", "replace"), digest_size=16).digest()


def read_passages(catalog: Catalog, keys: Sequence[int]) -> list[Passage]:
    """Returns the passages of chunks; chunks that are gone are left out."""
    rows = catalog.fetch(_PASSAGES.format(places=",".join("?" * len(keys))), list(keys))
    found = {row[0]: Passage(row[0], _passage_text(*row[1:])) for row in rows}
    return [found[key] for key in keys if key in found]


def _passage_text(title: str, heading: str | None, data: bytes | None) -> str:
    text = bytes(data or b"")[: PASSAGE_CHARS * 4].decode("utf-8", "ignore")
    names = [name for name in (title, heading) if name and not text.lstrip("# \n").startswith(name)]
    return "\n".join([*dict.fromkeys(names), text])[:PASSAGE_CHARS]
