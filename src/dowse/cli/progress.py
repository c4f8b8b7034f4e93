"""What a person sees while files are indexed: nothing when it is quick, else a bar or a line.

The bar appears only after `SHOW_AFTER_S`, because importing rich takes longer than indexing a
small folder.
"""

import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from dowse.cli.terminal import count, say
from dowse.schema import Committed

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn, TaskID

SHOW_AFTER_S = 0.4
LINE_EVERY_S = 10.0


class Display(Protocol):
    """Shows how far a run has come."""

    def show(self, done: int, total: int) -> None:
        """So many of so many are done."""

    def note(self, text: str) -> None:
        """Says a word beside the progress."""

    def close(self) -> None:
        """Takes the display away."""


class BarDisplay:
    """A bar with a count, a rate and the time left, on a terminal; vanishes at the end."""

    def __init__(self, label: str, *, has_color: bool, unit: str = "file") -> None:
        self._progress: Progress = build_bar(has_color=has_color, unit=f"{unit}s")
        self._task: TaskID = self._progress.add_task(label, total=None)
        self._progress.start()

    def show(self, done: int, total: int) -> None:
        """Moves the bar."""
        self._progress.update(self._task, completed=done, total=total)

    def note(self, text: str) -> None:
        """Puts the word where the label was."""
        self._progress.update(self._task, description=text)

    def close(self) -> None:
        """Stops and erases the bar."""
        self._progress.stop()


class LineDisplay:
    """A line every few seconds, where a bar would be noise: a log, a pipe."""

    def __init__(self, label: str, clock: Callable[[], float], unit: str = "file") -> None:
        self._label = label
        self._unit = unit
        self._clock = clock
        self._next_s = clock() + LINE_EVERY_S

    def show(self, done: int, total: int) -> None:
        """Says how far it is, when it is time."""
        if self._clock() >= self._next_s:
            self._next_s = self._clock() + LINE_EVERY_S
            say(f"{self._label}: {done:,} of {count(total, self._unit)}")

    def note(self, text: str) -> None:
        """Says nothing: a log has no use for passing states."""

    def close(self) -> None:
        """Has nothing to take away."""


class SyncProgress:
    """A `SyncListener` that shows progress on stderr."""

    def __init__(
        self,
        label: str,
        *,
        has_color: bool = False,
        is_terminal: bool | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._label = label
        self._has_color = has_color
        self._is_terminal = sys.stderr.isatty() if is_terminal is None else is_terminal
        self._clock = clock
        self._started_s = clock()
        self._to_read = 0
        self._display: Display | None = None

    def waiting_for_lock(self, holder: str) -> None:
        """Says that another process is writing."""
        say(f"Waiting: another process is writing to this index ({holder})…")
        self._started_s = self._clock()

    def discovered(self, total_files: int, to_read: int) -> None:
        """Learns how much there is to do."""
        self._to_read = to_read

    def advanced(self, files_done: int, bytes_done: int) -> None:
        """Shows how far it is, once the run has proved long enough to be worth it."""
        if self._display is None and self._clock() - self._started_s >= SHOW_AFTER_S:
            self._display = self._open_display()
        if self._display is not None:
            self._display.show(files_done, max(self._to_read, files_done))

    def committed(self, event: Committed) -> None:
        """Needs no word: the bar goes on."""

    def merging(self, segments: int) -> None:
        """Says why the bar stands still."""
        if self._display is not None:
            self._display.note(f"{self._label}: merging {count(segments, 'segment')}")

    def close(self) -> None:
        """Takes the display away; harmless when there is none."""
        if self._display is not None:
            self._display.close()
            self._display = None

    def _open_display(self) -> Display:
        if self._is_terminal:
            return BarDisplay(self._label, has_color=self._has_color)
        return LineDisplay(self._label, self._clock)


def build_bar(*, has_color: bool, unit: str = "files") -> "Progress":
    """Returns rich's progress bar as we want it; `unit` is what there are many of."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        build_rate_column(unit),
        TimeRemainingColumn(),
        TextColumn("left"),
        console=Console(stderr=True, no_color=not has_color),
        transient=True,
    )


def build_rate_column(unit: str) -> "ProgressColumn":
    """Returns the column that says how many a second are done."""
    from rich.progress import ProgressColumn, Task
    from rich.text import Text

    class RateColumn(ProgressColumn):
        """So many a second."""

        def render(self, task: Task) -> Text:
            """Returns the speed over the last seconds."""
            return Text(f"{task.speed:,.0f} {unit}/s" if task.speed else "")

    return RateColumn()
