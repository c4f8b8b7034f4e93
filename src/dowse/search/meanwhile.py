"""Work that another thread does while this one goes on.

Worth it for what waits, or computes without the interpreter's lock; a thread costs about 0.1 ms.
"""

from collections.abc import Callable
from threading import Thread
from typing import Generic, TypeVar

Result = TypeVar("Result")


class Meanwhile(Generic[Result]):
    """Work that was begun in a thread of its own.

    Whoever begins it waits for it, unless something else went wrong before: then nobody wants the result any
    more, and neither an error nor the end of the process waits for it.
    """

    def __init__(self, work: Callable[[], Result]) -> None:
        """Begins the work."""
        self._work = work
        self._error: BaseException | None = None
        self._thread = Thread(target=self._run, name="dowse-meanwhile", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._result = self._work()
        except BaseException as error:  # whatever it is, it belongs to the thread that waits
            self._error = error

    def wait(self) -> Result:
        """Returns what the work returned, or raises what it raised, when it is done."""
        self._thread.join()
        if self._error is not None:
            raise self._error
        return self._result
