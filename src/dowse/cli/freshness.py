"""Before a search: is the folder indexed, and is the index up to date?

Searching must never fail because refreshing does: when the index cannot be written, the answer
comes from what is there, and the reader is told.
"""

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from dowse.cli.progress import SyncProgress
from dowse.cli.terminal import say
from dowse.errors import IndexNotFoundError, ResourceError

if TYPE_CHECKING:
    from dowse.engine.engine import Engine
    from dowse.schema import SyncReport

REFRESH_LOCK_TIMEOUT_S = 1.0


class Place(NamedTuple):
    """Where to search: a tree, a folder below its root, and the run that refreshed it."""

    tree: str
    under: str
    report: "SyncReport | None" = None


def find_place(index: "Engine", folder: Path) -> Place | None:
    """Returns where a folder lies in the index, or ``None`` when no tree holds it."""
    found = index.find_tree(folder)
    return None if found is None else Place(*found)


def get_place(index: "Engine", folder: Path) -> Place:
    """Returns where a folder lies in the index.

    Raises:
        IndexNotFoundError: It is not indexed.
    """
    place = find_place(index, folder)
    if place is None:
        raise IndexNotFoundError(home=folder)
    return place


def find_root(folder: Path, under: str) -> Path:
    """Returns the root of the tree in which `folder` is `under`."""
    below = under.strip("/")
    return folder.parents[below.count("/")] if below else folder


def index_first_time(index: "Engine", folder: Path, label: str, *, has_color: bool) -> Place:
    """Indexes a folder that is not in the index yet, and says so.

    A folder that lies in a configured tree is indexed with all of that tree.
    """
    from dowse.engine.opening import get_configured_root

    root, name = get_configured_root(folder)
    if name is not None and root != folder:
        label = name
    say(f"Indexing {label} (first time)…")
    report = sync(index, root, f"Indexing {label}", has_color=has_color)
    below = folder.relative_to(root).as_posix()
    return Place(report.tree, "" if below == "." else f"{below}/", report)


def refresh(index: "Engine", folder: Path, place: Place, label: str, *, has_color: bool) -> Place:
    """Brings an indexed tree up to date; when that cannot be done, says why and goes on without."""
    try:
        root = find_root(folder, place.under)
        report = sync(index, root, f"Updating {label}", has_color=has_color)
    except ResourceError as error:
        say(f"not refreshed: {error.message}")
        say("answering from what is already indexed")
        return place
    return place._replace(report=report)


def sync(
    index: "Engine",
    folder: Path,
    label: str,
    *,
    has_color: bool,
    name: str | None = None,
    language: str | None = None,
    stop_words: str | None = None,
) -> "SyncReport":
    """Runs the indexing of one folder with progress on stderr."""
    progress = SyncProgress(label, has_color=has_color)
    try:
        return index.sync_folder(
            folder, name=name, language=language, stop_words=stop_words, listener=progress
        )
    finally:
        progress.close()
