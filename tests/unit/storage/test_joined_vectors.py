"""The vectors of several trees, each in a space of its own, asked as one collection."""

import numpy as np
import pytest

import dowse
from dowse.schema import Coverage
from dowse.storage.joined_vectors import JoinedVectors, VectorPart
from dowse.storage.live_vectors import LiveVectors, open_live_vectors
from dowse.storage.stored_models import list_models
from support.fake_embedder import FakeEmbedder, give_meaning
from support.open_trees import only_tree

COUNTS = (24, 3, 40)
BASE = 100


@pytest.fixture
def trees():
    """The vectors of three indexes; the second has too few for a spread of its own."""
    opened = []
    found: list[LiveVectors] = []
    for number, count in enumerate(COUNTS):
        index = dowse.open(":memory:")
        give_meaning(index)
        opened.append(index)
        for at in range(count):
            index.add(f"{at}", f"word{at % 7} tree{number} car{at}", title=f"{at}")
        index.commit()
        index.embed()
        snapshot = only_tree(index).generations.current()
        found.append(open_live_vectors(only_tree(index).store, snapshot, list_models(snapshot)[0]))
    yield found
    for index in opened:
        index.close()


@pytest.fixture
def joined(trees) -> JoinedVectors:
    """All of them."""
    return JoinedVectors([VectorPart(own, number * BASE, number, 1) for number, own in enumerate(trees)])


def query(text: str = "word3 tree2"):
    """Returns the vector of a question."""
    return FakeEmbedder().embed_queries([text])[0]


def test_the_nearest_of_all_trees_come_first(trees, joined):
    """With their cosines as each tree has them, and keys and segments of the whole."""
    near = joined.search(joined.prepare(query()), 10, None)
    expected = sorted(
        (-score, number * BASE + key, number)
        for number, own in enumerate(trees)
        for key, score in zip(*own.search(own.prepare(query()), 50, None)[::3][:2], strict=True)
    )[:10]
    found = [(-score, key, at) for key, at, score in zip(near.keys, near.segments, near.scores, strict=True)]
    assert expected == found


def test_rows_that_may_not_be_found_are_left_out(trees, joined):
    """Each tree gets the masks of its own segments."""
    masks = [None, np.zeros(COUNTS[1], np.uint8), np.zeros(COUNTS[2], np.uint8)]
    near = joined.search(joined.prepare(query()), 100, masks)
    assert {0} == set(near.segments)
    assert COUNTS[0] == len(near.keys)


def test_located_vectors_are_scored_as_they_were_found(joined):
    """By key, whichever tree they are of; unknown keys have no score."""
    prepared = joined.prepare(query())
    near = joined.search(prepared, 30, None)
    assert dict(zip(near.keys, near.scores, strict=True)) == joined.score(prepared, near.located)
    located = joined.locate(np.array([1, BASE + 2, BASE + 90, 2 * BASE + 40, 10**6], np.int64))
    assert {1, BASE + 2, 2 * BASE + 40} == set(joined.score(prepared, located))


def test_mean_and_deviation_are_those_of_all_cosines(joined):
    """The tree with three vectors counts three times as much as one vector does."""
    prepared = joined.prepare(query())
    scores = joined.search(prepared, 100, None).scores
    assert sum(COUNTS) == len(scores)
    assert pytest.approx((np.mean(scores), np.std(scores)), abs=1e-5) == joined.spread(prepared)


def test_a_question_is_turned_to_a_chunk_of_any_tree(joined):
    """Cosines of the turned question are those of the vectors themselves."""
    key = 2 * BASE + 5
    turned = joined.turn(joined.prepare(query()), key, 0.3, 0.2)
    stored = joined.vectors(np.array([*range(1, 3 * BASE)], np.int64))
    assert sum(COUNTS) == len(stored)
    wanted = 0.7 * query() + 0.3 * stored[key] - 0.2 * np.mean(list(stored.values()), axis=0)
    wanted /= np.linalg.norm(wanted)
    scores = joined.score(turned, joined.locate(np.array([*stored], np.int64)))
    assert {one: pytest.approx(float(vector @ wanted), abs=2e-3) for one, vector in stored.items()} == scores


def test_coverage_is_that_of_all_chunks(joined, trees):
    """Chunks of trees that the model has not seen are counted as well."""
    assert Coverage(sum(COUNTS), 0, sum(COUNTS)) == joined.coverage
    part = VectorPart(trees[0], 0, 0, 1)
    assert Coverage(COUNTS[0] + 7, 0, COUNTS[0]) == JoinedVectors([part], 7).coverage
    assert [] == joined.find_unread([1, BASE + 1])
