"""The mark that spares readers a question to SQLite."""

import os

import pytest

import dowse
from dowse.storage.commit_seqlock import FILE_NAME, CommitSeqlock
from support.open_trees import only_tree

pytestmark = pytest.mark.skipif(not hasattr(os, "pread"), reason="readers ask SQLite there")


def test_the_mark_changes_with_every_commit_and_is_not_to_be_had_meanwhile(tmp_path):
    """Two marks that are equal mean that nothing was committed in between."""
    writer, reader = CommitSeqlock(tmp_path), CommitSeqlock(tmp_path)
    assert reader.read() is None
    seen = set()
    for _ in range(300):
        writer.begin()
        assert reader.read() is None
        writer.end()
        mark = reader.read()
        assert mark is not None
        assert mark not in seen
        assert mark == reader.read()
        seen.add(mark)
    reader.close()


def test_a_writer_that_died_leaves_readers_asking(tmp_path):
    """The next one puts it right, and no mark comes twice."""
    reader = CommitSeqlock(tmp_path)
    CommitSeqlock(tmp_path).begin()
    assert reader.read() is None
    second = CommitSeqlock(tmp_path)
    second.begin()
    assert reader.read() is None
    second.end()
    assert reader.read() is not None
    reader.close()


@pytest.mark.parametrize("damage", [b"", b"\x02\x00", b"\x01" * 8], ids=["empty", "short", "odd"])
def test_searches_see_commits_whatever_the_mark_says(tmp_path, damage):
    """A mark that cannot be trusted costs a question, never an answer."""
    with dowse.open(tmp_path) as index, dowse.open(tmp_path) as other:
        index.add("one", "first text")
        index.commit()
        assert 1 == len(other.search("text").hits)
        (tmp_path / FILE_NAME).write_bytes(damage)
        index.add("two", "second text")
        index.commit()
        assert 2 == len(other.search("text").hits)
    (tmp_path / FILE_NAME).unlink()
    with dowse.open(tmp_path) as index, dowse.open(tmp_path) as other:
        assert 2 == len(other.search("text").hits)
        index.add("three", "third text")
        index.commit()
        assert 3 == len(other.search("text").hits)


def test_an_unchanged_index_is_not_asked_again(tmp_path):
    """The second search does without SQLite's number."""
    with dowse.open(tmp_path) as index:
        index.add("one", "first text")
        index.commit()
        index.search("text")
        asked = []
        only_tree(index).generations._watch.connection.set_trace_callback(asked.append)
        index.search("text")
        assert [] == asked
        index.add("two", "second text")
        index.commit()
        assert 2 == len(index.search("text").hits)
        assert asked
