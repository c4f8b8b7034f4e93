"""One index, written to by many threads at once."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

import dowse
from dowse.engine import Index
from dowse.errors import IndexLockedError, UncommittedChangesError
from dowse.indexing.report import SyncListener
from support.fake_embedder import give_meaning

THREADS = 4
TIMEOUT_S = 30.0


@pytest.fixture(params=["disk", "memory"])
def index(request: pytest.FixtureRequest, tmp_path: Path):
    home = ":memory:" if request.param == "memory" else tmp_path / "home"
    index = dowse.open(home, lock_timeout_s=5.0)
    yield index
    index.close()


def run_threads(*work: Callable[[], object]) -> list[BaseException]:
    """Runs each function in a thread of its own; returns what they raised, and fails when one hangs."""
    errors: list[BaseException] = []

    def run(function: Callable[[], object]) -> None:
        try:
            function()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(one,), daemon=True) for one in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(TIMEOUT_S)
    assert [] == [thread.name for thread in threads if thread.is_alive()]
    return errors


def test_threads_may_add_and_commit_at_once(index: Index):
    """Four threads add and commit on one index; none waits for ever, and no document is lost."""

    def write(thread: int) -> None:
        for number in range(5):
            index.add(f"{thread}-{number}", f"thread{thread} text{number}")
            index.commit()

    assert [] == run_threads(*(lambda at=at: write(at) for at in range(THREADS)))
    expected = sorted(f"{thread}-{number}" for thread in range(THREADS) for number in range(5))
    assert expected == [document.doc_key for document in index.list_documents()]


def test_a_commit_by_one_thread_makes_the_texts_of_all_true(index: Index):
    """Threads share one pending transaction, as those of a Lucene writer do."""
    assert [] == run_threads(lambda: index.add("a", "tea"), lambda: index.add("b", "tea"))
    index.commit()
    assert {"a", "b"} == {hit.doc_key for hit in index.search("tea").hits}


def test_a_search_in_another_thread_does_not_wait_for_a_commit(index: Index):
    """Texts that are pending keep nobody from searching, in memory neither."""
    index.add("a", "tea")
    index.commit()
    index.add("b", "tea")
    found: list[str] = []
    assert [] == run_threads(lambda: found.extend(hit.doc_key for hit in index.search("tea").hits))
    assert ["a"] == found


def test_a_search_opened_beside_a_large_pending_change_does_not_see_it(index: Index):
    """Segments that were written before the commit are named by it."""
    index.add_tree("plain", stop_words="none")
    index.add("a", "tea")
    index.add("b", "tea", tree="plain")  # another analyzer, another segment
    assert () == index.search("tea").hits
    index.rollback()
    assert () == index.search("tea").hits
    assert () == index.list_documents()


@pytest.mark.parametrize(
    "change",
    [
        lambda index, folder: index.sync_folder(folder),
        lambda index, folder: index.set_watched("notes", is_watched=True),
        lambda index, folder: index.remove_tree("notes"),
        lambda index, folder: index.sweep(),
        lambda index, folder: index.optimize(),
        lambda index, folder: index.rebuild(),
        lambda index, folder: index.embed(),
        lambda index, folder: index.restore_vectors(),
    ],
    ids=["sync", "watch", "remove tree", "sweep", "optimize", "rebuild", "embed", "restore"],
)
def test_what_commits_by_itself_leaves_pending_texts_alone(
    index: Index, tmp_path: Path, change: Callable[[Index, Path], object]
):
    """It refuses while the same thread has texts pending; these are neither committed nor lost."""
    give_meaning(index)
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "one.md").write_text("green tea", encoding="utf-8")
    index.sync_folder(folder)
    (folder / "two.md").write_text("black tea", encoding="utf-8")
    index.add("pushed", "white tea", tree="notes")
    with pytest.raises(UncommittedChangesError):
        change(index, folder)
    assert ["one.md"] == [hit.doc_key for hit in index.search("tea").hits]
    index.commit()
    assert {"one.md", "pushed"} == {hit.doc_key for hit in index.search("tea").hits}
    change(index, folder)


def test_what_commits_by_itself_waits_for_the_texts_of_other_threads(index: Index, tmp_path: Path):
    """A folder is brought up to date once the other thread has committed, and not before."""
    (tmp_path / "notes").mkdir()
    index.sync_folder(tmp_path / "notes")
    (tmp_path / "notes" / "one.md").write_text("green tea", encoding="utf-8")
    has_added, is_waiting, order = threading.Event(), threading.Event(), []

    class Listener(SyncListener):
        def waiting_for_lock(self, holder: str) -> None:
            is_waiting.set()

    def push() -> None:
        index.add("pushed", "white tea", tree="notes")
        has_added.set()
        assert is_waiting.wait(TIMEOUT_S)
        order.append("commit")
        index.commit()

    def sync() -> None:
        assert has_added.wait(TIMEOUT_S)
        index.sync_folder(tmp_path / "notes", listener=Listener())
        order.append("sync")

    assert [] == run_threads(push, sync)
    assert ["commit", "sync"] == order
    assert ["one.md"] == [hit.doc_key for hit in index.search("green").hits]


def test_waiting_for_another_thread_ends_in_time(tmp_path: Path):
    """Who never commits keeps others waiting as long as a lock may, and then they are told."""
    with dowse.open(tmp_path / "home", lock_timeout_s=0.2) as index:
        index.add("pushed", "tea")
        (error,) = run_threads(index.optimize)
        assert "uncommitted-changes" == error.code


def test_a_listener_that_changes_the_index_is_refused(index: Index, tmp_path: Path):
    """It runs inside the transaction that it hears about, and would become part of it."""
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "one.md").write_text("green tea", encoding="utf-8")

    class Listener(SyncListener):
        def committed(self, *told: object) -> None:
            index.add("pushed", "tea", tree="notes")

    with pytest.raises(IndexLockedError, match="this thread"):
        index.sync_folder(tmp_path / "notes", listener=Listener())


def test_rollback_forgets_what_all_threads_have_pending(index: Index):
    """The next commit starts from nothing."""
    assert [] == run_threads(lambda: index.add("a", "tea"))
    index.add("b", "tea")
    index.rollback()
    index.commit()
    assert () == index.search("tea").hits
