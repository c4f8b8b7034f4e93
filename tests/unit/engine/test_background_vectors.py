"""Vectors that are made while an index is used."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

import dowse
from dowse.engine.background_vectors import BackgroundVectors
from dowse.errors import DowseError, ModelMissingError
from dowse.schema import Coverage
from support.fake_embedder import FakeEmbedder, give_meaning

WAIT_S = 20.0


class Ears:
    """Keeps what is said of vectors."""

    def __init__(self) -> None:
        self.made: list[Coverage] = []
        self.failures: list[str] = []
        self._has_heard = threading.Condition()

    def vectors_made(self, coverage: Coverage) -> None:
        with self._has_heard:
            self.made.append(coverage)
            self._has_heard.notify_all()

    def wait_until_made(self, expected: list[Coverage]) -> None:
        """Waits until exactly this was said, by the thread that makes vectors."""
        with self._has_heard:
            assert self._has_heard.wait_for(lambda: expected == self.made, WAIT_S), self.made

    def vectors_failed(self, error: DowseError) -> None:
        self.failures.append(error.code)


class SlowEmbedder(FakeEmbedder):
    """Remembers what it read, and waits after the first look at an index until it may go on."""

    def __init__(self) -> None:
        super().__init__()
        self.has_begun, self.may_go_on = threading.Event(), threading.Event()
        self.read: list[str] = []

    def embed_passages(self, texts):
        """Returns one unit vector a passage."""
        if self.embedded:
            self.has_begun.set()
            assert self.may_go_on.wait(WAIT_S)
        self.read += texts
        return super().embed_passages(texts)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """An index with one text and no vectors."""
    add(tmp_path / "home", "tea")
    return tmp_path / "home"


def add(home: Path, *words: str) -> None:
    """Adds texts, as another process would."""
    with dowse.open(home) as index:
        for word in words:
            index.add(word, f"{word} is here", title=word)
        index.commit()


def opener(home: Path, embedder: FakeEmbedder) -> Callable[[], dowse.Index]:
    """Returns what opens the index with an embedder."""

    def open_index() -> dowse.Index:
        index = dowse.open(home)
        give_meaning(index, embedder)
        return index

    return open_index


def test_chunks_get_vectors_at_the_start_and_when_new_ones_come(home: Path):
    """Each time that all are done, somebody is told; without anything to do, nobody is."""
    ears, embedder = Ears(), FakeEmbedder()
    with BackgroundVectors(opener(home, embedder), ears) as vectors:
        ears.wait_until_made([Coverage(1, 0, 1)])
        vectors.wake()
        add(home, "milk", "sugar")
        vectors.wake()
        ears.wait_until_made([Coverage(1, 0, 1), Coverage(3, 0, 3)])
    assert [] == ears.failures


def test_what_was_made_when_news_came_is_told(home: Path):
    """Also when it was the last: the next run finds nothing to do, and says what is there now."""

    class Waking(FakeEmbedder):
        def embed_passages(self, texts):
            vectors.wake()
            return super().embed_passages(texts)

    with dowse.open(home) as index:
        give_meaning(index)
        index.embed()
    add(home, "milk")
    ears = Ears()
    vectors = BackgroundVectors(opener(home, Waking()), ears)
    with vectors:
        ears.wait_until_made([Coverage(2, 0, 2)])


def test_chunks_that_come_at_the_end_of_a_run_are_no_vectors(home: Path, monkeypatch: pytest.MonkeyPatch):
    """The run that gives them theirs tells; the one before made nothing."""
    with dowse.open(home) as index:
        give_meaning(index)
        index.embed()
    embed, has_ended = dowse.Index.embed, threading.Event()

    def embed_and_grow(index, *arguments, **options):
        embed(index, *arguments, **options)
        add(home, "milk")
        has_ended.set()
        return index.coverage()

    monkeypatch.setattr(dowse.Index, "embed", embed_and_grow)
    ears = Ears()
    with BackgroundVectors(opener(home, FakeEmbedder()), ears):
        assert has_ended.wait(WAIT_S)
    assert [] == ears.made


def test_news_come_before_what_is_being_read(home: Path, monkeypatch: pytest.MonkeyPatch):
    """The model stops after the passages it is at, and begins again with what is newest."""
    monkeypatch.setattr("dowse.indexing.embedding_plan.FIRST_PAIRS", 1)
    monkeypatch.setattr("dowse.indexing.vector_indexing.MODEL_BATCH", 1)
    add(home, "milk", "sugar")
    ears, embedder = Ears(), SlowEmbedder()
    with BackgroundVectors(opener(home, embedder), ears) as vectors:
        assert embedder.has_begun.wait(WAIT_S)
        add(home, "honey")
        vectors.wake()
        embedder.may_go_on.set()
        ears.wait_until_made([Coverage(4, 0, 4)])
    # The oldest is read at first, to get to know the model.
    assert ["tea", "sugar", "honey", "milk"] == [text.split()[0] for text in embedder.read]


def test_it_ends_while_the_model_reads(home: Path, monkeypatch: pytest.MonkeyPatch):
    """What was read is kept, the rest is for the next time."""
    monkeypatch.setattr("dowse.indexing.embedding_plan.FIRST_PAIRS", 1)
    monkeypatch.setattr("dowse.indexing.vector_indexing.MODEL_BATCH", 1)
    add(home, "milk", "sugar")
    embedder = SlowEmbedder()
    with BackgroundVectors(opener(home, embedder), Ears()) as vectors:
        assert embedder.has_begun.wait(WAIT_S)
        embedder.may_go_on.set()
        vectors._is_over.set()
        vectors.wake()
    assert not vectors._thread.is_alive()
    with opener(home, FakeEmbedder())() as index:
        assert Coverage(3, 0, 3) == index.embed()


def test_trouble_is_told_once_and_tried_again(home: Path, monkeypatch: pytest.MonkeyPatch):
    """A model that is not there now may be there in a minute."""
    monkeypatch.setattr("dowse.engine.background_vectors.RETRY_S", 0.01)
    ears, tries = Ears(), []
    open_sound = opener(home, FakeEmbedder())

    def open_index() -> dowse.Index:
        tries.append(1)
        if len(tries) < 4:
            raise ModelMissingError(name="fake", reason="gone", remedy="wait")
        return open_sound()

    with BackgroundVectors(open_index, ears):
        ears.wait_until_made([Coverage(1, 0, 1)])
    assert 1 == len(ears.failures)
