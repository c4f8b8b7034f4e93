"""``dowse explain``: why a document is a hit, or what keeps it from being one."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from dowse.cli import exit_status
from dowse.cli.freshness import Place, find_place, get_place
from dowse.cli.opening import open_index, parse_folder
from dowse.cli.remedies import word_hint
from dowse.cli.request_flags import add_request_flags, build_request
from dowse.cli.terminal import detect_style, flush, say, without_controls, write
from dowse.engine.opening import find_current_folder

if TYPE_CHECKING:
    from dowse.engine.engine import Engine
    from dowse.schema import DocumentExplanation, DocumentOutcome

EXAMPLES = """\
Give the query with the flags of the search that you wonder about. The answer comes from what is indexed;
the files are not looked at, and stages such as --rerank are left out.

examples:
  dowse explain "how do I install it" docs/guide.md
  dowse explain "install -windows" docs/windows.md docs
  dowse explain "install" docs/guide.md --limit 3 --missing
  dowse explain "how do plants drink" docs/watering.md --semantic
"""


class ExplainCommand:
    """Explains the score of a document's best chunk, or which step lost the document."""

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Adds query, document, folder and the flags of a search."""
        parser.epilog = EXAMPLES
        parser.add_argument("query", metavar="QUERY", help="as given to search")
        parser.add_argument("document", metavar="DOCUMENT", help="path or key of the document")
        parser.add_argument(
            "folder", metavar="FOLDER", nargs="?", help="where was searched (default: here, or anywhere)"
        )
        parser.add_argument(
            "--missing", action="store_true", help="only what keeps it from being shown, not its score"
        )
        parser.add_argument("--json", action="store_true", help="one JSON object on stdout")
        add_request_flags(parser, ("query", "page", "reading", "ranking"))
        parser.set_defaults(explain=True)

    def run(self, arguments: argparse.Namespace) -> int:
        """Writes the explanation to stdout."""
        from msgspec.structs import replace

        from dowse.cli.documents import name_document

        # The configuration of the folder that was searched counts, as for the search.
        folder = None if arguments.folder is None else parse_folder(arguments.folder)
        request = build_request(arguments, folder)
        with open_index(arguments, create=False, folder=folder) as index:
            tree, doc_key = name_document(index, arguments.document)
            place = find_searched(index, folder)
            if place is not None:
                request = replace(request, tree=place.tree, under=place.under)
            standing = index.explain(request, doc_key, tree=tree)
        if arguments.json:
            from dowse.cli.rendering.json_output import dump_json

            write(dump_json(standing, doc_key=doc_key, is_shown=standing.is_shown))
        else:
            show(standing, doc_key, arguments)
        return exit_status.FOUND if standing.is_shown else exit_status.NOTHING_FOUND


def find_searched(index: "Engine", folder: Path | None) -> Place | None:
    """Returns what a search of a folder, or from here, would look at; ``None`` for everything."""
    if folder is not None:
        return get_place(index, folder)
    current = find_current_folder()
    return find_place(index, parse_folder(current)) if current else None


def show(standing: "DocumentExplanation", doc_key: str, arguments: argparse.Namespace) -> None:
    """Writes hit and reason to stdout, and what to do to stderr."""
    from dowse.cli.rendering.hits import render_hit
    from dowse.cli.rendering.summary import iter_problems

    style = detect_style(sys.stdout, wants_color=not arguments.no_color)
    if standing.hit is not None and not arguments.missing:
        write(render_hit(standing.hit, style, find_current_folder()))
    if arguments.missing or not standing.is_shown:
        write("".join(f"{without_controls(line)}\n" for line in describe(doc_key, standing.outcome)))
    flush()
    for line in iter_problems(standing.problems):
        say(line)
    for suggestion in standing.outcome.suggestions:
        say(without_controls(f"hint: {word_hint(suggestion)}"))


def describe(doc_key: str, missing: "DocumentOutcome") -> list[str]:
    """Returns the document with its reason, and a line for each sentence."""
    return [f"{doc_key}: {missing.reason}", *(f"    {sentence}" for sentence in missing.sentences)]
