"""Every kind of node, alone and nested, matches exactly what reading every text finds."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import astuple

import dowse
from dowse.query import nodes, parse_query, unparse_node
from dowse.search.lexical.retrieval import retrieve_parsed
from dowse.search.pipeline import answer
from support.scan import Scan, Text

WORDS = [
    "tea", "teas", "green", "greens", "the", "of", "error-handling", "error", "handling",
    "getUserById", "naïve", "smith", "smyth", "receive", "recieve", "receives", "c++",
]  # fmt: skip
PATHS = ["", "guide/tea.md", "guide/deep/green.txt", "notes/of.md"]
TAGS = st.lists(st.sampled_from(["drink", "Code", "error"]), max_size=2, unique=True).map(tuple)
SENTENCES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=10).map(" ".join)
DOCUMENTS = st.lists(
    st.tuples(SENTENCES, SENTENCES, st.sampled_from(PATHS), TAGS), min_size=1, max_size=7
).map(
    lambda rows: [Text(f"{number}", *row) for number, row in enumerate(rows)]
)
SPREADS = ("one segment", "one each", "by three, some deleted")

WORD = st.sampled_from([*WORDS, "absent"]).map(nodes.Word)
TELLING_WORD = WORD.filter(lambda word: word.text not in ("the", "of"))
PHRASE = st.builds(
    nodes.Phrase, st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join), st.integers(0, 3)
)
PATTERNS = st.one_of(
    st.sampled_from(["te", "gr", "error-h", "re", "x"]).map(nodes.Prefix),
    st.sampled_from(["t*a", "*ing", "gr??n*", "*", "re*ve?", "?he"]).map(nodes.Wildcard),
    st.sampled_from(["t.a", "(green|tea)s?", "[a-e].*", "sm[iy]th"]).map(nodes.Regex),
    st.builds(
        nodes.Fuzzy,
        st.sampled_from(["recieve", "grean", "smith", "ta", "eerror", "receivess"]),
        st.sampled_from([None, 0, 1, 2]),
    ),
    st.sampled_from(["smith", "smythe", "tee", "c++"]).map(nodes.Sounds),
)
EXACT = st.sampled_from(["tea", "een t", "r-h", "of the", "zzz", "Tea G", "e"]).map(nodes.Exact)
FILTERS = st.sampled_from(
    [
        nodes.Filter("ext", ("md",)),
        nodes.Filter("ext", ("md", "txt")),
        nodes.Filter("tag", ("DRINK",)),
        nodes.Filter("dir", ("guide",)),
        nodes.Filter("dir", ("deep",)),
    ]
)
LEAVES = st.one_of(WORD, WORD, PHRASE, PATTERNS, EXACT, FILTERS)


def _places(inner: st.SearchStrategy) -> st.SearchStrategy:
    items = st.lists(inner, min_size=2, max_size=3).map(tuple)
    return st.one_of(
        st.builds(nodes.Near, items, st.integers(0, 4), st.booleans()),
        st.builds(nodes.First, inner, st.integers(0, 5)),
        items.map(nodes.Or),
    )


PLACES = st.recursive(st.one_of(WORD, PHRASE.map(lambda p: nodes.Phrase(p.text))), _places, max_leaves=4)
ROOT_PLACES = PLACES.filter(lambda node: isinstance(node, (nodes.Near, nodes.First)))


def _nested(inner: st.SearchStrategy) -> st.SearchStrategy:
    items = st.lists(inner, min_size=2, max_size=4).map(tuple)
    return st.one_of(
        items.map(nodes.And),
        items.map(nodes.Or),
        items.map(nodes.BagOfWords),
        inner.filter(lambda node: not isinstance(node, nodes.Not)).map(nodes.Not),
        st.builds(nodes.Boosted, inner, st.sampled_from([0.5, 2.0, 0.0])),
        st.builds(nodes.Scoped, st.sampled_from(["title", "body", "tags"]), inner),
        st.builds(nodes.Quorum, items, st.integers(1, 4), st.none()),
        st.builds(nodes.Quorum, items, st.none(), st.sampled_from([0.3, 0.6, 1.0])),
    )


TREES = st.recursive(st.one_of(LEAVES, ROOT_PLACES), _nested, max_leaves=7)


@contextmanager
def index_of(texts: list[Text], spread: str) -> Iterator[dowse.Index]:
    """Opens an index of the texts; what is deleted was there before and must not show."""
    with dowse.open(":memory:") as index:
        for number, text in enumerate(texts):
            if spread.endswith("deleted"):
                index.add(f"gone-{number}", text.body, title=text.title, path=text.path, tags=text.tags)
            index.add(text.key, text.body, title=text.title, path=text.path, tags=text.tags)
            if spread == "one each" or (spread.startswith("by three") and number % 3 == 2):
                index.commit()
        index.commit()
        if spread.endswith("deleted"):
            for number in range(len(texts)):
                assert index.delete(f"gone-{number}")
            index.commit()
        yield index


def found_by(index: dowse.Index, root: nodes.Node, **changes: object) -> dowse.SearchResponse:
    """Answers a tree as the pipeline does after parsing."""
    context = index.answering(None).current()
    request = dowse.SearchRequest("", limit=1000, snippets=False, fuzzy="never", **changes)
    parsed = parse_query("x")._replace(root=root)
    return answer(
        request, context, lambda asked, own, reach, _: retrieve_parsed(asked, own, reach, parsed, 0.0)
    )


@pytest.mark.parametrize("spread", SPREADS)
@given(texts=DOCUMENTS, root=TREES)
@settings(max_examples=40, deadline=None)
def test_a_query_matches_what_a_scan_finds(spread, texts, root):
    """The same documents, whatever the query, however they are spread over segments."""
    assert_same_as_a_scan(texts, root, spread)


@pytest.mark.slow
@given(texts=DOCUMENTS, root=TREES, spread=st.sampled_from(SPREADS))
@settings(max_examples=1500, deadline=None)
def test_many_queries_match_what_a_scan_finds(texts, root, spread):
    """The same, for many more."""
    assert_same_as_a_scan(texts, root, spread)


def assert_same_as_a_scan(texts: list[Text], root: nodes.Node, spread: str) -> None:
    """Compares the documents a query finds with those that reading every text finds."""
    with index_of(texts, spread) as index:
        response = found_by(index, root)
        found = [hit.doc_key for hit in response.hits]
        assert len(found) == len(set(found)) == response.total
        assert Scan(texts).keys(root) == set(found), unparse_node(root)


@pytest.mark.parametrize("model", [None, "bm25", "bm25plus", "lm-dirichlet", "dfr"])
@given(texts=DOCUMENTS, root=TREES)
@settings(max_examples=12, deadline=None)
def test_every_score_is_explained(model, texts, root):
    """The explanation of every hit of every kind of query adds up to its score exactly."""
    with index_of(texts, "by three, some deleted") as index:
        plain = found_by(index, root, model=model)
        explained = found_by(index, root, model=model, explain=True)
        assert [astuple(hit)[:5] for hit in plain.hits] == [astuple(hit)[:5] for hit in explained.hits]
        for hit in explained.hits:
            assert hit.score == hit.explanation.value


@given(texts=DOCUMENTS, root=TREES)
@settings(max_examples=25, deadline=None)
def test_segments_do_not_change_scores(texts, root):
    """One segment and many give the same hits with the same scores."""
    answers = []
    for spread in SPREADS:
        with index_of(texts, spread) as index:
            answers.append({hit.doc_key: hit.score for hit in found_by(index, root).hits})
    assert answers[0] == answers[1] == answers[2]


@given(
    texts=DOCUMENTS,
    items=st.tuples(TELLING_WORD, TELLING_WORD),
    keep=st.integers(1, 4),
    spread=st.sampled_from(SPREADS),
)
@settings(max_examples=40, deadline=None)
def test_weak_and_keeps_the_best(texts, items, keep, spread):
    """The first hits of the same items in any number, and no others; they bind where others are asked for."""
    with index_of(texts, spread) as index:
        ranked = [(hit.doc_key, hit.score) for hit in found_by(index, nodes.Or(items)).hits]
        kept = found_by(index, nodes.WeakAnd(items, keep))
        assert ranked[:keep] == [(hit.doc_key, hit.score) for hit in kept.hits]
        both = found_by(index, nodes.And((nodes.WeakAnd(items, keep), nodes.Word("tea"))))
        assert {hit.doc_key for hit in both.hits} <= {key for key, _ in ranked[:keep]}
