"""What else is like a document, a chunk or a text."""

from collections.abc import Iterable

import pytest

import dowse
from dowse.errors import DocumentNotFoundError, InvalidParameterError, UnknownTreeError
from dowse.similar import SimilarSettings

TEXTS = {
    "green": "green tea leaves are steeped",
    "black": "black tea leaves are steeped longer",
    "paint": "green paint dries slowly",
    "bus": "the bus stops here",
    "many": "# Tea\n\ngreen tea\n\n# Bus\n\nyellow bus stops\n",
}


@pytest.fixture(scope="module")
def index() -> Iterable[dowse.Index]:
    """Five texts in one tree, one of them with several chunks, and one text in another."""
    with dowse.open(":memory:") as index:
        for key, text in TEXTS.items():
            index.add(key, text, title="-", format="markdown" if key == "many" else "text")
            index.commit()
        index.add("green", "tea in another tree", title="-", tree="other")
        index.commit()
        yield index


def keys(response: dowse.SearchResponse) -> list[str]:
    """Returns trees and keys of the hits in order."""
    return [f"{hit.tree}/{hit.doc_key}" for hit in response.hits]


def test_a_document_is_never_like_itself(index):
    """No chunk of it answers; ranks and total count the others only; a namesake elsewhere answers."""
    for key in TEXTS:
        response = index.similar(key, source_tree="default", limit=100)
        assert f"default/{key}" not in keys(response)
        assert list(range(1, response.total + 1)) == [hit.rank for hit in response.hits]
    assert "other/green" in keys(index.similar("green", source_tree="default"))


def test_pages_go_on_where_the_last_one_ended(index):
    """One hit a page gives all hits in order."""
    whole = index.similar("green", limit=100)
    pages = [index.similar("green", limit=1, offset=at).hits for at in range(whole.total)]
    assert [hit for page in pages for hit in page] == list(whole.hits)


def test_the_answer_is_that_of_the_query_it_was_made_of(index):
    """Searching for the interpretation gives the same scores, the document itself aside."""
    similar = index.similar("black", limit=100)
    searched = index.search(dowse.SearchRequest(similar.interpretation, limit=100, fuzzy="never"))
    assert similar.interpretation == similar.request.query
    assert [(hit.doc_key, hit.score) for hit in searched.hits if hit.doc_key != "black"] == [
        (hit.doc_key, hit.score) for hit in similar.hits
    ]


def test_a_chunk_stands_for_itself(index):
    """The part about the bus is like the bus; no part of its own document answers."""
    bus = next(
        at for at in range(index.get("many").chunk_count)
        if "bus" in index.similar("many", chunk=at).interpretation
    )  # fmt: skip
    assert ["default/bus"] == keys(index.similar("many", chunk=bus))


def test_a_text_is_like_documents_that_have_its_words(index):
    """Nothing is left out of the hits; the tree decides where to look."""
    assert {"default/bus", "default/many"} == set(keys(index.similar(text="where the bus stops")))
    assert ["other/green"] == keys(index.similar(text="green tea", tree="other"))
    assert [] == keys(index.similar(text="the of and"))


def test_settings_and_the_request_decide(index):
    """One word only; explanations that add up."""
    chosen = SimilarSettings(max_terms=1, boost=2.0)
    response = index.similar("bus", settings=chosen, explain=True, model="bm25")
    assert "stops^2" == response.interpretation or "bus^2" == response.interpretation
    assert all(hit.score == hit.explanation.value for hit in response.hits)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"doc_key": "grene"}, DocumentNotFoundError),
        ({"doc_key": "green", "source_tree": "nowhere"}, DocumentNotFoundError),
        ({"doc_key": "green", "chunk": 7}, InvalidParameterError),
        ({"doc_key": "green", "chunk": -1}, InvalidParameterError),
        ({}, InvalidParameterError),
        ({"doc_key": "green", "text": "tea"}, InvalidParameterError),
        ({"text": "tea", "tree": "nowhere"}, UnknownTreeError),
    ],
)
def test_what_is_not_there_is_refused(index, arguments, error):
    """With the nearest document, or what is legal."""
    with pytest.raises(error) as caught:
        index.similar(**arguments)
    assert caught.value.hint
