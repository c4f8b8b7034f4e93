"""``dowse doctor``: checks every byte of the index and mends what it can."""

import argparse
import sys

from dowse.cli import exit_status
from dowse.cli.opening import open_index
from dowse.cli.terminal import detect_style, write


class DoctorCommand:
    """Checks the index, and with ``--repair`` mends it."""

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Adds repair and json."""
        parser.add_argument("--repair", action="store_true", help="rebuild what is damaged")
        parser.add_argument("--json", action="store_true", help="one JSON object on stdout")

    def run(self, arguments: argparse.Namespace) -> int:
        """Writes the findings to stdout; status 3 when something stays damaged."""
        with open_index(arguments, create=False) as index:
            report = index.check(repair=arguments.repair)
        if arguments.json:
            from dowse.cli.rendering.json_output import dump_json

            write(dump_json(report, is_healthy=report.is_healthy))
        else:
            from dowse.cli.rendering.status import iter_doctor_lines

            style = detect_style(sys.stdout, wants_color=not arguments.no_color)
            write("".join(f"{line}\n" for line in iter_doctor_lines(report, style)))
        return exit_status.DONE if report.is_healthy else exit_status.DAMAGED
