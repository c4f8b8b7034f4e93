"""``dowse tune``: weights that suit a folder better, found with questions made of its own texts."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from dowse.cli import exit_status
from dowse.cli.opening import open_index, parse_folder
from dowse.cli.request_flags import add_number
from dowse.cli.terminal import detect_style, say, without_controls, write
from dowse.engine.opening import find_current_folder
from dowse.errors import IndexNotFoundError

if TYPE_CHECKING:
    from dowse.evaluation.tuning import Proposal

EXAMPLES = """\
Asks for documents by what other documents call them in links, by their headings and by their titles, and
tries other weights for fields and, where there are vectors, for words and meaning. Half of the questions
choose, the other half prove. The flags of a search that would do it are shown; with --save they are written
to the configuration, if they are worth it. Questions
made of titles and headings speak for weighing those higher than a person may want; the table shows each kind
by itself.

examples:
  dowse tune docs
  dowse tune --mode bm25f --limit 50
  dowse tune docs --save
"""


class TuneCommand:
    """Proposes weights for a folder that is indexed."""

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Adds folder, mode, limit and json."""
        parser.epilog = EXAMPLES
        parser.add_argument("folder", metavar="FOLDER", nargs="?", help="an indexed folder (default: here)")
        parser.add_argument("--mode", metavar="NAME", default="auto", help="way to search (default: auto)")
        add_number(parser, "--limit", default=200, help_text="most questions of each kind (default: 200)")
        save = "write what is proposed to the configuration: the folder's own file, or yours"
        parser.add_argument("--save", action="store_true", help=save)
        parser.add_argument("--json", action="store_true", help="one JSON object on stdout")

    def run(self, arguments: argparse.Namespace) -> int:
        """Asks, tries, and writes what it proposes to stdout."""
        from dowse.cli.commands.eval import Steps
        from dowse.evaluation.configurations import parse_configuration
        from dowse.evaluation.known_items import build_known_items
        from dowse.evaluation.tuning import choose_knobs, count_runs, tune
        from dowse.search.parameters import check_request

        base = parse_configuration(arguments.mode)
        check_request(base.build_request("question", tree="", limit=1))
        folder = parse_folder(arguments.folder or find_current_folder())
        style = detect_style(sys.stderr, wants_color=not arguments.no_color)
        with open_index(arguments, create=False, folder=folder) as index:
            found = index.find_tree(folder)
            if found is None:
                raise IndexNotFoundError(home=folder)
            collection = build_known_items(index, found[0], arguments.limit)
            knobs = choose_knobs(base)
            with Steps("Trying weights", has_color=style.has_color) as steps:
                proposal = tune(
                    index, collection, base, knobs, lambda done: steps.show(done, count_runs(knobs))
                )
        show(arguments, folder, proposal)
        if arguments.save and proposal.is_worth_it:
            from dowse.engine.requests import save_parameters

            path = save_parameters(proposal.parameters, str(folder))
            say(without_controls(f"saved as search.parameters in {path}"))
        return exit_status.DONE


def show(arguments: argparse.Namespace, folder: Path, proposal: "Proposal") -> None:
    """Writes before and after; what to do about it goes to people."""
    from dowse.cli.rendering.evaluation import iter_proposal_lines

    if arguments.json:
        from dowse.cli.rendering.json_output import dump_json
        from dowse.evaluation.reporting import report_proposal

        write(dump_json(report_proposal(proposal)))
        return
    style = detect_style(sys.stdout, wants_color=not arguments.no_color)
    write("".join(f"{line}\n" for line in iter_proposal_lines(proposal, style)))
    if not proposal.is_worth_it:
        say(f"Nothing found that answers {without_controls(folder.name)} better, beyond chance.")
