"""The meaning is asked again with what the first hit says."""

import numpy as np
import pytest

import dowse
from dowse import SearchRequest
from dowse.fusion import Legs, ScoreDistribution, TopHit
from dowse.search.legs.feedback import AWAY, ask_again, find_share
from dowse.search.legs.semantic import Semantic
from dowse.storage.vectors.turning import turn
from support.fake_embedder import give_meaning
from support.open_trees import only_tree

OTHERS = ("bread", "oven", "stamp", "letter", "cloud", "rain", "desk", "lamp")
TEXTS = {
    "first": "engine piston torque gasket",
    "alike": "piston torque gasket valve",
    **{f"other{number}": f"{word} {OTHERS[number % 5]} n{number}" for number, word in enumerate(OTHERS * 3)},
}


def legs_of(semantic: dict[int, float]) -> Legs:
    """Returns what meaning alone found."""
    return Legs({"semantic": semantic}, distributions={"semantic": ScoreDistribution(0.1, 0.1)})


def asked(vectors, question, keys) -> Semantic:
    """Returns the semantic leg after it has scored some chunks."""
    leg = Semantic(vectors, vectors.prepare(question), (), 10, "fast")
    leg.score(keys)
    return leg


def ask(*parameters: tuple[str, float], **options: object) -> SearchRequest:
    """Returns a question that has one word of its answer."""
    return SearchRequest("engine", mode="hybrid", parameters=parameters, **options)


@pytest.fixture
def index():
    """An index in memory with vectors, of enough chunks for an average."""
    with dowse.open(":memory:") as index:
        give_meaning(index)
        for key, text in TEXTS.items():
            index.add(key, text, title=key)
        index.commit()
        index.embed()
        yield index


def test_the_share_grows_with_the_lead_of_the_first_hit():
    """By as much as it is ahead, up to a half; who asks for more gets that."""
    assert pytest.approx([0.2, 0.3, 0.5, 0.7]) == [
        find_share(margin, least) for margin, least in ((0.0, 0.2), (0.1, 0.2), (0.9, 0.2), (0.1, 0.7))
    ]


def test_a_question_is_turned_to_the_answer_and_away_from_the_average():
    """Worked by hand: 0.75 of the question, 0.25 of the answer, less 0.2 of the average; length 1."""
    question, answer, average = np.eye(3, dtype=np.float32)
    expected = np.array([0.75, 0.25, -0.2]) / np.sqrt(0.75**2 + 0.25**2 + 0.2**2)
    assert np.allclose(expected, turn(question, answer, average, 0.25, AWAY), atol=1e-6)


def test_a_question_of_which_nothing_is_left_stays_as_it_is():
    """An answer that says the opposite of the question gives no direction."""
    question = np.array([1, 0], np.float32)
    assert question.tolist() == turn(question, -question, np.zeros(2, np.float32), 0.5, AWAY).tolist()


def test_what_is_like_the_first_hit_comes_next(index):
    """It shares no word with the question; without feedback others are as near to it."""
    found, plain = (
        [hit.doc_key for hit in index.search(request).hits] for request in (ask(), ask(("feedback", 0)))
    )
    assert ["first", "alike"] == found[:2]
    assert "first" == plain[0]
    assert "alike" != plain[1]


def test_every_hit_stays(index):
    """Asking again puts in order what was found; nothing comes or goes."""
    again, plain = index.search(ask(limit=50)), index.search(ask(("feedback", 0), limit=50))
    assert {hit.doc_key for hit in plain.hits} == {hit.doc_key for hit in again.hits}


def test_explanations_and_stages_say_what_was_asked(index):
    """The score is explained by the question that it answers, exactly."""
    response = index.search(ask(explain=True))
    (fuse,) = (stage.note for stage in response.stages if stage.name == "fuse")
    assert "calibrated, 50% of the first hit" == fuse
    first = response.hits[0]
    assert first.score == first.explanation.value
    assert "0.50 * question's + 0.50 * first hit's - 0.2 * average chunk's" in str(first.explanation)
    plain = index.search(ask(("feedback", 0), explain=True))
    assert "cosine of the chunk's vector and the question's" in str(plain.hits[0].explanation)


def test_only_the_fusion_with_fixed_scales_asks_again(index):
    """The others are what their sources say."""
    response = index.search(ask(fusion="rrf"))
    assert ["rrf"] == [stage.note for stage in response.stages if stage.name == "fuse"]


def test_there_is_nothing_to_learn_from_a_lone_hit(index):
    """There is no other that could be put in another place."""
    response = index.search(SearchRequest("engine path:first", mode="hybrid"))
    assert ["first"] == [hit.doc_key for hit in response.hits]
    assert ["calibrated"] == [stage.note for stage in response.stages if stage.name == "fuse"]


def test_there_is_nothing_to_learn_from_a_hit_without_a_vector(index):
    """Then everything is as it was."""
    index.search("engine")
    vectors = only_tree(index).vectors.find(only_tree(index).generations.current())
    (question,) = index.embeddings.get_embedder().embed_queries(["engine"])
    leg = asked(vectors, question, vectors.keys[:2])
    legs = legs_of({int(key): 0.5 for key in vectors.keys[:2]})
    assert ask_again(legs, TopHit(int(vectors.keys[0]), 0.1), leg, 0.2) is not None
    assert ask_again(legs, TopHit(10**9, 0.1), leg, 0.2) is None


def test_scores_are_cosines_of_the_turned_question(index):
    """Asked in rotated directions, the answer is what the vectors themselves give."""
    index.search("engine")
    vectors = only_tree(index).vectors.find(only_tree(index).generations.current())
    (question,) = index.embeddings.get_embedder().embed_queries(["engine"])
    stored = vectors.vectors(vectors.keys)
    first = int(vectors.keys[0])
    average = np.mean(list(stored.values()), axis=0)
    turned = turn(question, stored[first], average, 0.3, AWAY)
    legs = legs_of(dict.fromkeys(stored, 0.5))
    again = ask_again(legs, TopHit(first, 0.1), asked(vectors, question, vectors.keys), 0.2)
    assert {key: pytest.approx(float(one @ turned), abs=1e-3) for key, one in stored.items()} == (
        again.legs.get("semantic")
    )


def test_few_chunks_have_no_average_to_turn_from():
    """A question to them is asked once."""
    with dowse.open(":memory:") as index:
        give_meaning(index)
        for key in ("first", "alike", "other1"):
            index.add(key, TEXTS[key], title=key)
        index.commit()
        index.embed()
        response = index.search(ask())
    assert ["calibrated"] == [stage.note for stage in response.stages if stage.name == "fuse"]
    assert "first" == response.hits[0].doc_key


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        (ask(explain=True), [1.2]),
        (ask(("k1", 3.0), explain=True), [3.0]),
        (ask(explain=True, model="lm-dirichlet"), []),
        (SearchRequest("engine", mode="bm25f", explain=True), [2.0]),
    ],
)
def test_beside_meaning_repetitions_count_less(index, request_, expected):
    """k1 is lower than for words alone, unless the request says otherwise or its model has none."""
    assert expected == list(iter_values(index.search(request_).hits[0].explanation, "k1"))


def iter_values(node, description: str):
    """Yields the values of all parts with a description."""
    if node.description == description:
        yield node.value
    for part in node.parts:
        yield from iter_values(part, description)
