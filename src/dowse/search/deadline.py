"""How long an answer may take, and whether anybody still waits for it."""

from collections.abc import Callable

from dowse.schema import Problem


def _nobody_cancels() -> bool:
    return False


class Deadline:
    """When work on one request has to end.

    Whoever is about to do something that can be left out asks `has_passed` first, and leaves it out when it
    has. Nothing is stopped halfway.

    Args:
        clock: Seconds, only going forward.
        budget_ms: How long the answer may take from now on; None for as long as it takes.
        is_cancelled: Says whether nobody waits for the answer any more.

    Attributes:
        was_missed: Whether anybody was told that there is no time left.
    """

    __slots__ = ("_clock", "_ends", "_is_cancelled", "budget_ms", "was_missed")

    def __init__(
        self,
        clock: Callable[[], float],
        budget_ms: float | None = None,
        is_cancelled: Callable[[], bool] = _nobody_cancels,
    ) -> None:
        self._clock, self.budget_ms, self._is_cancelled = clock, budget_ms, is_cancelled
        self.was_missed = False
        self._ends = None if budget_ms is None else clock() + budget_ms / 1e3

    def has_passed(self) -> bool:
        """Says whether there is no time left."""
        if self._is_cancelled() or (self._ends is not None and self._clock() >= self._ends):
            self.was_missed = True
            return True
        return False

    def left_ms(self) -> float | None:
        """Returns how much time is left, 0 at least; None without a budget."""
        return None if self._ends is None else max(0.0, (self._ends - self._clock()) * 1e3)

    @property
    def reason(self) -> str:
        """Why something was left out, for people."""
        if self._is_cancelled():
            return "the search was cancelled"
        return f"{self.budget_ms:g} ms were used up"

    def problem(self, what: str) -> Problem:
        """Returns what is said about something that was left out."""
        return Problem("out-of-time", what, f"left out: {self.reason}")
