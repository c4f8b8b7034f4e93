"""Vectors at the command line: made after indexing, with words about how it goes.

Searching and indexing must never fail because vectors cannot be made: words are searched all the same, and
the reader is told what is missing.
"""

import argparse
import os
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from dowse.cli import exit_status
from dowse.cli.progress import SHOW_AFTER_S, BarDisplay, Display, LineDisplay
from dowse.cli.remedies import word_hint
from dowse.cli.terminal import detect_style, say, without_controls
from dowse.errors import DowseError, ModelDamagedError, ResourceError

if TYPE_CHECKING:
    from dowse.engine.embeddings import EmbeddingListener
    from dowse.engine.engine import Engine
    from dowse.schema import SyncReport

NICENESS = 10
MOST_CHUNKS_IN_A_SEARCH = 20_000
"""Rough vectors take about half a second a thousand chunks; nobody waits longer than that for an answer."""


class VectorProgress:
    """Shows how vectors are made: a bar for each kind, once it has proved slow."""

    def __init__(self, *, has_color: bool) -> None:
        self._has_color = has_color
        self._is_terminal = sys.stderr.isatty()
        self._label = ""
        self._started_s = time.monotonic()
        self._display: Display | None = None

    def build_listener(self) -> "EmbeddingListener":
        """Returns what hears about each part."""
        from dowse.engine.embeddings import EmbeddingListener

        return EmbeddingListener(
            table=lambda done, total: self._show("Preparing the model (once)", "token", done, total),
            static=lambda done, total: self._show("Rough vectors", "chunk", done, total),
            model=lambda done, total: self._show("Vectors by the model", "chunk", done, total),
            note=self._note,
        )

    def _note(self, words: str) -> None:
        self.close()  # a bar and a sentence do not share a line
        say(without_controls(words))

    def _show(self, label: str, unit: str, done: int, total: int) -> None:
        if label != self._label:
            self.close()
            self._label, self._started_s = label, time.monotonic()
        if self._display is None and self._is_slow():
            self._display = self._open_display(label, unit)
        if self._display is not None:
            self._display.show(done, total)

    def _is_slow(self) -> bool:
        return time.monotonic() - self._started_s >= SHOW_AFTER_S

    def _open_display(self, label: str, unit: str) -> Display:
        if self._is_terminal:
            return BarDisplay(label, has_color=self._has_color, unit=unit)
        return LineDisplay(label, time.monotonic, unit)

    def close(self) -> None:
        """Takes the display away; harmless when there is none."""
        if self._display is not None:
            self._display.close()
            self._display = None


def make_vectors(index: "Engine", tree: str, arguments: argparse.Namespace) -> int:
    """Makes the vectors that a tree lacks, rough ones first; says what came of it, and returns the status.

    Ctrl-C stops it, and everything made so far is kept. Other trees are left alone.

    Raises:
        ConfigError: What was configured cannot be: unlike a missing model, that is for the reader to mend.
    """
    before = index.describe_embedding(tree)
    if not before.is_enabled:
        return exit_status.DONE
    index.check_embedding()
    if before.unavailable:
        say_off(before.unavailable)
        return exit_status.DONE
    style = detect_style(sys.stderr, wants_color=not arguments.no_color)
    progress = VectorProgress(has_color=style.has_color)
    try:
        if not arguments.static_only:
            be_nice()
        index.embed(progress.build_listener(), with_model=not arguments.static_only, tree=tree)
    except KeyboardInterrupt:
        progress.close()
        say(f"interrupted; vectors: {describe_vectors(index, tree)}; the next run goes on")
        return exit_status.INTERRUPTED
    except (ResourceError, ModelDamagedError) as error:
        progress.close()
        say_failed(error)
        if index.coverage(tree) != before.coverage:
            say(f"vectors so far: {describe_vectors(index, tree)}; the next run goes on")
        return exit_status.DONE_WITH_PROBLEMS
    finally:
        progress.close()
    # As many as before may be others: those of a model that was changed.
    if index.describe_embedding(tree) != before:
        say(f"vectors: {describe_vectors(index, tree)}")
    return exit_status.DONE


def be_nice() -> None:
    """Lets other programs go first from now on: the model may be busy for hours."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)


def describe_vectors(index: "Engine", tree: str) -> str:
    """Returns how many chunks of a tree have vectors, and of which model."""
    from dowse.cli.rendering.summary import describe_coverage

    report = index.describe_embedding(tree)
    if report.coverage is None:
        return "none yet"
    return without_controls(f"{describe_coverage(report.coverage)}, {report.model}")


def say_off(reason: str) -> None:
    """Says, once, that words alone are searched, and what would change that."""
    say(without_controls(f"search by meaning is off: {reason}"))


def say_failed(error: DowseError) -> None:
    """Says why vectors could not be made; what is indexed can be searched by words."""
    say(without_controls(f"vectors were not made: {error.message}"))
    if error.hint:
        say(without_controls(f"hint: {word_hint(error.hint)}"))


def add_rough_vectors(
    index: "Engine",
    tree: str,
    report: "SyncReport | None",
    *,
    is_first: bool,
    wants_words: bool,
    has_color: bool,
) -> None:
    """Before a search: gives new chunks vectors, when that takes seconds and nothing must be prepared.

    A text that the model has read before gets its vector from the cache, others a rough one.

    Args:
        index: The index.
        tree: Whose chunks.
        report: What was indexed just now.
        is_first: Whether the folder was indexed for the first time.
        wants_words: Whether people read along.
        has_color: Whether they see colours.
    """
    if report is not None and report.interrupted:
        return
    coverage = index.coverage(tree)
    missing = 0 if coverage is None else coverage.chunks - coverage.static - coverage.model
    if is_first and coverage is None:
        missing = 0 if report is None else report.chunks_added
    embedding = index.describe_embedding(tree) if missing else None
    if embedding is None or not embedding.is_enabled:
        return
    if not is_first:
        with suppress(ResourceError):  # somebody else is writing; the search goes on without
            missing -= index.restore_vectors(tree)
    if not missing:
        return
    if missing > MOST_CHUNKS_IN_A_SEARCH or not embedding.is_prepared:
        if is_first and wants_words:
            reason = embedding.unavailable
            say_off(reason) if reason else say("to search by meaning too: dowse index FOLDER")
        return
    progress = VectorProgress(has_color=has_color)
    try:
        index.embed(progress.build_listener(), with_model=False, tree=tree)
    except (ResourceError, ModelDamagedError):
        return  # the search says what is wrong, if it matters to it
    finally:
        progress.close()
