"""From a request to a response: retrieve candidates, send them through the stages, show the page.

The only place where a response is assembled.
"""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from dowse.errors import InvalidParameterError
from dowse.schema import Problem, SearchRequest, SearchResponse
from dowse.schema import Stage as StageReport
from dowse.search.availability import EMBEDDING_ERRORS, SEMANTIC_MODES, words_only
from dowse.search.batch import Batch, Retrieved
from dowse.search.context import SearchContext
from dowse.search.deadline import Deadline
from dowse.search.hits import build_hits
from dowse.search.lexical.retrieval import retrieve_words
from dowse.search.stages.cross_encoder import CrossEncoderRerank
from dowse.search.stages.diversify import Diversify
from dowse.search.stages.duplicates import Duplicates
from dowse.search.stages.page import Page, cut_page
from dowse.search.stages.stage import Stage

PIPELINE: tuple[Stage, ...] = (Duplicates(), Diversify(), CrossEncoderRerank(), Page())
"""All stages, in the order in which they run. Variety comes before the cross-encoder, although the
cross-encoder can undo it: the order is that of the answers so far, and changes with a measurement only."""

POOL = 300
"""How many candidates stages are given, at least, where more cost nothing; `find_reach` says how many they
need."""

Retrieve = Callable[[SearchRequest, SearchContext, int, Deadline], Retrieved]
"""How candidates are found: given how many the stages need, and until when."""


def answer(
    request: SearchRequest, context: SearchContext, retrieve: Retrieve | None = None
) -> SearchResponse:
    """Answers one request on one generation.

    Args:
        retrieve: How candidates are found, for whoever looks for something else than the request's query.

    Raises:
        UsageError: The request cannot be answered as it is.
        ModeUnavailableError: The mode or a hypothesis needs vectors, and there are none.
    """
    deadline, clock = context.deadline(request.budget_ms), context.clock
    retrieve = retrieve or _retrieve
    if request.has_stages:
        stages = [stage for stage in PIPELINE if stage.is_wanted(request)]
        retrieved = retrieve(request, context, find_reach(request, stages), deadline)
        batch, reports = _run(stages, request, context, retrieved, deadline)
    else:  # the page alone: nothing else may cost anything
        retrieved = retrieve(request, context, request.offset + request.limit, deadline)
        batch, reports = Batch(cut_page(retrieved.candidates, request)), []
    started, page = clock(), batch.candidates
    hits = build_hits(context, page, retrieved, request, batch.groups)
    if retrieved.note_impressions is not None:
        retrieved.note_impressions([one.key for one in page])
    shown = StageReport("show", (clock() - started) * 1e3, len(page), len(hits))
    return SearchResponse(
        request,
        tuple(hits),
        retrieved.total,
        retrieved.total_is_exact,
        retrieved.interpretation,
        context.snapshot.generation,
        (*retrieved.stages, *reports, shown),
        retrieved.problems + batch.problems,
        retrieved.is_fuzzy,
        retrieved.suggestion,
        retrieved.query_tree,
        retrieved.coverage,
        deadline.was_missed,
    )


def find_reach(request: SearchRequest, stages: Sequence[Stage]) -> int:
    """Returns how many candidates stages need for the page of a request.

    Candidates that are left out make room on the page, and later stages must be given the same candidates
    whatever page is asked for: what they compare decides the order.

    Args:
        stages: Those that the request asks for; the page is the last.
    """
    *others, page = stages
    compared = max((stage.depth(request) for stage in others if not stage.leaves_out), default=0)
    left_out = sum(stage.depth(request) for stage in others if stage.leaves_out)
    return max(page.depth(request), compared) + left_out


def _run(
    stages: Sequence[Stage],
    request: SearchRequest,
    context: SearchContext,
    retrieved: Retrieved,
    deadline: Deadline,
) -> tuple[Batch, list[StageReport]]:
    """Sends what was retrieved through stages; those that there is no time for are left out and named."""
    clock, batch, reports = context.clock, Batch(retrieved.candidates), []
    own = context.for_stages(request, retrieved.question, deadline)
    *others, page = stages
    for stage in others:
        started, before = clock(), batch
        if deadline.has_passed():
            batch = batch.noted(f"left out: {deadline.reason}").lacking(deadline.problem(stage.name))
        else:
            batch = stage.run(batch, own)
        ms, sizes = (clock() - started) * 1e3, (len(before.candidates), len(batch.candidates))
        reports.append(StageReport(stage.name, ms, *sizes, batch.notes[-1]))
    # The page is cut however late it is: an answer is never more than was asked for.
    return page.run(batch, own), reports


def _retrieve(
    request: SearchRequest, context: SearchContext, reach: int, deadline: Deadline
) -> Retrieved:
    """Finds candidates in the way of the request's mode: by words, or by words and vectors."""
    if request.mode not in SEMANTIC_MODES:
        if request.hypothesis:
            legal = f"with a hypothesis, legal values are {', '.join(sorted(SEMANTIC_MODES))}"
            raise InvalidParameterError(name="mode", value=request.mode, legal=legal)
        return _retrieve_words(request, context, reach)
    available = context.availability()
    needs_vectors = request.mode != "auto" or bool(request.hypothesis)
    if not available.is_usable:
        if needs_vectors:
            available.refuse(request.mode)
        problem = available.find_problem() if available.is_noteworthy else None
        return _retrieve_words(request, context, reach, problem)
    from dowse.search.legs.retrieval import retrieve_fused

    try:
        return retrieve_fused(request, context, reach, deadline, available)
    except EMBEDDING_ERRORS as error:
        if needs_vectors:
            raise
        # Words alone are an answer too; what is missing is said.
        return _retrieve_words(request, context, reach, words_only(error.message, error.hint))


def _retrieve_words(
    request: SearchRequest, context: SearchContext, reach: int, problem: Problem | None = None
) -> Retrieved:
    """Finds candidates by words, and says why not by vectors, if that has to be said."""
    found = retrieve_words(request, context, max(reach, POOL) if request.has_stages else reach)
    return found if problem is None else replace(found, problems=(*found.problems, problem))
