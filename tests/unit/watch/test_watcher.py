"""Which trees are due, from events and the time."""

import pytest

from dowse.errors import InvalidParameterError
from dowse.watch import Watcher, WatchSettings

ROOTS = {"notes": "/home/me/notes", "papers": "/home/me/papers"}


@pytest.fixture
def watcher() -> Watcher:
    """A watcher of two trees that were just looked at."""
    watcher = Watcher(WatchSettings(reconcile_minutes=60), ("/home/me/notes/index",))
    watcher.watch(ROOTS, 0.0)
    for name in ROOTS:
        watcher.looked_at(name, 0.0)
    return watcher


def test_a_new_tree_is_due_at_once() -> None:
    """What was never looked at may be anything."""
    watcher = Watcher(WatchSettings())
    assert watcher.watch(ROOTS, 5.0)
    assert ["notes", "papers"] == watcher.due(5.0)
    assert not watcher.watch(dict(ROOTS), 6.0)


@pytest.mark.parametrize(
    "path",
    [
        "/home/me/notes/a.md",
        "/home/me/notes/sub/folder/b.pdf",
        "/home/me/notes",
        "/home/me/notes/.gitignore",
    ],
)
def test_a_change_makes_its_tree_due(watcher: Watcher, path: str) -> None:
    """The tree of the path is due, the other one is not."""
    watcher.hear([path], 1.0)
    assert ["notes"] == watcher.due(1.0)


@pytest.mark.parametrize(
    "path",
    [
        "/home/me/notes/.git/index.lock",
        "/home/me/notes/web/node_modules/left-pad/index.js",
        "/home/me/notes/index/catalog.db-wal",
        "/home/me/notes/index",
        "/home/me/notes-of-others/a.md",
        "/home/me",
    ],
)
def test_changes_that_cannot_matter_are_not_heard(watcher: Watcher, path: str) -> None:
    """Pruned folders, the index itself and other places wake nobody."""
    watcher.hear([path], 1.0)
    assert [] == watcher.due(1.0)


def test_a_tree_is_looked_at_every_hour(watcher: Watcher) -> None:
    """Even when nothing was heard."""
    assert [] == watcher.due(3599.0)
    assert ["notes", "papers"] == watcher.due(3600.0)


def test_a_failed_look_stays_due(watcher: Watcher) -> None:
    """A second later it is tried again, until it works."""
    watcher.hear(["/home/me/notes/a.md"], 1.0)
    watcher.failed("notes", 1.0)
    assert [] == watcher.due(1.5)
    assert ["notes"] == watcher.due(2.0)
    watcher.looked_at("notes", 2.0)
    assert [] == watcher.due(3.0)


def test_a_tree_that_left_is_not_due(watcher: Watcher) -> None:
    """What is no longer watched is forgotten."""
    watcher.hear(["/home/me/notes/a.md"], 1.0)
    assert watcher.watch({"papers": ROOTS["papers"]}, 1.0)
    assert [] == watcher.due(2.0)


@pytest.mark.parametrize("values", [{"debounce_ms": 0}, {"reconcile_minutes": 0.0}, {"debounce_ms": 10**6}])
def test_settings_out_of_range_are_refused(values: dict[str, int]) -> None:
    """The error names the setting and its value."""
    (name,) = values
    with pytest.raises(InvalidParameterError, match=name):
        WatchSettings(**values)
