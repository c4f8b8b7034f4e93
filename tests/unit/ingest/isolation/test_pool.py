"""Files that hang, crash or bloat cost themselves only."""

import contextlib
import os
import signal
import subprocess
import threading
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from dowse.ingest import ChunkingSettings, SourceItem
from dowse.ingest.isolation import ExtractionPool
from dowse.ingest.isolation.messages import UntrustedMessageError, read_untrusted_message, write_message
from dowse.ingest.jobs import FileJob, FileReading
from dowse.ingest.limits import ExtractionLimits

LIMITS = ExtractionLimits(seconds=3.0)
# Takes markdown-it minutes: a table that begins anew on each of a million lines.
HANGING = "|-|\n" * 500_000


def found(path: Path) -> SourceItem:
    """A file as discovery finds it."""
    status = path.stat()
    return SourceItem(path.name, str(path), status.st_size, status.st_mtime_ns)


def job(path: Path, known_hash: str = "") -> FileJob:
    """A file to read."""
    return FileJob(found(path), known_hash, 64 << 20)


def write(folder: Path, name: str, text: str) -> Path:
    """Writes a file."""
    path = folder / name
    path.write_text(text)
    return path


@pytest.fixture
def pool() -> Iterator[ExtractionPool]:
    """A pool of two workers with little patience."""
    pool = ExtractionPool(LIMITS, ChunkingSettings(), time.monotonic)
    yield pool
    pool.close()


def workers_of_this_process() -> list[int]:
    """Process numbers of the workers that run."""
    command = ["pgrep", "-P", str(os.getpid()), "-f", "dowse.ingest.isolation.worker"]
    return [int(line) for line in subprocess.run(command, capture_output=True, text=True).stdout.split()]


@contextlib.contextmanager
def killing_workers() -> Iterator[None]:
    """Kills every worker there is, again and again."""
    is_over = threading.Event()

    def kill() -> None:
        while not is_over.wait(0.05):
            for number in workers_of_this_process():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(number, signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    yield
    is_over.set()
    killer.join()


def read_all(pool: ExtractionPool, jobs: list[FileJob]) -> dict[str, FileReading]:
    """Reads all files and returns what came of each."""
    return {job.item.key: reading for job, reading in pool.iter_readings(jobs)}


def test_files_come_back_in_order(pool: ExtractionPool, tmp_path: Path) -> None:
    """Documents come in the order of the jobs, over many bundles."""
    names = [f"{number:03}.md" for number in range(150)]
    jobs = [job(write(tmp_path, name, f"# Title {name}\n\nbody\n")) for name in names]
    answered = list(pool.iter_readings(jobs))
    assert names == [job.item.key for job, _ in answered]
    titles = [reading.document.title for _, reading in answered if reading.document]
    assert [f"Title {name}" for name in names] == titles


def test_a_file_that_is_as_it_was_is_not_read_further(pool: ExtractionPool, tmp_path: Path) -> None:
    """The same hash gives no document but says so."""
    path = write(tmp_path, "a.md", "tea")
    (reading,) = read_all(pool, [job(path)]).values()
    assert reading.document is not None
    (again,) = read_all(pool, [job(path, reading.document.content_hash)]).values()
    assert (None, True) == (again.document, again.is_same)


def test_a_file_that_hangs_costs_itself_only(pool: ExtractionPool, tmp_path: Path) -> None:
    """It is given up after its time, and its neighbours are read, those of its bundle too."""
    jobs = [job(write(tmp_path, f"{number}.md", "tea")) for number in range(5)]
    jobs.insert(2, job(write(tmp_path, "hang.md", HANGING)))
    readings = read_all(pool, jobs)
    assert ["takes-too-long"] == [problem.code for problem in readings.pop("hang.md").problems]
    assert all(reading.document is not None for reading in readings.values())


def test_a_file_that_takes_long_is_overtaken(pool: ExtractionPool, tmp_path: Path) -> None:
    """What is done is handed out while the slow one goes on."""
    slow = job(write(tmp_path, "a-slow.md", HANGING))
    quick = job(write(tmp_path, "b.md", "tea"))
    assert ["b.md", "a-slow.md"] == [job.item.key for job, _ in pool.iter_readings([slow, quick])]


def test_a_killed_worker_is_replaced(pool: ExtractionPool, tmp_path: Path) -> None:
    """A crash in the middle of a file is that file's problem; the next file is read."""
    hanging = job(write(tmp_path, "hang.md", HANGING))
    answers = pool.iter_readings([hanging, job(write(tmp_path, "b.md", "tea"))])
    assert "b.md" == next(answers)[0].item.key
    with killing_workers():
        _, reading = next(answers)
    assert ["crashes-reader"] == [problem.code for problem in reading.problems]
    (after,) = read_all(pool, [job(tmp_path / "b.md")]).values()
    assert after.document is not None


def test_a_bomb_is_a_problem(pool: ExtractionPool, tmp_path: Path) -> None:
    """A package that unpacks to a thousand times its size is refused by what it would become."""
    path = tmp_path / "bomb.docx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("[Content_Types].xml", "<Types/>")
        package.writestr("word/document.xml", b" " * (20 << 20))
    (reading,) = read_all(pool, [job(path)]).values()
    assert ["expands-too-much"] == [problem.code for problem in reading.problems]


def test_closing_ends_all_workers(pool: ExtractionPool, tmp_path: Path) -> None:
    """No process is left, not even one in the middle of a file."""
    jobs = [job(write(tmp_path, "hang.md", HANGING)), job(write(tmp_path, "b.md", "tea"))]
    next(pool.iter_readings(jobs))
    assert workers_of_this_process()
    pool.close()
    assert [] == workers_of_this_process()


def test_an_answer_cannot_run_code(tmp_path: Path) -> None:
    """Only the types of an answer are made of what a worker sends."""

    class Evil:
        def __reduce__(self) -> tuple[object, ...]:
            return os.system, ("true",)

    path = tmp_path / "answer"
    with path.open("wb") as stream:
        write_message(stream, [Evil()])
    with path.open("rb") as stream, pytest.raises(UntrustedMessageError):
        read_untrusted_message(stream)
