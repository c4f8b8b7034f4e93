"""The protocol of the command family, and a row of its registry."""

import argparse
from functools import cached_property
from importlib import import_module
from typing import Protocol, cast


class Command(Protocol):
    """One word after ``dowse``. Its module imports nothing heavy; `run` does."""

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Adds the command's own arguments; the common ones are added after them."""

    def run(self, arguments: argparse.Namespace) -> int:
        """Does the work and returns the exit status; errors are raised, not printed."""


class CommandRow:
    """A command as help lists it; loaded when it is configured or run.

    Attributes:
        name: The word after ``dowse``.
        summary: What it does, in one line.
    """

    def __init__(self, name: str, summary: str, home: str) -> None:
        """Lists a command; `home` is its module in `dowse.cli.commands` and its class, with a dot."""
        self.name = name
        self.summary = summary
        self._home = home

    @cached_property
    def _command(self) -> Command:
        module, _, class_name = self._home.partition(".")
        return cast(Command, getattr(import_module(f"dowse.cli.commands.{module}"), class_name)())

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Does what the command's own `configure` does."""
        self._command.configure(parser)

    def run(self, arguments: argparse.Namespace) -> int:
        """Does what the command's own `run` does."""
        return self._command.run(arguments)
