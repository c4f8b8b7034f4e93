"""What else is like a document, a chunk or a text: its most telling words, searched for."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from dowse.analysis import Analyzer
from dowse.engine.documents import not_found
from dowse.errors import InvalidParameterError
from dowse.query import Parsed, unparse_node
from dowse.search import Searcher, SearchRequest, SearchResponse
from dowse.search.documents import NamedDocument, find_documents
from dowse.search.hits import chunk_text
from dowse.similar import SimilarSettings, build_query, choose_words
from dowse.storage.snapshot import Snapshot, find_chunks


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
        InvalidParameterError: The source is not one of a document and a text, or has no such chunk.
        DocumentNotFoundError: There is no such document; the hint has the nearest.
    """
    started = searcher.clock()
    if (source.doc_key is None) == (source.text is None):
        raise InvalidParameterError(
            name="the source", value="both or neither", legal="give a document or a text, one of them"
        )
    doc_id = None
    text = source.text or ""
    analyzers: Sequence[Analyzer] = searcher.analyzers(request.tree)
    if source.doc_key is not None:
        doc_id, text, analyzers = _read(searcher, source.doc_key, source)
    words = choose_words(text, analyzers[0], searcher.snapshot, settings)
    root = build_query(words, settings)
    asked = replace(request, query="" if root is None else unparse_node(root))
    return searcher.answer(asked, Parsed(root, ()), started, without=doc_id)


def _read(searcher: Searcher, doc_key: str, source: Source) -> tuple[int, str, Sequence[Analyzer]]:
    """Returns a document's id, what of its text counts, and how that is analysed."""
    snapshot = searcher.snapshot
    found = [
        document
        for document in find_documents(snapshot, doc_key)
        if source.tree in (None, document.tree)
    ]
    if not found:
        raise not_found(snapshot, doc_key)
    document = found[0]
    if source.chunk is None:
        text = f"{document.title}\n{_whole_text(snapshot, document.doc_id)}"
    else:
        text = _chunk_text(snapshot, document, source.chunk)
    return document.doc_id, text, searcher.analyzers(document.tree)


def _whole_text(snapshot: Snapshot, doc_id: int) -> str:
    row = snapshot.catalog.fetch_one("SELECT text FROM texts WHERE doc_id = ?", (doc_id,))
    return "" if row is None else bytes(row[0]).decode("utf-8", "replace")


def _chunk_text(snapshot: Snapshot, document: NamedDocument, chunk: int) -> str:
    if not 0 <= chunk < document.chunk_count:
        legal = f"{document.doc_key} has chunks 0 to {document.chunk_count - 1}"
        if not document.chunk_count:
            legal = f"{document.doc_key} has no chunks"
        raise InvalidParameterError(name="chunk", value=chunk, legal=legal)
    key = document.first_key + chunk
    place = find_chunks(snapshot.catalog, [key])[key]
    return chunk_text(snapshot.catalog, document.doc_id, place[4], place[5])
