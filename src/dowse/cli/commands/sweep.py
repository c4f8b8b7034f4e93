"""``dowse sweep``: removes what is gone, and gives disk space back."""

import argparse

from dowse.cli import exit_status
from dowse.cli.opening import open_index
from dowse.cli.terminal import count, format_bytes, say, without_controls, write

EXAMPLES = """\
Documents whose files are gone leave the index; your files are never touched. A tree whose whole folder is
not there is kept, because a drive that is not connected looks the same: name --missing-trees to let it go.
Vectors of texts that are gone go, too; those by a model you used before stay, because they took long to make.

examples:
  dowse sweep
  dowse sweep --missing-trees
  dowse sweep --other-models
"""


class SweepCommand:
    """Tidies the index."""

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Adds what else may go."""
        parser.epilog = EXAMPLES
        parser.add_argument(
            "--missing-trees", action="store_true", help="also remove trees whose folders are not there"
        )
        models = "also remove vectors made by other models than the chosen one"
        parser.add_argument("--other-models", action="store_true", help=models)
        parser.add_argument("--json", action="store_true", help="print the result as JSON")

    def run(self, arguments: argparse.Namespace) -> int:
        """Sweeps and says what went."""
        with open_index(arguments, create=False) as index:
            report = index.sweep(
                removes_missing_trees=arguments.missing_trees, removes_other_models=arguments.other_models
            )
        if arguments.json:

            from dowse.cli.rendering.json_output import dump_json

            write(dump_json(report))
            return exit_status.DONE
        for name in report.removed_trees:
            say(f"removed tree {without_controls(name)}: its folder is not there")
        for root in report.missing_roots:
            say(f"kept: {without_controls(root)} is not there (dowse sweep --missing-trees removes it)")
        for name in report.other_models:
            say(f"kept: vectors by {without_controls(name)} (dowse sweep --other-models removes them)")
        gone = [f"{count(report.documents, 'document')} of files that are gone"]
        gone += [f"{count(report.vectors, 'vector')} without a use"] if report.vectors else []
        say(f"swept: {', '.join(gone)}, {format_bytes(report.freed_bytes)} given back")
        return exit_status.DONE
