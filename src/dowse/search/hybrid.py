"""Answers by meaning, alone or together with words: cuts a page from the ranking of both, and shows it."""

from collections.abc import Sequence

from msgspec.structs import replace

from dowse.query import show_tree, unparse_node
from dowse.schema import Explanation, Hit, Problem, SearchRequest, SearchResponse, Stage
from dowse.search.hits import build_hits
from dowse.search.legs.explanations import explain_fused
from dowse.search.legs.hybrid_ranking import MeaningRanking, SemanticLeg, Stopwatch, rank_by_meaning
from dowse.search.legs.lexical import Words
from dowse.search.lexical.ranking import Ranked
from dowse.search.lexical.searcher import Searcher
from dowse.search.reranking import Staged, find_reach, iter_stages, run_stages
from dowse.search.stages import Candidate


def answer_by_meaning(searcher: Searcher, request: SearchRequest, leg: SemanticLeg) -> SearchResponse:
    """Answers a request whose mode is ``semantic`` or ``hybrid``, or one that may be answered so."""
    ranking = rank_by_meaning(searcher, request, leg, find_reach(request))
    staged = _stage(searcher, request, ranking)
    lap = Stopwatch(searcher.clock)
    words, page = ranking.words, staged.candidates[request.offset : request.offset + request.limit]
    hits = _show(searcher, request, ranking, page)
    leg.tell_shown([one.key for one in page])
    stages = (*ranking.stages, *staged.stages, Stage("show", lap.ms(), len(page), len(hits)))
    return SearchResponse(
        request,
        tuple(hits),
        max(words.ranking.page.total, len(ranking.fused)),
        ranking.is_all,
        unparse_node(words.root) if words.root is not None else "",
        searcher.snapshot.generation,
        stages,
        (*_problems(words, searcher), *staged.problems),
        words.is_fuzzy,
        words.suggestion,
        tuple(show_tree(words.parsed.root)) if request.query_tree else (),
        leg.vectors.coverage,
    )


def _stage(searcher: Searcher, request: SearchRequest, ranking: MeaningRanking) -> Staged:
    """Sends a ranking through the stages of a request; only they look beyond the page."""
    reach = None if any(iter_stages(request)) else request.offset + request.limit
    candidates = [Candidate(one.key, one.score) for one in ranking.fused[:reach]]
    # A judge is asked what was asked; a hypothesis is an answer already.
    return run_stages(searcher, request, candidates, ranking.question.text or ranking.text)


def show_ranked(searcher: Searcher, request: SearchRequest, ranking: MeaningRanking, rank: int) -> Hit:
    """Returns one hit of a ranking, as the page has it that shows it."""
    one = ranking.fused[rank - 1]
    page = [Candidate(one.key, one.score)]
    (hit,) = _show(searcher, replace(request, offset=rank - 1), ranking, page)
    return hit


def _show(
    searcher: Searcher, request: SearchRequest, ranking: MeaningRanking, page: Sequence[Candidate]
) -> list[Hit]:
    """Returns the hits of a page."""
    plan = ranking.words.ranking.plan
    explanations: list[Explanation] = []
    if request.explain:
        explanations = [
            one.explain(explain_fused(searcher, ranking.tier_of(one.key), ranking.get(one.key)))
            for one in page
        ]
    hits = build_hits(
        searcher.snapshot,
        [Ranked(*ranking.tier_of(one.key).found.places[one.key], one.score) for one in page],
        explanations,
        request.offset + 1,
        plan.highlights(searcher.snapshot) if request.snippets else plan.terms,
        searcher.shared_analyzers if request.snippets else None,
    )
    return [
        replace(hit, duplicate_count=one.duplicate_count) if one.duplicate_count else hit
        for hit, one in zip(hits, page, strict=True)
    ]


def _problems(words: Words, searcher: Searcher) -> tuple[Problem, ...]:
    """Returns what was wrong, each once."""
    # Who has a hypothesis need not have words.
    has_query = bool(words.request.query.strip()) or not words.request.hypothesis
    found = (*words.parsed.problems, *words.ranking.plan.problems) if has_query else ()
    return tuple(dict.fromkeys((*found, *words.problems, *searcher.snapshot.problems)))
