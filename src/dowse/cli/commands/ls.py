"""``dowse ls``: what is in the index, and why a file is in it or not."""

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from dowse.cli import exit_status
from dowse.cli.arguments import CommandLineError
from dowse.cli.opening import open_index
from dowse.cli.remedies import word_hint
from dowse.cli.terminal import detect_style, say, without_controls, write
from dowse.engine.opening import find_current_folder
from dowse.errors import IndexNotFoundError, UnknownTreeError

if TYPE_CHECKING:
    from dowse.cli.rendering.listing import ListedRow
    from dowse.engine.engine import Engine
    from dowse.ingest.explain_discovery import Verdict

KINDS = ("trees", "docs", "chunks")
EXAMPLES = """\
examples:
  dowse ls                          all trees
  dowse ls docs notes               the documents of tree notes
  dowse ls docs ~/notes/2024        those below a folder
  dowse ls chunks guide.md          the chunks of one document
  dowse ls --why secret/plan.md     why this file is indexed, or not
"""


class LsCommand:
    """Lists trees, documents or chunks; with ``--why`` explains one path."""

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Adds kind, place, why and json."""
        parser.epilog = EXAMPLES
        kinds = "trees, docs or chunks (default: trees)"
        parser.add_argument("kind", metavar="WHAT", nargs="?", choices=KINDS, help=kinds)
        where = "name of a tree, or a folder or file (default: everything)"
        parser.add_argument("place", metavar="PLACE", nargs="?", help=where)
        parser.add_argument("--why", metavar="PATH", help="say why this file or folder is indexed, or not")
        parser.add_argument("--json", action="store_true", help="one JSON object on stdout")

    def run(self, arguments: argparse.Namespace) -> int:
        """Writes the list to stdout."""
        if arguments.why is not None:
            if arguments.kind is not None:
                raise CommandLineError(message="--why stands alone", hint="dowse ls --why PATH")
            return explain(arguments)
        from dowse.cli.rendering.json_output import dump_json
        from dowse.cli.rendering.listing import iter_lines, name_rows

        kind = arguments.kind or "trees"
        rows = list_rows(arguments, kind)
        if arguments.json:
            write(dump_json(name_rows(kind, rows)))
        else:
            style = detect_style(sys.stdout, wants_color=not arguments.no_color)
            write("".join(f"{line}\n" for line in iter_lines(rows, style)))
            if not rows:
                say(f"no {'documents' if kind == 'docs' else kind} there; dowse index FOLDER makes some")
        return exit_status.FOUND if rows else exit_status.NOTHING_FOUND


def list_rows(arguments: argparse.Namespace, kind: str) -> "list[ListedRow]":
    """Returns trees, documents or chunks of a place.

    Raises:
        UnknownTreeError: The place is neither a tree nor a path in one.
    """
    with open_index(arguments, create=False) as index:
        tree, under = find_scope(index, arguments.place)
        if kind == "docs":
            return list(index.list_documents(tree=tree, under=under))
        if kind == "chunks":
            return list(index.list_chunks(tree=tree, under=under))
        from dowse.cli.rendering.listing import ListedTree

        return [
            ListedTree(row.name, row.root, row.language, row.documents, row.chunks)
            for row in index.status().trees
            if tree in (None, row.name)
        ]


def find_scope(index: "Engine", place: str | None) -> tuple[str | None, str]:
    """Returns the tree a person means and the start of the keys; everything when nothing was said."""
    if place is None:
        return None, ""
    names = [tree.name for tree in index.status().trees]
    if place in names:
        return place, ""
    path = Path(os.path.realpath(Path(place).expanduser()))
    if path.is_dir():
        found = index.find_tree(path)
        if found is not None:
            return found
    elif path.parent.is_dir() and (found := index.find_tree(path.parent)) is not None:
        key = found[1] + path.name
        if path.exists() or index.list_documents(tree=found[0], under=key):
            return found[0], key
    raise UnknownTreeError(name=place, known=", ".join(names) or "none yet")


def explain(arguments: argparse.Namespace) -> int:
    """Writes whether a path is indexed and the rule that decides, and says what can be done about it."""
    from dowse.cli.rendering.listing import iter_verdict_lines
    from dowse.engine.opening import get_folder_settings
    from dowse.ingest.explain_discovery import explain_path

    path = Path(os.path.abspath(Path(arguments.why).expanduser()))  # noqa: PTH100 - links must stay
    root, standing = find_root(arguments, path)
    verdict = explain_path(root, path, get_folder_settings(root).discovery)
    if verdict.rule == "included" and not standing.startswith("in the index"):
        verdict = look_inside(path, verdict)
    if arguments.json:
        from dowse.cli.rendering.json_output import dump_json

        facts = {"message": verdict.message, "standing": standing}
        write(dump_json(verdict, path=arguments.why, root=str(root), **facts))
    else:
        style = detect_style(sys.stdout, wants_color=not arguments.no_color)
        for line in iter_verdict_lines(arguments.why, root, verdict, standing, style):
            write(f"{line}\n")
        if verdict.hint:
            say(without_controls(f"hint: {word_hint(verdict.hint)}"))
    return exit_status.FOUND if verdict.is_included else exit_status.NOTHING_FOUND


def look_inside(path: Path, verdict: "Verdict") -> "Verdict":
    """Returns the verdict about a file that its name lets in, after trying to read it."""
    from msgspec.structs import replace

    from dowse.cli.commands.inspect import read_document
    from dowse.ingest.explain_discovery import RULES

    document, problems = read_document(str(path))
    if document is not None:
        return verdict
    source = problems[0].message if problems else ""
    hint = problems[0].hint if problems and problems[0].hint else RULES["no-text"][1]
    return replace(verdict, is_included=False, rule="no-text", source=source, hint=hint)


def find_standing(index: "Engine", around: Path, name: str) -> tuple[Path, str] | None:
    """Returns the root of the tree that a file is in, and how it stands there; None outside of all trees."""
    found = index.find_tree(around)
    if found is None:
        return None
    tree = next(tree for tree in index.status().trees if tree.name == found[0])
    key = found[1] + name
    listed = index.list_documents(tree=tree.name, under=key)
    standing = "in the index" if any(row.doc_key == key for row in listed) else "not in the index"
    problem = next((f": {row.message}" for row in tree.problems if row.location == key), "")
    return Path(str(tree.root)), f"{standing}, tree {tree.name}{problem}"


def find_root(arguments: argparse.Namespace, path: Path) -> tuple[Path, str]:
    """Returns the folder that would be walked, and how the path stands in the index.

    An indexed tree counts first, then a configured one, then the current folder.
    """
    from dowse.engine.opening import get_settings

    around = next((folder for folder in path.parents if folder.is_dir()), Path("/"))
    try:
        with open_index(arguments, create=False, folder=around) as index:
            found = find_standing(index, around, path.name)
    except IndexNotFoundError:
        found = None
    if found is not None:
        return found
    configured = get_settings(str(around)).find_tree(around)
    if configured is not None:
        return Path(configured.path), f"tree {configured.name} is not indexed yet"
    current = Path(find_current_folder() or "/")
    is_below = str(around.resolve()).startswith(f"{str(current).rstrip('/')}/") or around.resolve() == current
    return (current if is_below else around), "its folder is not indexed yet"
