"""``dowse inspect``: what Dowse sees in a file: its format, sections and chunks. Needs no index."""

import argparse
import os
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from dowse.cli import exit_status
from dowse.cli.terminal import detect_style, write
from dowse.errors import FileNotReadableError

if TYPE_CHECKING:
    from dowse.ingest.source import SourceItem
    from dowse.schema import Document, Problem

EXAMPLES = """\
examples:
  dowse inspect docs/guide.md
  dowse inspect report.pdf --json
"""


class InspectCommand:
    """Reads one file as indexing would, and shows what came of it."""

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Adds file and json."""
        parser.epilog = EXAMPLES
        parser.add_argument("file", metavar="FILE", help="which file; it need not be indexed")
        parser.add_argument("--json", action="store_true", help="one JSON object on stdout")

    def run(self, arguments: argparse.Namespace) -> int:
        """Writes what is in the file to stdout."""
        document, problems = read_document(arguments.file)
        if arguments.json:
            from dowse.cli.rendering.inspection import inspect
            from dowse.cli.rendering.json_output import dump_json

            write(dump_json(inspect(arguments.file, document, problems)))
        else:
            from dowse.cli.rendering.inspection import iter_inspection_lines

            style = detect_style(sys.stdout, wants_color=not arguments.no_color)
            lines = iter_inspection_lines(arguments.file, document, problems, style)
            write("".join(f"{line}\n" for line in lines))
        return exit_status.FOUND if document is not None else exit_status.NOTHING_FOUND


def find_file(text: str) -> "SourceItem":
    """Returns a file as discovery would.

    Raises:
        FileNotReadableError: It is not there, or is none.
    """
    from dowse.ingest.source import SourceItem

    try:
        path = Path(os.path.realpath(Path(text).expanduser()))
        status = path.stat()
    except (OSError, RuntimeError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise FileNotReadableError(path=text, reason=reason) from error
    if not stat.S_ISREG(status.st_mode):
        what = "this is a folder, not a file" if path.is_dir() else "this is not a regular file"
        raise FileNotReadableError(path=text, reason=what)
    return SourceItem(text, str(path), status.st_size, status.st_mtime_ns)


def read_document(text: str) -> "tuple[Document | None, list[Problem]]":
    """Reads one file with the settings of its folder."""
    import time

    from dowse.engine.opening import get_folder_settings
    from dowse.ingest.folder_source import FolderSource

    found = find_file(text)
    folder = Path(found.file).parent
    settings = get_folder_settings(folder)
    source = FolderSource(
        folder, settings.discovery, settings.chunking, time.monotonic, limits=settings.limits, workers=1
    )
    try:
        ((_, reading),) = source.read((found,), {})
    finally:
        source.close()
    return reading.document, list(reading.problems)
