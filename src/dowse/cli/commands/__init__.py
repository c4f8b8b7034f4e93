"""Which commands are there?

One file per command; this tuple is the whole list, in the order of the help. Modules here import
only the standard library and light parts of `cli` at the top: every ``dowse --help`` loads them
all.

May import: all of `cli`; the engine only inside `run`.

To add one: write the file, add a row here, run ``tools/make_reference.py``.
"""

from dowse.cli.command import Command
from dowse.cli.commands.config import ConfigCommand
from dowse.cli.commands.delete import DeleteCommand
from dowse.cli.commands.doctor import DoctorCommand
from dowse.cli.commands.eval import EvalCommand
from dowse.cli.commands.explain import ExplainCommand
from dowse.cli.commands.get import GetCommand
from dowse.cli.commands.help import HelpCommand
from dowse.cli.commands.index import IndexCommand
from dowse.cli.commands.init import InitCommand
from dowse.cli.commands.inspect import InspectCommand
from dowse.cli.commands.ls import LsCommand
from dowse.cli.commands.model import ModelCommand
from dowse.cli.commands.modes import ModesCommand
from dowse.cli.commands.patterns import PatternCommand
from dowse.cli.commands.rebuild import RebuildCommand
from dowse.cli.commands.search import SearchCommand
from dowse.cli.commands.similar import SimilarCommand
from dowse.cli.commands.status import StatusCommand
from dowse.cli.commands.suggest import SuggestCommand
from dowse.cli.commands.sweep import SweepCommand
from dowse.cli.commands.terms import TermsCommand
from dowse.cli.commands.tune import TuneCommand
from dowse.cli.commands.version import VersionCommand
from dowse.cli.commands.watch import WatchCommand

DEFAULT_COMMAND: Command = SearchCommand()

COMMANDS: tuple[Command, ...] = (
    DEFAULT_COMMAND,
    IndexCommand(),
    WatchCommand(),
    GetCommand(),
    SimilarCommand(),
    ExplainCommand(),
    SuggestCommand(),
    TermsCommand(),
    ModesCommand(),
    LsCommand(),
    InspectCommand(),
    InitCommand(),
    ConfigCommand(),
    ModelCommand(),
    PatternCommand("include", "say which files are indexed, and no others", "'*.md' docs/"),
    PatternCommand("exclude", "say which files and folders are not indexed", "'*.log' drafts/"),
    DeleteCommand(),
    StatusCommand(),
    SweepCommand(),
    DoctorCommand(),
    EvalCommand(),
    TuneCommand(),
    RebuildCommand(),
    VersionCommand(),
    HelpCommand(),
)


def get_command(name: str) -> Command:
    """Returns the command with this name.

    Raises:
        KeyError: There is none.
    """
    for command in COMMANDS:
        if command.name == name:
            return command
    raise KeyError(name)
