"""Runs the stages that a request asks for, and answers requests that ask for any."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from dowse.kernels.layout import F32
from dowse.query import Parsed, show_tree, unparse_node
from dowse.schema import Problem, SearchRequest, SearchResponse, Stage
from dowse.search.lexical.expansion import expand, read_texts
from dowse.search.lexical.ranking import Page, Ranked
from dowse.search.lexical.searcher import Ranking, Searcher
from dowse.search.question import read_question
from dowse.search.stages import Candidate, CrossEncoderStage, DuplicatesStage, Evidence, MmrStage, RerankStage

POOL = 300
"""How many hits stages are given, at least, where more cost nothing; `find_reach` says how many they need."""


class Staged(NamedTuple):
    """What became of a ranking, the stages it went through, and what they could not do."""

    candidates: list[Candidate]
    stages: tuple[Stage, ...]
    problems: tuple[Problem, ...]


def iter_stages(request: SearchRequest) -> Iterator[RerankStage]:
    """Yields the stages of a request, in the order of `RERANK_STAGES`."""
    if request.dedupe:
        yield DuplicatesStage()
    if request.diversify is not None:
        yield MmrStage(request.diversify)
    if request.rerank:
        yield CrossEncoderStage(budget_ms=request.rerank_ms)


def find_reach(request: SearchRequest) -> int:
    """Returns how many hits the stages of a request need for its page.

    Hits that are folded into others leave room on the page, and later stages must be given the same hits
    whatever page is asked for: what they compare decides the order.
    """
    stages = list(iter_stages(request))
    compared = max((stage.depth for stage in stages if not stage.leaves_out), default=0)
    left_out = sum(stage.depth for stage in stages if stage.leaves_out)
    return max(request.offset + request.limit, compared) + left_out


def run_stages(
    searcher: Searcher, request: SearchRequest, candidates: list[Candidate], query: str
) -> Staged:
    """Sends a ranking through the stages of a request.

    Args:
        query: The question, in plain words.
    """
    clock = searcher.clock
    evidence = Evidence(
        lambda keys: read_texts(searcher, keys),
        query,
        lambda keys: _vectors(searcher, keys),
        searcher.backing.judge,
        clock,
    )
    stages, problems = [], []
    for stage in iter_stages(request):
        started = clock()
        found, reason, is_short, remedy = stage.rerank(candidates, evidence)
        stages.append(
            Stage(stage.name, (clock() - started) * 1e3, len(candidates), len(found), reason)
        )
        if is_short:
            problems.append(Problem("not-reranked", "rerank", reason, remedy))
        candidates = found
    return Staged(candidates, tuple(stages), tuple(problems))


def answer_in_stages(
    searcher: Searcher, request: SearchRequest, parsed: Parsed, started: float, without: range
) -> SearchResponse:
    """Answers by words a request that asks for stages or more words; takes what `Searcher.answer` does."""
    clock = searcher.clock
    parse_done = clock()
    wanted, reach = request.offset + request.limit, max(POOL, find_reach(request))
    ranking = searcher.rank(request, parsed.root, reach, without)
    rank_done, found = clock(), len(ranking.page.best)
    root, stages, problems = parsed.root, [], parsed.problems
    if request.expand != "none":
        root, ranking, note, lacking = expand(searcher, request, root, ranking, reach, without)
        stages.append(Stage("expand", (clock() - rank_done) * 1e3, found, len(ranking.page.best), note))
        problems += lacking
    best = ranking.page.best
    places = dict(zip(searcher.keys_of(best), best, strict=True))
    candidates = [Candidate(key, entry.score) for key, entry in places.items()]
    staged = run_stages(searcher, request, candidates, read_question(parsed.root).text)
    shown = staged.candidates[:wanted]
    text = unparse_node(root) if root is not None else ""
    page = _page_of(ranking, shown, places)
    response = searcher.respond(
        request,
        ranking._replace(page=page),
        problems + staged.problems,
        text,
        (started, parse_done),
        shown,
    )
    parse, plan, match, show = response.stages
    match = replace(match, ms=(rank_done - ranking.plan_done) * 1e3, hits_out=found)
    return replace(
        response,
        stages=(parse, plan, match, *stages, *staged.stages, show),
        query_tree=tuple(show_tree(root)) if request.query_tree else (),
    )


def _page_of(ranking: Ranking, shown: Sequence[Candidate], places: Mapping[int, Ranked]) -> Page:
    """Returns the page with hits in their new order."""
    page = Page(len(shown))
    page.best = [places[one.key]._replace(score=one.score) for one in shown]
    page.total, page.is_exact = ranking.page.total, ranking.page.is_exact
    return page


def _vectors(searcher: Searcher, keys: Sequence[int]) -> dict[int, F32]:
    vectors = searcher.backing.vectors()
    return {} if vectors is None else vectors.vectors(np.array(keys, np.int64))
