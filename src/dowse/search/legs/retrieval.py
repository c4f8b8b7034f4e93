"""Retrieves candidates by all legs, fused."""

from dowse.query import show_tree, unparse_node
from dowse.schema import Problem, SearchRequest
from dowse.search.availability import Availability, list_damaged
from dowse.search.batch import Retrieved
from dowse.search.context import SearchContext
from dowse.search.deadline import Deadline
from dowse.search.legs.fused_ranking import FusedRanking, rank_fused
from dowse.search.stages.candidate import Candidate


def retrieve_fused(
    request: SearchRequest,
    context: SearchContext,
    reach: int,
    deadline: Deadline,
    available: Availability,
) -> Retrieved:
    """Finds the best chunks by words and vectors, or by vectors alone.

    Raises:
        DowseError: One of `EMBEDDING_ERRORS`: the question cannot be embedded.
    """
    ranking = rank_fused(context, request, available, reach, deadline)
    return build_retrieved(ranking, available, reach)


def build_retrieved(ranking: FusedRanking, available: Availability, reach: int) -> Retrieved:
    """Returns what a ranking of all legs found, for the stages."""
    query, words = ranking.query, ranking.words
    request, snapshot, plan = query.request, query.context.snapshot, words.ranking.plan
    vectors = available.vectors
    assert vectors is not None, "only what has vectors is ranked by them"
    # Without stages nothing looks beyond the page.
    fused = ranking.fused if request.has_stages else ranking.fused[:reach]
    return Retrieved(
        [Candidate(one.key, one.score) for one in fused],
        max(words.ranking.top.total, len(ranking.fused)),
        ranking.is_all,
        unparse_node(words.root) if words.root is not None else "",
        # A cross-encoder is asked what was asked; a hypothesis is an answer already.
        query.question.text or query.text,
        tuple(ranking.stages),
        lambda: plan.highlights(snapshot),
        ranking.explain,
        (*_problems(ranking), *list_damaged(vectors)),
        is_fuzzy=words.is_fuzzy,
        suggestion=words.suggestion,
        query_tree=tuple(show_tree(query.parsed.root)) if request.query_tree else (),
        coverage=vectors.coverage,
        note_impressions=available.note_impressions,
    )


def _problems(ranking: FusedRanking) -> tuple[Problem, ...]:
    """Returns what was wrong, each once."""
    query, words = ranking.query, ranking.words
    # A request with a hypothesis need not have words.
    has_query = bool(query.request.query.strip()) or not query.request.hypothesis
    found = (*query.parsed.problems, *words.ranking.plan.problems) if has_query else ()
    return tuple(
        dict.fromkeys((*found, *words.problems, *ranking.problems, *query.context.snapshot.problems))
    )
