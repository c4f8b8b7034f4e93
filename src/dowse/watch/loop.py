"""The loop of a watch: waits for events, lets trees be brought up to date, never gives up."""

import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Protocol

from dowse.errors import DowseError
from dowse.logs import Log
from dowse.watch.watcher import Watcher, WatchSettings

LOG = Log(__name__)
TICK_MS = 1000
LOOK_EVERY_S = 5.0
_STEP_MS = 50
"""Events that come within this time of each other are one change."""


class WatchListener(Protocol):
    """Is told what a watch does."""

    def watching(self, roots: Mapping[str, str]) -> None:
        """These trees are watched from now on."""

    def failed(self, tree: str, error: DowseError) -> None:
        """A tree could not be brought up to date; it is tried again."""

    def hears_nothing(self, reason: str) -> None:
        """The system reports no changes; trees are compared every few seconds instead."""


def run_watch(
    find_roots: Callable[[], Mapping[str, str]],
    sync: Callable[[str], object],
    settings: WatchSettings,
    listener: WatchListener,
    *,
    clock: Callable[[], float],
    stop: threading.Event,
    unheard: tuple[str, ...] = (),
) -> None:
    """Keeps trees up to date until `stop` is set.

    Args:
        find_roots: Says which trees to watch, by name; asked again and again, so that trees may come and go.
        sync: Brings one tree up to date.
        settings: How long to wait, how often to look.
        listener: Is told what happens.
        clock: In seconds, never going back.
        stop: Ends the loop, within a second.
        unheard: Folders whose changes are to be ignored.
    """
    watcher = Watcher(settings, unheard)
    failing: dict[str, str] = {}
    while not stop.is_set():
        roots = dict(find_roots())
        watcher.watch(roots, clock())
        listener.watching(roots)
        for paths in _iter_changes(roots, settings, listener, stop):
            watcher.hear(paths, clock())
            for name in watcher.due(clock()):
                _sync_one(watcher, name, sync, listener, clock, failing)
            if stop.is_set() or dict(find_roots()) != roots:
                break


def _sync_one(
    watcher: Watcher,
    name: str,
    sync: Callable[[str], object],
    listener: WatchListener,
    clock: Callable[[], float],
    failing: dict[str, str],
) -> None:
    LOG.debug("looking at %s", name)
    try:
        sync(name)
    except DowseError as error:
        LOG.warning("%s could not be brought up to date: %s", name, error)
        watcher.failed(name, clock())
        if failing.get(name) != error.code:  # the same error is reported once, not once per second
            failing[name] = error.code
            listener.failed(name, error)
    else:
        failing.pop(name, None)
        watcher.looked_at(name, clock())


def _iter_changes(
    roots: Mapping[str, str], settings: WatchSettings, listener: WatchListener, stop: threading.Event
) -> Iterator[list[str]]:
    """Yields paths that changed, and an empty list about once a second."""
    yield []
    present = [root for root in roots.values() if Path(root).is_dir()]
    if not present:
        while not stop.wait(TICK_MS / 1000):
            yield []
            if any(Path(root).is_dir() for root in roots.values()):
                return
        return
    from watchfiles import watch

    unheard = present
    try:
        for changes in watch(
            *present,
            watch_filter=None,
            debounce=settings.debounce_ms,
            step=min(_STEP_MS, settings.debounce_ms),
            stop_event=stop,
            rust_timeout=TICK_MS,
            yield_on_timeout=True,
            raise_interrupt=False,
            ignore_permission_denied=True,
        ):
            # No event reports changes made between the first comparison and the start of listening.
            yield [path for _, path in changes] + unheard
            unheard = []
            if len([root for root in roots.values() if Path(root).is_dir()]) != len(present):
                return  # a drive went, or came back
    except (OSError, RuntimeError) as error:
        listener.hears_nothing(str(error))
        yield from _iter_looks(list(roots.values()), stop)


def _iter_looks(paths: list[str], stop: threading.Event) -> Iterator[list[str]]:
    """Yields all roots every few seconds: without events, comparing is all that is left."""
    while not stop.wait(LOOK_EVERY_S):
        yield paths

