"""A question is embedded while words are ranked, and nobody can tell but by the time."""

import threading

import pytest

import dowse
from dowse import SearchRequest
from dowse.embedding.cache import QueryCache
from dowse.errors import EmbeddingServiceError, UnknownTreeError
from dowse.search.searcher import Searcher
from support.fake_embedder import FakeEmbedder, FakeMeaning

HYBRID = SearchRequest("green automobile", mode="hybrid", fuzzy="never")


class WatchedEmbedder(FakeEmbedder):
    """A fake that notes where it is asked, waits if told to, and fails if told to."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[str, bool]] = []
        self.may_answer = threading.Event()
        self.may_answer.set()
        self.error: Exception | None = None

    def embed_queries(self, texts):
        self.asked += [(text, threading.current_thread() is threading.main_thread()) for text in texts]
        assert self.may_answer.wait(10), "nobody ranked by words meanwhile"
        if self.error is not None:
            raise self.error
        return super().embed_queries(texts)


class RememberingMeaning(FakeMeaning):
    """Keeps the vectors of questions, as an index does."""

    def get_embedder(self):
        if self._questions is None:
            self._questions = QueryCache(super().get_embedder())
        return self._questions


@pytest.fixture
def embedder() -> WatchedEmbedder:
    """The embedder of the index."""
    return WatchedEmbedder()


@pytest.fixture
def index(embedder: WatchedEmbedder):
    """An index in memory with vectors."""
    with dowse.open(":memory:") as index:
        index.__dict__["meaning"] = RememberingMeaning(embedder)
        for key, text in {"car": "a green car", "tea": "green tea", "bus": "the bus"}.items():
            index.add(key, text, title=key)
        index.commit()
        index.embed()
        embedder.asked.clear()
        yield index


def fail(embedder: WatchedEmbedder) -> None:
    """Takes the embedding service away."""
    embedder.error = EmbeddingServiceError(url="there", reason="is down", remedy="start it")


def test_words_are_ranked_while_the_question_is_embedded(index, embedder, monkeypatch):
    """The embedder answers only when the words were ranked."""
    embedder.may_answer.clear()
    rank = Searcher.rank

    def ranked(*arguments, **options):
        found = rank(*arguments, **options)
        embedder.may_answer.set()
        return found

    monkeypatch.setattr(Searcher, "rank", ranked)
    assert ["car", "tea"] == [hit.doc_key for hit in index.search(HYBRID).hits[:2]]
    assert [("green automobile", False)] == embedder.asked


def test_a_question_asked_again_needs_no_thread(index, monkeypatch):
    """Its vector is known: another page costs no thread."""
    first = index.search(HYBRID)
    monkeypatch.setattr("dowse.search.hybrid.Meanwhile", None)
    assert first.hits == index.search(HYBRID).hits


def test_a_question_that_finds_words_by_its_vector_is_embedded_once(index, embedder):
    """Expanding by the vocabulary asks for the vector before the words are ranked."""
    index.meaning.find_near_words = lambda text: [
        (str(number), 0.9) for number in index.meaning.get_embedder().embed_queries([text])[0, :1]
    ]
    index.search(SearchRequest("green automobile", mode="hybrid", expand="vocabulary"))
    assert [("green automobile", True)] == embedder.asked


@pytest.mark.parametrize("mode", ["hybrid", "semantic"])
def test_an_embedder_that_fails_fails_the_search(index, embedder, mode):
    """The error is its own, and the next question is answered."""
    fail(embedder)
    with pytest.raises(EmbeddingServiceError) as caught:
        index.search(SearchRequest("green automobile", mode=mode))
    assert embedder.error is caught.value
    embedder.error = None
    assert index.search(SearchRequest("green automobile", mode=mode)).hits


def test_without_an_embedder_the_default_mode_answers_by_words(index, embedder):
    """What is missing is said."""
    fail(embedder)
    response = index.search("green automobile")
    assert {"car", "tea"} == {hit.doc_key for hit in response.hits}
    assert ["no-meaning"] == [problem.code for problem in response.problems]


def test_what_is_wrong_with_the_request_comes_before_what_is_wrong_with_the_embedder(index, embedder):
    """The caller can do something about the first."""
    fail(embedder)
    with pytest.raises(UnknownTreeError):
        index.search(SearchRequest("green automobile", mode="hybrid", tree="nowhere"))


def test_a_query_without_a_question_asks_no_embedder(index, embedder):
    """Nothing to understand, nothing to wait for."""
    index.search(SearchRequest("-bus", mode="hybrid"))
    assert [] == embedder.asked
