"""What others shall be like: a document, one of its chunks, or a text."""

from typing import NamedTuple

from dowse.errors import DocumentNotFoundError, InvalidParameterError
from dowse.remedy import Remedy
from dowse.search.nearest_keys import nearest_keys
from dowse.storage.snapshot import Snapshot
from dowse.storage.stored_documents import NamedDocument, find_documents
from dowse.storage.stored_texts import find_document_text, iter_chunk_texts


class Source(NamedTuple):
    """A document by its key, one of its chunks, or any text.

    Attributes:
        chunk: Its number in the document, from 0.
        tree: Where the document is; None for any tree.
    """

    doc_key: str | None = None
    text: str | None = None
    chunk: int | None = None
    tree: str | None = None


def check_source(source: Source) -> None:
    """Raises InvalidParameterError unless the source is one of a document and a text that says something."""
    if (source.doc_key is None) == (source.text is None):
        raise InvalidParameterError(
            name="the source", value="both or neither", legal="give a document or a text, one of them"
        )
    if source.text is not None and not source.text.strip():
        raise InvalidParameterError(name="the text", value="empty", legal="give a few words to compare with")
    if source.text is not None and source.chunk is not None:
        raise InvalidParameterError(
            name="chunk", value=source.chunk, legal="only a document has chunks, a text is one"
        )


def get_source(snapshot: Snapshot, source: Source) -> NamedDocument:
    """Returns the document of a source that is one.

    Raises:
        DocumentNotFoundError: There is none; the hint has the nearest.
        InvalidParameterError: The document has no chunk of that number.
    """
    assert source.doc_key is not None, "a text is no document"
    for document in find_documents(snapshot, source.doc_key):
        if source.tree in (None, document.tree):
            if source.chunk is not None:
                _check_chunk(document, source.chunk)
            return document
    raise not_found(snapshot, source.doc_key)


def not_found(snapshot: Snapshot, doc_key: str) -> DocumentNotFoundError:
    """Returns the error for a key that no document has, with those that may have been meant."""
    nearest = nearest_keys(snapshot, doc_key)
    hint = f"did you mean: {', '.join(nearest)}" if nearest else Remedy.LIST_TREES
    return DocumentNotFoundError(key=doc_key, nearest=hint)


def read_text(snapshot: Snapshot, document: NamedDocument, chunk: int | None) -> str:
    """Returns what of a document counts: all of it with its title, or a chunk."""
    if chunk is not None:
        key = document.first_key + chunk
        return dict(iter_chunk_texts(snapshot, [key]))[key].decode("utf-8", "replace")
    text = find_document_text(snapshot, document.doc_id) or b""
    return f"{document.title}\n{text.decode('utf-8', 'replace')}"


def _check_chunk(document: NamedDocument, chunk: int) -> None:
    if not 0 <= chunk < document.chunk_count:
        legal = f"{document.doc_key} has chunks 0 to {document.chunk_count - 1}"
        if not document.chunk_count:
            legal = f"{document.doc_key} has no chunks"
        raise InvalidParameterError(name="chunk", value=chunk, legal=legal)
