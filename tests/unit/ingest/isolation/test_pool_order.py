"""A long file holds back answers, not the other worker."""

import threading
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from dowse.ingest import ChunkingSettings, SourceItem
from dowse.ingest.documents import EMPTY_CHUNK
from dowse.ingest.isolation import ExtractionPool
from dowse.ingest.isolation.pool import BUNDLE_BYTES, HELD_TEXT_BYTES
from dowse.ingest.jobs import FileJob, FileReading
from dowse.ingest.limits import DEFAULT_LIMITS
from dowse.schema import Document

LONG = "000.md"


class Reader:
    """Stands for all workers: reads at once, but for the long file, which takes until `last` is read.

    Attributes:
        patience_s: For which the long file waits at most.
        before_long: What was read by then.
    """

    def __init__(self) -> None:
        self.is_new = False
        self.text_bytes = 10
        self.last = ""
        self.patience_s = 10.0
        self.may_end = threading.Event()
        self.others: list[str] = []
        self.before_long: list[str] = []

    def read(self, jobs: Sequence[FileJob]) -> tuple[list[FileReading], bool]:
        """Returns a document for each file."""
        (job,) = jobs
        if job.name == LONG:
            self.may_end.wait(self.patience_s)
            self.before_long = sorted(self.others)
        else:
            self.others.append(job.name)
        if job.name == self.last:
            self.may_end.set()
        text = b" " * self.text_bytes
        document = Document(job.name, job.name, job.name, text, (), (EMPTY_CHUNK,))
        return [FileReading(document, False, (), 0)], False

    def end(self) -> None:
        """Does nothing."""

    def end_if_late(self) -> None:
        """Never is."""


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> Reader:
    """What the pool's workers are."""
    reader = Reader()
    monkeypatch.setattr("dowse.ingest.isolation.pool.WorkerProcess", lambda *_: reader)
    return reader


@pytest.fixture
def pool(reader: Reader) -> Iterator[ExtractionPool]:
    """A pool of endless patience: its clock stands still."""
    pool = ExtractionPool(DEFAULT_LIMITS, ChunkingSettings(), lambda: 0.0)
    yield pool
    reader.may_end.set()
    pool.close()


def jobs(count: int) -> list[FileJob]:
    """Files that each are a bundle of their own; the long one first."""
    found = [SourceItem(f"{number:03}.md", "", BUNDLE_BYTES, 0) for number in range(count)]
    return [FileJob(file, "", 1 << 30) for file in found]


def names(answers: Sequence[tuple[FileJob, Any]]) -> list[str]:
    """Names of the files answered."""
    return [job.name for job, _ in answers]


def test_all_others_are_read_while_a_long_file_is(pool: ExtractionPool, reader: Reader) -> None:
    """A long file and many others take both workers at once; answers are in order all the same."""
    asked = jobs(40)
    reader.last = asked[-1].name
    assert [job.name for job in asked] == names(list(pool.iter_readings(asked)))
    assert [job.name for job in asked[1:]] == reader.before_long


def test_little_text_is_held(pool: ExtractionPool, reader: Reader) -> None:
    """Once what is held is large, nothing is begun any more but what was handed out before: four at most."""
    asked = jobs(10)
    reader.text_bytes = HELD_TEXT_BYTES
    reader.last, reader.patience_s = asked[5].name, 0.2
    assert [job.name for job in asked] == names(list(pool.iter_readings(asked)))
    # How many are handed out before the first of them is held is a matter of who is faster.
    assert reader.before_long in [[job.name for job in asked[1:stop]] for stop in range(2, 6)]


class StartClock:
    """A clock that stands still until a worker is started, and then jumps past the pool's patience."""

    def __init__(self) -> None:
        self.now = 0.0
        self._reads_after = threading.Semaphore(0)

    def __call__(self) -> float:
        """Returns the time."""
        if self.now:
            self._reads_after.release()
        return self.now

    def jump(self) -> None:
        """Lets time pass, and lets the pool notice: it reads the clock twice each time it looks."""
        self.now = 100.0
        for _ in range(3):
            assert self._reads_after.acquire(timeout=20)


def test_starting_workers_is_no_files_fault(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    """Patience counts from when there is a worker, so that a slow start does not change the order."""
    clock = StartClock()

    def start(*_: object) -> Reader:
        clock.jump()
        return reader

    monkeypatch.setattr("dowse.ingest.isolation.pool.WorkerProcess", start)
    pool = ExtractionPool(DEFAULT_LIMITS, ChunkingSettings(), clock)
    asked = jobs(3)
    reader.last = asked[-1].name
    answered = names(list(pool.iter_readings(asked)))
    pool.close()
    assert [job.name for job in asked] == answered
