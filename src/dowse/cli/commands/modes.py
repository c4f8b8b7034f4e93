"""``dowse modes``: all ways to search, all scoring models and all fusions."""

import argparse
import sys

from dowse.cli import exit_status
from dowse.cli.terminal import detect_style, write

EXAMPLES = """\
examples:
  dowse modes
  dowse modes --models
  dowse modes --fusions
  dowse "state of the art" --mode phrase --param slop=2
  dowse "how do plants drink" --fusion rrf --param k=20
"""


class ModesCommand:
    """Shows the table of modes, or that of scoring models or fusions."""

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Adds models, fusions and json."""
        parser.epilog = EXAMPLES
        one = parser.add_mutually_exclusive_group()
        one.add_argument("--models", action="store_true", help="show the scoring models instead")
        fusions = "show how words and meaning become one ranking instead"
        one.add_argument("--fusions", action="store_true", help=fusions)
        parser.add_argument("--json", action="store_true", help="one JSON object on stdout")

    def run(self, arguments: argparse.Namespace) -> int:
        """Writes the table to stdout."""
        from dowse.cli.rendering import modes as tables

        values: dict[str, object] = {"modes": tables.list_modes()}
        iter_lines = tables.iter_mode_lines
        if arguments.models:
            values = {"models": tables.list_models(), "aliases": tables.list_aliases()}
            iter_lines = tables.iter_model_lines
        elif arguments.fusions:
            values, iter_lines = {"fusions": tables.list_fusions()}, tables.iter_fusion_lines
        if arguments.json:
            from dowse.cli.rendering.json_output import dump_json

            write(dump_json(values))
            return exit_status.DONE
        style = detect_style(sys.stdout, wants_color=not arguments.no_color)
        write("".join(f"{line}\n" for line in iter_lines(style)))
        return exit_status.DONE
