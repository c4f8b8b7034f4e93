"""What is embedded for a chunk, read from the catalogue."""

import hashlib
from collections.abc import Sequence

from msgspec import Struct

from dowse.storage.catalog_parts import CatalogView
from dowse.storage.stored_texts import iter_titled_texts

PASSAGE_CHARS = 8192


class Passage(Struct, frozen=True):
    """What is embedded for a chunk: its title and heading before its text."""

    chunk_key: int
    text: str

    @property
    def text_hash(self) -> bytes:
        """Names the text in the cache."""
        return hashlib.blake2b(self.text.encode("utf-8", "replace"), digest_size=16).digest()


def read_passages(view: CatalogView, keys: Sequence[int]) -> list[Passage]:
    """Returns the passages of chunks, in order; chunks that are gone are left out."""
    found = {
        key: Passage(key, _passage_text(title, heading, text))
        for key, title, heading, text in iter_titled_texts(view, keys)
    }
    return [found[key] for key in keys if key in found]


def _passage_text(title: str, heading: str | None, data: bytes) -> str:
    text = data[: PASSAGE_CHARS * 4].decode("utf-8", "ignore")
    names = [name for name in (title, heading) if name and not text.lstrip("# \n").startswith(name)]
    return "\n".join([*dict.fromkeys(names), text])[:PASSAGE_CHARS]
