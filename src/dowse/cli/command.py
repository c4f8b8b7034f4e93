"""The protocol of the command family: what a command has to offer."""

import argparse
from typing import Protocol


class Command(Protocol):
    """One word after ``dowse``. Its module imports nothing heavy; `run` does."""

    name: str
    summary: str

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Adds the command's own arguments; the common ones are already there."""

    def run(self, arguments: argparse.Namespace) -> int:
        """Does the work and returns the exit status; errors are raised, not printed."""
