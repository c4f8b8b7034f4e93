"""``dowse modes``: all ways to search, and all scoring models."""

import argparse
import sys

from dowse.cli import exit_status
from dowse.cli.terminal import detect_style, write

EXAMPLES = """\
examples:
  dowse modes
  dowse modes --models
  dowse "state of the art" --mode phrase --param slop=2
"""


class ModesCommand:
    """Shows the table of modes, or that of scoring models."""

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Adds models and json."""
        parser.epilog = EXAMPLES
        parser.add_argument("--models", action="store_true", help="show the scoring models instead")
        parser.add_argument("--json", action="store_true", help="one JSON object on stdout")

    def run(self, arguments: argparse.Namespace) -> int:
        """Writes the table to stdout."""
        from dowse.cli.rendering.modes import (
            iter_mode_lines,
            iter_model_lines,
            models_as_json,
            modes_as_json,
        )

        if arguments.json:
            from dowse.cli.rendering.json_values import dump_json

            write(dump_json(models_as_json() if arguments.models else modes_as_json()))
            return exit_status.DONE
        style = detect_style(sys.stdout, wants_color=not arguments.no_color)
        lines = iter_model_lines(style) if arguments.models else iter_mode_lines(style)
        write("".join(f"{line}\n" for line in lines))
        return exit_status.DONE
