"""Explains a document in the way the search answers: by words and meaning, or by words alone.

Where it is words alone although meaning was looked for, and whatever else is left out, is said.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec.structs import replace

from dowse.engine.no_meaning import NO_MEANING_ERRORS, list_damaged, needs_vectors, no_meaning
from dowse.schema import DocumentExplanation, Problem, SearchRequest
from dowse.search import Searcher
from dowse.search.explain.explain_miss import explain_document

if TYPE_CHECKING:
    from dowse.search.legs.hybrid_ranking import SemanticLeg

NO_STAGES = Problem(
    "no-stages",
    "stages",
    "expansion, folding, variety and judging are left out",
    "compare it with a search without them",
)


def explain_standing(
    searcher: Searcher,
    request: SearchRequest,
    doc_key: str,
    tree: str | None,
    build_leg: "Callable[[], SemanticLeg] | None",
    why_words: Callable[[], Problem | None],
) -> DocumentExplanation:
    """Returns where a document stands in the answer to a request without its stages.

    Args:
        build_leg: Returns what finds chunks by meaning; None when words alone answer the request.
        why_words: Returns what is to be said when they do in the default mode, if anything.
    """
    problems = [NO_STAGES] if request.has_stages else []
    request = replace(request, expand="none", dedupe=False, diversify=None, rerank=False)
    standing: DocumentExplanation | None = None
    if build_leg is not None:
        from dowse.search.explain.explain_miss_semantic import explain_by_meaning

        try:
            leg = build_leg()
            standing = explain_by_meaning(searcher, request, leg, doc_key, tree)
            problems += list_damaged(leg.vectors)
        except NO_MEANING_ERRORS as error:
            if needs_vectors(request):
                raise
            problems.append(no_meaning(error.message, error.hint))
    elif request.mode == "auto" and (problem := why_words()) is not None:
        problems.append(problem)
    standing = standing or explain_document(searcher, request, doc_key, tree)
    return replace(standing, problems=tuple(problems))
