"""Explains a document in the way the search answers: by words and vectors, or by words alone.

Where it is words alone although vectors were asked for, and whatever else is left out, is said.
"""

from msgspec.structs import replace

from dowse.errors import InvalidParameterError
from dowse.schema import DocumentExplanation, Problem, SearchRequest
from dowse.search.availability import EMBEDDING_ERRORS, SEMANTIC_MODES, list_damaged, words_only
from dowse.search.context import SearchContext
from dowse.search.explain.explain_miss import explain_lexical

NO_STAGES = Problem(
    "no-stages",
    "stages",
    "expansion, folding, variety and judging are left out",
    "compare it with a search without them",
)


def explain_document(
    context: SearchContext, request: SearchRequest, doc_key: str, tree: str | None = None
) -> DocumentExplanation:
    """Returns which hit a document is in the answer to a request without its stages, or why none.

    Args:
        doc_key: The document; it need not be in the index.
        tree: Where it is; the request's tree or else any when not given.

    Raises:
        ModeUnavailableError: The mode or a hypothesis needs vectors, and there are none.
    """
    problems = [NO_STAGES] if request.has_stages else []
    request = replace(request, expand="none", dedupe=False, diversify=None, rerank=False)
    found = _explain_semantic(context, request, doc_key, tree, problems)
    found = found or explain_lexical(context, request, doc_key, tree)
    return replace(found, problems=tuple(problems))


def _explain_semantic(
    context: SearchContext, request: SearchRequest, doc_key: str, tree: str | None, problems: list[Problem]
) -> DocumentExplanation | None:
    """Explains by vectors, where they answer; adds to `problems` why they do not, or not all of them."""
    if request.mode not in SEMANTIC_MODES:
        if request.hypothesis:
            legal = f"with a hypothesis, legal values are {', '.join(sorted(SEMANTIC_MODES))}"
            raise InvalidParameterError(name="mode", value=request.mode, legal=legal)
        return None
    available = context.availability()
    needs_vectors = request.mode != "auto" or bool(request.hypothesis)
    if available.vectors is None or not available.is_usable:
        if needs_vectors:
            available.refuse(request.mode)
        problem = available.find_problem()
        problems += [] if problem is None else [problem]
        return None
    from dowse.search.explain.explain_miss_semantic import explain_semantic

    try:
        found = explain_semantic(context, request, available, doc_key, tree)
    except EMBEDDING_ERRORS as error:
        if needs_vectors:
            raise
        problems.append(words_only(error.message, error.hint))
        return None
    problems += list_damaged(available.vectors)
    return found
