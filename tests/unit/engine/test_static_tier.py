"""Static vectors: made at once, brought near to the model's own, and made again when more is known."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

import dowse
from dowse.embedding import EmbeddingSettings
from dowse.engine.embeddings import EmbeddingListener
from dowse.indexing import embedding_plan
from dowse.schema import Coverage
from support.open_trees import tree_folder
from support.small_model import WORDS, make_export

COUNT = 24


@pytest.fixture(scope="module")
def export(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small model."""
    return make_export(tmp_path_factory.mktemp("models") / "few-words")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where an index will be; little is enough to learn from."""
    for name, value in {"FIRST_PAIRS": 4, "FIT_FROM": 8, "REFIT_FACTOR": 2, "FEW_CHUNKS": 5}.items():
        monkeypatch.setattr(embedding_plan, name, value)
    monkeypatch.setattr("dowse.indexing.vector_indexing.MODEL_BATCH", 4)
    monkeypatch.setenv("DOWSE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "home"


@pytest.fixture
def index(home: Path, export: Path) -> Iterator[dowse.Index]:
    """An index of some texts that uses the small model."""
    with dowse.open(home, embedding=EmbeddingSettings(model=str(export))) as index:
        for number in range(COUNT):
            words = [WORDS[(number * step) % len(WORDS)] for step in (1, 2, 3)]
            index.add(f"{number}", " ".join(words), title=f"{number}")
        index.commit()
        yield index


def learned(home: Path) -> tuple[int, int]:
    """Returns of how many pairs the correction was learned, and the kind of static vectors made now."""
    catalog = sqlite3.connect(tree_folder(home) / "catalog.db")
    row: tuple[int, int] = catalog.execute("SELECT pairs, static_kind FROM models").fetchone()
    catalog.close()
    return row


def test_every_chunk_has_a_static_vector_at_once(index, home):
    """No chunk but the few that are learned from is read by the model."""
    assert Coverage(COUNT, COUNT, 0) == index.embed(with_model=False)
    assert (4, 0) == learned(home)
    assert COUNT == len(index.search(dowse.SearchRequest("water", mode="semantic", limit=100)).hits)


def test_static_vectors_get_better_as_the_model_reads_on(index, home):
    """Half-way through, those still static were made again with a correction of more pairs."""

    def stop(done: int, total: int) -> None:
        if total - done <= COUNT - 12:
            raise KeyboardInterrupt

    def ignore(done: int, total: int) -> None:
        pass

    with pytest.raises(KeyboardInterrupt):
        index.embed(EmbeddingListener(ignore, ignore, stop))
    coverage = index.coverage()
    assert COUNT == coverage.model + coverage.static
    assert coverage.static > 0
    pairs, kind = learned(home)
    assert pairs >= 8
    assert kind >= 2


def test_in_the_end_all_vectors_are_the_models_own(index, home):
    """Nothing static is left, and every chunk has one vector that counts."""
    index.embed(with_model=False)
    assert Coverage(COUNT, 0, COUNT) == index.embed()
    assert COUNT == len(index.search(dowse.SearchRequest("water", mode="semantic", limit=100)).hits)


def test_a_cache_that_cannot_be_written_to_stops_no_vectors(index, home):
    """The table stays in memory; it is said once that it could not be kept, and where."""
    (home.parent / "cache").write_text("a file where the folder should be")
    said: list[str] = []

    def ignore(done: int, total: int) -> None:
        pass

    listener = EmbeddingListener(ignore, ignore, ignore, said.append)
    assert Coverage(COUNT, COUNT, 0) == index.embed(listener, with_model=False)
    assert index.embeddings.has_table()
    assert Coverage(COUNT, 0, COUNT) == index.embed(listener)
    (note,) = said
    assert str(home.parent / "cache") in note


def test_no_table_is_made_when_the_model_has_read_everything(index, home, export):
    """A cache that was emptied costs nothing until there are new chunks."""
    index.embed()
    for kept in (home.parent / "cache").glob("*.table"):
        kept.unlink()
    with dowse.open(home, embedding=EmbeddingSettings(model=str(export))) as again:
        assert Coverage(COUNT, 0, COUNT) == again.embed()
        assert not list((home.parent / "cache").glob("*.table"))
        again.add("new", "carrots grow", title="new")
        again.commit()
        assert Coverage(COUNT + 1, 1, COUNT) == again.embed(with_model=False)


def test_few_chunks_are_read_by_the_model_alone(home, export, monkeypatch):
    """No table is made for them; it is when they have become many."""
    with dowse.open(home, embedding=EmbeddingSettings(model=str(export))) as index:
        index.add("one", "water the plants", title="one")
        index.commit()
        assert Coverage(1, 0, 1) == index.embed()
        assert not list((home.parent / "cache").glob("*.table"))
        for number in range(10):
            index.add(f"{number}", "carrots grow below the ground", title=f"{number}")
        index.commit()
        assert Coverage(11, 0, 11) == index.embed()
        assert list((home.parent / "cache").glob("*.table"))


def weights(home: Path) -> bytes:
    """Returns how much each token counts in a static vector."""
    catalog = sqlite3.connect(tree_folder(home) / "catalog.db")
    (found,) = catalog.execute("SELECT token_weights FROM models").fetchone()
    catalog.close()
    return bytes(found)


def fill(index: dowse.Index, numbers: range) -> None:
    """Adds texts of many words."""
    for number in numbers:
        words = [WORDS[(number * step) % len(WORDS)] for step in (1, 2, 3, 5)]
        index.add(f"{number}", " ".join(words), title=f"{number}")
    index.commit()


def test_what_was_learned_from_a_few_chunks_is_learned_anew_of_many(home, export):
    """A folder that began with one file has the static vectors of one that came as a whole."""
    found = []
    for began in (0, 1):
        place = home / f"began-with-{began}"
        with dowse.open(place, embedding=EmbeddingSettings(model=str(export))) as index:
            fill(index, range(began))
            index.embed(with_model=False)
            fill(index, range(began, COUNT))
            assert Coverage(COUNT, COUNT, 0) == index.embed(with_model=False)
            hits = index.search(dowse.SearchRequest("water", mode="semantic", limit=COUNT)).hits
        found.append((learned(place)[0], weights(place), [hit.doc_key for hit in hits]))
    assert found[0] == found[1]


def test_tokens_are_counted_again_as_the_model_reads_on(index, home):
    """There may be other chunks by now than when they were counted."""
    index.embed(with_model=False)
    before = weights(home)
    fill(index, range(COUNT, 3 * COUNT))
    assert Coverage(3 * COUNT, 0, 3 * COUNT) == index.embed()
    assert len(before) == len(weights(home))
    assert before != weights(home)
