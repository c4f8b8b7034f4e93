"""Every source keeps the same promises: its survey finds what changed, and a sync follows it."""

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import pytest

from dowse.analysis import AnalysisSettings, Analyzer
from dowse.indexing import IndexWriter
from dowse.indexing.source_sync import SourceSync, compare, known_items
from dowse.ingest import ChunkingSettings, DiscoverySettings, Source
from dowse.ingest.folder_source import FolderSource
from dowse.ingest.source import KnownItem, Survey
from dowse.ingest.sources import SOURCES
from dowse.schema import Committed, SyncReport
from dowse.storage.store import MEMORY, Store
from dowse.storage.stored_files import list_file_paths
from dowse.storage.stored_trees import insert_tree, list_trees
from support.note_source import NoteSource

TEXTS = {"tea.md": "Green tea is steeped.", "coffee.md": "Coffee is brewed.", "cocoa.md": "Cocoa is stirred."}
NOTHING: dict[str, KnownItem] = {}


class Content(Protocol):
    """What a source is over: the test writes into it."""

    def write(self, key: str, text: str) -> None:
        """Adds or changes an item."""

    def touch(self, key: str) -> None:
        """Makes an item look changed that is not."""

    def remove(self, key: str) -> None:
        """Removes an item."""


class Files:
    """The files of a folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir()

    def write(self, key: str, text: str) -> None:
        """Writes a file."""
        (self.root / key).write_text(text)

    def touch(self, key: str) -> None:
        """Gives a file a later time."""
        later = (self.root / key).stat().st_mtime_ns + 10**9
        os.utime(self.root / key, ns=(later, later))

    def remove(self, key: str) -> None:
        """Removes a file."""
        (self.root / key).unlink()


def make_folder(place: Path) -> tuple[Source, Content]:
    """Returns a folder and its files."""
    files = Files(place / "notes")
    return FolderSource(files.root, DiscoverySettings(), ChunkingSettings(), time.monotonic), files


def make_notes(_: Path) -> tuple[Source, Content]:
    """Returns notes, which are their own content."""
    notes = NoteSource()
    return notes, notes


MAKERS: dict[type, Callable[[Path], tuple[Source, Content]]] = {
    FolderSource: make_folder,
    NoteSource: make_notes,
}
"""How each source is made for a test; `NoteSource` stands for sources without files."""


def test_every_source_is_tested():
    """Adding one to the list without a line here fails."""
    assert set(SOURCES) <= set(MAKERS)
    kinds = [kind.kind for kind in SOURCES]
    assert len(kinds) == len(set(kinds))


@pytest.fixture(params=[*SOURCES, NoteSource], ids=lambda kind: kind.kind)
def made(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Source, Content]:
    """Each source in turn, with three items."""
    source, content = MAKERS[request.param](tmp_path)
    for key, text in TEXTS.items():
        content.write(key, text)
    return source, content


@pytest.fixture
def source(made: tuple[Source, Content]) -> Source:
    """The source."""
    return made[0]


@pytest.fixture
def content(made: tuple[Source, Content]) -> Content:
    """What it is over."""
    return made[1]


def known_after(source: Source, known: dict[str, KnownItem] = NOTHING) -> dict[str, KnownItem]:
    """Returns what an index would know after it has read everything."""
    survey = source.survey(known, reads_all=True)
    items = {item.key: item for item in survey.to_read}
    readings = {item.key: reading for item, reading in source.read(survey.to_read, {})}
    source.close()
    return {
        key: KnownItem(number, items[key].size, items[key].mtime_ns, reading.document.content_hash)
        for number, (key, reading) in enumerate(readings.items(), 1)
    }


def named(survey: Survey) -> tuple[set[str], set[str], int]:
    """Returns what is to be read, what is gone, and how many are unchanged."""
    return {item.key for item in survey.to_read}, set(survey.removed), survey.unchanged


def test_everything_is_new_to_an_empty_tree(source):
    """All items are to be read, each under its key."""
    survey = source.survey(NOTHING, reads_all=False)
    assert (set(TEXTS), set(), 0) == named(survey)
    assert (3, ()) == (survey.total, survey.problems)
    assert survey.has_work


def test_an_unchanged_source_has_no_work(source):
    """What is known with the same size and time is not read again."""
    survey = source.survey(known_after(source), reads_all=False)
    assert (set(), set(), 3) == named(survey)
    assert not survey.has_work


def test_changed_settings_read_everything_again(source):
    """Also what is unchanged."""
    survey = source.survey(known_after(source), reads_all=True)
    assert (set(TEXTS), set(), 0) == named(survey)


def test_what_was_added_changed_and_removed_is_found(source, content):
    """And nothing else."""
    known = known_after(source)
    content.write("milk.md", "Milk is poured.")
    content.write("tea.md", "Black tea is steeped for longer.")
    content.remove("cocoa.md")
    survey = source.survey(known, reads_all=False)
    assert ({"milk.md", "tea.md"}, {"cocoa.md"}, 1) == named(survey)


def test_a_survey_may_be_repeated(source, content):
    """It changes nothing: whoever has to look again sees the same."""
    known = known_after(source)
    content.write("tea.md", "Black tea is steeped for longer.")
    assert source.survey(known, reads_all=False) == source.survey(known, reads_all=False)


def test_every_item_is_read_once_under_its_own_key(source):
    """The document has the key of its item, and the hash that `digest` gives."""
    items = source.survey(NOTHING, reads_all=False).to_read
    read = list(source.read(items, {}))
    source.close()
    assert sorted(TEXTS) == sorted(item.key for item, _ in read)
    for item, reading in read:
        assert item.key == reading.document.doc_key
        assert TEXTS[item.key] == reading.document.text.decode()
        assert source.digest(item) == reading.document.content_hash


def test_an_item_with_the_content_it_had_gives_no_document(source, content):
    """It is reported as the same."""
    known = known_after(source)
    content.touch("tea.md")
    items = source.survey(known, reads_all=False).to_read
    hashes = {key: item.content_hash for key, item in known.items()}
    ((item, reading),) = source.read(items, hashes)
    source.close()
    assert ("tea.md", True, None) == (item.key, reading.is_same, reading.document)


class Ears:
    """A listener that keeps the commits."""

    def __init__(self) -> None:
        self.commits: list[Committed] = []

    def discovered(self, total_files: int, to_read: int) -> None:
        """Is of no interest here."""

    def advanced(self, files_done: int, bytes_done: int) -> None:
        """Is of no interest here."""

    def committed(self, event: Committed) -> None:
        """Keeps the event."""
        self.commits.append(event)


class Tree:
    """A tree of an index in memory that follows a source."""

    def __init__(self, writer: IndexWriter, source: Source) -> None:
        self.writer, self.source, self.ears = writer, source, Ears()
        with writer.change() as catalog:
            insert_tree(catalog, "tree", None, "{}", "1")
        writer.commit()
        (tree,) = list_trees(writer.catalog)
        self.tree_id = tree.tree_id

    def sync(self) -> SyncReport:
        """Brings it up to date."""
        analyzer = Analyzer(AnalysisSettings())
        catalog = self.writer.catalog
        sync = SourceSync(
            self.source, "tree", "", analyzer, "1", time.monotonic, time.time, self.ears
        )
        compared = compare(
            self.source, catalog, self.tree_id, catalog.counter("generation"), reads_all=False
        )
        if not compared.has_changes:
            return compared.unchanged_report("tree", "")
        return sync.run(self.writer, self.tree_id, compared)

    @property
    def keys(self) -> set[str]:
        """The keys of its documents."""
        return set(known_items(self.writer.catalog, self.tree_id))


@pytest.fixture
def tree(source: Source) -> Iterator[Tree]:
    """An empty tree over each source in turn."""
    with IndexWriter(Store(MEMORY, create=True), lock_timeout_s=1.0) as writer:
        yield Tree(writer, source)


def test_a_sync_brings_a_tree_up_to_date(tree, content):
    """Documents come, change and go with their items, and each commit names them."""
    assert 3 == tree.sync().added
    assert set(TEXTS) == tree.keys
    content.write("milk.md", "Milk is poured.")
    content.write("tea.md", "Black tea is steeped for longer.")
    content.touch("coffee.md")
    content.remove("cocoa.md")
    report = tree.sync()
    assert (1, 1, 1, 1) == (report.added, report.changed, report.removed, report.unchanged)
    assert {"tea.md", "coffee.md", "milk.md"} == tree.keys
    first, second = tree.ears.commits
    assert set(TEXTS) == set(first.added)
    assert (("milk.md",), ("tea.md",), ("cocoa.md",)) == (second.added, second.changed, second.removed)
    assert first.generation + 1 == second.generation
    files = list_file_paths(tree.writer.catalog, tree.tree_id)
    assert {isinstance(content, Files)} == {file is not None for file in files.values()}


def test_a_sync_of_an_unchanged_source_commits_nothing(tree):
    """Not even when it is told that something has changed."""
    tree.sync()
    generation = tree.writer.catalog.counter("generation")
    report = tree.sync()
    assert (3, 0) == (report.unchanged, report.commits)
    assert generation == tree.writer.catalog.counter("generation")
    assert 1 == len(tree.ears.commits)
