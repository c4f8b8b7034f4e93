"""Reads many files with a few workers.

Small files travel together: handing one over costs more than reading a short note. When a worker dies over a
bundle, its files are read one by one, so that only the one at fault is lost.

Answers come in the order of the jobs, so that two runs over the same folder number their documents alike.
What is read while the first of them is not is held until then, so that a long file keeps only one worker
busy. Only a file that takes very long is overtaken: what is done is wanted in the index.
"""

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Generic, NamedTuple, TypeVar

from dowse.errors import WorkersUnavailableError
from dowse.ingest.chunking.settings import ChunkingSettings
from dowse.ingest.isolation.worker_process import WorkerDiedError, WorkerNotStartedError, WorkerProcess
from dowse.ingest.jobs import FileReading, Job
from dowse.ingest.limits import ExtractionLimits
from dowse.schema import Problem

BUNDLE_FILES = 32
BUNDLE_BYTES = 256 << 10
PATIENCE_S = 1.0
START_ATTEMPTS = 3
HELD_TEXT_BYTES = 16 << 20
_WATCH_EVERY_S = 0.25
_BUNDLES_AHEAD = 3
DEFAULT_WORKERS = 2

AnyJob = TypeVar("AnyJob", bound=Job)


class _Answers(NamedTuple, Generic[AnyJob]):
    """What came of a bundle, and how much text that is."""

    readings: list[tuple[AnyJob, FileReading]]
    text_bytes: int


Running = deque[Future[_Answers[AnyJob]]]
"""Bundles in order, of which some may be read already."""


class ExtractionPool:
    """Worker processes that read files; started when first needed. Used by one thread at a time.

    Args:
        limits: What one file may cost.
        chunking: How documents are cut.
        clock: In seconds, never going back.
        workers: How many processes.
    """

    def __init__(
        self,
        limits: ExtractionLimits,
        chunking: ChunkingSettings,
        clock: Callable[[], float],
        workers: int = DEFAULT_WORKERS,
    ) -> None:
        self._limits, self._chunking, self._clock = limits, chunking, clock
        self._worker_count = workers
        self._threads: ThreadPoolExecutor | None = None
        self._watchdog: threading.Thread | None = None
        self._is_closed = threading.Event()
        self._idle: list[WorkerProcess] = []
        self._all: set[WorkerProcess] = set()
        self._guard = threading.Lock()

    def iter_readings(self, jobs: Iterable[AnyJob]) -> Iterator[tuple[AnyJob, FileReading]]:
        """Yields each job with what came of it; in order, but for files that take long."""
        running: Running[AnyJob] = deque()
        bundles = _bundles(jobs)
        head_since = self._clock()
        while True:
            while self._has_room(running) and (bundle := next(bundles, None)) is not None:
                running.append(self._start().submit(self._answer, bundle))
            if not running:
                return
            if not self._all:  # workers are being started, which is no file's fault
                head_since = self._clock()
            done = self._next_done(running, head_since)
            if done is None:
                continue
            if running[0] is done:
                head_since = self._clock()
            running.remove(done)
            yield from done.result().readings

    def _has_room(self, running: Running[AnyJob]) -> bool:
        """Says whether another bundle may be handed out: few are unread, and little text is held."""
        read = [future for future in running if future.done()]
        # An error among them is raised when its turn comes.
        held_bytes = sum(future.result().text_bytes for future in read if future.exception() is None)
        is_short = len(running) - len(read) < self._worker_count + _BUNDLES_AHEAD
        return is_short and held_bytes < HELD_TEXT_BYTES

    def _next_done(
        self, running: Running[AnyJob], head_since: float
    ) -> "Future[_Answers[AnyJob]] | None":
        """Returns the first bundle when it is done, or after some patience any other that is.

        None when neither is yet: there may be room for another bundle.
        """
        head = running[0]
        if head.done():
            return head
        left = head_since + PATIENCE_S - self._clock()
        if left > 0:
            unread = [future for future in running if not future.done()]
            wait(unread, timeout=min(left, _WATCH_EVERY_S), return_when=FIRST_COMPLETED)
            return None
        wait(running, timeout=_WATCH_EVERY_S, return_when=FIRST_COMPLETED)
        return next((future for future in running if future.done()), None)

    def close(self) -> None:
        """Ends all workers, also those in the middle of a file."""
        self._is_closed.set()
        with self._guard:
            workers = tuple(self._all)
        for worker in workers:
            worker.end()
        if self._threads is not None:
            self._threads.shutdown(cancel_futures=True)
            self._threads = None
        if self._watchdog is not None:
            self._watchdog.join()
            self._watchdog = None

    def _start(self) -> ThreadPoolExecutor:
        if self._threads is None:
            self._is_closed.clear()
            self._threads = ThreadPoolExecutor(self._worker_count, "extraction")
            self._watchdog = threading.Thread(target=self._watch, name="extraction watch", daemon=True)
            self._watchdog.start()
        return self._threads

    def _watch(self) -> None:
        while not self._is_closed.wait(_WATCH_EVERY_S):
            with self._guard:
                workers = tuple(self._all)
            for worker in workers:
                worker.end_if_late()

    def _answer(self, jobs: Sequence[AnyJob]) -> _Answers[AnyJob]:
        readings = self._read_bundle(jobs)
        documents = [reading.document for _, reading in readings if reading.document is not None]
        return _Answers(readings, sum(len(document.text) for document in documents))

    def _read_bundle(self, jobs: Sequence[AnyJob]) -> list[tuple[AnyJob, FileReading]]:
        """Reads some files; when that costs the worker, each of them alone.

        A file alone is blamed for a crash only when no other file can have harmed the worker before.
        """
        worker = self._take_worker()
        is_new = worker.is_new
        try:
            return list(zip(jobs, self._read_with(worker, jobs), strict=True))
        except _BundleLostError as error:
            if len(jobs) == 1 and (is_new or error.ran_out_of_time):
                return [(jobs[0], self._blame(jobs[0], error))]
        return [answered for job in jobs for answered in self._read_bundle((job,))]

    def _read_with(self, worker: WorkerProcess, jobs: Sequence[AnyJob]) -> list[FileReading]:
        try:
            readings, is_spent = worker.read(jobs)
        except WorkerDiedError as error:
            self._discard(worker)
            raise _BundleLostError(ran_out_of_time=worker.ran_out_of_time) from error
        except BaseException:
            self._discard(worker)
            raise
        if is_spent:
            self._discard(worker)
        else:
            with self._guard:
                self._idle.append(worker)
        return readings

    def _take_worker(self) -> WorkerProcess:
        with self._guard:
            if self._idle:
                return self._idle.pop()
        worker = self._start_worker()
        with self._guard:
            self._all.add(worker)
        if self._is_closed.is_set():  # it was started while the others were being ended
            worker.end()
        return worker

    def _start_worker(self) -> WorkerProcess:
        for attempts_left in reversed(range(START_ATTEMPTS)):
            try:
                return WorkerProcess(self._limits, self._chunking, self._clock)
            except WorkerNotStartedError as error:
                if not attempts_left or self._is_closed.is_set():
                    raise WorkersUnavailableError(reason=error) from error
        raise AssertionError("there is at least one attempt")

    def _discard(self, worker: WorkerProcess) -> None:
        with self._guard:
            self._all.discard(worker)
        worker.end()

    def _blame(self, job: Job, error: "_BundleLostError") -> FileReading:
        if error.ran_out_of_time:
            code = "takes-too-long"
            message = f"reading it took longer than {self._limits.seconds:g} s; it is not indexed"
            hint = "raise extraction.seconds if the file is sound"
        else:
            code = "crashes-reader"
            message = "the process that read it crashed; it is not indexed"
            hint = "open it in its own program and save it again"
        return FileReading(None, False, (Problem(code, job.name, message, hint),), 0)


class _BundleLostError(Exception):
    def __init__(self, *, ran_out_of_time: bool) -> None:
        super().__init__()
        self.ran_out_of_time = ran_out_of_time


def _bundles(jobs: Iterable[AnyJob]) -> Iterator[tuple[AnyJob, ...]]:
    """Groups neighbouring small files."""
    bundle: list[AnyJob] = []
    size = 0
    for job in jobs:
        if bundle and (len(bundle) == BUNDLE_FILES or size + job.size > BUNDLE_BYTES):
            yield tuple(bundle)
            bundle, size = [], 0
        bundle.append(job)
        size += job.size
    if bundle:
        yield tuple(bundle)
