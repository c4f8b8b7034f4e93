"""``dowse suggest``: how a text may go on, or what is misspelt in it."""

import argparse
import sys
from typing import TYPE_CHECKING

from dowse.cli import exit_status
from dowse.cli.opening import open_index
from dowse.cli.request_flags import add_number
from dowse.cli.terminal import detect_style, say, without_controls, write
from dowse.errors import InvalidParameterError

if TYPE_CHECKING:
    from dowse.engine.engine import Engine

EXAMPLES = """\
The last word is completed with words of all that is indexed, those that most chunks have first; titles
that start with the text, or have its words, follow. When little fits, typing errors are assumed.

examples:
  dowse suggest wat
  dowse suggest "green te" --limit 5
  dowse suggest --spell "recieve the documntation"
  dowse suggest wat --json | jq -r '.completions[].text'
"""


class SuggestCommand:
    """Completes a text, or checks its spelling."""

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Adds text, limit, spell and json."""
        parser.epilog = EXAMPLES
        parser.add_argument("text", metavar="TEXT", nargs="+", help="what was typed so far")
        add_number(parser, "-n", "--limit", default=10, help_text="most completions (default: 10)")
        parser.add_argument(
            "--spell", action="store_true", help="find words that nothing indexed has, and near ones"
        )
        parser.add_argument("--json", action="store_true", help="one JSON object on stdout")

    def run(self, arguments: argparse.Namespace) -> int:
        """Writes completions, or misspellings, to stdout."""
        text = " ".join(arguments.text)
        if not text.strip():
            raise InvalidParameterError(
                name="the text", value="empty", legal="write the beginning of a word: dowse suggest wat"
            )
        with open_index(arguments, create=False) as index:
            show = show_spelling if arguments.spell else show_completions
            is_found = show(index, text, arguments)
        return exit_status.FOUND if is_found else exit_status.NOTHING_FOUND


def show_completions(index: "Engine", text: str, arguments: argparse.Namespace) -> bool:
    """Writes how the text may go on; returns whether it may."""
    completions = index.suggest(text, arguments.limit)
    if arguments.json:
        from dowse.cli.rendering.json_output import dump_json

        write(dump_json({"text": text, "completions": completions}))
    else:
        from dowse.cli.rendering.suggestions import iter_completion_lines

        style = detect_style(sys.stdout, wants_color=not arguments.no_color)
        write("".join(f"{line}\n" for line in iter_completion_lines(completions, style)))
        if not completions:
            say(f"Nothing indexed goes on from “{without_controls(text)}”.")
    return bool(completions)


def show_spelling(index: "Engine", text: str, arguments: argparse.Namespace) -> bool:
    """Writes the words that nothing indexed has; returns whether there are any."""
    report = index.check_spelling(text)
    if arguments.json:
        from dowse.cli.rendering.json_output import dump_json

        write(dump_json(report, text=text))
    else:
        from dowse.cli.rendering.suggestions import iter_misspelling_lines

        style = detect_style(sys.stdout, wants_color=not arguments.no_color)
        write("".join(f"{line}\n" for line in iter_misspelling_lines(report, style)))
        if not report.misspellings:
            say("All words are known.")
        elif report.corrected != text:
            say(f"corrected: {without_controls(report.corrected)}")
    return bool(report.misspellings)
