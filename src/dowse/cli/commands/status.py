"""``dowse status``: what is indexed, where, and what could not be."""

import argparse
import sys

from dowse.cli import exit_status
from dowse.cli.opening import open_index
from dowse.cli.terminal import detect_style, write


class StatusCommand:
    """Shows trees, sizes and problems."""

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Adds json."""
        parser.add_argument("--json", action="store_true", help="one JSON object on stdout")

    def run(self, arguments: argparse.Namespace) -> int:
        """Writes the status to stdout."""
        import time

        with open_index(arguments, create=False) as index:
            status = index.status(looks=True)
        if arguments.json:
            from dowse.cli.rendering.json_output import dump_json

            write(dump_json(status))
        else:
            from dowse.cli.rendering.status import iter_status_lines

            style = detect_style(sys.stdout, wants_color=not arguments.no_color)
            write("".join(f"{line}\n" for line in iter_status_lines(status, style, time.time())))
        return exit_status.DONE
