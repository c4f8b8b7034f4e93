"""Runs, comparisons and failures on a collection small enough to follow."""

from pathlib import Path

import pytest

from dowse.errors import InvalidParameterError, UnknownModeError
from dowse.evaluation import (
    Collection,
    Configuration,
    JudgedQuery,
    Run,
    SourceText,
    compare,
    find_failures,
    find_unindexed,
    get_metric,
    list_keys,
    open_collection,
    own_collection,
    parse_configuration,
    run_configuration,
)
from support.fake_embedder import FakeEmbedder, RememberingTier


class CountingEmbedder(FakeEmbedder):
    """A fake that counts questions."""

    questions = 0

    def embed_queries(self, texts):
        """Counts, and embeds."""
        self.questions += len(texts)
        return super().embed_queries(texts)


TEXTS = (
    SourceText("tea", "Tea", "Green tea is steeped at eighty degrees."),
    SourceText("coffee", "Coffee", "Coffee is brewed with boiling water. Not like tea."),
    SourceText("milk", "Milk", "Milk is kept cold."),
)
QUERIES = (
    JudgedQuery("q1", "green tea", "keyword", {"tea": 2, "coffee": 0}),
    JudgedQuery("q2", "boiling", "keyword", {"coffee": 1}),
    JudgedQuery("q3", "beverage", "conceptual", {"tea": 1, "coffee": 1}),
)
COLLECTION = Collection("drinks", QUERIES, iter_texts=lambda: iter(TEXTS))
NDCG = get_metric("nDCG@10")


def make_run(name: str, **rankings: tuple[str, ...]) -> Run:
    """Returns a run with these rankings; questions not named found nothing."""
    every = {query.key: rankings.get(query.key, ()) for query in QUERIES}
    return Run(Configuration(name), COLLECTION, every, dict.fromkeys(every, 1.0))


def test_a_collection_of_texts_is_indexed_and_asked():
    """Documents come out by key; questions nobody can answer by words find nothing."""
    seen: list[tuple[int, int]] = []
    with open_collection(COLLECTION) as index:
        run = run_configuration(index, COLLECTION, Configuration("x"), lambda *step: seen.append(step))
    assert {"q1": ("tea", "coffee"), "q2": ("coffee",), "q3": ()} == run.rankings
    assert [(1, 3), (2, 3), (3, 3)] == seen
    assert pytest.approx(2 / 3) == run.mean(NDCG)
    assert 1.0 == run.mean(NDCG, "keyword")
    assert run.median_ms > 0


def test_a_kept_index_is_not_filled_twice(tmp_path: Path):
    """The second time nothing is added; a language of its own is kept, too."""
    with open_collection(COLLECTION, tmp_path, language="german") as index:
        assert ["german"] == [tree.language for tree in index.status().trees]
        before = index.status().generation
    with open_collection(COLLECTION, tmp_path) as index:
        assert ("coffee",) == run_configuration(index, COLLECTION, Configuration("x")).rankings["q2"]
        assert before == index.status().generation


def test_what_a_stopped_run_left_out_is_added(tmp_path: Path):
    """Numbers of half a collection would mislead."""
    half = Collection("drinks", QUERIES, iter_texts=lambda: iter(TEXTS[:1]))
    with open_collection(half, tmp_path) as index:
        assert {"tea"} == list_keys(index, half)
    with open_collection(COLLECTION, tmp_path) as index:
        assert {"tea", "coffee", "milk"} == list_keys(index, COLLECTION)


def test_another_collection_of_the_same_name_is_refused(tmp_path: Path):
    """Its documents are not those that were judged."""
    other = Collection("drinks", QUERIES, iter_texts=lambda: iter([SourceText("wine", "Wine", "Red wine")]))
    with open_collection(other, tmp_path):
        pass
    with pytest.raises(InvalidParameterError, match="the collection cannot be drinks") as caught:
        open_collection(COLLECTION, tmp_path).__enter__()
    assert "the index has other documents under this name: name another home" == caught.value.hint


def test_a_collection_without_documents_is_refused():
    """Whatever is asked, nothing could be found."""
    empty = Collection("drinks", QUERIES, iter_texts=lambda: iter(()))
    with pytest.raises(InvalidParameterError, match="the collection cannot be drinks") as caught:
        open_collection(empty).__enter__()
    assert "it has no documents" == caught.value.hint


def test_relevant_documents_that_are_not_there_are_known():
    """Only those that are relevant: a judged 0 takes nothing from anybody."""
    query = JudgedQuery("q", "tea", "", {"tea": 1, "wine": 2, "beer": 0})
    collection = Collection("drinks", (query,), iter_texts=lambda: iter(TEXTS))
    with open_collection(collection) as index:
        assert ("wine",) == find_unindexed(index, collection)


def test_a_collection_of_files_is_indexed_by_path():
    """Our own golden set: keyword questions are answered, whatever else is not."""
    collection = own_collection()
    with open_collection(collection) as index:
        run = run_configuration(index, collection, Configuration("x"))
        assert collection.folder is not None
        files = {path.relative_to(collection.folder).as_posix() for path in collection.folder.rglob("*.*")}
        assert {document.doc_key for document in index.list_documents()} == files
    assert run.mean(NDCG, "keyword") > 0.9
    assert run.mean(NDCG) > 0.8


@pytest.mark.parametrize(("remembers", "expected"), [(False, 6), (True, 3)])
def test_each_run_embeds_its_questions_anew(remembers: bool, expected: int):
    """Else the second would be measured without the time that takes; who measures no time may save it."""
    fake = CountingEmbedder()
    with open_collection(COLLECTION) as index:
        index.__dict__["embeddings"] = RememberingTier(fake)
        index.embed()
        fake.questions = 0
        for mode in ("semantic", "hybrid"):
            run_configuration(index, COLLECTION, Configuration("x", mode), remembers=remembers)
    assert expected == fake.questions


def test_a_run_knows_what_could_not_be_done():
    """Who measures a second opinion that was never given measures something else."""
    with open_collection(COLLECTION) as index:
        run = run_configuration(index, COLLECTION, parse_configuration("bm25f:rerank=1:rerank_ms=0"))
        plain = run_configuration(index, COLLECTION, Configuration("x"))
    ((problem, times),) = run.problems.items()
    assert ("not-reranked", 1, {}) == (problem.code, times, plain.problems)


def test_modes_that_there_are_not_end_a_run():
    """Numbers for another mode than the one asked for would mislead."""
    with open_collection(COLLECTION) as index, pytest.raises(UnknownModeError):
        run_configuration(index, COLLECTION, Configuration("x", mode="bm52"))


def test_a_comparison_shows_losses_gains_and_chance():
    """Largest loss first; three questions are too few to prove anything."""
    before = make_run("before", q1=("tea",), q2=("milk", "coffee"))
    after = make_run("after", q1=("coffee", "tea"), q2=("coffee",), q3=("tea",))
    comparison = compare(before, after, NDCG)
    assert ["q1", "q2", "q3"] == [row.query.key for row in comparison.differences]
    assert ["q1"] == [row.query.key for row in comparison.losses]
    assert ["q3", "q2"] == [row.query.key for row in comparison.gains]
    assert pytest.approx(sum(row.change for row in comparison.differences) / 3) == comparison.change
    assert comparison.randomisation_p > 0.05
    assert comparison.student_t_p > 0.05


def test_failures_name_what_was_missed():
    """Worst first, with what came first instead and what should have come."""
    failures = find_failures(make_run("x", q1=("milk", "coffee"), q2=("coffee",)), NDCG)
    assert [("q1", "milk", ("tea",)), ("q3", "", ("coffee", "tea"))] == [
        (failure.query.key, failure.first, failure.missed) for failure in failures
    ]


def test_configurations_are_read_from_text():
    """Numbers are parameters; texts change the request."""
    configuration = parse_configuration(" bm25:k1=1.5:boost.title=3:preset=plain:default_operator=all ")
    assert (("k1", 1.5), ("boost.title", 3.0)) == configuration.parameters
    request = configuration.build_request("tea", tree="drinks", limit=5)
    assert ("bm25", "plain", "all", "drinks", 5, False) == (
        request.mode, request.preset, request.default_operator, request.tree, request.limit, request.snippets
    )  # fmt: skip
    assert "bm25:k1=1.5:boost.title=3:preset=plain:default_operator=all" == configuration.name


def test_configurations_may_change_whatever_a_request_has():
    """Truths and numbers of the request are read as such, and not as parameters."""
    configuration = parse_configuration("bm25f:strict=true:model=bm25")
    assert (("strict", True), ("model", "bm25")) == configuration.changes
    request = configuration.build_request("tea", tree="drinks", limit=5)
    assert (True, "bm25") == (request.strict, request.model)


@pytest.mark.parametrize(("text", "expected"), [("1", True), ("yes", True), ("0", False), ("No", False)])
def test_truths_are_read_as_people_write_them(text: str, expected: bool):
    """As numbers, too."""
    assert (("rerank", expected),) == parse_configuration(f"hybrid:rerank={text}").changes


def test_a_value_that_does_not_fit_is_refused_with_what_would():
    """The list of names would not help: the name is right."""
    with pytest.raises(InvalidParameterError) as caught:
        parse_configuration("hybrid:rerank=perhaps")
    assert "“rerank” must be true or false" == caught.value.hint


@pytest.mark.parametrize(
    "text",
    ["", ":k1=1", "bm25:k1", "bm25:=1", "bm25:tree=x", "bm25:strict=perhaps", "bm25:nonsense=much"],
)
def test_configurations_that_say_nothing_are_refused(text: str):
    """With how they are written, or what can be changed."""
    with pytest.raises(InvalidParameterError, match="the configuration"):
        parse_configuration(text)


def test_a_change_that_is_not_legal_is_refused():
    """The request itself knows what its values may be."""
    with pytest.raises(InvalidParameterError, match="words"):
        parse_configuration("bm25f:words=some").build_request("tea", tree="x", limit=1)
