"""Any query gets an answer that adds up, pages and points at what it found (`search`, invariants)."""

import functools

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import astuple
from strategies import QUERIES, TEXTS, WORD_TEXTS

import dowse
from dowse.analysis import Analyzer
from dowse.query import parse_query
from dowse.results import cut_snippet
from dowse.scoring import PRESETS
from dowse.search.lexical.searcher import LexicalSearcher

ANALYZER = Analyzer()
PRESET_NAMES = st.sampled_from([preset.name for preset in PRESETS])

DOCUMENTS = (
    ("tea.md", "# Green tea\n\nGreen tea is steeped at 80 °C. Water for green tea must not boil.\n"),
    ("code.md", "# getUserById\n\nA call.\n\n```python\ndef get_user_by_id(x):\n    return x\n```\n"),
    ("errors.md", "---\ntags: [error-handling]\n---\n\nThe handling of errors: naïve, then C++.\n"),
    ("wide.txt", "tea " * 300 + "water the of and"),
    ("script.txt", "漢字のテキスト ไทย straße don't 2026.4.10 x"),
    ("blank.txt", " \n"),
    ("twin-a.txt", "tea water"),
    ("twin-b.txt", "tea water"),
)


@functools.cache
def small_index() -> dowse.Index:
    """An index of several segments, with deletions and two languages."""
    index = dowse.open(":memory:")
    for number, (key, text) in enumerate(DOCUMENTS):
        index.add(key, text, path=key, format="markdown" if key.endswith(".md") else "text")
        index.add("gone", "green tea, replaced again and again")
        index.add(f"other-{number}", text[:40], tree="other")
        if number % 3 == 2:
            index.commit()
    index.delete("gone")
    index.commit()
    return index


@given(QUERIES, PRESET_NAMES)
@settings(max_examples=150, deadline=None)
def test_every_query_gets_an_answer_that_adds_up(query, preset):
    """No string is an error; each hit's explanation is its score, exactly, part by part."""
    request = dowse.SearchRequest(query, preset=preset, explain=True, limit=30)
    response = small_index().search(request)
    scores = [hit.score for hit in response.hits]
    assert scores == [hit.explanation.value for hit in response.hits]
    assert sorted(scores, reverse=True) == scores
    for hit in response.hits:
        total = 0.0
        for part in hit.explanation.parts:
            total += part.value
        assert hit.score == total
    assert len(response.hits) <= response.total
    assert list(range(1, len(scores) + 1)) == [hit.rank for hit in response.hits]


@given(QUERIES)
@settings(max_examples=60, deadline=None)
def test_the_same_request_gives_the_same_response(query):
    """Timings apart, asking twice changes nothing (invariant 3)."""
    first, second = small_index().search(query), small_index().search(query)
    assert (first.hits, first.total, first.problems) == (second.hits, second.total, second.problems)


@given(QUERIES, st.integers(1, 5), PRESET_NAMES)
@settings(max_examples=80, deadline=None)
def test_pages_put_together_are_the_long_page(query, size, preset):
    """Ranking happens before paging: page two continues page one (invariant 1)."""
    index = small_index()
    long_page = index.search(dowse.SearchRequest(query, limit=100, preset=preset)).hits
    pages = []
    for offset in range(0, len(long_page) + size, size):
        request = dowse.SearchRequest(query, limit=size, offset=offset, preset=preset)
        pages += index.search(request).hits
    assert list(long_page) == pages


@given(QUERIES)
@settings(max_examples=60, deadline=None)
def test_snippets_may_be_left_out(query):
    """Without snippets the same chunks come in the same order with the same scores."""
    bare = small_index().search(dowse.SearchRequest(query, snippets=False)).hits
    shown = small_index().search(query).hits
    assert [astuple(hit)[:5] for hit in shown] == [astuple(hit)[:5] for hit in bare]


@given(QUERIES)
@settings(max_examples=80, deadline=None)
def test_a_tree_gives_its_share_of_the_whole(query):
    """Hits of one tree are that tree's hits among all; scores are its own, for statistics are."""
    index = small_index()
    everything = index.search(dowse.SearchRequest(query, limit=100, fuzzy="never")).hits
    for tree in ("default", "other"):
        mine = index.search(dowse.SearchRequest(query, limit=100, tree=tree, fuzzy="never")).hits
        expected = sorted((hit.doc_key, hit.chunk) for hit in everything if hit.tree == tree)
        assert expected == sorted((hit.doc_key, hit.chunk) for hit in mine)


@given(QUERIES)
@settings(max_examples=120, deadline=None)
def test_exclusions_and_phrases_decide_which_chunks_may_appear(query):
    """Adding an exclusion removes exactly the chunks that match it; order and scores stay."""
    index = small_index()
    before = index.search(dowse.SearchRequest(query, limit=100, fuzzy="never"))
    if not before.hits or parse_query(query).problems:
        return
    with_water = {
        (hit.tree, hit.doc_key, hit.chunk)
        for hit in index.search(dowse.SearchRequest("water", limit=100)).hits
    }
    after = index.search(dowse.SearchRequest(f"{query} -water", limit=100, fuzzy="never")).hits
    expected = [hit for hit in before.hits if astuple(hit)[2:5] not in with_water]
    assert [astuple(hit)[1:5] for hit in expected] == [astuple(hit)[1:5] for hit in after]


def assert_sound_highlights(snippet: str, highlights, terms) -> None:
    """Ranges lie inside the text, ascend, do not touch, and hold what was asked for."""
    end_before = -1
    for start, end in highlights:
        assert end_before < start < end <= len(snippet)
        found = set(ANALYZER.spans(snippet[start:end]).terms)
        assert found & set(terms), (snippet[start:end], terms)
        end_before = end


@given(QUERIES)
@settings(max_examples=80, deadline=None)
def test_highlights_of_hits_are_sound(query):
    """What a snippet marks are the query's terms."""
    index = small_index()
    request, context = dowse.SearchRequest(query, limit=30, fuzzy="never"), index.answering(None).current()
    searcher = LexicalSearcher(context)
    plan = searcher.rank(request, searcher.read(request).root, 1).plan
    terms = plan.highlights(context.snapshot)
    for hit in index.search(request).hits:
        assert_sound_highlights(hit.snippet.text, hit.snippet.highlights, terms)
        assert hit.line_start <= hit.snippet.line <= hit.line_end


@given(st.lists(TEXTS, max_size=8).map("\n".join), WORD_TEXTS, st.integers(20, 260))
@settings(max_examples=120, deadline=None)
def test_snippets_are_sound(text, query, max_chars):
    """Any text gives a snippet that is not too long, with sound highlights and a line inside it."""
    terms = {token.term for token in ANALYZER.query_tokens(query)}
    snippet, highlights, lines_before = cut_snippet(text, terms, ANALYZER, max_chars)
    assert_sound_highlights(snippet, highlights, terms)
    assert 0 <= lines_before <= text.count("\n")
    has_match = bool(terms & set(ANALYZER.spans(text).terms))
    assert has_match == bool(highlights)
