"""An explanation comes from words and meaning where the answer does, and says where it does not."""

import pytest
from msgspec.structs import replace

import dowse
from dowse import SearchRequest
from dowse.errors import EmbeddingServiceError, InvalidParameterError, ModeUnavailableError
from support.fake_embedder import FakeEmbedder, give_meaning
from support.open_trees import only_tree

TEXTS = {"car": "the car stands in the garage", "tea": "green tea in the garage", "bus": "a yellow bus"}


@pytest.fixture
def index():
    """An index in memory with three texts, a fake embedder and no vectors yet."""
    with dowse.open(":memory:") as index:
        give_meaning(index)
        for key, text in TEXTS.items():
            index.add(key, text, title=key)
        index.commit()
        yield index


def test_without_vectors_words_are_explained_and_it_is_said(index):
    """The default mode does without; those that cannot say what is missing."""
    standing = index.explain("garage", "car")
    assert standing.hit in index.search(SearchRequest("garage", explain=True)).hits
    (problem,) = standing.problems
    assert ("no-meaning", "the index has no vectors") == (problem.code, problem.message)
    for mode in ("semantic", "hybrid"):
        with pytest.raises(ModeUnavailableError, match="vectors"):
            index.explain(SearchRequest("garage", mode=mode), "car")


def test_modes_of_words_say_nothing_of_meaning(index):
    """Who asks for words gets words; a hypothesis has no place there."""
    assert () == index.explain(SearchRequest("garage", mode="bm25f"), "car").problems
    with pytest.raises(InvalidParameterError, match="mode"):
        index.explain(SearchRequest("garage", mode="bm25f", hypothesis="a car"), "car")


def test_vectors_by_another_model_do_not_count_and_it_is_said(index):
    """Another name, or the same name with other vectors: words are explained, as they answer."""
    index.embed()
    give_meaning(index, FakeEmbedder("2"))
    changed = index.explain("automobile", "car")
    assert ("not-matched", ["no-meaning"]) == (
        changed.outcome.reason, [problem.code for problem in changed.problems],
    )  # fmt: skip
    other = FakeEmbedder()
    other.name = "other"
    give_meaning(index, other)
    only_tree(index).vectors._opened = None
    (problem,) = index.explain("automobile", "car").problems
    assert "the vectors are by fake, and the chosen model is other" == problem.message


def test_an_embedder_that_fails_leaves_words_where_they_are_enough(index, monkeypatch):
    """As in a search: the default mode says what is missing, the others fail."""
    index.embed()
    error = EmbeddingServiceError(url="there", reason="is down", remedy="start it")

    def fail(texts):
        raise error

    monkeypatch.setattr(index.embeddings.get_embedder(), "embed_queries", fail)
    standing = index.explain("garage", "car")
    assert ("shown", [error.message]) == (
        standing.outcome.reason, [problem.message for problem in standing.problems],
    )  # fmt: skip
    with pytest.raises(EmbeddingServiceError):
        index.explain(SearchRequest("garage", mode="hybrid"), "car")


@pytest.mark.parametrize("mode", ["bm25f", "hybrid"])
@pytest.mark.parametrize("stage", [{"dedupe": True}, {"diversify": 0.2}, {"expand": "prf"}, {"rerank": True}])
def test_stages_are_left_out_and_it_is_said(index, mode, stage):
    """What is explained is the search without them."""
    index.embed()
    request = SearchRequest("garage", mode=mode, explain=True)
    for hit in index.search(request).hits:
        standing = index.explain(replace(request, **stage), hit.doc_key)
        assert hit == standing.hit
        assert ["no-stages"] == [problem.code for problem in standing.problems]
