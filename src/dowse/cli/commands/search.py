"""``dowse search``: the question and its answer; also what ``dowse QUERY`` runs."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from dowse.cli import exit_status
from dowse.cli.answers import write_hits
from dowse.cli.arguments import CommandLineError
from dowse.cli.freshness import (
    REFRESH_LOCK_TIMEOUT_S,
    Place,
    find_place,
    get_place,
    index_first_time,
    refresh,
)
from dowse.cli.opening import open_index, parse_folder
from dowse.cli.request_flags import add_request_flags, build_request
from dowse.cli.terminal import detect_style, say, without_controls, write
from dowse.engine.opening import find_current_folder
from dowse.schema.request_options import SEMANTIC_MODES

if TYPE_CHECKING:
    from dowse.engine.engine import Engine
    from dowse.schema import SearchRequest, SearchResponse

EXAMPLES = """\
examples:
  dowse "how do I install it" docs
  dowse "\\"exact phrase\\" -without" .
  dowse search index            a query that is also a command
  dowse -- -draft               a query that starts with a dash
  dowse recieve --fuzzy --all   typing errors are forgiven; all words must match
  dowse "state of the art" --mode phrase --param slop=2
  dowse "how do plants drink" --semantic
  dowse notes --json | jq .hits
"""


class SearchCommand:
    """Searches a folder, after bringing its index up to date."""

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Adds query, folder and the flags of a search."""
        parser.epilog = EXAMPLES
        parser.add_argument("query", metavar="QUERY", help='words, "phrases" and -exclusions')
        parser.add_argument("folder", metavar="FOLDER", nargs="?", help="where (default: here)")
        parser.add_argument("--json", action="store_true", help="one JSON object on stdout")
        no_index = "search what is indexed, without looking at the files"
        parser.add_argument("--no-index", action="store_true", help=no_index)
        add_request_flags(parser)

    def run(self, arguments: argparse.Namespace) -> int:
        """Indexes or refreshes, searches, shows."""
        folder = parse_folder(arguments.folder or ".")
        request = build_request(arguments, folder)
        place, response = answer(arguments, request, folder)
        if response is None:
            return exit_status.INTERRUPTED
        if arguments.json:
            from dowse.cli.rendering.json_output import dump_json

            write(dump_json(response, ms=round(response.ms, 3)))
        else:
            show(response, place, arguments)
        return exit_status.FOUND if response.hits else exit_status.NOTHING_FOUND


def answer(
    arguments: argparse.Namespace, request: "SearchRequest", folder: Path
) -> tuple[Place, "SearchResponse | None"]:
    """Returns where the answer comes from, and it; ``None`` when indexing was interrupted."""
    label = without_controls(name_folder(arguments.folder or ".", folder))
    has_color = detect_style(sys.stderr, wants_color=not arguments.no_color).has_color
    wants_index = not arguments.no_index
    # An indexed tree is answered from soon, even while another process writes: hence the short
    # wait.
    wait = REFRESH_LOCK_TIMEOUT_S
    with open_index(arguments, create=wants_index, lock_timeout_s=wait, folder=folder) as index:
        place = find_place(index, folder) if wants_index else get_place(index, folder)
        if place is not None and wants_index:
            place = refresh(index, folder, place, label, has_color=has_color)
            prepare_meaning(index, place, arguments, request.mode, is_first=False)
        if place is not None:
            return place, search_place(index, request, place)
    refuse_mistyped_command(arguments)
    with open_index(arguments, create=True, folder=folder) as index:
        place = index_first_time(index, folder, label, has_color=has_color)
        prepare_meaning(index, place, arguments, request.mode, is_first=True)
        return place, search_place(index, request, place)


def prepare_meaning(
    index: "Engine", place: Place, arguments: argparse.Namespace, mode: str, *, is_first: bool
) -> None:
    """Gives new chunks rough vectors where the search may use them and they cost little."""
    if mode not in SEMANTIC_MODES or not (is_first or index.has_vectors(place.tree)):
        return
    from dowse.cli.meaning import add_rough_vectors

    has_color = detect_style(sys.stderr, wants_color=not arguments.no_color).has_color
    wants_words = not arguments.json
    add_rough_vectors(
        index, place.tree, place.report, is_first=is_first, wants_words=wants_words, has_color=has_color
    )


def name_folder(given: str, folder: Path) -> str:
    """Returns the folder as the reader calls it; ``.`` says too little."""
    return given.rstrip("/") if given.strip("./") else folder.name or str(folder)


def search_place(index: "Engine", request: "SearchRequest", place: Place) -> "SearchResponse | None":
    """Returns the answer from one place, or ``None`` when its refreshing was interrupted."""
    from msgspec.structs import replace

    if place.report is not None and place.report.interrupted:
        from dowse.cli.rendering.summary import describe_interruption

        say(describe_interruption(index.status(), place.tree))
        return None
    return index.search(replace(request, tree=place.tree, under=place.under))


def show(response: "SearchResponse", place: Place, arguments: argparse.Namespace) -> None:
    """Writes the hits to stdout and the words around them to stderr."""
    from dowse.cli.rendering.summary import iter_second_looks, summarise_search

    write_hits(response, wants_color=not arguments.no_color)
    if not response.hits:
        say_nothing_found(response, place, arguments)
    for line in iter_second_looks(response):
        say(line)
    if response.hits:
        problems = 0 if place.report is None else len(place.report.problems)
        say(summarise_search(response, problems))


def say_nothing_found(
    response: "SearchResponse", place: Place, arguments: argparse.Namespace
) -> None:
    """Says that nothing was found, with the hint that fits best."""
    from dowse.cli.rendering.summary import explain_nothing_found, is_empty

    message, hint = explain_nothing_found(
        response, name_folder(arguments.folder or ".", Path(find_current_folder()))
    )
    say(message)
    command = find_mistyped_command(arguments.query)
    if is_empty(place.report):
        hint = "there are no files to search in this folder; `dowse ls --why FILE` says why one is left out"
    elif command is not None:
        hint = f"did you mean: dowse {command}"
    if not (response.problems or response.suggestion):
        say(f"hint: {hint}")


def find_mistyped_command(query: str) -> str | None:
    """Returns the command a one-word query looks like.

    Words that share their beginning with a command (``model``, ``indexes``) or start otherwise (``plants``,
    which is not far from ``explain``) are words that people search for, not slips of the finger.
    """
    from dowse.cli.arguments import find_nearest
    from dowse.cli.commands import COMMANDS

    names = [command.name for command in COMMANDS if command.name[0] == query[:1]]
    nearest = find_nearest(query, names, 0.75)
    if nearest is None or query.startswith(nearest) or query[:-1] == nearest[:-1]:
        return None
    return nearest


def refuse_mistyped_command(arguments: argparse.Namespace) -> None:
    """Stops before a whole folder is indexed only because of a slip: ``dowse stauts``.

    Raises:
        CommandLineError: Neither command nor folder was named, and the query is nearly a command.
    """
    if arguments.is_command_named or arguments.folder is not None:
        return
    command = find_mistyped_command(arguments.query)
    if command is not None:
        raise CommandLineError(
            message=f"there is no command “{arguments.query}”, and this folder is not indexed yet",
            hint=f"did you mean: dowse {command}\nto search anyway: dowse search {arguments.query}",
        )
