"""A watch over real folders with the system's own events."""

import shutil
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

import dowse
from dowse.engine.watching import watch_index
from dowse.errors import DowseError
from dowse.schema import SyncReport
from dowse.watch import WatchSettings

WAIT_S = 20.0


class Ears:
    """Keeps what a watch says."""

    def __init__(self) -> None:
        self.reports: list[SyncReport] = []
        self.failures: list[str] = []
        self.roots: list[dict[str, str]] = []

    def watching(self, roots: Mapping[str, str]) -> None:
        self.roots.append(dict(roots))

    def looked_at(self, report: SyncReport) -> None:
        self.reports.append(report)

    def failed(self, tree: str, error: DowseError) -> None:
        self.failures.append(error.code)

    def hears_nothing(self, reason: str) -> None:
        raise AssertionError(reason)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one note."""
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "tea.md").write_text("green tea")
    return folder


@pytest.fixture
def home(tmp_path: Path, folder: Path) -> Path:
    """An index that watches the folder."""
    with dowse.open(tmp_path / "home") as index:
        index.sync_folder(folder)
        index.set_watched("notes", is_watched=True)
    return tmp_path / "home"


@pytest.fixture
def ears(home: Path) -> Iterator[Ears]:
    """What a running watch says; it has looked at the folder once."""
    ears, stop = Ears(), threading.Event()

    def run() -> None:
        with dowse.open(home) as index:
            settings = WatchSettings(debounce_ms=50)
            watch_index(index, settings, ears, stop, sync=lambda _, root: index.sync_folder(root))

    thread = threading.Thread(target=run)
    thread.start()
    wait_until(lambda: bool(ears.reports))
    yield ears
    stop.set()
    thread.join(WAIT_S)
    assert not thread.is_alive()


def wait_until(is_so: Callable[[], bool]) -> None:
    """Waits for something that another thread brings about."""
    deadline = time.monotonic() + WAIT_S
    while not is_so():
        assert time.monotonic() < deadline, "it did not come about"
        time.sleep(0.02)


def found(home: Path, query: str) -> set[str]:
    """Returns the documents that a query finds, asked by a reader of its own."""
    with dowse.open(home) as index:
        return {hit.doc_key for hit in index.search(query).hits}


def test_new_changed_and_deleted_files_are_noticed(home: Path, folder: Path, ears: Ears) -> None:
    """Each change can be searched for without anybody asking for an update."""
    (folder / "coffee.md").write_text("black coffee")
    wait_until(lambda: found(home, "coffee") == {"coffee.md"})
    (folder / "tea.md").write_text("white tea")
    wait_until(lambda: found(home, "white") == {"tea.md"})
    (folder / "coffee.md").unlink()
    wait_until(lambda: found(home, "coffee") == set())
    assert [] == ears.failures


def test_an_editor_that_saves_by_renaming_is_understood(home: Path, folder: Path, ears: Ears) -> None:
    """A new file put in the place of the old one is a change of that document."""
    (folder / ".tea.md.swp").write_text("oolong tea")
    (folder / ".tea.md.swp").replace(folder / "tea.md")
    wait_until(lambda: found(home, "oolong") == {"tea.md"})


def test_a_folder_moved_in_is_indexed(home: Path, folder: Path, tmp_path: Path, ears: Ears) -> None:
    """Its files are found though no event named them, and gone again when it is moved away."""
    (tmp_path / "drinks").mkdir()
    (tmp_path / "drinks" / "cocoa.md").write_text("hot cocoa")
    (tmp_path / "drinks").rename(folder / "drinks")
    wait_until(lambda: found(home, "cocoa") == {"drinks/cocoa.md"})
    (folder / "drinks").rename(tmp_path / "drinks")
    wait_until(lambda: found(home, "cocoa") == set())


def test_a_mass_change_ends_right(home: Path, folder: Path, ears: Ears) -> None:
    """Hundreds of files replaced at once are all as on disk in the end."""
    for number in range(300):
        (folder / f"{number}.md").write_text(f"page{number} old")
    for number in range(0, 300, 2):
        (folder / f"{number}.md").unlink()
    for number in range(1, 300, 2):
        (folder / f"{number}.md").write_text(f"page{number} new")
    expected = {f"{number}.md" for number in range(1, 300, 2)}

    def is_right() -> bool:
        with dowse.open(home) as index:
            new = index.search(dowse.SearchRequest("new", limit=1000, snippets=False)).hits
            old = index.search("old").hits
        return {hit.doc_key for hit in new} == expected and not old

    wait_until(is_right)


def test_a_folder_that_goes_keeps_its_documents(home: Path, folder: Path, tmp_path: Path, ears: Ears) -> None:
    """A drive that is not connected looks like this; when it is back, watching goes on."""
    folder.rename(tmp_path / "away")
    wait_until(lambda: "folder-not-found" in ears.failures)
    with dowse.open(home) as index:
        assert 1 == index.status().documents
    (tmp_path / "away").rename(folder)
    (folder / "late.md").write_text("mate tea")
    wait_until(lambda: found(home, "mate") == {"late.md"})


def test_a_tree_added_later_is_watched_too(home: Path, tmp_path: Path, ears: Ears) -> None:
    """The running watch notices what another process adds."""
    other = tmp_path / "papers"
    other.mkdir()
    with dowse.open(home) as index:
        index.sync_folder(other)
        index.set_watched("papers", is_watched=True)
    wait_until(lambda: set(ears.roots[-1]) == {"notes", "papers"})
    (other / "a.md").write_text("thesis")
    wait_until(lambda: found(home, "thesis") == {"a.md"})
    shutil.rmtree(other)
