"""What else is like a document, a chunk or a text: its most telling words, searched for."""

from typing import NamedTuple

from msgspec.structs import replace

from dowse.engine.documents import not_found
from dowse.errors import InvalidParameterError
from dowse.query import Parsed
from dowse.schema import SearchRequest, SearchResponse
from dowse.search import Searcher
from dowse.similar import SimilarSettings, build_query, choose_words
from dowse.storage.snapshot import Snapshot
from dowse.storage.stored_documents import NamedDocument, find_documents
from dowse.storage.stored_texts import find_document_text, iter_chunk_texts


class Source(NamedTuple):
    """What others shall be like: a document by its key, one of its chunks, or any text.

    Attributes:
        chunk: Its number in the document, from 0.
        tree: Where the document is; None for any tree.
    """

    doc_key: str | None = None
    text: str | None = None
    chunk: int | None = None
    tree: str | None = None


def answer_similar(
    searcher: Searcher, source: Source, settings: SimilarSettings, request: SearchRequest
) -> SearchResponse:
    """Answers with chunks that share the source's most telling words; never with the source itself.

    Args:
        request: Which page, of which tree, scored how; its query is made here.

    Raises:
        InvalidParameterError: The source is not one of a document and a text, is empty, or has no such chunk.
        DocumentNotFoundError: There is no such document; the hint has the nearest.
    """
    started = searcher.clock()
    check_source(source)
    text, analyzers, own_chunks = source.text or "", searcher.analyzers(request.tree), range(0)
    if source.doc_key is not None:
        document = find_source(searcher.snapshot, source.doc_key, source.tree)
        text = _text_of(searcher.snapshot, document, source.chunk)
        analyzers = searcher.analyzers(document.tree)
        own_chunks = range(document.first_key, document.first_key + document.chunk_count)
    words = choose_words(text, analyzers[0], searcher.snapshot, settings)
    root = build_query(words, settings)
    response = searcher.answer(request, Parsed(root, ()), started, without=own_chunks)
    return replace(response, request=replace(request, query=response.interpretation))


def check_source(source: Source) -> None:
    """Raises InvalidParameterError unless the source is one of a document and a text that says something."""
    if (source.doc_key is None) == (source.text is None):
        raise InvalidParameterError(
            name="the source", value="both or neither", legal="give a document or a text, one of them"
        )
    if source.text is not None and not source.text.strip():
        raise InvalidParameterError(
            name="the text", value="empty", legal="nothing is like nothing; write a word or two"
        )
    if source.text is not None and source.chunk is not None:
        raise InvalidParameterError(
            name="chunk", value=source.chunk, legal="only a document has chunks, a text is one"
        )


def find_source(snapshot: Snapshot, doc_key: str, tree: str | None) -> NamedDocument:
    """Returns a document by its key; raises DocumentNotFoundError when there is none."""
    for document in find_documents(snapshot, doc_key):
        if tree in (None, document.tree):
            return document
    raise not_found(snapshot, doc_key)


def _text_of(snapshot: Snapshot, document: NamedDocument, chunk: int | None) -> str:
    """Returns what of a document counts: all of it with its title, or a chunk."""
    if chunk is not None:
        return _chunk_text(snapshot, document, chunk)
    text = find_document_text(snapshot, document.doc_id) or b""
    return f"{document.title}\n{text.decode('utf-8', 'replace')}"


def check_chunk(document: NamedDocument, chunk: int) -> None:
    """Raises InvalidParameterError unless the document has a chunk of that number."""
    if not 0 <= chunk < document.chunk_count:
        legal = f"{document.doc_key} has chunks 0 to {document.chunk_count - 1}"
        if not document.chunk_count:
            legal = f"{document.doc_key} has no chunks"
        raise InvalidParameterError(name="chunk", value=chunk, legal=legal)


def _chunk_text(snapshot: Snapshot, document: NamedDocument, chunk: int) -> str:
    check_chunk(document, chunk)
    texts = dict(iter_chunk_texts(snapshot, [document.first_key + chunk]))
    return texts[document.first_key + chunk].decode("utf-8", "replace")
