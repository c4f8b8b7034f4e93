"""Which chunks the model reads first."""

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

import dowse
from dowse import SearchRequest
from dowse.engine.meaning import MeaningListener
from dowse.kernels.layout import F32
from support.fake_embedder import FakeEmbedder, give_meaning


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


def test_what_changed_last_is_read_first(tmp_path, folder):
    """By the times of the files; what was pushed has none, and is as new as can be."""
    recorder = Recorder()
    with dowse.open(tmp_path / "home") as index:
        give_meaning(index, recorder)
        index.sync_folder(folder)
        index.add("note", "note without a file")
        index.commit()
        recorder.read.clear()
        index.embed()
    assert ["note", "bread", "dates", "apple", "eggs", "cheese"] == recorder.read[-6:]


def test_what_answers_show_is_read_before_all_else(tmp_path):
    """The more often the sooner; when all is read, nobody remembers what was shown."""
    recorder = Recorder()
    with dowse.open(tmp_path / "home") as index:
        give_meaning(index, recorder)
        index.add("salt", "salt was there before")
        index.commit()
        index.embed()
        for word in ("figs", "grapes", "honey", "jam", "kale"):
            index.add(word, f"{word} is new")
        index.commit()
        for query in ("honey", "figs", "honey", "salt"):
            index.search(SearchRequest(query, mode="hybrid", limit=1))
        recorder.read.clear()
        index.embed()
        assert ["honey", "figs", "kale", "jam", "grapes"] == recorder.read
        assert not (tmp_path / "home" / "shown").exists()
        index.search(SearchRequest("honey", mode="hybrid"))
        assert not (tmp_path / "home" / "shown").exists()


def test_people_who_search_meanwhile_change_the_order(tmp_path, monkeypatch):
    """What they are shown is in the next bundle."""
    monkeypatch.setattr("dowse.indexing.vectorising.MODEL_BUNDLE", 2)
    recorder = Recorder()
    with dowse.open(tmp_path / "home") as index, dowse.open(tmp_path / "home") as other:
        give_meaning(index, recorder)
        give_meaning(other)
        index.add("salt", "salt was there before")
        index.commit()
        index.embed()
        for word in ("figs", "grapes", "honey", "jam", "kale"):
            index.add(word, f"{word} is new")
        index.commit()

        def search(done: int, total: int) -> None:
            other.search(SearchRequest("figs", mode="hybrid", limit=1))

        recorder.read.clear()
        index.embed(MeaningListener(search, search, search))
    assert ["kale", "jam", "figs", "honey", "grapes"] == recorder.read
