"""Where a document stands in an answer by words: which hit it is and why, or which step lost it.

The steps are asked in the order in which they lose documents, so that the first reason found is the one
that counts: a document that is not in the index has no filter to blame.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from dowse.query import Parsed, nodes
from dowse.schema import DocumentExplanation, DocumentOutcome, Hit, SearchRequest
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
)
from dowse.schema.search_request import MAX_LIMIT
from dowse.search.explain.unmet_clauses import Loss, LossFinder
from dowse.search.lexical.corrections import make_fuzzy
from dowse.search.lexical.searcher import Ranking, Searcher
from dowse.search.nearest_keys import nearest_keys
from dowse.storage.stored_documents import NamedDocument, find_documents, was_indexed
from dowse.storage.stored_problems import find_problem

WORDLESS = DocumentOutcome(
    NO_WORDS, ("there is no word to search for in this query",), ("write a word or two",)
)


def explain_document(
    searcher: Searcher, request: SearchRequest, doc_key: str, tree: str | None = None
) -> DocumentExplanation:
    """Returns the best chunk of a document with its explanation, and why it is not shown if it is not.

    Args:
        doc_key: The document; it need not be in the index.
        tree: Where it is; the request's tree or else any when not given.
    """
    request = replace(request, explain=True)
    document = find_document(searcher, request, doc_key, tree)
    if isinstance(document, DocumentOutcome):
        return DocumentExplanation(None, document)
    parsed = _read(searcher, request)
    ranking = searcher.rank(request, parsed.root, searcher.snapshot.doc_count)
    if parsed.root is None or ranking.plan.is_empty:
        return DocumentExplanation(None, WORDLESS)
    rank = find_rank(searcher, ranking, document)
    if rank is None:
        losses = find_losses(searcher, request, parsed.root, document)
        return DocumentExplanation(None, tell_losses(losses))
    shown = replace(request, offset=rank - 1, limit=1)
    (hit,) = searcher.answer(shown, parsed, searcher.clock()).hits
    return DocumentExplanation(hit, place_hit(request, hit))


def find_rank(searcher: Searcher, ranking: Ranking, document: NamedDocument) -> int | None:
    """Returns the rank by words of a document's best chunk, from 1; None when none of them is ranked."""
    keys = searcher.keys_of(ranking.page.best)
    return next((rank for rank, key in enumerate(keys, 1) if key in document.chunk_keys), None)


def _read(searcher: Searcher, request: SearchRequest) -> Parsed:
    """Reads the query as the search did in the end: similar words included when it took them."""
    parsed = searcher.read(request)
    if parsed.root is None or request.fuzzy == "never":
        return parsed
    first = replace(request, limit=1, offset=0, explain=False, snippets=False)
    if request.fuzzy == "always" or searcher.search(first).is_fuzzy:
        return parsed._replace(root=make_fuzzy(parsed.root))
    return parsed


def find_document(
    searcher: Searcher, request: SearchRequest, doc_key: str, tree: str | None
) -> NamedDocument | DocumentOutcome:
    """Returns the document if the request looks at it at all, or else why not; see `explain_document`.

    Raises:
        UnknownTreeError: The request names a tree that is not there.
    """
    if request.tree is not None:
        searcher.get_tree(request.tree)
    named = [
        document
        for document in find_documents(searcher.snapshot, doc_key)
        if tree in (None, document.tree)
    ]
    if not named:
        return _absent(searcher, doc_key)
    searched = [document for document in named if request.tree in (None, document.tree)]
    if not searched:
        home = named[0].tree
        sentence = f"it is in the tree “{home}”, and “{request.tree}” was searched"
        return DocumentOutcome(OTHER_TREE, (sentence,), (f"search the tree “{home}”",))
    document = searched[0]
    if request.tree is not None and not document.doc_key.startswith(request.under):
        sentence = f"only what is below {request.under} was searched"
        return DocumentOutcome(OTHER_FOLDER, (sentence,), ("search the folder it is in",))
    return document


def _absent(searcher: Searcher, doc_key: str) -> DocumentOutcome:
    snapshot = searcher.snapshot
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


def find_losses(
    searcher: Searcher, request: SearchRequest, root: nodes.Node, document: NamedDocument
) -> list[Loss]:
    """Returns why a query lets a document go; nothing when it matches."""
    binder, scope = searcher.bind(request, root)
    return LossFinder(binder, searcher.snapshot, document).find(root, scope)


def tell_losses(losses: Sequence[Loss]) -> DocumentOutcome:
    """Returns the losses of a document that is no hit as the reason for it."""
    if not losses:
        # What matches and is no hit after all can only stand where a match is worth nothing.
        sentence = "it matches only in fields whose boost is 0"
        return DocumentOutcome(NOT_MATCHED, (sentence,), ("choose another preset, or raise the boosts",))
    suggestions = dict.fromkeys(loss.suggestion for loss in losses if loss.suggestion)
    sentences = tuple(dict.fromkeys(loss.sentence for loss in losses))
    return DocumentOutcome(losses[0].code, sentences, tuple(suggestions))
