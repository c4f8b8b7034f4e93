"""Which trees are due? Decided from events and the time alone."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePath

from dowse.errors import InvalidParameterError
from dowse.ingest.filters import PRUNED_FOLDERS

DEBOUNCE_MS = 400
RECONCILE_MINUTES = 60.0
RETRY_S = 1.0


@dataclass(frozen=True, slots=True)
class WatchSettings:
    """How a watch runs.

    Attributes:
        debounce_ms: How long events are gathered before a tree is compared.
        reconcile_minutes: How often each tree is compared even without any event.
    """

    debounce_ms: int = DEBOUNCE_MS
    reconcile_minutes: float = RECONCILE_MINUTES

    def __post_init__(self) -> None:
        if not 1 <= self.debounce_ms <= 60_000:
            raise InvalidParameterError(
                name="debounce_ms", value=self.debounce_ms, legal="legal values are 1 to 60,000"
            )
        if not 0 < self.reconcile_minutes <= 7 * 24 * 60:
            legal = "more than 0 and at most a week, in minutes"
            raise InvalidParameterError(
                name="reconcile_minutes", value=self.reconcile_minutes, legal=legal
            )


@dataclass(slots=True)
class Watcher:
    """Knows which trees must be compared with their folders, and when.

    Attributes:
        unheard: Folders whose events are ignored: the index itself.
    """

    settings: WatchSettings
    unheard: tuple[str, ...] = ()
    _roots: dict[str, str] = field(default_factory=dict)
    _due_s: dict[str, float] = field(default_factory=dict)

    def watch(self, roots: Mapping[str, str], now_s: float) -> bool:
        """Takes the trees to watch, by name; a new one is due at once. Says whether any came or went."""
        if dict(roots) == self._roots:
            return False
        for name in roots:
            if self._roots.get(name) != roots[name]:
                self._due_s[name] = now_s
        self._roots = dict(roots)
        self._due_s = {name: due_s for name, due_s in self._due_s.items() if name in roots}
        return True

    def hear(self, paths: Iterable[str], now_s: float) -> None:
        """Takes the paths that events name."""
        for path in paths:
            for name, root in self._roots.items():
                if _is_heard(path, root, self.unheard):
                    self._due_s[name] = min(now_s, self._due_s.get(name, now_s))

    def due(self, now_s: float) -> list[str]:
        """Returns the trees that are to be compared now."""
        return [name for name in self._roots if self._due_s.get(name, now_s) <= now_s]

    def looked_at(self, name: str, now_s: float) -> None:
        """Notes that a tree was brought up to date."""
        self._due_s[name] = now_s + self.settings.reconcile_minutes * 60

    def failed(self, name: str, now_s: float) -> None:
        """Notes that a tree could not be brought up to date; it stays due."""
        self._due_s[name] = now_s + RETRY_S


def _is_heard(path: str, root: str, unheard: tuple[str, ...]) -> bool:
    """Says whether a change at `path` may change what is indexed below `root`."""
    if path == root:
        return True
    prefix = root.rstrip(os.sep) + os.sep
    if not path.startswith(prefix):
        return False
    if any(path == folder or path.startswith(folder + os.sep) for folder in unheard):
        return False
    return not any(part.lower() in PRUNED_FOLDERS for part in PurePath(path[len(prefix) :]).parts)
