"""``dowse index``: brings the index of a folder up to date, without asking anything."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from dowse.cli import exit_status
from dowse.cli.arguments import CommandLineError
from dowse.cli.freshness import sync
from dowse.cli.meaning import make_vectors
from dowse.cli.opening import open_index, parse_folder
from dowse.cli.terminal import detect_style, say, without_controls

if TYPE_CHECKING:
    from dowse.engine.engine import Engine

EXAMPLES = """\
examples:
  dowse index docs
  dowse index ~/notizen --language german --name notes
  dowse index                       all trees of the configuration
  dowse index docs --static-only    search by meaning at once, roughly
"""


class IndexCommand:
    """Indexes a folder: new, changed, moved and deleted files."""

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Adds folder, language, stop words and name."""
        parser.epilog = EXAMPLES
        parser.add_argument(
            "folder",
            metavar="FOLDER",
            nargs="?",
            help="what to index, with all below it (default: all configured trees)",
        )
        parser.add_argument(
            "--language",
            metavar="NAME",
            help="language of the texts, for word forms and stop words",
        )
        parser.add_argument(
            "--stop-words",
            metavar="WHICH",
            help="default, none, auto (words in 85 %% of all chunks), or words separated by commas",
        )
        parser.add_argument(
            "--name", metavar="NAME", help="name of the tree (default: from the folder)"
        )
        add_vector_flags(parser)

    def run(self, arguments: argparse.Namespace) -> int:
        """Indexes, makes vectors, and says what was done."""
        if arguments.folder is None:
            folders, around = find_configured(arguments), None
        else:
            folders = [parse_folder(arguments.folder)]
            around = folders[0]
        with open_index(arguments, create=True, folder=around, is_patient=True) as index:
            status = exit_status.DONE
            trees: list[str] = []
            for folder in folders:
                report_status, tree = index_folder(index, folder, arguments)
                status = max(status, report_status)
                if status == exit_status.INTERRUPTED:
                    return status
                trees.append(tree)
            for tree in () if arguments.no_vectors else dict.fromkeys(trees):
                status = max(status, make_vectors(index, tree, arguments))
                if status == exit_status.INTERRUPTED:
                    return status
        return status


def add_vector_flags(parser: argparse.ArgumentParser) -> None:
    """Adds what says how much is done for search by meaning."""
    group = parser.add_argument_group("search by meaning")
    group.add_argument("--no-vectors", action="store_true", help="words only, for now")
    static = "only rough vectors, in seconds; the model reads the chunks in a later run"
    group.add_argument("--static-only", action="store_true", help=static)
    group.add_argument(
        "--threads",
        metavar="N",
        type=parse_threads,
        help="texts that the model reads at once (default: one a processor)",
    )


def parse_threads(text: str) -> int:
    """Returns a number of threads from 1 to 64."""
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 64:
        raise argparse.ArgumentTypeError(f"“{text}” is not a number from 1 to 64")
    return int(text)


def find_configured(arguments: argparse.Namespace) -> list[Path]:
    """Returns the folders of all configured trees.

    Raises:
        CommandLineError: There are none, or flags were given that are for one folder.
        FolderNotFoundError: One of them is not there.
    """
    from dowse.engine.opening import get_settings

    trees = get_settings().trees
    if not trees:
        raise CommandLineError(
            message="say which folder to index; no trees are configured here",
            hint="dowse index FOLDER, or: dowse init makes a configuration for this folder",
        )
    if arguments.name or arguments.language or arguments.stop_words:
        flags = "--name, --language and --stop-words are for one folder"
        raise CommandLineError(message=flags, hint="name the folder, or put them into the configuration")
    return [parse_folder(tree.path) for tree in trees]


def index_folder(index: "Engine", folder: Path, arguments: argparse.Namespace) -> tuple[int, str]:
    """Indexes one folder, says what was done, and returns the exit status for it and its tree."""
    from dowse.cli.rendering.summary import (
        describe_interruption,
        iter_problems,
        iter_skipped,
        summarise_sync,
    )

    label = without_controls(folder.name or str(folder))
    style = detect_style(sys.stderr, wants_color=not arguments.no_color)
    report = sync(
        index,
        folder,
        f"Indexing {label}",
        has_color=style.has_color,
        name=arguments.name,
        language=arguments.language,
        stop_words=arguments.stop_words,
    )
    if report.interrupted:
        say(describe_interruption(index.status(), report.tree))
        return exit_status.INTERRUPTED, report.tree
    for line in (*iter_problems(report.problems), *iter_skipped(report)):
        say(line)
    say(summarise_sync(report, label))
    return exit_status.DONE_WITH_PROBLEMS if report.problems else exit_status.DONE, report.tree
