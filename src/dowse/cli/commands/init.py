"""``dowse init``: writes a configuration for a folder, with every option explained."""

import argparse

from dowse.cli import exit_status
from dowse.cli.arguments import CommandLineError
from dowse.cli.opening import parse_folder
from dowse.cli.terminal import say, without_controls, write

EXAMPLES = """\
examples:
  dowse init                  then: dowse index
  dowse init notes --name journal
  dowse init --local          the index lives in .dowse beside the configuration
"""


class InitCommand:
    """Writes `.dowse.toml`; never over one that is there, unless told to."""

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Adds folder, name, local and force."""
        parser.epilog = EXAMPLES
        parser.add_argument("folder", metavar="FOLDER", nargs="?", help="for which folder (default: here)")
        parser.add_argument("--name", metavar="NAME", help="name of the tree (default: from the folder)")
        local = "keep the index of this project in .dowse, beside the file"
        parser.add_argument("--local", action="store_true", help=local)
        parser.add_argument("--force", action="store_true", help="replace a file that is there")

    def run(self, arguments: argparse.Namespace) -> int:
        """Writes the file and says what to do next."""
        from dowse.config.files import PROJECT_FILE
        from dowse.config.writing import build_template, write_text

        folder = parse_folder(arguments.folder or ".")
        path = folder / PROJECT_FILE
        if path.exists() and not arguments.force:
            raise CommandLineError(
                message=f"{without_controls(str(path))} is there already",
                hint="edit it, or replace it with: dowse init --force",
            )
        name = without_controls(arguments.name or folder.name or "root").strip()
        if not name or "\n" in name:
            message = f"“{name}” cannot be the name of a tree"
            raise CommandLineError(message=message, hint="dowse init --name NAME")
        write_text(path, build_template(name, home=".dowse" if arguments.local else None))
        write(f"{without_controls(str(path))}\n")
        say("next: dowse index")
        return exit_status.DONE
