"""``dowse index``: brings the index of a folder up to date, without asking anything."""

import argparse
import sys

from dowse.cli import exit_status
from dowse.cli.freshness import sync
from dowse.cli.opening import open_index, parse_folder
from dowse.cli.terminal import detect_style, say, without_controls

EXAMPLES = """\
examples:
  dowse index docs
  dowse index ~/notizen --language german --name notes
"""


class IndexCommand:
    """Indexes a folder: new, changed, moved and deleted files."""

    name = "index"
    summary = "index a folder, or bring its index up to date"

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Adds folder, language, stop words and name."""
        parser.epilog = EXAMPLES
        parser.add_argument("folder", metavar="FOLDER", help="what to index, with all below it")
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

    def run(self, arguments: argparse.Namespace) -> int:
        """Indexes, then says what was done."""
        from dowse.cli.rendering.summary import (
            describe_interruption,
            iter_problems,
            iter_skipped,
            summarise_sync,
        )

        folder = parse_folder(arguments.folder)
        label = without_controls(folder.name or str(folder))
        style = detect_style(sys.stderr, wants_color=not arguments.no_color)
        with open_index(arguments, create=True) as index:
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
                return exit_status.INTERRUPTED
        for line in (*iter_problems(report.problems), *iter_skipped(report)):
            say(line)
        say(summarise_sync(report, label))
        return exit_status.DONE_WITH_PROBLEMS if report.problems else exit_status.DONE
