"""Where a document stands in an answer by words: which hit it is and why, or which step lost it.

The steps are asked in the order in which they lose documents, so that the first reason found is the one
that counts: a document that is not in the index has no filter to blame.
"""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from dowse.query import Parsed, nodes
from dowse.schema import Problem
from dowse.search.explain.unmet_clauses import EXCLUDED, FILTERED, NOT_MATCHED, Loss, LossFinder
from dowse.search.lexical.corrections import make_fuzzy
from dowse.search.lexical.searcher import Ranking, Searcher
from dowse.search.nearest_keys import nearest_keys
from dowse.search.request import MAX_LIMIT, Hit, SearchRequest
from dowse.storage.stored_documents import NamedDocument, find_documents, was_indexed
from dowse.storage.stored_problems import find_problem

SHOWN, BELOW, BEFORE = "shown", "below-the-page", "before-the-page"
NO_WORDS, NO_VECTOR, NOT_AMONG_BEST = "no-words", "no-vector", "not-among-the-best"
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
    (NO_VECTOR, "it has no vector yet, and words do not bring it either"),
    (NOT_AMONG_BEST, "it is not among the best that words and meaning bring"),
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
        rank: Which hit its best chunk is, from 1, on the page that shows it; None when none does.
    """

    reason: str
    sentences: tuple[str, ...]
    suggestions: tuple[str, ...] = ()
    rank: int | None = None


class Standing(NamedTuple):
    """A document in an answer.

    Attributes:
        hit: Its best chunk with the explanation of its score; None when it does not match.
        problems: What could not be looked at.
    """

    hit: Hit | None
    missing: Missing
    problems: tuple[Problem, ...] = ()

    @property
    def is_shown(self) -> bool:
        """True when it is on the page that was asked for."""
        return self.missing.reason == SHOWN


WORDLESS = Missing(NO_WORDS, ("there is no word to search for in this query",), ("write a word or two",))


def explain_document(
    searcher: Searcher, request: SearchRequest, doc_key: str, tree: str | None = None
) -> Standing:
    """Returns the best chunk of a document with its explanation, and why it is not shown if it is not.

    Args:
        doc_key: The document; it need not be in the index.
        tree: Where it is; the request's tree or else any when not given.
    """
    request = replace(request, explain=True)
    document = find_document(searcher, request, doc_key, tree)
    if isinstance(document, Missing):
        return Standing(None, document)
    parsed = _read(searcher, request)
    ranking = searcher.rank(request, parsed.root, searcher.snapshot.doc_count)
    if parsed.root is None or ranking.plan.is_empty:
        return Standing(None, WORDLESS)
    rank = find_rank(searcher, ranking, document)
    if rank is None:
        losses = find_losses(searcher, request, parsed.root, document)
        return Standing(None, tell_losses(losses))
    shown = replace(request, offset=rank - 1, limit=1)
    (hit,) = searcher.answer(shown, parsed, searcher.clock()).hits
    return Standing(hit, place_hit(request, hit))


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
) -> NamedDocument | Missing:
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
        return Missing(OTHER_TREE, (sentence,), (f"search the tree “{home}”",))
    document = searched[0]
    if request.tree is not None and not document.doc_key.startswith(request.under):
        sentence = f"only what is below {request.under} was searched"
        return Missing(OTHER_FOLDER, (sentence,), ("search the folder it is in",))
    return document


def _absent(searcher: Searcher, doc_key: str) -> Missing:
    snapshot = searcher.snapshot
    problem = find_problem(snapshot, doc_key)
    if problem is not None:
        suggestions = (problem.hint,) if problem.hint else ()
        return Missing(FAILED, (f"it could not be read: {problem.message}",), suggestions)
    again = "if it is there, index its folder again"
    if was_indexed(snapshot, doc_key):
        return Missing(DELETED, ("it was in the index and has been deleted",), (again,))
    nearest = tuple(f"did you mean {key}?" for key in nearest_keys(snapshot, doc_key))
    return Missing(NOT_INDEXED, ("the index does not have it",), nearest or (again,))


def place_hit(request: SearchRequest, hit: Hit) -> Missing:
    """Says on which page a hit is, seen from that of the request."""
    if hit.rank <= request.offset:
        sentence = f"it is hit {hit.rank:,}, and the page starts after hit {request.offset:,}"
        return Missing(BEFORE, (sentence,), (f"ask for offset {hit.rank - 1}",), hit.rank)
    last = request.offset + request.limit
    needed = hit.rank - request.offset
    if needed <= request.limit:
        return Missing(SHOWN, (f"it is hit {hit.rank:,}, with a score of {hit.score:.3f}",), (), hit.rank)
    sentence = f"it is hit {hit.rank:,}, with a score of {hit.score:.3f}, and the page ends with hit {last:,}"
    suggestion = f"ask for limit {needed}" if needed <= MAX_LIMIT else f"ask for offset {hit.rank - 1}"
    return Missing(BELOW, (sentence,), (suggestion,), hit.rank)


def find_losses(
    searcher: Searcher, request: SearchRequest, root: nodes.Node, document: NamedDocument
) -> list[Loss]:
    """Returns why a query lets a document go; nothing when it matches."""
    binder, scope = searcher.bind(request, root)
    return LossFinder(binder, searcher.snapshot, document).find(root, scope)


def tell_losses(losses: Sequence[Loss]) -> Missing:
    """Returns the losses of a document that is no hit as the reason for it."""
    if not losses:
        # What matches and is no hit after all can only stand where a match is worth nothing.
        sentence = "it matches only in fields whose boost is 0"
        return Missing(NOT_MATCHED, (sentence,), ("choose another preset, or raise the boosts",))
    suggestions = dict.fromkeys(loss.suggestion for loss in losses if loss.suggestion)
    sentences = tuple(dict.fromkeys(loss.sentence for loss in losses))
    return Missing(losses[0].code, sentences, tuple(suggestions))
