"""Bringing a tree up to date with a real folder."""

import os
from pathlib import Path

import pytest

import dowse
from dowse.errors import FolderNotFoundError
from dowse.indexing import source_sync
from dowse.ingest.folder_source import FolderSource
from dowse.schema import Committed, SyncReport


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with three files in two languages of mark-up."""
    root = tmp_path / "notes"
    (root / "guide").mkdir(parents=True)
    (root / "tea.md").write_text("# Tea\n\nGreen tea is steeped in water.\n")
    (root / "guide" / "coffee.md").write_text("# Coffee\n\nCoffee is brewed.\n")
    (root / "guide" / "plain.txt").write_text("A plain text about cocoa.\n")
    return root


@pytest.fixture
def index():
    """An index in memory."""
    with dowse.open(":memory:") as index:
        yield index


def counts(report: SyncReport) -> dict[str, int]:
    """Returns the counts that are not 0."""
    names = ("added", "changed", "moved", "removed", "unchanged")
    return {name: getattr(report, name) for name in names if getattr(report, name)}


def found(index: dowse.Index, query: str) -> list[str]:
    """Returns the keys that a query finds."""
    return [hit.doc_key for hit in index.search(query).hits]


def later(path: Path) -> None:
    """Gives a file a time stamp it did not have."""
    stamp = path.stat().st_mtime_ns + 1_000_000_000
    os.utime(path, ns=(stamp, stamp))


def test_a_new_folder_is_added(index, folder):
    """All files become documents; the report counts them."""
    report = index.sync_folder(folder)
    assert {"added": 3} == counts(report)
    assert ("notes", str(folder)) == (report.tree, report.root)
    assert 3 == report.chunks_added
    assert report.bytes_read == sum(file.stat().st_size for file in folder.rglob("*.*"))
    assert ["tea.md"] == found(index, "steeped")
    hit = index.search("brewed").hits[0]
    assert ("guide/coffee.md", str(folder / "guide" / "coffee.md")) == (hit.doc_key, hit.file)
    assert ("Coffee", 3) == (hit.title, hit.snippet.line)


def test_an_unchanged_folder_writes_nothing(index, folder):
    """The second run reads no file and makes no generation."""
    index.sync_folder(folder)
    generation = index.status().generation
    report = index.sync_folder(folder)
    assert {"unchanged": 3} == counts(report)
    assert (0, 0) == (report.bytes_read, report.commits)
    assert generation == index.status().generation


def test_a_sync_that_changes_something_is_one_generation(index, folder):
    """Documents, problems and the time of the sync become true together."""
    before = index.status().generation
    assert 1 == index.sync_folder(folder).commits
    assert before + 1 == index.status().generation
    first = index.status().trees[0].last_sync
    (folder / "tea.md").write_text("# Tea\n\nBlack tea now, and much of it.\n")
    assert 1 == index.sync_folder(folder).commits
    assert before + 2 == index.status().generation
    assert index.status().trees[0].last_sync > first


def test_a_changed_file_is_read_again(index, folder):
    """New words find it, old words do not."""
    index.sync_folder(folder)
    (folder / "tea.md").write_text("# Tea\n\nBlack tea now, and much of it.\n")
    assert {"changed": 1, "unchanged": 2} == counts(index.sync_folder(folder))
    assert (["tea.md"], []) == (found(index, "black"), found(index, "steeped"))


def test_a_touched_file_stays_the_same_document(index, folder):
    """A new time stamp with the old content is noted, so that the next run need not read it."""
    index.sync_folder(folder)
    later(folder / "tea.md")
    report = index.sync_folder(folder)
    assert ({"unchanged": 3}, 0) == (counts(report), report.chunks_added)
    generation = index.status().generation
    index.sync_folder(folder)
    assert generation == index.status().generation


def test_a_moved_file_counts_as_moved(index, folder):
    """Gone here and the same content there is one move, not a removal and an addition."""
    index.sync_folder(folder)
    (folder / "tea.md").rename(folder / "guide" / "green-tea.md")
    assert {"moved": 1, "unchanged": 2} == counts(index.sync_folder(folder))
    assert ["guide/green-tea.md"] == found(index, "steeped")


def test_of_two_copies_one_was_moved(index, folder):
    """One file gone and two like it there is one move and one addition."""
    index.sync_folder(folder)
    content = (folder / "tea.md").read_bytes()
    (folder / "tea.md").unlink()
    for name in ("one.md", "two.md"):
        (folder / name).write_bytes(content)
    assert {"moved": 1, "added": 1, "unchanged": 2} == counts(index.sync_folder(folder))


def test_a_deleted_file_goes(index, folder):
    """It is not found any more, nor is its document there."""
    index.sync_folder(folder)
    (folder / "tea.md").unlink()
    assert {"removed": 1, "unchanged": 2} == counts(index.sync_folder(folder))
    assert [] == found(index, "steeped")
    with pytest.raises(dowse.DowseError):
        index.get("tea.md")


def test_another_language_reads_everything_again(index, folder):
    """Stemming is part of every term, so all files are read; stop words alone read none."""
    index.sync_folder(folder)
    assert {"changed": 3} == counts(index.sync_folder(folder, language="german"))
    assert "german" == index.status().trees[0].language
    report = index.sync_folder(folder)
    assert {"unchanged": 3} == counts(report)
    assert "german" == index.status().trees[0].language
    report = index.sync_folder(folder, stop_words="none")
    assert ({"unchanged": 3}, 0) == (counts(report), report.bytes_read)


def test_an_emptied_folder_empties_the_tree(index, folder):
    """All documents go; the tree stays."""
    index.sync_folder(folder)
    for file in folder.rglob("*.*"):
        file.unlink()
    assert {"removed": 3} == counts(index.sync_folder(folder))
    assert ["notes"] == [tree.name for tree in index.status().trees]
    assert 0 == index.status().documents


def test_a_bad_file_is_a_problem_and_stops_nothing(index, folder):
    """The others are indexed; the problem is in the report and in the status."""
    (folder / "binary.md").write_bytes(b"# A\0B")
    report = index.sync_folder(folder)
    assert {"added": 3} == counts(report)
    assert [("binary-file", "binary.md")] == [(p.code, p.location) for p in report.problems]
    assert report.problems == index.status().trees[0].problems


def test_a_problem_that_is_gone_is_forgotten(index, folder):
    """Removing the bad file, which never was a document, clears the status too."""
    (folder / "binary.md").write_bytes(b"# A\0B")
    index.sync_folder(folder)
    (folder / "binary.md").unlink()
    index.sync_folder(folder)
    assert () == index.status().trees[0].problems


def test_problems_of_unread_files_stay_known(index, folder):
    """A flaw of a file that was indexed is shown until the file is mended, whatever else changes."""
    (folder / "latin.txt").write_bytes("Café".encode("latin-1"))
    index.sync_folder(folder)
    expected = ["not-utf8"]
    for change in (lambda: None, lambda: (folder / "tea.md").unlink(), lambda: later(folder / "latin.txt")):
        change()
        index.sync_folder(folder)
        assert expected == [problem.code for problem in index.status().trees[0].problems]
    (folder / "latin.txt").write_text("Café", encoding="utf-8")
    index.sync_folder(folder)
    assert () == index.status().trees[0].problems


def test_a_document_whose_file_turns_binary_goes(index, folder):
    """What the file says now is not text; the old text must not be found any more."""
    index.sync_folder(folder)
    (folder / "tea.md").write_bytes(b"\0\0\0")
    index.sync_folder(folder)
    assert [] == found(index, "steeped")


class Interrupting:
    """A listener that presses Ctrl-C after so many files."""

    def __init__(self, after: int) -> None:
        self.after = after
        self.events: list[str] = []
        self.commits: list[Committed] = []

    def waiting_for_lock(self, holder: str) -> None:
        self.events.append("waiting")

    def discovered(self, total_files: int, to_read: int) -> None:
        self.events.append(f"discovered {total_files}/{to_read}")

    def advanced(self, files_done: int, bytes_done: int) -> None:
        self.events.append(f"advanced {files_done}")
        if files_done == self.after:
            raise KeyboardInterrupt

    def committed(self, event: Committed) -> None:
        self.events.append(f"committed {len(event.added)}")
        self.commits.append(event)

    def merging(self, segments: int) -> None:
        self.events.append(f"merging {segments}")


def test_an_interrupted_run_keeps_what_was_committed(index, folder, monkeypatch):
    """Ctrl-C forgets the open batch only; the next run reads the rest."""
    monkeypatch.setattr(source_sync, "COMMIT_EVERY_S", -1.0)  # a commit after every file
    listener = Interrupting(after=3)
    report = index.sync_folder(folder, listener=listener)
    assert report.interrupted
    assert 2 == index.status().documents
    assert ["committed 1", "committed 1"] == [e for e in listener.events if "committed" in e]
    again = index.sync_folder(folder)
    assert ({"added": 1, "unchanged": 2}, False) == (counts(again), again.interrupted)
    assert 3 == index.status().documents


def test_the_listener_hears_everything(index, folder):
    """Discovery first, then every file, then the commit."""
    listener = Interrupting(after=0)
    index.sync_folder(folder, listener=listener)
    expected = ["discovered 3/3", "advanced 1", "advanced 2", "advanced 3", "committed 3"]
    assert expected == listener.events


def test_a_commit_names_the_documents_that_it_changed(index, folder):
    """What was added, changed and removed, by key; a move is a removal and an addition."""
    listener, generation = Interrupting(after=0), index.status().generation
    index.sync_folder(folder, listener=listener)
    (folder / "tea.md").write_text("# Tea\n\nBlack tea.\n")
    (folder / "guide" / "coffee.md").rename(folder / "coffee.md")
    (folder / "guide" / "plain.txt").unlink()
    index.sync_folder(folder, listener=listener)
    index.sync_folder(folder, listener=listener)
    expected = [
        ({"tea.md", "guide/coffee.md", "guide/plain.txt"}, set(), set()),
        ({"coffee.md"}, {"tea.md"}, {"guide/coffee.md", "guide/plain.txt"}),
    ]
    told = [(set(one.added), set(one.changed), set(one.removed)) for one in listener.commits]
    assert expected == told
    assert [generation + 1, generation + 2] == [event.generation for event in listener.commits]


def test_a_document_whose_file_became_useless_is_named_as_removed(index, folder):
    """It is gone from the index, although its file is not."""
    index.sync_folder(folder)
    (folder / "tea.md").write_bytes(b"\0\0\0")
    listener = Interrupting(after=0)
    index.sync_folder(folder, listener=listener)
    assert [("tea.md",)] == [event.removed for event in listener.commits]


def test_no_commit_names_more_than_so_many_documents(index, folder, monkeypatch):
    """A commit comes earlier instead: listeners miss nothing, and memory is bounded."""
    monkeypatch.setattr(source_sync, "COMMIT_KEYS", 2)
    for number in range(5):
        (folder / f"{number}.md").write_text(f"note {number}")
    listener = Interrupting(after=0)
    index.sync_folder(folder, listener=listener)
    assert [2, 2, 2, 2, 0] == [len(event.added) for event in listener.commits]
    for file in list(folder.rglob("*.*")):
        file.unlink()
    listener.commits.clear()
    index.sync_folder(folder, listener=listener)
    assert [2, 2, 2, 2, 0] == [len(event.removed) for event in listener.commits]


class CountingSource(FolderSource):
    """Counts how often it is surveyed."""

    surveys = 0

    def survey(self, known, *, reads_all):
        """Counts."""
        CountingSource.surveys += 1
        return super().survey(known, reads_all=reads_all)


def test_a_folder_is_walked_once(index, folder, monkeypatch):
    """Also when something is to be written: what was found without the lock is used with it."""
    monkeypatch.setattr("dowse.engine.folders.FolderSource", CountingSource)
    monkeypatch.setattr(CountingSource, "surveys", 0)
    index.sync_folder(folder)
    (folder / "new.md").write_text("new")
    index.sync_folder(folder)
    assert 2 == CountingSource.surveys


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_an_unreadable_folder_keeps_its_documents(index, folder):
    """Not seeing a file is not the same as its being gone."""
    index.sync_folder(folder)
    (folder / "guide").chmod(0)
    try:
        report = index.sync_folder(folder)
    finally:
        (folder / "guide").chmod(0o755)
    assert ["unreadable-folder"] == [problem.code for problem in report.problems]
    assert ["guide/coffee.md"] == found(index, "brewed")


@pytest.mark.parametrize("name", ["missing", "tea.md"])
def test_what_is_no_folder_is_refused(index, folder, name):
    """A missing folder and a file get a message that names them."""
    with pytest.raises(FolderNotFoundError) as caught:
        index.sync_folder(folder / name)
    assert name in caught.value.message
    assert () == index.status().trees


def test_a_folder_moved_away_and_back_is_not_read_again(index, folder, tmp_path, monkeypatch):
    """Its documents come from the document cache, with their sections, tags and links."""
    (folder / "guide" / "rich.md").write_text("# Rich #drink\n\n## Part\n\n[a link](tea.md)\n\n    code\n")
    index.sync_folder(folder)
    before = index.get("guide/rich.md")
    (folder / "guide").rename(tmp_path / "guide")
    assert {"removed": 3, "unchanged": 1} == counts(index.sync_folder(folder))
    assert [] == found(index, "brewed")
    (tmp_path / "guide").rename(folder / "manual")

    def refuse(*_):
        raise AssertionError("a file was read again")

    monkeypatch.setattr("dowse.ingest.jobs.build_document", refuse)
    assert {"added": 3, "unchanged": 1} == counts(index.sync_folder(folder))
    assert ["manual/coffee.md"] == found(index, "brewed")
    after = index.get("manual/rich.md")
    assert (before.text, before.sections, before.tags) == (after.text, after.sections, after.tags)


def test_a_renamed_file_is_read_again(index, folder):
    """Its title may come from its name: another name is another document."""
    index.sync_folder(folder)
    (folder / "guide" / "plain.txt").rename(folder / "guide" / "cocoa.txt")
    assert {"moved": 1, "unchanged": 2} == counts(index.sync_folder(folder))
    assert "cocoa" == index.get("guide/cocoa.txt").title


def test_a_file_without_a_document_is_read_once(index, folder, monkeypatch):
    """It is passed over until it changes; its problem stays known."""
    (folder / "bad.md").write_bytes(b"\0\1\2")
    assert ["binary-file"] == [problem.code for problem in index.sync_folder(folder).problems]
    monkeypatch.setattr("dowse.ingest.jobs.read_file", None)
    report = index.sync_folder(folder)
    assert {"unchanged": 3} == counts(report)
    assert 0 == report.commits
    assert ["binary-file"] == [problem.code for problem in index.status().trees[0].problems]
    monkeypatch.undo()
    (folder / "bad.md").write_text("better")
    assert {"added": 1, "unchanged": 3} == counts(index.sync_folder(folder))


def test_a_binary_file_of_no_known_kind_is_no_problem(index, folder):
    """Nobody expected a text in it: it is counted as passed over, in every run."""
    (folder / "thing.unknownkind").write_bytes(b"\0\1\2")
    for _ in range(2):
        report = index.sync_folder(folder)
        assert (("other-kind", 1),) == report.skipped
        assert () == report.problems


def test_many_files_are_read_by_workers(index, tmp_path):
    """The same documents come out as when they are read here."""
    root = tmp_path / "many"
    root.mkdir()
    for number in range(130):
        (root / f"{number:03}.md").write_text(f"# Title {number}\n\nword{number} tea\n")
    assert {"added": 130} == counts(index.sync_folder(root))
    assert ["077.md"] == found(index, "word77")
    assert "Title 77" == index.get("077.md").title


def test_what_was_wrong_with_a_file_comes_back_with_it(index, folder, tmp_path):
    """A file from the document cache has the problems it had."""
    (folder / "guide" / "old.txt").write_bytes(b"caf\xe9 au lait")
    index.sync_folder(folder)
    before = index.status().trees[0].problems
    assert ["not-utf8"] == [problem.code for problem in before]
    (folder / "guide").rename(tmp_path / "guide")
    index.sync_folder(folder)
    assert () == index.status().trees[0].problems
    (tmp_path / "guide").rename(folder / "guide")
    index.sync_folder(folder)
    assert before == index.status().trees[0].problems
