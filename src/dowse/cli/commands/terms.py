"""``dowse terms``: the vocabulary of the index, with frequencies."""

import argparse
import sys

from dowse.cli import exit_status
from dowse.cli.opening import open_index
from dowse.cli.request_flags import add_number
from dowse.cli.terminal import detect_style, say, without_controls, write

# Those of `suggest.ORDERS`; written again because a parser must not load it.
ORDERS = ("frequency", "alphabet")

EXAMPLES = """\
Each line is a term, how many chunks have it, how often, and the words that stand for it. A pattern is
compared with words as they are written: without * and ? it is how they start.

examples:
  dowse terms
  dowse terms water
  dowse terms '*ology' --order alphabet
  dowse terms --limit 100 --offset 100
"""


class TermsCommand:
    """Lists terms."""

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Adds pattern, limit, offset, order and json."""
        parser.epilog = EXAMPLES
        parser.add_argument(
            "pattern",
            metavar="PATTERN",
            nargs="?",
            default="",
            help="how words start, or a pattern with * (any letters) and ? (one)",
        )
        add_number(parser, "-n", "--limit", default=50, help_text="most terms to show (default: 50)")
        add_number(parser, "--offset", default=0, help_text="terms to skip (default: 0)")
        parser.add_argument(
            "--order",
            metavar="HOW",
            choices=ORDERS,
            default=ORDERS[0],
            help="frequency, most chunks first, or alphabet (default: frequency)",
        )
        parser.add_argument("--json", action="store_true", help="one JSON object on stdout")

    def run(self, arguments: argparse.Namespace) -> int:
        """Writes a page of terms to stdout."""
        with open_index(arguments, create=False) as index:
            page = index.terms(
                arguments.pattern, order=arguments.order, limit=arguments.limit, offset=arguments.offset
            )
        if arguments.json:
            from dowse.cli.rendering.json_output import dump_json

            write(dump_json(page))
        else:
            from dowse.cli.rendering.suggestions import iter_term_lines, summarise_terms

            style = detect_style(sys.stdout, wants_color=not arguments.no_color)
            write("".join(f"{line}\n" for line in iter_term_lines(page, style)))
            if page.terms:
                say(summarise_terms(page, arguments.offset))
            else:
                say(f"No term fits “{without_controls(arguments.pattern)}” here.")
        return exit_status.FOUND if page.terms else exit_status.NOTHING_FOUND
