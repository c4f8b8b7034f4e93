"""What a writer leaves and a reader keeps: orphans, old generations, deletions, rollbacks (S1, S9)."""

import errno
from pathlib import Path

import pytest

import dowse
from dowse.errors import DiskFullError, StorageError
from dowse.indexing.segment_builder import SegmentBuilder
from dowse.search.pipeline import answer
from dowse.storage.disk_directory import DiskDirectory
from support.index_dump import dump_index, hits_of, segment_folders
from support.open_trees import tree_folder
from support.pages import QUERIES, page


@pytest.fixture
def home(fast_folder: Path) -> Path:
    """An index of three segments."""
    place = fast_folder / "home"
    with dowse.open(place) as index:
        for number in range(12):
            index.add(f"page-{number}", page(number), format="markdown")
            if number % 4 == 3:
                index.commit()
    return place


def dump(home: Path) -> object:
    with dowse.open(home) as index:
        return dump_index(home, index, QUERIES)


def add_several(index: dowse.Index) -> None:
    """Adds more than one: segments are written in the background, so a failure may show a little later."""
    for number in range(4):
        index.add(f"second-{number}", page(2))


def test_orphan_folders_are_swept_by_the_next_writer(home: Path) -> None:
    """Folders no generation names are gone after the next commit; a reader leaves them alone."""
    before = dump(home)
    for name in ("s0000000000000000", "left-by-a-crash"):
        (tree_folder(home) / "segments" / name).mkdir()
        (tree_folder(home) / "segments" / name / "postings").write_bytes(b"half a file")
    with dowse.open(home) as index:
        index.search("river")
        assert 5 == len(segment_folders(home)[1])
        index.add("new", "a kingfisher")
        index.commit()
        index.delete("new")
        index.commit()
    named, there = segment_folders(home)
    assert named == there
    assert before == dump(home)


def test_a_reader_keeps_its_generation_while_its_segments_are_merged_away(home: Path) -> None:
    """A context opened before goes on giving its old answers when all its files are gone."""
    with dowse.open(home) as reader, dowse.open(home) as writer:
        context = reader.answering(None).current()  # what a search in another thread holds on to
        before = {query: answer(dowse.SearchRequest(query), context).hits for query in QUERIES}
        old_folders = segment_folders(home)[1]
        for number in range(12):
            writer.add(f"later-{number}", page(number, 3), format="markdown")
            writer.delete(f"page-{number}")
            writer.commit()
        writer.optimize()
        assert not old_folders & segment_folders(home)[1], "nothing was merged away"
        after = {query: answer(dowse.SearchRequest(query), context).hits for query in QUERIES}
        assert before == after
        assert {"later"} == {hit.doc_key.split("-")[0] for hit in reader.search("river").hits}


def test_a_deletion_is_visible_at_once_everywhere(home: Path) -> None:
    """After the commit no open index finds the document, and statistics forget it too."""
    with dowse.open(home) as reader, dowse.open(home) as writer:
        assert "page-3" in {hit[2] for hit in hits_of(reader, "page 3")}
        writer.delete("page-3")
        assert "page-3" in {hit[2] for hit in hits_of(reader, "page 3")}
        writer.commit()
        expected = {f"page-{number}" for number in range(12) if number != 3}
        for index in (reader, writer):
            assert expected == {hit[2] for hit in hits_of(index, "page")}
        found = hits_of(reader, "river")
    with dowse.open(":memory:") as fresh:
        for number in range(12):
            if number != 3:
                fresh.add(f"page-{number}", page(number), format="markdown")
        fresh.commit()
        assert hits_of(fresh, "river") == found


def test_closing_without_a_commit_leaves_nothing(home: Path) -> None:
    """Uncommitted changes are gone after close, with their folders, and the lock is free."""
    before, folders = dump(home), segment_folders(home)
    with dowse.open(home) as index:
        index.add("page-1", "replaced")
        index.add("new", "a kingfisher")
        index.delete("page-2")
        assert () == index.search("kingfisher").hits
    assert folders == segment_folders(home)
    assert before == dump(home)


def fill_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets every builder say that its memory is full."""
    full = property(lambda _: 1 << 40, lambda _, found: None)
    monkeypatch.setattr(SegmentBuilder, "nbytes", full, raising=False)


def test_rolling_back_flushed_segments_leaves_nothing(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Segments that were written because memory was full go with the rollback."""
    before, folders = dump(home), segment_folders(home)
    fill_memory(monkeypatch)
    with dowse.open(home) as index:
        for number in range(3):
            index.add(f"new-{number}", page(number))
        assert len(segment_folders(home)[1]) > len(folders[1]), "nothing was written early"
    assert folders == segment_folders(home)
    assert before == dump(home)


def test_a_failed_change_cannot_be_committed_in_part(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When one of many additions fails for want of room, a later commit must not keep the others."""
    before = dump(home)
    create = DiskDirectory.create

    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    fill_memory(monkeypatch)
    with dowse.open(home) as index:
        index.add("first", page(1))
        monkeypatch.setattr(DiskDirectory, "create", fail)
        with pytest.raises(DiskFullError):
            add_several(index)
        monkeypatch.setattr(DiskDirectory, "create", create)
        with pytest.raises(StorageError):
            index.add("third", page(3))
        with pytest.raises(StorageError):
            index.commit()
        assert before == dump(home)
        index.add("fourth", "a kingfisher")
        index.commit()
        assert ["fourth"] == [hit.doc_key for hit in index.search("kingfisher").hits]
    with dowse.open(home) as index:
        assert () == index.check().findings
