"""One index, written to by many threads at once."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

import dowse
from dowse.engine import Index

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
