"""What was read from files that are gone, kept for when they come back.

A folder that is moved, or moved away and back, has the same files under other paths. Reading them again would
cost minutes for what is known already. So a document that leaves goes to the cache, and a new file with the
same content and the same name takes it from there.
"""

import json
import zlib
from collections.abc import Callable

from msgspec import Struct, field

from dowse.ingest.source import SourceItem
from dowse.schema import Document, Problem
from dowse.storage.catalog import Catalog
from dowse.storage.document_cache import find_cached_document, list_cached_files, put_cached_document
from dowse.storage.document_reader import build_document, read_document
from dowse.storage.stored_problems import list_problems_of


class DocumentCache(Struct):
    """The cache of one index, for one run over one tree.

    Attributes:
        fingerprint: Of the settings that documents depend on; others' documents are of no use.
    """

    catalog: Catalog
    fingerprint: str
    _known: set[tuple[str, int]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._known = list_cached_files(self.catalog, self.fingerprint)

    def take(
        self, item: SourceItem, digest_of: Callable[[SourceItem], str]
    ) -> tuple[Document, tuple[Problem, ...]] | None:
        """Returns the document of an item that has been here before, and what was wrong; None when it is new.

        Most items cost one look-up: only one with a known name and size is read.
        """
        name = item.key.rpartition("/")[2]
        if (name, item.size) not in self._known:
            return None
        digest = digest_of(item)
        found = find_cached_document(self.catalog, digest, name, self.fingerprint) if digest else None
        return None if found is None else decode_document(found, item.key, digest)

    def put(self, catalog: Catalog, doc_id: int) -> None:
        """Keeps a document if it has a file.

        Args:
            catalog: The writer's, in its open transaction.
            doc_id: The document, still live.
        """
        document, stat = read_document(catalog, doc_id)
        if stat is None:
            return
        name = document.path.rpartition("/")[2]
        self._known.add((name, stat.size))
        data = encode_document(document, list_problems_of(catalog, doc_id, document.path))
        put_cached_document(catalog, document.content_hash, name, self.fingerprint, stat.size, data)


def encode_document(document: Document, problems: list[Problem]) -> bytes:
    """Returns a document's content, without its names, and what was wrong with it, in few bytes."""
    value = (
        [(problem.code, problem.message, problem.hint) for problem in problems],
        document.title,
        document.text.decode(),
        document.sections,
        document.chunks,
        document.tags,
        document.links,
        document.format,
        dict(document.metadata),
        document.anchors,
        document.has_source_lines,
    )
    return zlib.compress(json.dumps(value, ensure_ascii=False, default=str).encode(), 1)


def decode_document(
    data: bytes, path: str, content_hash: str
) -> tuple[Document, tuple[Problem, ...]]:
    """Reads what `encode_document` made, for the file at `path`."""
    problems, title, text, *rest = json.loads(zlib.decompress(data))
    document = build_document((path, path, content_hash), title, text.encode(), *rest)
    return document, tuple(Problem(code, path, message, hint) for code, message, hint in problems)
