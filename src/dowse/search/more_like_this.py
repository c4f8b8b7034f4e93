"""More like this: chunks that share the most significant terms of a document, a chunk or a text."""

from collections.abc import Callable

from msgspec.structs import replace

from dowse.analysis import Analyzer
from dowse.query import Parsed, nodes
from dowse.schema import SearchRequest, SearchResponse
from dowse.search.batch import Retrieved
from dowse.search.context import SearchContext
from dowse.search.deadline import Deadline
from dowse.search.lexical.retrieval import retrieve_parsed
from dowse.search.pipeline import POOL, answer
from dowse.search.similar_source import Source, check_source, get_source, read_text
from dowse.storage.snapshot import Snapshot

BuildQuery = Callable[[str, Analyzer, Snapshot], nodes.Node | None]
"""From a text to the query for its most significant terms."""


def answer_more_like_this(
    context: SearchContext, source: Source, build_query: BuildQuery, request: SearchRequest
) -> SearchResponse:
    """Answers with chunks like the source; never with the source itself.

    Args:
        request: Which page, of which tree, scored how; its query is made here.

    Raises:
        InvalidParameterError: The source is not one of a document and a text, is empty, or has no such chunk.
        DocumentNotFoundError: There is no such document; the hint has the nearest.
    """
    check_source(source)

    def retrieve(asked: SearchRequest, context: SearchContext, reach: int, deadline: Deadline) -> Retrieved:
        started, snapshot = context.clock(), context.snapshot
        text, analyzers, own = source.text or "", context.tree_analyzers(asked.tree), range(0)
        if source.doc_key is not None:
            document = get_source(snapshot, source)
            text, own = read_text(snapshot, document, source.chunk), document.chunk_keys
            analyzers = context.tree_analyzers(document.tree)
        parsed = Parsed(build_query(text, analyzers[0], snapshot), ())
        wanted = max(reach, POOL) if asked.has_stages else reach
        return retrieve_parsed(asked, context, wanted, parsed, started, own)

    response = answer(request, context, retrieve)
    return replace(response, request=replace(request, query=response.interpretation))
