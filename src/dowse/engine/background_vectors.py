"""Makes vectors in the background, while an index is used and changes.

In a thread with an index of its own, which waits for the lock only while a bundle is written. The model is
loaded when there is something to read, and let go afterwards. New chunks go first: when some come while the
model reads, it stops, and begins again with rough vectors for them.
"""

import os
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, Self

from dowse.engine.embeddings import EmbeddingListener
from dowse.errors import DowseError

if TYPE_CHECKING:
    from dowse.engine.engine import Engine
    from dowse.schema import Coverage

NICENESS = 10
RETRY_S = 60.0
STOP_WITHIN_S = 10.0


class VectorsListener(Protocol):
    """Hears what becomes of vectors in the background."""

    def vectors_made(self, coverage: "Coverage") -> None:
        """Chunks got vectors, and there is nothing left to do for now."""

    def vectors_failed(self, error: DowseError) -> None:
        """They could not be made; it is tried again. The same trouble is told once."""


class _Disturbed(Exception):  # noqa: N818 - nothing went wrong
    """There is something more urgent."""


class BackgroundVectors:
    """A thread that gives chunks their vectors, from `with` on until it ends.

    Args:
        open_index: Opens the index once more, for this thread alone.
        listener: Hears what happens, in that thread.
        with_model: Whether the model reads the chunks itself; rough vectors alone are made else.
    """

    def __init__(
        self, open_index: "Callable[[], Engine]", listener: VectorsListener, *, with_model: bool = True
    ) -> None:
        self._open_index, self._listener, self._with_model = open_index, listener, with_model
        self._has_news, self._is_over = threading.Event(), threading.Event()
        self._has_made = False  # since somebody was told: a run that is disturbed tells nobody
        # What is committed is safe: a process that ends need not wait for a model or a service.
        self._thread = threading.Thread(target=self._run, name="dowse-vectors", daemon=True)

    def __enter__(self) -> Self:
        self.wake()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._has_news.set()
        self._thread.join(STOP_WITHIN_S)

    def wake(self) -> None:
        """Says that there are new chunks."""
        self._has_news.set()

    def _run(self) -> None:
        if hasattr(os, "nice"):
            os.nice(NICENESS)  # on Linux that of this thread, and of those it starts
        failed: str | None = None
        while True:
            self._has_news.wait(None if failed is None else RETRY_S)
            if self._is_over.is_set():
                return
            self._has_news.clear()
            try:
                self._embed()
                failed = None
            except _Disturbed:
                continue
            except DowseError as error:
                if failed != error.code:
                    self._listener.vectors_failed(error)
                failed = error.code

    def _embed(self) -> None:
        with self._open_index() as index:
            before = index.coverage()
            told = EmbeddingListener(self._look_up, self._hear, self._hear)
            coverage = index.embed(told, with_model=self._with_model)
            # Chunks may have come meanwhile: how many there are says nothing about vectors.
            if coverage is not None and (self._has_made or _counts(coverage) != _counts(before)):
                self._listener.vectors_made(coverage)
            self._has_made = False

    def _hear(self, done: int, total: int) -> None:
        self._has_made |= done > 0
        self._look_up(done, total)

    def _look_up(self, done: int, total: int) -> None:
        if self._has_news.is_set():
            raise _Disturbed


def _counts(coverage: "Coverage | None") -> tuple[int, int]:
    return (0, 0) if coverage is None else (coverage.static, coverage.model)
