"""Leaves a failing service alone for a while, so that every search does not wait for it anew."""

from collections.abc import Callable


class CircuitBreaker:
    """Counts failures in a row; after so many, calls are refused until a rest is over.

    The first call after the rest is a trial: one more failure starts the next rest at once.
    """

    def __init__(self, max_failures: int, rest_s: float, clock: Callable[[], float]) -> None:
        """Starts closed: calls pass.

        Args:
            max_failures: Failures in a row that open it.
            rest_s: Seconds that it then stays open.
            clock: Seconds that only ever go forward.
        """
        self._max_failures, self._rest_s, self._clock = max_failures, rest_s, clock
        self._failures = 0
        self._opened_at = 0.0

    def rest_s(self) -> float:
        """Returns the seconds for which calls are still refused; 0 when they pass."""
        if self._failures < self._max_failures:
            return 0.0
        return max(0.0, self._opened_at + self._rest_s - self._clock())

    def note_failure(self) -> None:
        """Counts a failed call."""
        self._failures += 1
        if self._failures >= self._max_failures:
            self._opened_at = self._clock()

    def note_success(self) -> None:
        """Clears the failures."""
        self._failures = 0
