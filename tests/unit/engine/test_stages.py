"""More words, folded and varied hits, a second opinion, hypotheses: through an open index."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import dowse
from dowse import SearchRequest
from dowse.errors import InvalidParameterError, ModeUnavailableError
from dowse.schema.request_options import REQUEST_OPTIONS_BY_NAME
from dowse.search.context import CrossEncoderUnavailable
from dowse.search.lexical.expansion import AddedWord, add_words
from dowse.search.pipeline import PIPELINE
from dowse.similar import SimilarSettings
from dowse.storage.vectors import SCAN_MODES
from support.fake_embedder import give_meaning
from support.open_trees import only_tree

TEXTS = {
    "green": "green tea leaves are steeped in hot water for two minutes",
    "again": "green tea leaves are steeped in hot water for two minutes",
    "black": "black tea leaves are steeped longer in boiling water",
    "autumn": "leaves fall from the tree in autumn",
    "car": "the car stands in the garage",
    "race": "a car race with a fast car and another car",
}
EVERYTHING = {"dedupe": True, "diversify": 0.5, "rerank": True}

SCANS = REQUEST_OPTIONS_BY_NAME["scan"].choices


@pytest.fixture
def index():
    """An index in memory with vectors by a fake embedder and a judge that likes black tea."""
    with dowse.open(":memory:") as index:
        give_meaning(index)
        for key, text in TEXTS.items():
            index.add(key, text, title="-")
        index.commit()
        index.embed()
        index.embeddings._cross_encoder = judge
        yield index


def judge(query: str, passages: Sequence[str], has_time: Callable[[], bool]) -> list[float]:
    """Likes black tea."""
    return [9.0 if "black" in passage and has_time() else 1.0 for passage in passages]


def keys(response: dowse.SearchResponse) -> list[str]:
    """Returns the documents of the hits."""
    return [hit.doc_key for hit in response.hits]


def stages(response: dowse.SearchResponse) -> dict[str, str]:
    """Returns the notes of the stages by name."""
    return {stage.name: stage.note for stage in response.stages}


def problems(response: dowse.SearchResponse) -> list[tuple[str, str]]:
    """Returns codes and messages of what could not be done."""
    return [(problem.code, problem.message) for problem in response.problems]


every_mode = pytest.mark.parametrize("mode", ["bm25f", "hybrid", "semantic"])


@every_mode
def test_scores_explain_themselves_after_all_stages(index, mode):
    """The value of an explanation is the score; scores do not rise; every stage is named in order."""
    request = SearchRequest("tea leaves", mode=mode, explain=True, expand="prf", **EVERYTHING)
    response = index.search(request)
    assert all(hit.explanation.value == hit.score for hit in response.hits)
    assert all(left.score >= right.score for left, right in pairwise(response.hits))
    names = [stage.name for stage in response.stages]
    wanted = [stage.name for stage in PIPELINE[:-1]]
    assert wanted == [name for name in names if name in wanted]
    assert "expand" in names
    assert all(stage.ms >= 0 for stage in response.stages)


@every_mode
def test_copies_are_folded_into_the_best(index, mode):
    """One of the two twins is left, and counts the other."""
    plain = index.search(SearchRequest("green tea", mode=mode))
    folded = index.search(SearchRequest("green tea", mode=mode, dedupe=True))
    assert {"green", "again"} <= set(keys(plain))
    assert 1 == len({"green", "again"} & set(keys(folded)))
    assert [1] == [hit.duplicate_count for hit in folded.hits if hit.duplicate_count]
    assert "1 of" in stages(folded)["duplicates"]


@every_mode
def test_variety_puts_the_twin_back(index, mode):
    """The first hit stays; its copy is no longer second."""
    response = index.search(SearchRequest("green tea leaves", mode=mode, diversify=0.3))
    assert keys(response)[0] in ("green", "again")
    assert keys(response)[1] not in ("green", "again")
    same = index.search(SearchRequest("green tea leaves", mode=mode, diversify=1.0))
    assert keys(index.search(SearchRequest("green tea leaves", mode=mode))) == keys(same)


@every_mode
def test_pages_go_on_after_stages(index, mode):
    """One hit a page gives the hits of the whole answer in order."""
    request = {"mode": mode, **EVERYTHING}
    whole = index.search(SearchRequest("tea leaves", **request)).hits
    for at, hit in enumerate(whole):
        (alone,) = index.search(SearchRequest("tea leaves", limit=1, offset=at, **request)).hits
        assert (hit.rank, hit.doc_key, hit.score) == (alone.rank, alone.doc_key, alone.score)


@pytest.fixture(scope="module")
def crowd():
    """An index of 400 texts, of which the first sixty are the same."""
    with dowse.open(":memory:") as index:
        give_meaning(index)
        for number in range(400):
            own = f"green tea number{number} thing{number} word{number * 7}"
            index.add(f"n{number:03}", TEXTS["green"] if number < 60 else own, title="-")
        index.commit()
        index.embed()
        yield index


def ask_crowd(index: dowse.Index, mode: str, **asked: Any) -> dowse.SearchResponse:
    """Searches, or asks for similar texts."""
    if mode == "similar":
        return index.similar(text="green tea leaves", by="meaning", snippets=False, **asked)
    return index.search(SearchRequest("green tea leaves", mode=mode, snippets=False, **asked))


@pytest.mark.parametrize("mode", ["bm25f", "hybrid", "semantic", "similar"])
@pytest.mark.parametrize("stages", [{"dedupe": True}, {"dedupe": True, "diversify": 0.5}])
def test_what_is_folded_leaves_room_on_every_page(crowd, mode, stages):
    """A later page is full as long as there are hits, and every page is cut from one answer."""
    whole = ask_crowd(crowd, mode, limit=400, **stages).hits
    assert len(whole) > 300
    for offset in (0, 110, 235, 295, len(whole) - 4):
        assert whole[offset : offset + 10] == ask_crowd(crowd, mode, limit=10, offset=offset, **stages).hits


@pytest.mark.parametrize("mode", ["hybrid", "semantic", "similar"])
def test_a_total_is_exact_where_there_is_no_more(crowd, index, mode):
    """Words and meaning bring only their best where there are many; what is folded counts."""
    assert not ask_crowd(crowd, mode, limit=10).total_is_exact
    whole = ask_crowd(crowd, mode, limit=401, dedupe=True)
    assert (400, True) == (whole.total, whole.total_is_exact)
    few = ask_crowd(index, mode)
    assert (len(TEXTS), True) == (few.total, few.total_is_exact)


def test_without_a_judge_the_answer_says_so(index):
    """The order is that of the search without; the stage has the reason, and a problem says it to people."""
    index.embeddings._cross_encoder = None

    def missing():
        raise CrossEncoderUnavailable("ms-marco is not on this machine")

    index.embeddings.get_cross_encoder = missing
    response = index.search(SearchRequest("tea leaves", rerank=True))
    assert "skipped: ms-marco is not on this machine" == stages(response)["cross_encoder"]
    assert keys(index.search("tea leaves")) == keys(response)
    assert [("not-reranked", "skipped: ms-marco is not on this machine")] == problems(response)
    by_words = index.search(SearchRequest("tea leaves", mode="bm25f", rerank=True))
    alike = index.similar(text="tea leaves", by="meaning", rerank=True)
    assert problems(response) == problems(by_words) == problems(alike)


def test_the_judge_moves_what_it_likes(index):
    """With words alone, too; the explanation says what it gave."""
    response = index.search(SearchRequest("steeped leaves", mode="bm25f", rerank=True, explain=True))
    black = next(hit for hit in response.hits if hit.doc_key == "black")
    assert "cross_encoder: sum" == black.explanation.description
    assert 0.494507 == pytest.approx(black.explanation.parts[1].value, abs=1e-6)


def test_no_time_is_no_second_opinion(index):
    """A budget of nothing changes nothing."""
    index.embeddings._cross_encoder = lambda query, passages, has_time: [
        1.0 if has_time() else float("nan") for _ in passages
    ]
    response = index.search(SearchRequest("tea leaves", rerank=True, rerank_ms=0))
    assert "skipped: judging does not fit into 0 ms" == stages(response)["cross_encoder"]
    (problem,) = response.problems
    assert ("not-reranked", "allow-time rerank_ms") == (problem.code, problem.hint)


def test_words_of_the_best_hits_find_more(index):
    """What is added counts less, is shown, and brings hits that the query's own words do not."""
    plain = index.search(SearchRequest("black", mode="bm25f"))
    wider = index.search(SearchRequest("black", mode="bm25f", expand="prf"))
    assert ["black"] == keys(plain)
    assert "black" == keys(wider)[0]
    assert {"green", "again"} <= set(keys(wider))
    assert "steeped^" in wider.interpretation
    assert stages(wider)["expand"].startswith("prf: added ")


def test_a_query_that_says_what_must_match_is_left_alone(index):
    """AND and exclusions that bind are not softened by words nobody typed."""
    response = index.search(SearchRequest("black AND tea", mode="bm25f", expand="prf"))
    assert ["black"] == keys(response)
    assert "prf: the query says what must match" == stages(response)["expand"]
    assert [("not-expanded", "no words were added: the query says what must match")] == problems(response)
    excluding = index.search(SearchRequest("tea -black", mode="bm25f", expand="prf"))
    assert "black" not in keys(excluding)


def test_a_query_that_drifts_is_given_up(index, monkeypatch):
    """Unless enough of the first hits stay, everything is as without."""
    monkeypatch.setattr("dowse.search.lexical.expansion.STAYING", 100)
    monkeypatch.setattr("dowse.search.lexical.expansion._count_staying", lambda before, after: 0)
    request = {"mode": "bm25f", "explain": True}
    wider = index.search(SearchRequest("tea", expand="prf", **request))
    assert "given up" in stages(wider)["expand"]
    assert ["not-expanded"] == [code for code, _ in problems(wider)]
    assert index.search(SearchRequest("tea", **request)).hits == wider.hits


def test_words_near_in_the_vocabulary_are_added(index, monkeypatch):
    """Only those that the index has, and that are not in the query."""
    near = [("tea", 0.9), ("unheard", 0.8), ("race", 0.7), ("garage", 0.6), ("autumn", 0.5), ("tree", 0.4)]
    monkeypatch.setattr(index.embeddings, "find_near_words", lambda text: near)
    found = index.search(SearchRequest("tea", mode="bm25f", expand="vocabulary"))
    assert "vocabulary: added race, garage, autumn" == stages(found)["expand"]
    assert () == found.problems


@pytest.mark.parametrize("mode", ["bm25f", "hybrid"])
def test_where_no_words_can_be_added_the_answer_says_so(index, mode, monkeypatch):
    """Without a table of words, without one that is new, and where similar words are searched for instead."""
    request = SearchRequest("tea", mode=mode, expand="vocabulary")
    missing = "no words were added: a service does not tell the words of its model"
    assert [("not-expanded", missing)] == problems(index.search(request))
    assert keys(index.search(SearchRequest("tea", mode=mode))) == keys(index.search(request))
    monkeypatch.setattr(index.embeddings, "find_near_words", lambda text: [("tea", 0.9)])
    unknown = "no words were added: no other words near it are in the index"
    assert [("not-expanded", unknown)] == problems(index.search(request))


def test_similar_words_are_not_expanded_beside_meaning(index):
    """Nobody typed them; that nothing is added to them is said."""
    response = index.search(SearchRequest("boilling", mode="hybrid", expand="prf"))
    assert response.is_fuzzy
    reason = "no words were added: similar words were searched for instead"
    assert [("not-expanded", reason)] == problems(response)


def test_added_words_are_optional():
    """A query of several words gets more of them, a single one becomes one of several."""
    nodes = dowse.query.nodes
    tea, more = nodes.Word("tea"), nodes.Boosted(nodes.Word("leaf"), 0.5)
    assert nodes.Or((tea, more)) == add_words(tea, [AddedWord("leaf", 0.5)])
    words = nodes.BagOfWords((tea, tea))
    assert nodes.BagOfWords((tea, tea, more)) == add_words(words, [AddedWord("leaf", 0.5)])


def test_a_hypothesis_is_looked_for_instead_of_the_question(index):
    """Meaning is the invented answer's, words are the query's; without a query meaning alone decides."""
    alone = index.search_with_hypothesis("the automobile stands in a garage")
    assert "car" == keys(alone)[0]
    assert stages(alone)["embed"].endswith("of a hypothesis")
    both = index.search_with_hypothesis("the automobile stands in a garage", "autumn")
    assert {"car", "autumn"} == set(keys(both)[:2])
    assert "autumn" == both.interpretation


def test_a_judge_is_asked_the_question_and_not_the_hypothesis(index):
    """Which is an answer already; only without a query it is all there is."""
    asked = []

    def note(query: str, passages: Sequence[str], has_time: Callable[[], bool]) -> list[float]:
        asked.append(query)
        return [1.0 for _ in passages]

    index.embeddings._cross_encoder = note
    for query in ("fast cars", "-tea", ""):
        index.search(SearchRequest(query, hypothesis="an automobile in a garage", rerank=True))
    assert ["fast cars", "an automobile in a garage", "an automobile in a garage"] == asked


def test_a_hypothesis_needs_no_words(index):
    """Meaning alone decides, and nobody misses a query."""
    response = index.search(SearchRequest("", hypothesis="the automobile stands in a garage"))
    assert "car" == response.hits[0].doc_key
    assert () == response.problems


def test_a_closer_look_at_the_vectors_can_be_asked_for(index):
    """By the names of the vectors' own table; hits are the same where all vectors are looked at anyway."""
    assert SCANS == tuple(mode.name for mode in SCAN_MODES)
    answers = [index.search(SearchRequest("automobile", mode="hybrid", scan=scan)) for scan in SCANS]
    assert 1 == len({response.hits for response in answers})
    assert SCANS == tuple(stages(response)["vectors"].split()[-2] for response in answers)
    near = [index.similar("car", by="meaning", scan=scan) for scan in SCANS]
    assert 1 == len({response.hits for response in near})
    with pytest.raises(InvalidParameterError, match="scan"):
        SearchRequest("car", scan="blind")


def test_what_a_hypothesis_cannot_be(index):
    """Empty, for words alone, or without vectors."""
    with pytest.raises(InvalidParameterError, match="hypothesis"):
        index.search_with_hypothesis(" ")
    with pytest.raises(InvalidParameterError, match="hypothesis"):
        index.search_with_hypothesis("")
    with pytest.raises(InvalidParameterError, match="mode"):
        index.search_with_hypothesis("tea", SearchRequest("tea", mode="phrase"))
    with dowse.open(":memory:") as empty:
        give_meaning(empty)
        with pytest.raises(ModeUnavailableError, match="vectors"):
            empty.search_with_hypothesis("tea")


def test_similar_by_meaning_never_finds_the_source(index):
    """The twin is nearest; a text finds what has its meaning; stages work here as well."""
    response = index.similar("green", by="meaning", explain=True)
    assert "again" == keys(response)[0]
    assert "green" not in keys(response)
    assert pytest.approx(1.0, abs=1e-3) == response.hits[0].score
    assert all(hit.explanation.value == hit.score for hit in response.hits)
    assert {"car", "race"} >= {keys(index.similar(text="automobile", by="meaning"))[0]}
    folded = index.similar("black", by="meaning", dedupe=True)
    assert 1 == len({"green", "again"} & set(keys(folded)))
    whole = index.similar("green", by="meaning", limit=10).hits
    assert whole[1:3] == index.similar("green", by="meaning", limit=2, offset=1).hits


def test_similar_by_meaning_needs_vectors_and_a_source(index):
    """What is missing is said."""
    index.add("late", "a text that has no vector yet", title="-")
    index.commit()
    with pytest.raises(ModeUnavailableError, match="vectors of this document"):
        index.similar("late", by="meaning")
    with pytest.raises(InvalidParameterError, match="source"):
        index.similar(by="meaning")
    with pytest.raises(InvalidParameterError, match="chunk"):
        index.similar("green", chunk=7, by="meaning")
    with pytest.raises(InvalidParameterError, match="the text cannot be empty"):
        index.similar(text=" \n", by="meaning")


@pytest.mark.parametrize(
    "said",
    [{"settings": SimilarSettings(max_terms=5)}, {"model": "bm25"}, {"expand": "prf"}, {"fusion": "rrf"}],
)
def test_similar_by_meaning_refuses_what_counts_for_words_only(index, said):
    """It would change nothing; the name of what was said is in the message."""
    with pytest.raises(InvalidParameterError, match=f"^{next(iter(said))} cannot be"):
        index.similar("green", by="meaning", **said)


def test_vectors_are_those_that_were_made(index):
    """By key, rounded; keys that nothing has are left out."""
    vectors = only_tree(index).vectors.find(only_tree(index).generations.current())
    wanted = index.embeddings.get_embedder().embed_passages([f"-\n{TEXTS['car']}"])[0]
    found = vectors.vectors(np.array([*vectors._keys, 999], np.int64))
    assert set(vectors._keys.tolist()) == set(found)
    assert max(float(vector @ wanted) for vector in found.values()) > 0.999


@pytest.mark.parametrize(
    "wrong", [{"diversify": 1.1}, {"diversify": -0.1}, {"expand": "more"}, {"rerank_ms": -1}]
)
def test_requests_refuse_what_cannot_be(wrong):
    """With the legal range."""
    with pytest.raises(InvalidParameterError) as caught:
        SearchRequest("tea", **wrong)
    assert "it must be" in caught.value.hint
