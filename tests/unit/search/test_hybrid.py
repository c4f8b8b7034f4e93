"""What becomes of a question that an embedder answers, or does not."""

import pytest
from msgspec.structs import replace

import dowse
from dowse import SearchRequest
from dowse.errors import EmbeddingServiceError, UnknownTreeError
from support.fake_embedder import FakeEmbedder, RememberingTier


class WatchedEmbedder(FakeEmbedder):
    """A fake that notes what it is asked, and fails if told to."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []
        self.error: Exception | None = None

    def embed_queries(self, texts):
        self.asked += texts
        if self.error is not None:
            raise self.error
        return super().embed_queries(texts)


@pytest.fixture
def embedder() -> WatchedEmbedder:
    """The embedder of the index."""
    return WatchedEmbedder()


@pytest.fixture
def index(embedder: WatchedEmbedder):
    """An index in memory with vectors."""
    with dowse.open(":memory:") as index:
        index.__dict__["embeddings"] = RememberingTier(embedder)
        for key, text in {"car": "a green car", "tea": "green tea", "bus": "the bus"}.items():
            index.add(key, text, title=key)
        index.commit()
        index.embed()
        embedder.asked.clear()
        yield index


def fail(embedder: WatchedEmbedder) -> None:
    """Takes the embedding service away."""
    embedder.error = EmbeddingServiceError(url="there", reason="is down", remedy="start it")


def test_a_question_that_finds_words_by_its_vector_is_embedded_once(index, embedder):
    """Expanding by the vocabulary asks for the vector first; then it is known."""
    index.embeddings.find_near_words = lambda text: [
        (str(number), 0.9) for number in index.embeddings.get_embedder().embed_queries([text])[0, :1]
    ]
    index.search(SearchRequest("green automobile", mode="hybrid", expand="vocabulary"))
    assert ["green automobile"] == embedder.asked


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


NUMBERS = {"fusion": "rrf", "parameters": (("k", 0.0), ("top_bonus", 0.5))}


def test_the_default_mode_fuses_with_the_numbers_it_is_given(index):
    """As hybrid does, where there are vectors."""
    auto, hybrid, usual = (
        [(hit.doc_key, hit.score) for hit in index.search(SearchRequest("green automobile", **asked)).hits]
        for asked in (NUMBERS, NUMBERS | {"mode": "hybrid"}, {"fusion": "rrf"})
    )
    assert hybrid == auto != usual


def test_numbers_of_a_fusion_change_nothing_where_words_answer_alone():
    """The default mode does not know before whether there are vectors."""
    with dowse.open(":memory:") as bare:
        bare.add("tea", "green tea")
        bare.commit()
        plain, asked = (bare.search(SearchRequest("green", **one)).hits for one in ({}, NUMBERS))
    assert len(plain) == 1
    assert plain == asked


def test_a_strong_signal_of_the_words_asks_no_embedder(index, embedder):
    """The words alone answer, and the stage says why; a weak signal, a hypothesis and a slip of the finger
    are embedded."""
    request = SearchRequest("tea", mode="hybrid", fusion="strong_signal", explain=True)
    response = index.search(request)
    assert ([], ["tea"]) == (embedder.asked, [hit.doc_key for hit in response.hits])
    assert (1, True) == (response.total, response.total_is_exact)
    assert response.hits[0].score == response.hits[0].explanation.value
    assert "not asked: the first hit of the words is far ahead" in [stage.note for stage in response.stages]
    lost = index.explain(request, "car").outcome
    assert "by meaning: not asked: the first hit of the words is far ahead" in lost.sentences
    assert "ask for another fusion" in lost.suggestions
    for query in ("green", "buus"):
        assert 3 == len(index.search(replace(request, query=query)).hits)
    assert ["green", "buus"] == embedder.asked
    assert 3 == len(index.search(replace(request, hypothesis="an automobile")).hits)


def test_what_is_wrong_with_the_request_comes_before_what_is_wrong_with_the_embedder(index, embedder):
    """The caller can do something about the first."""
    fail(embedder)
    with pytest.raises(UnknownTreeError):
        index.search(SearchRequest("green automobile", mode="hybrid", tree="nowhere"))


@pytest.mark.parametrize("query", ["gre*", "ext:md", "-bus", "gre* -bus"])
def test_meaning_alone_needs_words(index, embedder, query):
    """A pattern, a filter and an exclusion have none: nothing is found, and that is why."""
    response = index.search(SearchRequest(query, mode="semantic"))
    assert (0, (), []) == (response.total, response.hits, embedder.asked)
    assert ["no-words"] == [problem.code for problem in response.problems]
    assert not index.search(SearchRequest(f"automobile {query}", mode="semantic")).problems
    imagined = index.search(SearchRequest(query, mode="semantic", hypothesis="an automobile"))
    assert () == imagined.problems


def test_where_meaning_answers_alone_no_words_are_searched_for(index):
    """Neither similar ones nor likely ones, and what words match is no part of the total."""
    response = index.search(SearchRequest("autommobile", mode="semantic"))
    assert (3, False, "") == (response.total, response.is_fuzzy, response.suggestion)
    assert index.search(SearchRequest("grean", mode="hybrid")).suggestion
    assert "" == index.search(SearchRequest("grean", mode="semantic")).suggestion
    expanded = index.search(SearchRequest("green", mode="semantic", expand="prf"))
    assert ["no words were added: meaning alone answers"] == [one.message for one in expanded.problems]


def test_a_query_without_a_question_asks_no_embedder(index, embedder):
    """Nothing to understand, nothing to wait for."""
    index.search(SearchRequest("-bus", mode="hybrid"))
    assert [] == embedder.asked


def test_words_as_the_question_has_them_count_more(index):
    """Three in a row with the rarest; the score is explained by them, exactly."""
    index.add("quote", "how do I try webhooks on my laptop", title="quote")
    index.add("scattered", "my webhooks: own things, own ways to try", title="scattered")
    index.commit()
    index.embed()
    response = index.search(
        SearchRequest("try webhooks on my own computer", mode="hybrid", explain=True, snippets=False)
    )
    quote, scattered = ([*hit.explanation.lines()] for hit in response.hits[:2])
    (run,) = (line.split()[0] for line in quote if "stand one after the other" in line)
    assert not any("stand one after the other" in line for line in scattered)
    # The words of others are measured by it.
    assert run == next(line.split()[0] for line in scattered if line.endswith("  highest"))


def test_words_beside_something_else_are_no_run(index):
    """What stands between quotation marks does not stand between the words around it."""
    index.add("gap", "my green fast bus", title="gap")
    index.commit()
    index.embed()
    response = index.search(SearchRequest('my "green" fast bus', mode="hybrid", explain=True))
    assert response.hits
    assert not any("stand one after the other" in str(hit.explanation) for hit in response.hits)


@pytest.mark.parametrize("chooser", ["-zebra", "-tag:zebra", "-ext:pdf -zebra"])
def test_what_chooses_among_hits_does_not_change_their_order(index, chooser):
    """A filter or an exclusion that lets everything through leaves scores as they are."""
    index.add("quote", "how do I try webhooks on my laptop", title="quote")
    index.add("scattered", "my webhooks: own things, own ways to try", title="scattered")
    index.commit()
    index.embed()

    def scores(query: str) -> list[tuple[str, float]]:
        hits = index.search(SearchRequest(query, mode="hybrid")).hits
        return [(hit.doc_key, hit.score) for hit in hits if hit.doc_key in ("quote", "scattered")]

    query = "try webhooks on my own computer"
    assert 2 == len(scores(query))
    assert scores(query) == scores(f"{query} {chooser}")
