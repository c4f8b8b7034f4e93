"""Which chunks the model reads first."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

import dowse
from dowse import SearchRequest
from dowse.engine.embeddings import EmbeddingListener
from dowse.indexing.vector_order import newest_first
from dowse.kernels.layout import F32
from support.fake_embedder import FakeEmbedder, give_meaning
from support.open_trees import only_tree, tree_folder


class Recorder(FakeEmbedder):
    """Remembers the passages in the order in which they were read."""

    def __init__(self) -> None:
        super().__init__()
        self.read: list[str] = []

    def embed_passages(self, texts: Sequence[str]) -> F32:
        """Returns one unit vector a passage."""
        self.read += [text.split()[0] for text in texts]
        return super().embed_passages(texts)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Five files; the order of their names is not that of their times."""
    for name, age in (("apple", 3), ("bread", 1), ("cheese", 5), ("dates", 2), ("eggs", 4)):
        file = tmp_path / "pantry" / f"{name}.txt"
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"{name} and more of it")
        os.utime(file, (1_700_000_000 - age, 1_700_000_000 - age))
    return tmp_path / "pantry"


def test_what_changed_last_is_read_first(tmp_path, folder, monkeypatch):
    """By the times of the files; what was pushed has none, and is as new as can be."""
    monkeypatch.setattr("dowse.indexing.embedding_plan.FIRST_PAIRS", 1)
    recorder = Recorder()
    with dowse.open(tmp_path / "home") as index:
        give_meaning(index, recorder)
        index.add("old", "what a new model reads first")
        index.commit()
        index.embed()
        index.sync_folder(folder)
        index.add("note", "note without a file")
        index.commit()
        recorder.read.clear()
        index.embed()
    # The first file of a new tree is read before all others, to get to know the model there.
    assert ["note", "apple", "bread", "dates", "eggs", "cheese"] == recorder.read


def test_chunks_that_are_gone_meanwhile_have_no_order_and_do_no_harm(tmp_path):
    """Another process may have removed some documents, or all, since the chunks were listed."""
    with dowse.open(tmp_path / "home") as index:
        gone = np.array([7, 8, 9])
        assert [7, 8, 9] == newest_first(only_tree(index).generations.current().catalog, gone).tolist()
        index.add("note", "note without a file")
        index.commit()
        catalog = only_tree(index).generations.current().catalog
        assert [7, 8, 9] == sorted(newest_first(catalog, gone).tolist())


NEW = ("figs", "grapes", "honey", "jam", "kale")


@pytest.fixture
def pantry(tmp_path: Path) -> Iterator[dowse.Index]:
    """An index with a text that was read, and five that were not."""
    with dowse.open(tmp_path / "home") as index:
        give_meaning(index, Recorder())
        index.add("salt", "salt was there before")
        index.commit()
        index.embed()
        for word in NEW:
            index.add(word, f"{word} is new")
        index.commit()
        index.embeddings.get_embedder().read.clear()
        yield index


def test_what_answers_show_is_read_before_all_else(pantry, tmp_path):
    """The more often the sooner; when all is read, nobody remembers what was shown."""
    for query in ("honey", "figs", "honey", "salt"):
        pantry.search(SearchRequest(query, mode="hybrid", limit=1))
    pantry.embed()
    assert ["honey", "figs", "kale", "jam", "grapes"] == pantry.embeddings.get_embedder().read
    assert not (tree_folder(tmp_path / "home") / "shown").exists()
    pantry.search(SearchRequest("honey", mode="hybrid"))
    assert not (tree_folder(tmp_path / "home") / "shown").exists()


def test_people_who_search_meanwhile_change_the_order(pantry, tmp_path, monkeypatch):
    """What they are shown is in the next bundle."""
    monkeypatch.setattr("dowse.indexing.vector_indexing.MODEL_BATCH", 2)
    with dowse.open(tmp_path / "home") as other:
        give_meaning(other)

        def search(done: int, total: int) -> None:
            other.search(SearchRequest("figs", mode="hybrid", limit=1))

        pantry.embed(EmbeddingListener(search, search, search))
    assert ["kale", "jam", "figs", "honey", "grapes"] == pantry.embeddings.get_embedder().read
