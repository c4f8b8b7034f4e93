"""``dowse help``: the same as ``--help``, for those who type it as a command."""

import argparse

from dowse.cli import exit_status
from dowse.cli.terminal import write


class HelpCommand:
    """Shows the help of Dowse or of one command."""

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Adds the command to explain."""
        parser.add_argument(
            "command", metavar="COMMAND", nargs="?", help="which command to explain"
        )

    def run(self, arguments: argparse.Namespace) -> int:
        """Writes the help to stdout."""
        from dowse.cli.arguments import CommandLineError, build_parser, find_nearest
        from dowse.cli.commands import COMMANDS, get_command
        from dowse.cli.overview import render_overview

        if arguments.command is None:
            write(render_overview())
            return exit_status.DONE
        names = [command.name for command in COMMANDS]
        if arguments.command not in names:
            nearest = find_nearest(arguments.command, names)
            hint = (
                f"did you mean: dowse help {nearest}"
                if nearest
                else f"commands: {', '.join(names)}"
            )
            raise CommandLineError(message=f"there is no command “{arguments.command}”", hint=hint)
        write(build_parser(get_command(arguments.command)).format_help())
        return exit_status.DONE
