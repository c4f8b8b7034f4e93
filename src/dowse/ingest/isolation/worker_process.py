"""One worker as this side sees it: started, given work, ended."""

import contextlib
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from typing import BinaryIO, cast

from dowse.ingest.chunking.settings import ChunkingSettings
from dowse.ingest.isolation.messages import (
    READY,
    UntrustedMessageError,
    read_untrusted_message,
    write_message,
)
from dowse.ingest.jobs import FileReading, Job
from dowse.ingest.limits import ExtractionLimits

# `-P` keeps the current folder, which may be anybody's, out of the module path.
_COMMAND = (sys.executable, "-P", "-m", "dowse.ingest.isolation.worker")


class WorkerDiedError(Exception):
    """The worker is gone: it crashed, was killed, or sent nonsense."""


class WorkerNotStartedError(Exception):
    """No worker came to life."""


class WorkerProcess:
    """A worker; used by one thread, and killed by any.

    Raises:
        WorkerNotStartedError: It did not come to life.

    Attributes:
        is_new: Whether it has read nothing yet.
        ran_out_of_time: Whether it was killed for taking too long.
    """

    def __init__(
        self, limits: ExtractionLimits, chunking: ChunkingSettings, clock: Callable[[], float]
    ) -> None:
        self._limits, self._clock = limits, clock
        self._deadline: float | None = None
        self._guard = threading.Lock()
        self.ran_out_of_time = False
        self.is_new = True
        try:
            self._process = subprocess.Popen(
                _COMMAND,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except OSError as error:
            raise WorkerNotStartedError(str(error)) from error
        try:
            self._send((limits, chunking))
            if read_untrusted_message(cast(BinaryIO, self._process.stdout)) != READY:
                raise EOFError
        except (EOFError, OSError, UntrustedMessageError) as error:
            self.end()
            raise WorkerNotStartedError(f"one ended with status {self._process.returncode}") from error

    def read(self, jobs: Sequence[Job]) -> tuple[list[FileReading], bool]:
        """Has files read.

        Returns:
            A reading for each, and whether the worker has grown so large that it should be let go.

        Raises:
            WorkerDiedError: One of them was too much for it; `ran_out_of_time` says in which way.
        """
        self.is_new = False
        with self._guard:
            self._deadline = self._clock() + self._limits.seconds
        try:
            self._send(jobs)
            answer = read_untrusted_message(cast(BinaryIO, self._process.stdout))
        except (EOFError, OSError, UntrustedMessageError) as error:
            raise WorkerDiedError from error
        finally:
            with self._guard:
                self._deadline = None
        if not _answers(answer, len(jobs)):
            raise WorkerDiedError
        return cast("tuple[list[FileReading], bool]", answer)

    def end_if_late(self) -> None:
        """Kills it when it has taken longer than it may."""
        with self._guard:
            if self._deadline is not None and self._clock() > self._deadline:
                self.ran_out_of_time = True
                self._process.kill()

    def end(self) -> None:
        """Kills it and tidies up."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()

    def _send(self, value: object) -> None:
        write_message(cast(BinaryIO, self._process.stdin), value)


def _answers(answer: object, count: int) -> bool:
    if not (isinstance(answer, tuple) and len(answer) == 2 and isinstance(answer[0], list)):
        return False
    return len(answer[0]) == count and all(isinstance(reading, FileReading) for reading in answer[0])
