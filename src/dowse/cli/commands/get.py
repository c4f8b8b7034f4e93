"""``dowse get``: shows one document as the index keeps it."""

import argparse
import sys
from typing import TYPE_CHECKING

from dowse.cli import exit_status
from dowse.cli.opening import open_index
from dowse.cli.terminal import without_controls, write
from dowse.errors import InvalidParameterError

if TYPE_CHECKING:
    from dowse.schema import StoredDocument

EXAMPLES = """\
examples:
  dowse get docs/guide.md
  dowse get docs/guide.md --lines 10:20
  dowse get docs/guide.md --json
"""


class GetCommand:
    """Shows the text of one document, or some of its lines."""

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Adds key, lines and json."""
        parser.epilog = EXAMPLES
        parser.add_argument(
            "key", metavar="KEY", help="path as a search shows it, or the document's key"
        )
        parser.add_argument(
            "--lines",
            metavar="A:B",
            type=parse_lines,
            help="only lines A to B, from 1; also A, A: and :B",
        )
        parser.add_argument(
            "--json", action="store_true", help="the whole document with title, tags and sections"
        )

    def run(self, arguments: argparse.Namespace) -> int:
        """Writes the document to stdout."""
        from dowse.cli.documents import get_document

        with open_index(arguments, create=False) as index:
            document = get_document(index, arguments.key)
        if arguments.json:
            from dowse.cli.rendering.json_output import dump_json

            write(dump_json(document))
        else:
            text = select_lines(document, arguments.lines)
            write(without_controls(text) if sys.stdout.isatty() else text)
        return exit_status.FOUND


def parse_lines(text: str) -> tuple[int, int | None]:
    """Returns first and last line of ``A:B``, ``A``, ``A:`` or ``:B``; ``None`` is the end."""
    first, colon, last = text.partition(":")
    try:
        start = int(first) if first else 1
        end = int(last) if last else (None if colon else start)
    except ValueError:
        start, end = 0, None
    if not text or start < 1 or (end is not None and end < start):
        raise argparse.ArgumentTypeError(f"“{text}” is no range of lines such as 10:20")
    return start, end


def select_lines(document: "StoredDocument", lines: tuple[int, int | None] | None) -> str:
    """Returns the text or some lines of it, ended by a newline.

    Raises:
        InvalidParameterError: The range starts after the last line.
    """
    text = document.text
    if lines is not None:
        every = text.split("\n")
        if every and not every[-1]:
            every.pop()
        start, end = lines
        if start > len(every):
            raise InvalidParameterError(
                name="--lines", value=start, legal=f"{document.doc_key} has lines 1 to {len(every)}"
            )
        text = "\n".join(every[start - 1 : end])
    return text if text.endswith("\n") or not text else text + "\n"
