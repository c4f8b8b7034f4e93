"""Words beside filters mean the same with a short plan as bound part by part."""

import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dowse
from dowse.engine.trees import PUSHED_TREE

WORDS = ("green", "tea", "milk", "coffee", "cups", "the", "error-handling", "c++", "nowhere")
FILTERS = (
    "ext:md", "ext:txt", ".txt", "tag:hot", "tag:cold", "date:2023..", "date:..2022", "dir:notes",
    "path:drink", "size:>10", "author:ann", "meta.rank:>2", "ext:none", "lang:english", "type:markdown",
)  # fmt: skip
DATES = [datetime.date(2020 + number % 6, 1 + number % 12, 3) for number in range(40)]


def path_of(number):
    """Returns where a text lies."""
    return f"{'notes' if number % 3 else 'drinks'}/text{number}.{'md' if number % 2 else 'txt'}"


@pytest.fixture(scope="module", params=[1, 3], ids=["one segment", "three segments"])
def index(request):
    """Forty small texts with metadata; where there are several segments, some are deleted."""
    with dowse.open(":memory:") as index:
        for number, date in enumerate(DATES):
            body = " ".join(WORDS[(number * step + step) % 8] for step in range(1, 4 + number % 5))
            path = path_of(number)
            front = f"---\ndate: {date}\nauthor: {'Ann' if number % 4 else 'Bob'}\nrank: {number % 6}\n---\n"
            tags = [("hot", "cold", "warm")[number % 3]]
            index.add(path, front + body, path=path, tags=tags, format="markdown")
            if request.param > 1 and number in (12, 25):
                index.commit()
        index.commit()
        if request.param > 1:
            for number in (5, 14, 30):
                index.delete(path_of(number))
            index.commit()
        yield index


def ask(index, query, **options):
    """Returns an answer, and what of it must not depend on how the query is planned."""
    response = index.search(dowse.SearchRequest(query, fuzzy="never", **options))
    hits = [(hit.doc_key, hit.score, hit.snippet) for hit in response.hits]
    return hits, response.total, response.total_is_exact, response.interpretation, response.problems


parts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5)
filters = st.lists(st.tuples(st.sampled_from(["", "-"]), st.sampled_from(FILTERS)), min_size=1, max_size=4)


@settings(max_examples=150, deadline=None)
@given(words=parts, wanted=filters, order=st.randoms(use_true_random=False), limit=st.sampled_from([1, 50]))
def test_words_with_filters_are_answered_as_bound_part_by_part(index, words, wanted, order, limit):
    """An answer that explains itself is bound part by part; everything else of it is the same without."""
    items = [*words, *("".join(pair) for pair in wanted)]
    order.shuffle(items)
    query = " ".join(items)
    assert ask(index, query, limit=limit, explain=True) == ask(index, query, limit=limit)


@pytest.mark.parametrize("query", ["green tea ext:md date:2023..", "tea -ext:md", "milk coffee tag:cold .md"])
def test_a_scope_narrows_words_with_filters_too(index, query):
    """The folder that is searched counts beside the filters."""
    scope = {"tree": PUSHED_TREE, "under": "notes/"}
    hits, *_ = ask(index, query, **scope)
    assert hits
    assert ask(index, query, explain=True, **scope) == ask(index, query, **scope)


def test_words_with_filters_need_no_tree(index, monkeypatch):
    """Nothing is bound part by part."""
    monkeypatch.delattr("dowse.search.lexical.searcher.build_plan")
    hits, *_ = ask(index, "green tea date:2020.. -tag:cold ext:md")
    assert hits
