"""Which vectors count in a generation, while other processes write and merge them."""

from functools import partial

import numpy as np
import pytest

import dowse
from dowse import SearchRequest
from dowse.indexing import IndexWriter
from dowse.indexing.vector_writer import VectorWriter
from dowse.schema import Coverage
from dowse.storage.live_vectors import LiveVectors, open_live_vectors
from dowse.storage.stored_models import MODEL, STATIC, list_models
from support.fake_embedder import give_meaning
from support.open_trees import only_tree, tree_folder

COUNT = 12


@pytest.fixture
def home(tmp_path):
    """An index of some texts with two segments of vectors."""
    with dowse.open(tmp_path / "home") as index:
        give_meaning(index)
        for number in range(COUNT):
            index.add(f"{number}", f"word{number} car", title=f"{number}")
            if number == COUNT // 2:
                index.commit()
                index.embed()
        index.commit()
        index.embed()
    return tmp_path / "home"


def open_vectors(index: dowse.Index) -> LiveVectors:
    """Returns the vectors of the generation that an index is at."""
    snapshot = only_tree(index).generations.current()
    (model,) = list_models(snapshot)
    return open_live_vectors(only_tree(index).store, snapshot, model)


def vector_writer(index: dowse.Index) -> VectorWriter:
    """Returns a writer of vectors into an open index."""
    store = only_tree(index).store
    return VectorWriter(store, partial(IndexWriter, store, lock_timeout_s=1.0))


def merge(home) -> None:
    """Makes one segment of all, as another process would, and removes the others."""
    with dowse.open(home) as other:
        give_meaning(other)
        other.delete("0")
        other.commit()
        other.embed()
        vectors = open_vectors(other)
        vector_writer(other).merge(vectors, into_one=True)


def test_a_static_vector_never_replaces_the_models_own(home):
    """Another process may be late with it: it made it before the model had read the chunk."""
    with dowse.open(home) as index:
        give_meaning(index)
        vectors = open_vectors(index)
        wrong = np.zeros((4, vectors.model.space.dimensions), np.float32)
        wrong[:, 0] = 1
        for kind in (STATIC, MODEL + 1):
            vector_writer(index).write(vectors.model, vectors.keys[:4], wrong, kind)
        assert Coverage(COUNT, 0, COUNT) == index.coverage()
        before, after = vectors.vectors(vectors.keys), open_vectors(index).vectors(vectors.keys)
        assert all(np.array_equal(before[key], after[key]) for key in before)
        vectors = open_vectors(index)
        vector_writer(index).merge(vectors, into_one=True)
        assert Coverage(COUNT, 0, COUNT) == index.coverage()
        assert not open_vectors(index).has_waste


def test_vectors_that_were_merged_since_are_found_where_they_are_now(home):
    """A snapshot names segments that are gone; what took their place has the same vectors."""
    with dowse.open(home) as index:
        give_meaning(index)
        snapshot = only_tree(index).generations.current()
        (model,) = list_models(snapshot)
        merge(home)
        vectors = open_live_vectors(only_tree(index).store, snapshot, model)
        assert ((), 1) == (vectors.damaged, len(vectors.sources))
        assert Coverage(COUNT, 0, COUNT - 1) == vectors.coverage


def test_the_doctor_does_not_take_merged_vectors_for_damaged(home, monkeypatch):
    """Another process merges while it looks."""
    from dowse.engine import health

    check_segments = health._check_segments

    def merge_meanwhile(*arguments):
        found = check_segments(*arguments)
        merge(home)
        return found

    monkeypatch.setattr(health, "_check_segments", merge_meanwhile)
    with dowse.open(home) as index:
        assert () == index.check().findings


def test_readers_are_opened_once(home, monkeypatch):
    """A commit leaves the segments that were there as they are: nothing of them is read again."""
    from dowse.storage import live_vectors

    opened = []
    open_reader = live_vectors.open_sound_reader

    def count(directory, folder, checksum):
        opened.append(folder)
        return open_reader(directory, folder, checksum)

    monkeypatch.setattr(live_vectors, "open_sound_reader", count)
    with dowse.open(home) as index:
        give_meaning(index)
        for number in range(3):
            index.search(SearchRequest("automobile", mode="hybrid"))
            index.add(f"new{number}", "tea", title="new")
            index.commit()
    assert 2 == len(opened) == len(set(opened))


@pytest.mark.parametrize("name", ["rows", "bits", "levels", "remainders"])
def test_keys_and_space_of_a_large_segment_are_checked(home, monkeypatch, name):
    """With wrong keys nothing fits together; wrong codes are left to the doctor. Words answer either way."""
    monkeypatch.setattr("dowse.storage.live_vectors.CHECKED_BYTES", 0)
    for folder in (tree_folder(home) / "vectors").iterdir():
        data = bytearray((folder / name).read_bytes())
        data[20] ^= 0x40
        (folder / name).chmod(0o600)
        (folder / name).write_bytes(data)
    with dowse.open(home) as index:
        give_meaning(index)
        response = index.search("word7")
        assert "7" == response.hits[0].doc_key
        assert (2 if name == "rows" else 0) == len(response.problems)
        assert 2 == len(index.check().findings)
