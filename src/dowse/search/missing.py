"""Where a document stands in an answer: which hit it is and why, or which step lost it.

The steps are asked in the order in which they lose documents, so that the first reason found is the one
that counts: a document that is not in the index has no filter to blame.
"""

from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from dowse.query import Parsed, nodes
from dowse.search.corrections import make_fuzzy
from dowse.search.documents import NamedDocument, find_documents, nearest_keys
from dowse.search.losses import EXCLUDED, FILTERED, NOT_MATCHED, LossFinder
from dowse.search.request import MAX_LIMIT, Hit, SearchRequest
from dowse.search.searcher import Searcher

SHOWN, BELOW, BEFORE = "shown", "below-the-page", "before-the-page"
NO_WORDS = "no-words"
OTHER_TREE, OTHER_FOLDER = "other-tree", "other-folder"
FAILED, DELETED, NOT_INDEXED = "failed", "deleted", "not-indexed"

# Every reason with its meaning, in the order in which they are looked for.
REASONS: tuple[tuple[str, str], ...] = (
    (NOT_INDEXED, "the index does not have the document"),
    (FAILED, "the document could not be read"),
    (DELETED, "the document was in the index and is not any more"),
    (OTHER_TREE, "another tree was searched"),
    (OTHER_FOLDER, "another folder of its tree was searched"),
    (NO_WORDS, "the query has no word to search for"),
    (FILTERED, "a filter leaves the document out"),
    (EXCLUDED, "the document has what the query excludes"),
    (NOT_MATCHED, "a part of the query that must match does not"),
    (BEFORE, "it is a hit, on an earlier page"),
    (BELOW, "it is a hit, on a later page"),
    (SHOWN, "it is a hit, and shown"),
)


class Missing(Struct, frozen=True):
    """Why a document is not among the hits that are shown.

    Attributes:
        reason: One of `REASONS`.
        sentences: What is in the way, for people, most important first.
        suggestions: What would bring it back.
        rank: Which hit its best chunk is, from 1; None when it does not match.
    """

    reason: str
    sentences: tuple[str, ...]
    suggestions: tuple[str, ...] = ()
    rank: int | None = None


class Standing(NamedTuple):
    """A document in an answer.

    Attributes:
        hit: Its best chunk with the explanation of its score; None when it does not match.
    """

    hit: Hit | None
    missing: Missing

    @property
    def is_shown(self) -> bool:
        """True when it is on the page that was asked for."""
        return self.missing.reason == SHOWN


def explain_document(
    searcher: Searcher, request: SearchRequest, doc_key: str, tree: str | None = None
) -> Standing:
    """Returns the best chunk of a document with its explanation, and why it is not shown if it is not.

    Args:
        doc_key: The document; it need not be in the index.
        tree: Where it is; the request's tree or else any when not given.
    """
    request = replace(request, explain=True)
    if request.tree is not None:
        searcher.get_tree(request.tree)
    document, missing = _find(searcher, request, doc_key, tree)
    if document is None:
        assert missing is not None, "what is not there has a reason"
        return Standing(None, missing)
    parsed = _read(searcher, request)
    ranking = searcher.rank(request, parsed.root, searcher.snapshot.doc_count)
    if parsed.root is None or ranking.plan.is_empty:
        sentence = "there is no word to search for in this query"
        return Standing(None, Missing(NO_WORDS, (sentence,), ("write a word or two",)))
    last_key = document.first_key + document.chunk_count
    for rank, (segment, row, _) in enumerate(ranking.page.best, 1):
        key = searcher.snapshot.segments[segment].reader.columns.chunk_keys[row]
        if document.first_key <= key < last_key:
            shown = replace(request, offset=rank - 1, limit=1)
            (hit,) = searcher.answer(shown, parsed, searcher.clock()).hits
            return Standing(hit, _place(request, hit))
    return Standing(None, _lost(searcher, request, parsed.root, document))


def _read(searcher: Searcher, request: SearchRequest) -> Parsed:
    """Reads the query as the search did in the end: similar words included when it took them."""
    parsed = searcher.read(request)
    if parsed.root is None or request.fuzzy == "never":
        return parsed
    first = replace(request, limit=1, offset=0, explain=False, snippets=False)
    if request.fuzzy == "always" or searcher.search(first).is_fuzzy:
        return parsed._replace(root=make_fuzzy(parsed.root))
    return parsed


def _find(
    searcher: Searcher, request: SearchRequest, doc_key: str, tree: str | None
) -> tuple[NamedDocument | None, Missing | None]:
    """Returns the document if the request looks at it at all, or else why not."""
    named = [
        document
        for document in find_documents(searcher.snapshot, doc_key)
        if tree in (None, document.tree)
    ]
    if not named:
        return None, _absent(searcher, doc_key)
    searched = [document for document in named if request.tree in (None, document.tree)]
    if not searched:
        home = named[0].tree
        sentence = f"it is in the tree “{home}”, and “{request.tree}” was searched"
        return None, Missing(OTHER_TREE, (sentence,), (f"search the tree “{home}”",))
    document = searched[0]
    if request.tree is not None and not document.doc_key.startswith(request.under):
        sentence = f"only what is below {request.under} was searched"
        return None, Missing(OTHER_FOLDER, (sentence,), ("search the folder it is in",))
    return document, None


def _absent(searcher: Searcher, doc_key: str) -> Missing:
    catalog = searcher.snapshot.catalog
    problem = catalog.fetch_one("SELECT message, hint FROM problems WHERE location = ?", (doc_key,))
    if problem is not None:
        suggestions = (problem[1],) if problem[1] else ()
        return Missing(FAILED, (f"it could not be read: {problem[0]}",), suggestions)
    again = "if it is there, index its folder again"
    if catalog.fetch_one("SELECT 1 FROM documents WHERE doc_key = ? LIMIT 1", (doc_key,)):
        return Missing(DELETED, ("it was in the index and has been deleted",), (again,))
    nearest = tuple(f"did you mean {key}?" for key in nearest_keys(searcher.snapshot, doc_key))
    return Missing(NOT_INDEXED, ("the index does not have it",), nearest or (again,))


def _place(request: SearchRequest, hit: Hit) -> Missing:
    """Says on which page a hit is, seen from that of the request."""
    if hit.rank <= request.offset:
        sentence = f"it is hit {hit.rank:,}, and the page starts after hit {request.offset:,}"
        return Missing(BEFORE, (sentence,), (f"ask for offset {hit.rank - 1}",), hit.rank)
    last = request.offset + request.limit
    if hit.rank <= last:
        return Missing(SHOWN, (f"it is hit {hit.rank:,}, with a score of {hit.score:.3f}",), (), hit.rank)
    sentence = f"it is hit {hit.rank:,}, with a score of {hit.score:.3f}, and the page ends with hit {last:,}"
    needed = hit.rank - request.offset
    suggestion = f"ask for limit {needed}" if needed <= MAX_LIMIT else f"ask for offset {hit.rank - 1}"
    return Missing(BELOW, (sentence,), (suggestion,), hit.rank)


def _lost(
    searcher: Searcher, request: SearchRequest, root: nodes.Node, document: NamedDocument
) -> Missing:
    binder, scope = searcher.bind(request, root)
    losses = LossFinder(binder, searcher.snapshot, document).find(root, scope)
    if not losses:
        # What matches and is no hit after all can only stand where a match is worth nothing.
        sentence = "it matches only in fields whose boost is 0"
        return Missing(NOT_MATCHED, (sentence,), ("choose another preset, or raise the boosts",))
    suggestions = dict.fromkeys(loss.suggestion for loss in losses if loss.suggestion)
    sentences = tuple(dict.fromkeys(loss.sentence for loss in losses))
    return Missing(losses[0].code, sentences, tuple(suggestions))
