"""``dowse delete``: takes a document or a whole tree out of the index. Files are never touched."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from dowse.cli import exit_status
from dowse.cli.arguments import CommandLineError
from dowse.cli.opening import open_index
from dowse.cli.terminal import count, say, without_controls
from dowse.errors import InvalidParameterError

if TYPE_CHECKING:
    from dowse.engine.engine import Engine

EXAMPLES = """\
Your files are never touched. A document whose file is still there comes back when its folder is
indexed or searched again; to keep a file out, list it in .gitignore.

examples:
  dowse delete docs/old.md
  dowse delete --tree docs
"""


class DeleteCommand:
    """Deletes one document or one tree from the index."""

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Adds key and tree."""
        parser.epilog = EXAMPLES
        parser.add_argument(
            "key", metavar="KEY", nargs="?", help="path as a search shows it, or the document's key"
        )
        parser.add_argument(
            "--tree", metavar="NAME", help="delete this tree: its name or its folder"
        )

    def run(self, arguments: argparse.Namespace) -> int:
        """Deletes and commits."""
        if (arguments.key is None) == (arguments.tree is None):
            raise CommandLineError(
                message="say either which document to delete, or which tree",
                hint="dowse delete KEY, or: dowse delete --tree NAME",
            )
        with open_index(arguments, create=False) as index:
            if arguments.tree is not None:
                delete_tree(index, arguments.tree)
            else:
                delete_document(index, arguments.key)
        return exit_status.DONE


def delete_tree(index: "Engine", text: str) -> None:
    """Deletes a tree by its name or by its root folder.

    Raises:
        InvalidParameterError: There is no such tree.
    """
    names = [tree.name for tree in index.status().trees]
    folder = Path(text).expanduser()
    found = index.find_tree(folder) if text not in names and folder.is_dir() else None
    if found is not None and not found[1]:
        text = found[0]
    if text not in names:
        known = ", ".join(names) or "none yet"
        raise InvalidParameterError(name="--tree", value=f"“{text}”", legal=f"trees are: {known}")
    documents = index.remove_tree(text)
    say(f"deleted tree {without_controls(text)} ({count(documents, 'document')}) from the index")


def delete_document(index: "Engine", text: str) -> None:
    """Deletes one document."""
    from dowse.cli.documents import get_document

    document = get_document(index, text)
    index.delete(document.doc_key, tree=document.tree)
    index.commit()
    say(f"deleted {without_controls(document.doc_key)} from the index")
    if document.file is not None and Path(document.file).exists():
        say("its file is untouched: it comes back when the folder is indexed again")
