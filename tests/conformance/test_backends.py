"""Every backend answers as a scan over all live chunks does."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pytest

import dowse
from dowse.analysis import Analyzer
from dowse.errors import ModeUnavailableError
from dowse.kernels import FieldTables
from dowse.kernels.layout import length_buckets
from dowse.schema import FIELD_COUNT, Field
from dowse.scoring import TermStatistics, get_preset
from dowse.storage.backend import CAPABILITIES, VECTORS, ColumnCondition, ScoredKeys, SparseQuery
from dowse.storage.backends import BACKENDS
from dowse.storage.local_backend import LocalBackend
from dowse.storage.stored_documents import find_documents
from support.fake_embedder import FakeEmbedder, give_meaning
from support.open_trees import only_tree

ANALYZER, MODEL = Analyzer(), get_preset("default").model
WORDS = ("tea", "green", "leaf", "water", "kettle", "steam", "cup", "garden", "rain", "stone")
TERMS = (b"rain", b"tea", b"green", b"nowher")
COUNT = 60


class Chunk(NamedTuple):
    """A chunk as the scan sees it; each document has one."""

    key: int
    doc_key: str
    texts: dict[Field, str]

    def count(self, field: Field) -> Counter[str]:
        """Returns how often a field has each term."""
        return Counter(term for term, _ in ANALYZER.phrase_terms(self.texts[field]))


class Opened(NamedTuple):
    """A backend, and what it must have."""

    backend: LocalBackend
    chunks: list[Chunk]

    def statistics(self) -> dict[bytes, int]:
        """Returns the document frequencies of the terms, counted one by one."""
        return {
            term: sum(
                any(chunk.count(field)[term.decode()] for field in chunk.texts) for chunk in self.chunks
            )
            for term in TERMS
        }

    def average(self, field: Field) -> float:
        """Returns the mean length of a field, where it is not empty."""
        lengths = [chunk.count(field).total() for chunk in self.chunks]
        present = [length for length in lengths if length]
        return sum(present) / len(present) if present else 1.0

    def query(self) -> SparseQuery:
        """Returns the terms with BM25F's weights, heaviest first."""
        found, count = self.statistics(), len(self.chunks)
        weights = {term: MODEL.weight(TermStatistics(found[term], count)) for term in TERMS}
        ordered = sorted(TERMS, key=weights.__getitem__, reverse=True)
        summed = [MODEL.field_table(Field(field), self._average(field)) for field in range(FIELD_COUNT)]
        finished = [table / (table + MODEL.saturation) for table in summed]
        tables = FieldTables(summed, finished, MODEL.saturation)
        return SparseQuery(ordered, [weights[term] for term in ordered], tables)

    def _average(self, field: int) -> float:
        return self.average(Field(field)) if Field(field) in self.chunks[0].texts else 1.0

    def score(self, chunk: Chunk, query: SparseQuery) -> float:
        """Returns the score of one chunk by the formula."""
        score = 0.0
        for term, weight in zip(query.terms, query.weights, strict=True):
            total = 0.0
            for field in chunk.texts:
                counts = chunk.count(field)
                bucket = length_buckets(np.array([counts.total()]))[0]
                total += MODEL.field_table(field, self.average(field))[counts[term.decode()], bucket]
            score += weight * total / (total + MODEL.saturation)
        return score


def words(seed: int, count: int) -> str:
    """Returns words that look random and are the same every time."""
    dice = np.random.default_rng(seed)
    return " ".join(WORDS[int(place)] for place in np.minimum(dice.geometric(0.3, count) - 1, 9))


@pytest.fixture(params=BACKENDS, ids=lambda kind: kind.name, scope="module")
def opened(request: pytest.FixtureRequest) -> Iterator[Opened]:
    """A backend over documents of several commits, some of them deleted, and what is left of them."""
    keys = [f"pages/{number}.{'md' if number % 3 else 'txt'}" for number in range(COUNT)]
    texts = {
        key: (words(number + 999, 3), words(number, 5 + number % 50)) for number, key in enumerate(keys)
    }
    with dowse.open(":memory:") as index:
        give_meaning(index)
        for number, (doc_key, (title, text)) in enumerate(texts.items()):
            index.add(doc_key, text, title=title)
            if number % 17 == 16:
                index.commit()
        gone = list(texts)[::7]
        index.commit()
        for doc_key in gone:
            assert index.delete(doc_key)
        index.commit()
        index.embed()
        snapshot = only_tree(index).generations.current()
        chunks = [
            Chunk(find_documents(snapshot, key)[0].first_key, key, {Field.TITLE: title, Field.BODY: text})
            for key, (title, text) in texts.items()
            if key not in gone
        ]
        yield Opened(request.param(snapshot, only_tree(index).vectors.find(snapshot)), chunks)


def must_equal(expected: list[tuple[int, float]], found: ScoredKeys, tolerance: float = 1e-9) -> None:
    """Compares keys exactly, and scores but for rounding."""
    assert [key for key, _ in expected] == found.keys
    np.testing.assert_allclose(found.scores, [score for _, score in expected], rtol=tolerance)


def best(chunks: list[tuple[int, float]], k: int) -> list[tuple[int, float]]:
    """Returns the best of scored keys; ties by key."""
    return sorted(chunks, key=lambda entry: (-entry[1], entry[0]))[:k]


def test_statistics_count_live_chunks(opened: Opened):
    """Deleted documents are in no count."""
    found = opened.backend.statistics(TERMS)
    assert len(opened.chunks) == found.doc_count
    assert list(opened.statistics().values()) == list(found.doc_freqs)
    for field in (Field.TITLE, Field.BODY):
        assert opened.average(field) == pytest.approx(found.avg_lengths[field])
        assert sum(chunk.count(field).total() for chunk in opened.chunks) == found.total_lengths[field]


@pytest.mark.parametrize("k", [1, 10, 1000])
def test_sparse_top_k_equals_a_scan(opened: Opened, k: int):
    """Keys, order and scores are those of the formula."""
    query = opened.query()
    scored = [(chunk.key, opened.score(chunk, query)) for chunk in opened.chunks]
    matching = [entry for entry in scored if entry[1] > 0]
    found = opened.backend.sparse_top_k(query, None, k)
    must_equal(best(matching, k), found)
    if found.is_exact:
        assert len(matching) == found.total


def test_a_floor_leaves_out_what_does_not_reach_it(opened: Opened):
    """Only chunks that score above it are returned."""
    query = opened.query()
    scored = [(chunk.key, opened.score(chunk, query)) for chunk in opened.chunks]
    floor = best(scored, 5)[-1][1]
    found = opened.backend.sparse_top_k(query, None, 10, floor * (1 + 1e-12))
    assert all(score > floor for score in found.scores)
    assert len(found.keys) <= 5


CONDITIONS = {
    "a value": ([ColumnCondition("ext", ("md",))], lambda chunk: chunk.doc_key.endswith(".md")),
    "one of several values": (
        [ColumnCondition("ext", ("MD", "txt"))],
        lambda _: True,
    ),
    "no such value": ([ColumnCondition("ext", ("pdf",))], lambda _: False),
    "a range and a value": (
        [ColumnCondition("ext", ("txt",)), ColumnCondition("size", low=100.0, high=250.0)],
        lambda chunk: chunk.doc_key.endswith(".txt") and 100 <= len(chunk.texts[Field.BODY]) < 250,
    ),
    "no such column": ([ColumnCondition("meta.nothing", low=0.0)], lambda _: False),
    "nothing": ([], lambda _: True),
}


@pytest.mark.parametrize("name", CONDITIONS)
def test_a_filter_acts_before_the_best_are_taken(opened: Opened, name: str):
    """Both sides of an answer, by terms and by vector, hold only what meets the conditions."""
    conditions, holds = CONDITIONS[name]
    where = opened.backend.filter(conditions)
    query = opened.query()
    scored = [(chunk.key, opened.score(chunk, query)) for chunk in opened.chunks if holds(chunk)]
    expected = best([entry for entry in scored if entry[1] > 0], 5)
    must_equal(expected, opened.backend.sparse_top_k(query, where, 5))
    near = opened.backend.dense_top_k(FakeEmbedder().embed_queries(["green tea"])[0], where, 1000)
    assert {chunk.key for chunk in opened.chunks if holds(chunk)} == set(near.keys)


def test_dense_top_k_equals_a_scan(opened: Opened):
    """The nearest chunks are those of the largest cosines, but for what encoding rounds."""
    embedder = FakeEmbedder()
    question = embedder.embed_queries(["green tea in the rain"])[0]
    passages = [f"{chunk.texts[Field.TITLE]}\n{chunk.texts[Field.BODY]}" for chunk in opened.chunks]
    values = embedder.embed_passages(passages) @ question
    cosines = {chunk.key: float(value) for chunk, value in zip(opened.chunks, values, strict=True)}
    found = opened.backend.dense_top_k(question, None, 1000)
    assert cosines.keys() == set(found.keys)
    np.testing.assert_allclose(found.scores, [cosines[key] for key in found.keys], atol=5e-3)
    assert sorted(found.scores, reverse=True) == found.scores


def test_columns_are_those_of_the_documents(opened: Opened):
    """In the order of the keys; a key that nobody has gives no value."""
    chunks = opened.chunks[:9]
    keys = [chunk.key for chunk in chunks]
    endings = [[chunk.doc_key.rpartition(".")[2]] for chunk in chunks]
    assert [*endings, []] == [list(found) for found in opened.backend.columns("ext", [*keys, 10**9])]
    sizes = [[float(len(chunk.texts[Field.BODY]))] for chunk in chunks]
    assert sizes == [list(found) for found in opened.backend.columns("size", keys)]


def test_fetch_returns_texts_by_key(opened: Opened):
    """Chunks that are gone are left out."""
    found = opened.backend.fetch([*(chunk.key for chunk in opened.chunks), 10**9])
    expected = {chunk.key: (chunk.texts[Field.TITLE], chunk.texts[Field.BODY]) for chunk in opened.chunks}
    assert expected == {key: (chunk.title, chunk.text.decode()) for key, chunk in found.items()}


def test_capabilities_are_of_those_that_have_a_name(opened: Opened):
    """And what is not among them is refused, not answered wrongly."""
    assert opened.backend.capabilities <= CAPABILITIES
    assert VECTORS in opened.backend.capabilities


@pytest.mark.parametrize("kind", BACKENDS, ids=lambda kind: kind.name)
def test_without_vectors_dense_search_is_refused(kind: type[LocalBackend]):
    """A backend without vectors says so beforehand."""
    with dowse.open(":memory:") as index:
        index.add("a", "tea")
        index.commit()
        backend = kind(only_tree(index).generations.current())
        assert VECTORS not in backend.capabilities
        with pytest.raises(ModeUnavailableError):
            backend.dense_top_k(FakeEmbedder().embed_queries(["tea"])[0], None, 1)
