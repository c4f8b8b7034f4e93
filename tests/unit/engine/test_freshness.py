"""Hits of files that changed or went, sweeping, what is pending."""

import shutil
from pathlib import Path

import pytest

import dowse
from dowse import SearchRequest
from dowse.errors import InvalidParameterError
from dowse.schema import PendingChanges


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Five notes about tea, the first one best."""
    folder = tmp_path / "notes"
    folder.mkdir()
    for number in range(5):
        (folder / f"{number}.md").write_text("tea " * (5 - number) + "and water " * (number + 1))
    return folder


@pytest.fixture
def index(tmp_path: Path, folder: Path):
    """An index of the notes."""
    with dowse.open(tmp_path / "home") as index:
        index.sync_folder(folder)
        yield index


def keys(response: dowse.SearchResponse) -> list[str]:
    """Returns the documents of the hits."""
    return [hit.doc_key for hit in response.hits]


def test_a_hit_whose_file_is_gone_is_replaced(index, folder):
    """The next one takes its place, ranks go on without a gap, and the stage says so."""
    before = keys(index.search(SearchRequest("tea", limit=3)))
    (folder / before[0]).unlink()
    (folder / before[2]).unlink()
    response = index.search(SearchRequest("tea", limit=3))
    assert 3 == len(response.hits)
    assert not set(keys(response)) & {before[0], before[2]}
    assert [1, 2, 3] == [hit.rank for hit in response.hits]
    (stage,) = [stage for stage in response.stages if stage.name == "check files"]
    assert (3, 3) == (stage.hits_in, stage.hits_out)
    assert "gone" in stage.note


def test_when_all_are_gone_nothing_is_found(index, folder):
    """An answer without hits, not a loop."""
    shutil.rmtree(folder)
    assert [] == keys(index.search("tea"))


def test_a_hit_whose_file_changed_is_marked(index, folder):
    """It is still shown, for it may still answer; the others are not marked."""
    (folder / "1.md").write_text("something else entirely")
    assert {"1.md"} == {hit.doc_key for hit in index.search("tea").hits if hit.is_stale}
    index.sync_folder(folder)
    assert not any(hit.is_stale for hit in index.search("tea").hits)


def test_pushed_texts_have_no_file_to_check(index):
    """They are never gone."""
    index.add("memo", "tea for two")
    index.commit()
    assert "memo" in keys(index.search("two"))


def test_a_sweep_removes_what_is_gone(index, folder):
    """Documents of files that are gone leave, others stay; files are not read for it."""
    (folder / "0.md").unlink()
    report = index.sweep()
    assert (1, (), ()) == (report.documents, report.missing_roots, report.removed_trees)
    assert 4 == index.status().documents
    assert 0 == index.sweep().documents


def test_a_sweep_keeps_a_tree_whose_folder_is_missing(index, folder, tmp_path):
    """It goes only when that is asked for."""
    folder.rename(tmp_path / "away")
    report = index.sweep()
    assert (0, (str(folder),)) == (report.documents, report.missing_roots)
    assert not index.status().trees[0].has_root
    report = index.sweep(removes_missing_trees=True)
    assert (5, ("notes",)) == (report.documents, report.removed_trees)
    assert () == index.status().trees


def test_pending_counts_what_is_not_indexed_yet(index, folder):
    """New and changed files are to read, gone ones to remove; looking changes nothing."""
    (folder / "0.md").unlink()
    (folder / "1.md").write_text("changed")
    (folder / "new.md").write_text("new")
    assert PendingChanges(2, 1) == index.pending("notes")
    assert PendingChanges(2, 1) == index.status(looks=True).trees[0].pending
    index.sync_folder(folder)
    assert PendingChanges(0, 0) == index.pending("notes")


def test_only_a_folder_can_be_watched(index, folder):
    """Pushed texts have none; a folder is remembered as watched until told otherwise."""
    index.add("memo", "tea", tree="memos")
    index.commit()
    with pytest.raises(InvalidParameterError):
        index.set_watched("memos", is_watched=True)
    index.set_watched("notes", is_watched=True)
    assert {"notes": str(folder)} == index.watched_trees()
    index.set_watched("notes", is_watched=False)
    assert {} == index.watched_trees()
