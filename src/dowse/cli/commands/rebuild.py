"""``dowse rebuild``: makes all segments anew from the catalogue."""

import argparse
import sys

from dowse.cli import exit_status
from dowse.cli.opening import open_index
from dowse.cli.progress import SyncProgress
from dowse.cli.terminal import count, detect_style, say


class RebuildCommand:
    """Rebuilds the searchable part of the index without reading a file."""

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Adds nothing."""

    def run(self, arguments: argparse.Namespace) -> int:
        """Rebuilds and says how much."""
        style = detect_style(sys.stderr, wants_color=not arguments.no_color)
        progress = SyncProgress("Rebuilding", has_color=style.has_color)
        with open_index(arguments, create=False) as index:
            try:
                segments = index.rebuild(listener=progress)
            finally:
                progress.close()
        say(f"rebuilt {count(segments, 'segment')}")
        return exit_status.DONE
