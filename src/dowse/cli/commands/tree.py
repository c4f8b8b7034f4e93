"""``dowse tree``: lists, removes, exports, imports and mounts trees."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from dowse.cli import exit_status
from dowse.cli.arguments import CommandLineError
from dowse.cli.opening import open_index
from dowse.cli.terminal import count, format_bytes, say, without_controls, write

if TYPE_CHECKING:
    from dowse.engine.engine import Engine

EXAMPLES = """\
A tree is a folder that was indexed, or a collection of texts that a program added. Each is an index of its
own, in a folder of its own below the index home. Your files are never touched.

examples:
  dowse tree ls
  dowse tree export notes notes.tar      one file, to keep or to take elsewhere
  dowse tree import notes.tar
  dowse tree mount /media/shared/notes   search a tree where it is; it is only read
  dowse tree remove notes
"""
ACTIONS = ("ls", "export", "import", "mount", "remove")
NEEDS = {
    "ls": (),
    "export": ("NAME", "FILE"),
    "import": ("FILE",),
    "mount": ("FOLDER",),
    "remove": ("NAME",),
}


class TreeCommand:
    """Does one thing with one tree."""

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Adds the action and what it needs."""
        parser.epilog = EXAMPLES
        parser.add_argument("action", metavar="ACTION", choices=ACTIONS, help=", ".join(ACTIONS))
        parser.add_argument("values", metavar="VALUE", nargs="*", help="what the action needs")
        parser.add_argument("--name", metavar="NAME", help="what to call an imported or mounted tree")

    def run(self, arguments: argparse.Namespace) -> int:
        """Does it, and says what was done."""
        needs = NEEDS[arguments.action]
        if len(arguments.values) != len(needs):
            wanted = " ".join(("dowse tree", arguments.action, *needs))
            message = f"“{arguments.action}” takes {count(len(needs), 'value')}"
            raise CommandLineError(message=message, hint=wanted)
        is_making = arguments.action in ("import", "mount")
        with open_index(arguments, create=is_making) as index:
            self._act(index, arguments)
        return exit_status.DONE

    def _act(self, index: "Engine", arguments: argparse.Namespace) -> None:
        values = arguments.values
        if arguments.action == "ls":
            for tree in index.status().trees:
                line = [tree.name, count(tree.documents, "document"), tree.root or "texts of a program"]
                write("\t".join(map(without_controls, line)) + "\n")
        elif arguments.action == "export":
            size = index.export_tree(values[0], Path(values[1]))
            say(without_controls(f"exported {values[0]} to {values[1]}, {format_bytes(size)}"))
        elif arguments.action == "import":
            name = index.import_tree(Path(values[0]), name=arguments.name)
            say(without_controls(f"imported {name}"))
        elif arguments.action == "mount":
            name = index.mount(Path(values[0]), name=arguments.name)
            say(without_controls(f"mounted {name}; it is only read"))
        else:
            documents = index.remove_tree(values[0])
            say(without_controls(f"removed {values[0]}: {count(documents, 'document')}; files are untouched"))
