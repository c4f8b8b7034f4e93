"""The lexical leg of an answer: what the words find, and how they score what meaning found."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from dowse.fusion import FUSIONS
from dowse.matching.runs import LEAST_WORDS, find_runs
from dowse.query import Parsed, nodes
from dowse.schema import Problem, SearchRequest, Stage
from dowse.scoring import PRESETS
from dowse.scoring.idf import LUCENE_IDF
from dowse.scoring.model import K1, TermStatistics
from dowse.search.lexical.corrections import make_fuzzy
from dowse.search.lexical.expansion import expand, not_expanded
from dowse.search.lexical.ranking import Page
from dowse.search.lexical.searcher import Ranking, Searcher
from dowse.search.question import Question, read_question, read_widened

Place = tuple[int, int]
"""A segment and a row in it."""
OWN_NUMBERS = frozenset(parameter.name for kind in FUSIONS for parameter in kind.parameters)
"""The numbers of a request that are a fusion's, and none of the words' business."""
SIMILAR_INSTEAD = "similar words were searched for instead"
MEANING_ALONE = "meaning alone answers"
NO_WORDS = Problem(
    "no-words",
    "query",
    "meaning needs words, and patterns, filters and exclusions have none",
    "search by words: --keyword",
)
WORDS_K1 = 1.2
"""BM25F's k1 beside meaning. How much a text is about a word, vectors tell better than repetitions do: these
count less than where words rank alone (docs/decisions/0006-fusion-weights.md)."""

_CHOOSERS = (nodes.Filter, nodes.RangeFilter, nodes.Not)
"""What chooses among hits and does not change their order."""
RUN_BOOST = 1.5
"""What a run of all words adds to a score, as a multiple of it; a part of them adds its share
(docs/decisions/0009-runs-of-words.md)."""


class Words(NamedTuple):
    """What the words found.

    Attributes:
        request: What the lexical leg was asked.
        counts: Whether its hits are part of the answer; in mode ``semantic`` they are not.
        pool: How many hits it could bring at most.
        root: The query as it was ranked, similar and added words included.
        is_fuzzy: Whether similar words were searched for instead.
        suggestion: What was likely meant.
        problems: What was asked for and not done.
    """

    request: SearchRequest
    counts: bool
    pool: int
    parsed: Parsed
    root: nodes.Node | None
    ranking: Ranking
    is_fuzzy: bool
    suggestion: str
    expanded: Stage | None
    problems: tuple[Problem, ...] = ()


def read_words(searcher: Searcher, request: SearchRequest) -> tuple[SearchRequest, Parsed, Question]:
    """Returns what the words are asked, the query as it was read, and the question in it."""
    numbers = tuple((name, value) for name, value in request.parameters if name not in OWN_NUMBERS)
    is_usual = request.model is None and request.preset == PRESETS[0].name
    if is_usual and all(name != K1.name for name, _ in numbers):
        numbers += ((K1.name, WORDS_K1),)
    # What comes after fusing is none of the words' business.
    asked = replace(request, mode="bm25f", parameters=numbers, dedupe=False, diversify=None, rerank=False)
    parsed = searcher.read(asked)
    typed = searcher.read_typed(asked) if request.synonyms else parsed.root
    if request.fuzzy == "always" and parsed.root is not None:
        parsed = parsed._replace(root=make_fuzzy(parsed.root))
    return asked, parsed, read_widened(parsed.root, typed)


def ask_words(
    searcher: Searcher, request: SearchRequest, asked: SearchRequest, parsed: Parsed, pool: int
) -> Words:
    """Ranks by words, with similar ones when none of them is there.

    Where meaning answers alone, the query is only read: which words are shown, and what is wrong with it.

    Args:
        asked: What `read_words` made of the request, with `parsed`.
        pool: How many hits are wanted at most.
    """
    if request.mode == "semantic":
        return _read_only(searcher, request, asked, parsed, pool)
    ranking = searcher.rank(asked, parsed.root, pool)
    is_fuzzy, suggestion, root = False, "", parsed.root
    if request.fuzzy == "auto" and ranking.page.total < request.limit and parsed.root is not None:
        plain = replace(asked, limit=1, offset=0, snippets=False, explain=False, expand="none")
        second = searcher.search(plain)
        suggestion = second.suggestion
        if second.is_fuzzy:
            is_fuzzy, root = True, make_fuzzy(parsed.root)
            ranking = searcher.rank(asked, root, pool)
    words = Words(asked, True, pool, parsed, root, ranking, is_fuzzy, suggestion, None)
    return words if request.expand == "none" else _expand(searcher, words, pool)


def _read_only(
    searcher: Searcher, request: SearchRequest, asked: SearchRequest, parsed: Parsed, pool: int
) -> Words:
    """Returns words that found nothing, for they are no part of the answer."""
    ranking = searcher.rank(asked, parsed.root, 1)._replace(page=Page(pool))
    words = Words(asked, False, pool, parsed, parsed.root, ranking, False, "", None)
    if request.expand != "none":
        words = _expand(searcher, words, pool)
    has_words = bool(request.hypothesis or read_question(parsed.root).text)
    # A query of nothing at all is a problem already.
    return words if has_words or parsed.root is None else words._replace(problems=(*words.problems, NO_WORDS))


def _expand(searcher: Searcher, words: Words, pool: int) -> Words:
    started, found = searcher.clock(), len(words.ranking.page.best)
    if not words.counts:
        expanded = not_expanded(words.request, words.root, words.ranking, MEANING_ALONE)
    elif words.is_fuzzy:
        expanded = not_expanded(words.request, words.root, words.ranking, SIMILAR_INSTEAD)
    else:
        expanded = expand(searcher, words.request, words.root, words.ranking, pool)
    root, ranking, note, problems = expanded
    ms = (searcher.clock() - started) * 1e3
    stage = Stage("expand", ms, found, len(ranking.page.best), note)
    return words._replace(root=root, ranking=ranking, expanded=stage, problems=problems)


def score_by_words(searcher: Searcher, words: Words, found: Mapping[Place, int]) -> dict[int, float]:
    """Returns scores by words of chunks that meaning brought, their keys by place; of those that have any."""
    if len(words.ranking.page.best) < words.pool or not found:
        return {}  # the words brought all that have any
    only = [np.zeros(segment.reader.row_count, np.uint8) for segment in searcher.snapshot.segments]
    for segment, row in found:
        only[segment][row] = 1
    page = searcher.rank(words.request, words.root, len(found), only=only).page
    return {found[entry.segment, entry.row]: entry.score for entry in page.best}


def find_run_factors(searcher: Searcher, words: Words, places: Mapping[int, Place]) -> dict[int, float]:
    """Returns what scores by words are multiplied by, of chunks that have a run of the query's words.

    Args:
        places: Of the chunks that are looked at, by key.
    """
    root = words.parsed.root
    if words.is_fuzzy or type(root) is not nodes.BagOfWords:
        return {}
    asked = [item for item in root.items if type(item) not in _CHOOSERS]
    texts = [item.text for item in asked if type(item) is nodes.Word]
    if not LEAST_WORDS <= len(texts) == len(asked):
        return {}  # too few, or what stands between two of them is more than white space
    doc_count = searcher.snapshot.doc_count
    chunks = _by_segment(places, len(searcher.snapshot.segments))
    rows = [np.array([row for row, _ in own], np.uint32) for own in chunks]
    factors: dict[int, float] = {}
    for reading in searcher.word_reader(words.request.tree).phrases(" ".join(texts)):
        found = find_runs(
            searcher.snapshot,
            reading,
            lambda doc_freq: LUCENE_IDF.value(TermStatistics(doc_freq, doc_count)),
            rows,
        )
        for own, shares in zip(chunks, found, strict=True):
            for at in shares.nonzero()[0].tolist():
                key, factor = own[at][1], 1.0 + RUN_BOOST * float(shares[at])
                factors[key] = max(factors.get(key, 1.0), factor)
    return factors


def _by_segment(places: Mapping[int, Place], count: int) -> list[list[tuple[int, int]]]:
    """Returns, per segment, rows with their keys, ascending."""
    found: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    for key, (segment, row) in places.items():
        found[segment].append((row, key))
    for own in found:
        own.sort()
    return found
