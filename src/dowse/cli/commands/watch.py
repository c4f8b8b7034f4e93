"""``dowse watch``: keeps folders up to date while files change."""

import argparse
import signal
import sys
import threading
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from dowse.cli import exit_status
from dowse.cli.commands.index import add_vector_flags
from dowse.cli.freshness import sync
from dowse.cli.meaning import say_failed, say_off
from dowse.cli.opening import open_index, parse_folder
from dowse.cli.rendering.summary import describe_coverage, iter_problems, summarise_sync
from dowse.cli.terminal import detect_style, flush, say, without_controls, write
from dowse.errors import InvalidParameterError

if TYPE_CHECKING:
    from dowse.engine.background_vectors import BackgroundVectors
    from dowse.engine.engine import Engine
    from dowse.errors import DowseError
    from dowse.schema import Coverage, SyncReport

EXAMPLES = """\
add and remove say which folders are watched; run watches them until Ctrl-C. Every folder is compared with
the index when the watch starts, whenever something changes in it, and once an hour. Vectors for search by
meaning are made in the background.

examples:
  dowse watch add ~/notes
  dowse watch run
  dowse watch run ~/notes ~/papers    watch these, this time only
"""
ACTIONS = ("add", "remove", "list", "run")


class WatchCommand:
    """Adds, removes, lists and runs watches."""

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Adds the action and its folders."""
        parser.epilog = EXAMPLES
        parser.add_argument("action", choices=ACTIONS, metavar="ACTION", help=", ".join(ACTIONS))
        which = "which; a tree's name works too"
        parser.add_argument("folders", nargs="*", default=[], metavar="FOLDER", help=which)
        parser.add_argument("--json", action="store_true", help="print lists and changes as JSON lines")
        add_vector_flags(parser)

    def run(self, arguments: argparse.Namespace) -> int:
        """Does what the action says."""
        action, folders = arguments.action, arguments.folders
        if action in ("add", "remove") and not folders:
            legal = f"dowse watch {action} FOLDER"
            raise InvalidParameterError(name="FOLDER", value="nothing", legal=legal)
        with open_index(arguments, create=action in ("add", "run")) as index:
            if action == "add":
                for folder in folders:
                    _add(index, folder)
            elif action == "remove":
                for folder in folders:
                    _remove(index, folder)
            elif action == "list":
                return _list(index, as_json=arguments.json)
            else:
                _run(index, arguments)
        return exit_status.DONE


def _add(index: "Engine", text: str) -> None:
    """Indexes a folder and marks it as watched."""
    name, _ = _tree_of(index, text, is_made=True)
    index.set_watched(name, is_watched=True)
    say(f"watching {without_controls(name)} whenever `dowse watch run` runs")


def _remove(index: "Engine", text: str) -> None:
    name, _ = _tree_of(index, text, is_made=False)
    if name not in index.watched_trees():
        say(f"{without_controls(name)} was not watched")
        return
    index.set_watched(name, is_watched=False)
    say(f"{without_controls(name)} is no longer watched; it stays indexed")


def _tree_of(index: "Engine", text: str, *, is_made: bool) -> tuple[str, str]:
    """Returns the tree of a folder or name; a new folder is indexed when `is_made`."""
    roots = {tree.name: tree.root for tree in index.status().trees if tree.root is not None}
    if text in roots and not Path(text).exists():
        return text, roots[text]
    folder = parse_folder(text)
    found = index.find_tree(folder)
    if found is not None:
        name, below = found
        if below:
            say(f"{without_controls(text)} is part of the tree {without_controls(name)}")
        return name, roots[name]
    if not is_made:
        known = ", ".join(roots) or "none yet"
        raise InvalidParameterError(name="FOLDER", value=f"“{text}”", legal=f"trees are: {known}")
    style = detect_style(sys.stderr, wants_color=True)
    report = sync(index, folder, f"Indexing {without_controls(text)}", has_color=style.has_color)
    say(summarise_sync(report, without_controls(text)))
    return report.tree, report.root


def _list(index: "Engine", *, as_json: bool) -> int:
    watched = index.watched_trees()
    if as_json:
        from dowse.cli.rendering.json_output import dump_json

        write(dump_json({"watched": [{"tree": name, "root": root} for name, root in watched.items()]}))
    else:
        for name, root in watched.items():
            write(f"{without_controls(name)}  {without_controls(root)}\n")
        if not watched:
            say("nothing is watched; add a folder with: dowse watch add FOLDER")
    return exit_status.DONE if watched else exit_status.NOTHING_FOUND


def _run(index: "Engine", arguments: argparse.Namespace) -> None:
    """Watches until Ctrl-C or a request to end."""
    from dowse.engine.opening import forget_configuration, get_settings
    from dowse.engine.watching import watch_index
    from dowse.watch import WatchSettings

    wanted = get_settings().watch
    named = dict(_tree_of(index, folder, is_made=True) for folder in arguments.folders)
    if not named and not index.watched_trees():
        say("nothing is watched; add a folder with: dowse watch add FOLDER")
    stop, words = threading.Event(), _Words(as_json=arguments.json)

    def look_at(_: str, root: str) -> "SyncReport":
        # A configuration that changed meanwhile counts from the next look on.
        forget_configuration()
        return index.sync_folder(root)

    def end(_: int, __: FrameType | None) -> None:
        if stop.is_set():
            raise KeyboardInterrupt  # a run over many files stops too, and keeps what it committed
        say("stopping when this look is done; press Ctrl-C again to stop at once")
        stop.set()

    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        with ExitStack() as stack:
            vectors = _open_vectors(index, arguments, words)
            if vectors is not None:
                stack.enter_context(vectors)
            watch_index(
                index,
                WatchSettings(wanted.debounce_ms, wanted.reconcile_minutes),
                words,
                stop,
                sync=look_at,
                roots=(lambda: named) if named else None,
                on_change=(lambda: None) if vectors is None else vectors.wake,
            )
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    say("stopped watching")


def _open_vectors(
    index: "Engine", arguments: argparse.Namespace, words: "_Words"
) -> "BackgroundVectors | None":
    """Returns what makes vectors while folders are watched; None, and why, when none can be made."""
    embedding = index.describe_embedding()
    if arguments.no_vectors or not embedding.is_enabled:
        return None
    if embedding.unavailable:
        say_off(embedding.unavailable)
        return None
    from dowse.engine.background_vectors import BackgroundVectors

    return BackgroundVectors(
        lambda: open_index(arguments, create=False, is_patient=True),
        words,
        with_model=not arguments.static_only,
    )


class _Words:
    """Says what a watch does: words for people, or a JSON line for each look that changed something."""

    def __init__(self, *, as_json: bool) -> None:
        self._as_json = as_json

    def _write(self, value: object) -> None:
        import json

        write(json.dumps(value) + "\n")
        flush()

    def watching(self, roots: Mapping[str, str]) -> None:
        for name, root in roots.items():
            say(f"watching {without_controls(name)}: {without_controls(root)}")

    def looked_at(self, report: "SyncReport") -> None:
        changes = (report.added, report.changed, report.moved, report.removed)
        if not any(changes):
            return
        if self._as_json:
            names = ("tree", "added", "changed", "moved", "removed", "seconds")
            self._write({name: getattr(report, name) for name in names})
            return
        say(summarise_sync(report, without_controls(report.tree)))
        for line in iter_problems(report.problems):
            say(line)

    def vectors_made(self, coverage: "Coverage") -> None:
        if self._as_json:
            from msgspec import to_builtins

            self._write({"vectors": to_builtins(coverage)})
        else:
            say(f"vectors: {describe_coverage(coverage)}")

    def vectors_failed(self, error: "DowseError") -> None:
        say_failed(error)
        say("trying again in a minute")

    def failed(self, tree: str, error: "DowseError") -> None:
        say(f"{without_controls(tree)}: {error.message}; trying again")

    def hears_nothing(self, reason: str) -> None:
        say(f"the system reports no changes ({without_controls(reason)}); looking every few seconds instead")
        say("hint: raise fs.inotify.max_user_watches if there are too many folders")
