"""Retrieves candidates by words alone."""

from msgspec import Struct
from msgspec.structs import replace

from dowse.query import Parsed, nodes, plain_words, show_tree, unparse_node
from dowse.schema import Explanation, Problem, SearchRequest, Stage
from dowse.search.batch import Retrieved
from dowse.search.context import SearchContext
from dowse.search.lexical.corrections import correct, make_fuzzy
from dowse.search.lexical.ranking import Ranking
from dowse.search.lexical.row_addresses import build_candidates, find_addresses
from dowse.search.lexical.searcher import NO_CHUNKS, LexicalSearcher
from dowse.search.lexical.weighting import explain_row
from dowse.search.modes import get_mode
from dowse.search.question import read_question


class Attempt(Struct, frozen=True):
    """One way to read the query, and what it found.

    Attributes:
        root: The query as it was ranked, added words included; None for plain words, which need no tree.
        text: The query as it was understood.
        times: When work on the request began, and when the query was read.
        rank_done: When the first ranking ended.
        found: How many chunks it had.
        expanded: The step that added words, if there was one.
        problems: What was wrong with the query, and what could not be added to it.
    """

    root: nodes.Node | None
    text: str
    ranking: Ranking
    times: tuple[float, float]
    rank_done: float
    found: int
    expanded: tuple[Stage, ...] = ()
    problems: tuple[Problem, ...] = ()
    is_fuzzy: bool = False
    suggestion: str = ""


def retrieve_words(request: SearchRequest, context: SearchContext, reach: int) -> Retrieved:
    """Finds the best chunks by words; similar words when none of them is there.

    Args:
        reach: How many candidates the stages of the request need.
    """
    started = context.clock()
    searcher = LexicalSearcher(context)
    tables = context.tables(request)
    words = _plain_words(request) if tables.model.combines_fields else None
    if words:
        text, parse_done = " ".join(words), context.clock()
        ranking = searcher.rank_words(request, text, tables)
        found = len(ranking.top.best)
        attempt = Attempt(None, text, ranking, (started, parse_done), context.clock(), found)
        if ranking.top.total < request.limit and request.fuzzy != "never":
            attempt = _look_again(searcher, request, searcher.read(request), attempt, reach)
        return _finish(request, context, attempt, "")
    parsed = searcher.read(request)
    root = parsed.root
    if request.fuzzy == "always" and root is not None:
        parsed = parsed._replace(root=make_fuzzy(root))
    attempt = _attempt(searcher, request, parsed, started, reach)
    if request.fuzzy == "auto" and root is not None and attempt.ranking.top.total < request.limit:
        attempt = _look_again(searcher, request, parsed, attempt, reach)
    return _finish(request, context, attempt, _question_of(request, parsed))


def retrieve_parsed(
    request: SearchRequest,
    context: SearchContext,
    reach: int,
    parsed: Parsed,
    started: float,
    without: range = NO_CHUNKS,
) -> Retrieved:
    """Finds the best chunks for a query that was read already, and looks for no other words.

    Args:
        started: When work on the request began.
        without: Keys of chunks that are no hits, however well they match.
    """
    attempt = _attempt(LexicalSearcher(context), request, parsed, started, reach, without)
    return _finish(request, context, attempt, _question_of(request, parsed))


def _question_of(request: SearchRequest, parsed: Parsed) -> str:
    """Returns the query in plain words, which only stages ask for."""
    return read_question(parsed.root).text if request.has_stages else ""


def _plain_words(request: SearchRequest) -> list[str] | None:
    """Returns the words of a request that asks for nothing else, in no special way; None for others."""
    if (
        request.default_operator != "ranked"
        or request.fuzzy == "always"
        or request.explain
        or request.fields
        or request.also
        or request.synonyms
        or request.query_tree
        or request.has_stages
        or not get_mode(request.mode).reads_language
    ):
        return None
    return plain_words(request.query)


def _attempt(
    searcher: LexicalSearcher,
    request: SearchRequest,
    parsed: Parsed,
    started: float,
    reach: int,
    without: range = NO_CHUNKS,
) -> Attempt:
    clock = searcher.context.clock
    parse_done = clock()
    root, problems = parsed.root, parsed.problems
    ranking = searcher.rank(request, root, reach, without)
    rank_done, found = clock(), len(ranking.top.best)
    stages: tuple[Stage, ...] = ()
    if request.expand != "none":
        from dowse.search.lexical.expansion import expand

        root, ranking, note, lacking = expand(searcher, request, root, ranking, reach, without)
        stages = (Stage("expand", (clock() - rank_done) * 1e3, found, len(ranking.top.best), note),)
        problems += lacking
    text = unparse_node(root) if root is not None else ""
    return Attempt(root, text, ranking, (started, parse_done), rank_done, found, stages, problems)


def _look_again(
    searcher: LexicalSearcher, request: SearchRequest, parsed: Parsed, attempt: Attempt, reach: int
) -> Attempt:
    """Looks for similar words when nothing was found, and for what was likely meant when little was."""
    context, root = searcher.context, parsed.root
    assert root is not None
    likely = correct(root, context.tree_analyzers(request.tree), context.snapshot)
    if not attempt.ranking.top.total:
        fuzzy = make_fuzzy(root)
        if fuzzy != root:
            again = _attempt(searcher, request, parsed._replace(root=fuzzy), attempt.times[0], reach)
            if again.ranking.top.total:
                attempt = replace(again, is_fuzzy=True)
    return attempt if likely == root else replace(attempt, suggestion=unparse_node(likely))


def _finish(request: SearchRequest, context: SearchContext, attempt: Attempt, question: str) -> Retrieved:
    plan, weighted, top, plan_done = attempt.ranking
    (started, parse_done), snapshot = attempt.times, context.snapshot

    def explain(key: int) -> Explanation:
        address = find_addresses(snapshot, [key])[key]
        return explain_row(weighted, snapshot, *address, context.tables(request))

    stages = (
        Stage("parse", (parse_done - started) * 1e3, 0, 0),
        Stage("plan", (plan_done - parse_done) * 1e3, 0, 0, f"{plan.scored_count} scored"),
        Stage("match", (attempt.rank_done - plan_done) * 1e3, snapshot.doc_count, attempt.found),
        *attempt.expanded,
    )
    return Retrieved(
        build_candidates(snapshot, top.best),
        top.total,
        top.is_exact,
        attempt.text,
        question,
        stages,
        lambda: plan.highlights(snapshot),
        explain,
        attempt.problems + plan.problems + snapshot.problems,
        is_fuzzy=attempt.is_fuzzy,
        suggestion=attempt.suggestion,
        query_tree=tuple(show_tree(attempt.root)) if request.query_tree else (),
    )
