"""Documents as the catalogue keeps them."""

from dowse.schema import StoredDocument, StoredSection
from dowse.search.similar_source import not_found
from dowse.storage.document_reader import read_document
from dowse.storage.snapshot import Snapshot
from dowse.storage.stored_documents import NamedDocument, find_documents


def get_document(snapshot: Snapshot, doc_key: str, tree: str | None) -> StoredDocument:
    """Returns a document by its key, in one tree or in any.

    Raises:
        DocumentNotFoundError: There is none; the hint has the nearest.
    """
    for found in find_documents(snapshot, doc_key):
        if tree in (None, found.tree):
            return _stored(snapshot, found)
    raise not_found(snapshot, doc_key)


def _stored(snapshot: Snapshot, found: NamedDocument) -> StoredDocument:
    document, stat = read_document(snapshot, found.doc_id)
    return StoredDocument(
        found.tree,
        document.doc_key,
        document.title,
        None if stat is None else stat.file,
        document.text.decode("utf-8", "replace"),
        document.tags,
        document.format,
        dict(document.metadata),
        tuple(StoredSection(*section[:7]) for section in document.sections),
        found.chunk_count,
    )


def without_surrogates(text: str) -> str:
    """Replaces what UTF-8 cannot hold, half a surrogate pair, by a question mark."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
