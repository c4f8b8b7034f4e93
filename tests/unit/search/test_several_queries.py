"""Several queries in one request, and how a query was read."""

from collections.abc import Iterable

import pytest

import dowse


@pytest.fixture(scope="module")
def index() -> Iterable[dowse.Index]:
    """Three short texts."""
    with dowse.open(":memory:") as index:
        for key, text in {"tea": "green tea", "bus": "a yellow bus", "sky": "blue sky"}.items():
            index.add(key, text, title="-")
        index.commit()
        yield index


def keys(index: dowse.Index, query: str, **changes: object) -> list[str]:
    """Returns the keys of all hits, in order of the alphabet."""
    return sorted(hit.doc_key for hit in index.search(dowse.SearchRequest(query, **changes)).hits)


@pytest.mark.parametrize(
    ("mode", "query", "also"),
    [
        ("bm25f", "tea", ("yellow bus",)),
        ("bm25f", '"green tea', ("bus",)),
        ("boolean", "green tea", ("yellow bus",)),
        ("phrase", "green tea", ("yellow bus",)),
        ("exact", "reen t", ("ow bu",)),
        ("prefix", "gre", ("yel", "zzz")),
    ],
)
def test_hits_of_any_query_answer_in_every_mode(index, mode, query, also):
    """Each query is read on its own, in the way of the mode."""
    assert ["bus", "tea"] == keys(index, query, mode=mode, also=also)


def test_problems_say_which_query_they_are_about(index):
    """The second query has a quotation mark too many."""
    problems = index.search(dowse.SearchRequest("tea", also=('"bus',))).problems
    assert ["query 2, character 0"] == [problem.location for problem in problems]


def test_fields_bind_all_queries(index):
    """A field for the request counts for each of its queries."""
    assert [] == keys(index, "tea", also=("bus",), fields=("headings",))
    assert ["bus", "tea"] == keys(index, "tea", also=("bus",), fields=("headings", "body"))


def test_the_query_tree_shows_what_was_searched(index):
    """One line a part, similar words included; without being asked, nothing."""
    request = dowse.SearchRequest("gren -bus", query_tree=True, fuzzy="always")
    assert ("most of", "  fuzzy “gren”", "  not", "    word “bus”") == index.search(request).query_tree
    assert () == index.search("gren -bus").query_tree
