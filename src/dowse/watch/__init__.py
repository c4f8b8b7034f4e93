"""How does an index stay true while files change?

The operating system says that something changed below a root; a moment later, when it has gone quiet, the
whole tree is compared with the index. An event is never believed further than that: which files are new,
changed, moved or gone is decided by looking (`indexing.reconciling`), as it is on the first run. So a lost
event, an editor that saves by renaming, a branch switch or an overflowing queue need no code of their own.
A tree is also compared at the start and at regular intervals, even without any event.

May import: `ingest` (its list of folders in which nothing is ever indexed), `errors`, `logs`, watchfiles.

Main types: `Watcher` (which trees are due: a pure decision) · `WatchSettings` · `run_watch` (the loop).

Invariants:
1. A tree that could not be brought up to date stays due until it is.
2. A folder that is not there loses no documents: it may be a drive that comes back.

Not for: reading files (`indexing`), deciding what to watch (`engine`).
"""

from dowse.watch.loop import WatchListener, run_watch
from dowse.watch.watcher import Watcher, WatchSettings

__all__ = ["WatchListener", "WatchSettings", "Watcher", "run_watch"]
