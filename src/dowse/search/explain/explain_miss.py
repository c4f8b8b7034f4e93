"""Where a document stands in an answer by words: which hit it is and why, or which step lost it.

The steps are asked in the order in which they lose documents, so that the first reason found is the one
that counts: a document that is not in the index has no filter to blame.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from dowse.query import Parsed, nodes
from dowse.schema import Hit, SearchRequest
from dowse.schema.document_explanation import (
    BEFORE,
    BELOW,
    DELETED,
    FAILED,
    NO_WORDS,
    NOT_INDEXED,
    NOT_MATCHED,
    OTHER_FOLDER,
    OTHER_TREE,
    SHOWN,
    DocumentExplanation,
    DocumentOutcome,
)
from dowse.schema.request_options import MAX_LIMIT
from dowse.search.batch import Retrieved
from dowse.search.context import SearchContext
from dowse.search.deadline import Deadline
from dowse.search.explain.unmet_clauses import UnmetClause, UnmetClauseFinder
from dowse.search.lexical.corrections import make_fuzzy
from dowse.search.lexical.ranking import Ranking
from dowse.search.lexical.retrieval import retrieve_parsed, retrieve_words
from dowse.search.lexical.row_addresses import keys_of
from dowse.search.lexical.searcher import LexicalSearcher
from dowse.search.nearest_keys import nearest_keys
from dowse.search.pipeline import Retrieve, answer
from dowse.storage.stored_documents import NamedDocument, find_documents, was_indexed
from dowse.storage.stored_problems import find_problem

WORDLESS = DocumentOutcome(
    NO_WORDS, ("there is no word to search for in this query",), ("write a word or two",)
)


def explain_lexical(
    context: SearchContext, request: SearchRequest, doc_key: str, tree: str | None = None
) -> DocumentExplanation:
    """Returns the best chunk of a document with its explanation, and why it is not shown if it is not.

    Args:
        doc_key: The document; it need not be in the index.
        tree: Where it is; the request's tree or else any when not given.
    """
    request = replace(request, explain=True)
    document = find_document(context, request, doc_key, tree)
    if isinstance(document, DocumentOutcome):
        return DocumentExplanation(None, document)
    searcher = LexicalSearcher(context)
    parsed = _read(searcher, request)
    ranking = searcher.rank(request, parsed.root, context.snapshot.doc_count)
    if parsed.root is None or ranking.plan.is_empty:
        return DocumentExplanation(None, WORDLESS)
    rank = find_rank(context, ranking, document)
    if rank is None:
        unmet = find_unmet(context, request, parsed.root, document)
        return DocumentExplanation(None, explain_unmet(unmet))
    shown = replace(request, offset=rank - 1, limit=1)
    (hit,) = answer(shown, context, _retrieving(parsed)).hits
    return DocumentExplanation(hit, place_hit(request, hit))


def _retrieving(parsed: Parsed) -> Retrieve:
    """Returns what retrieves a query as it was read."""

    def retrieve(request: SearchRequest, context: SearchContext, reach: int, deadline: Deadline) -> Retrieved:
        return retrieve_parsed(request, context, reach, parsed, context.clock())

    return retrieve


def find_rank(context: SearchContext, ranking: Ranking, document: NamedDocument) -> int | None:
    """Returns the rank by words of a document's best chunk, from 1; None when none of them is ranked."""
    keys = keys_of(context.snapshot, ranking.top.best)
    return next((rank for rank, key in enumerate(keys, 1) if key in document.chunk_keys), None)


def _read(searcher: LexicalSearcher, request: SearchRequest) -> Parsed:
    """Reads the query as the search did in the end: similar words included when it took them."""
    parsed = searcher.read(request)
    if parsed.root is None or request.fuzzy == "never":
        return parsed
    first = replace(request, limit=1, offset=0, explain=False, snippets=False)
    if request.fuzzy == "always" or retrieve_words(first, searcher.context, 1).is_fuzzy:
        return parsed._replace(root=make_fuzzy(parsed.root))
    return parsed


def find_document(
    context: SearchContext, request: SearchRequest, doc_key: str, tree: str | None
) -> NamedDocument | DocumentOutcome:
    """Returns the document if the request looks at it at all, or else why not; see `explain_lexical`.

    Raises:
        UnknownTreeError: The request names a tree that is not there.
    """
    if request.tree is not None:
        context.get_tree(request.tree)
    named = [
        document
        for document in find_documents(context.snapshot, doc_key)
        if tree in (None, document.tree)
    ]
    if not named:
        return _absent(context, doc_key)
    searched = [document for document in named if request.tree in (None, document.tree)]
    if not searched:
        return _in_other_tree(request, named[0])
    document = searched[0]
    if request.tree is not None and not document.doc_key.startswith(request.under):
        sentence = f"only what is below {request.under} was searched"
        return DocumentOutcome(OTHER_FOLDER, (sentence,), ("search the folder it is in",))
    return document


def find_elsewhere(
    context: SearchContext, request: SearchRequest, doc_key: str, tree: str | None
) -> DocumentOutcome | None:
    """Returns in which tree a document is that the tree of a request does not have; None when in none.

    Args:
        context: Of all trees.
    """
    for document in find_documents(context.snapshot, doc_key):
        if tree in (None, document.tree):
            return _in_other_tree(request, document)
    return None


def _in_other_tree(request: SearchRequest, document: NamedDocument) -> DocumentOutcome:
    sentence = f"it is in the tree “{document.tree}”, and “{request.tree}” was searched"
    return DocumentOutcome(OTHER_TREE, (sentence,), (f"search the tree “{document.tree}”",))


def _absent(context: SearchContext, doc_key: str) -> DocumentOutcome:
    snapshot = context.snapshot
    problem = find_problem(snapshot, doc_key)
    if problem is not None:
        suggestions = (problem.hint,) if problem.hint else ()
        return DocumentOutcome(FAILED, (f"it could not be read: {problem.message}",), suggestions)
    again = "if it is there, index its folder again"
    if was_indexed(snapshot, doc_key):
        return DocumentOutcome(DELETED, ("it was in the index and has been deleted",), (again,))
    nearest = tuple(f"did you mean {key}?" for key in nearest_keys(snapshot, doc_key))
    return DocumentOutcome(NOT_INDEXED, ("the index does not have it",), nearest or (again,))


def place_hit(request: SearchRequest, hit: Hit) -> DocumentOutcome:
    """Says on which page a hit is, seen from that of the request."""
    if hit.rank <= request.offset:
        sentence = f"it is hit {hit.rank:,}, and the page starts after hit {request.offset:,}"
        return DocumentOutcome(BEFORE, (sentence,), (f"ask for offset {hit.rank - 1}",), hit.rank)
    last = request.offset + request.limit
    needed = hit.rank - request.offset
    if needed <= request.limit:
        sentence = f"it is hit {hit.rank:,}, with a score of {hit.score:.3f}"
        return DocumentOutcome(SHOWN, (sentence,), (), hit.rank)
    sentence = f"it is hit {hit.rank:,}, with a score of {hit.score:.3f}, and the page ends with hit {last:,}"
    suggestion = f"ask for limit {needed}" if needed <= MAX_LIMIT else f"ask for offset {hit.rank - 1}"
    return DocumentOutcome(BELOW, (sentence,), (suggestion,), hit.rank)


def find_unmet(
    context: SearchContext, request: SearchRequest, root: nodes.Node, document: NamedDocument
) -> list[UnmetClause]:
    """Returns why a query lets a document go; nothing when it matches."""
    binder, scope = LexicalSearcher(context).bind(request, root)
    return UnmetClauseFinder(binder, context.snapshot, document).find(root, scope)


def explain_unmet(unmet: Sequence[UnmetClause]) -> DocumentOutcome:
    """Returns the unmet of a document that is no hit as the reason for it."""
    if not unmet:
        # What matches and is no hit after all can only stand where a match is worth nothing.
        sentence = "it matches only in fields whose boost is 0"
        return DocumentOutcome(NOT_MATCHED, (sentence,), ("choose another preset, or raise the boosts",))
    suggestions = dict.fromkeys(clause.suggestion for clause in unmet if clause.suggestion)
    sentences = tuple(dict.fromkeys(clause.sentence for clause in unmet))
    return DocumentOutcome(unmet[0].code, sentences, tuple(suggestions))
