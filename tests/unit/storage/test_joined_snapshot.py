"""Several trees read as one generation."""

import numpy as np
import pytest

import dowse
from dowse.schema import Problem
from dowse.storage.joined_snapshot import join_snapshots
from dowse.storage.stored_chunks import read_chunks
from dowse.storage.stored_documents import find_documents, list_doc_keys
from support.open_trees import only_tree

TEXTS = {"a": "green tea", "b": "black tea and milk", "c": "a letter", "d": "tea for two"}


def fill(index: dowse.Index, keys: str) -> dowse.Index:
    """Adds some of the texts, each in a commit of its own."""
    for key in keys:
        index.add(key, TEXTS[key], title=key)
        index.commit()
    return index


@pytest.fixture
def indexes():
    """Three indexes in memory: two with a part of the texts each, and one with all."""
    opened = [fill(dowse.open(":memory:"), keys) for keys in ("ab", "cd", "abcd")]
    yield opened
    for index in opened:
        index.close()


def snapshot_of(index: dowse.Index):
    """Returns the generation that an index is at."""
    return only_tree(index).generations.current()


def test_statistics_are_those_of_one_index_with_everything(indexes):
    """Counts and lengths add up."""
    first, second, whole = map(snapshot_of, indexes)
    joined = join_snapshots([first, second])
    assert (whole.doc_count, whole.generation) == (joined.doc_count, joined.generation)
    assert np.array_equal(whole.avg_lengths, joined.avg_lengths)
    assert np.array_equal(whole.total_lengths, joined.total_lengths)


def test_keys_ascend_over_all_segments(indexes):
    """S6 holds for what is joined, and the first tree's keys are its own."""
    first, second, _ = map(snapshot_of, indexes)
    joined = join_snapshots([first, second])
    keys = np.concatenate([segment.reader.columns.chunk_keys for segment in joined.segments])
    assert (np.diff(keys) > 0).all()
    assert [1, 2] == keys[:2].tolist()
    assert joined.segments[0].reader is first.segments[0].reader


def test_rows_and_catalogue_name_the_same_documents(indexes):
    """What a row is called is found under its key, in its own tree."""
    first, second, _ = map(snapshot_of, indexes)
    joined = join_snapshots([first, second])
    for segment in joined.segments:
        for row, key in enumerate(segment.reader.columns.chunk_keys.tolist()):
            ((tree_id, doc_key, _),) = segment.reader.names.read([row])
            chunk = read_chunks(joined, [key])[key]
            assert (doc_key, TEXTS[doc_key].encode(), tree_id) == (chunk.title, chunk.text, chunk.tree_id)
            assert tree_id in joined.trees
            assert [key] == [document.first_key for document in find_documents(joined, doc_key)]
    assert [*"abcd"] == sorted(list_doc_keys(joined))


def test_one_tree_alone_is_its_own_snapshot(indexes):
    """Nothing is made for it; what is wrong with others is said."""
    first = snapshot_of(indexes[0])
    assert join_snapshots([first]) is first
    problem = Problem("damaged-tree", "b", "it cannot be read")
    joined = join_snapshots([first], [problem])
    assert ((problem,), first.doc_count) == (joined.problems, joined.doc_count)


def test_shifted_segments_are_used_again(indexes):
    """A commit to one tree leaves the segments of the others as they are."""
    first, second, _ = map(snapshot_of, indexes)
    before = join_snapshots([first, second])
    indexes[1].add("e", "more tea")
    indexes[1].commit()
    after = join_snapshots([first, snapshot_of(indexes[1])], known=before)
    assert [segment.reader for segment in before.segments] == [
        segment.reader for segment in after.segments[: len(before.segments)]
    ]
