"""Watches the trees of an index that were marked for it."""

import threading
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol

from dowse.schema import SyncReport
from dowse.watch import WatchListener, WatchSettings, run_watch

if TYPE_CHECKING:
    from dowse.engine.engine import Engine


class IndexWatchListener(WatchListener, Protocol):
    """Hears what a watch does, and what came of each look at a tree."""

    def looked_at(self, report: SyncReport) -> None:
        """A tree was compared with its folder."""


def watch_index(
    index: "Engine",
    settings: WatchSettings,
    listener: IndexWatchListener,
    stop: threading.Event,
    *,
    sync: Callable[[str, str], SyncReport],
    roots: Callable[[], Mapping[str, str]] | None = None,
    on_change: Callable[[], None] = lambda: None,
) -> None:
    """Keeps trees of an index up to date until `stop` is set.

    Args:
        index: Searched by others meanwhile; each look takes the lock only when something changed.
        settings: How long to wait, how often to look.
        listener: Hears what happens.
        stop: Ends the watch within a second.
        sync: Brings a tree, given its name and root, up to date with the settings that hold for it.
        roots: Which trees, by name; those marked as watched when not given.
        on_change: Called after each look that changed something.
    """
    find_roots = roots or index.watched_trees

    def look_at(name: str) -> None:
        root = find_roots().get(name)
        if root is None:
            return
        report = sync(name, root)
        listener.looked_at(report)
        if report.added or report.changed or report.moved or report.removed:
            on_change()

    run_watch(
        find_roots,
        look_at,
        settings,
        listener,
        clock=time.monotonic,
        stop=stop,
        unheard=(str(index.home),),
    )
