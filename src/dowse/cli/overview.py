"""What ``dowse`` and ``dowse --help`` print: made from the registry of commands."""

from dowse.cli.commands import COMMANDS
from dowse.cli.exit_status import MEANINGS

USAGE = """\
Dowse finds what you mean in your own files.

  dowse "your question" [FOLDER]   search FOLDER (default: here); indexed on first use
  dowse COMMAND ...                one of the commands below
"""

QUERIES = """\
Queries:
  red green        documents about both come first
  "red green"      exactly these words in this order
  red -green       without the word green; a query that starts with a dash goes in quotes
  dowse search index   the way to ask for a word that is also a command
"""

OPTIONS = """\
Options for every command:
  --home PATH              where the index lives (default: $DOWSE_HOME or your data folder)
  --lock-timeout SECONDS   how long to wait while another process writes
  --no-color               plain text: no colours, no links (also: NO_COLOR=1)
  -h, --help               help; `dowse COMMAND --help` for one command
  -V, --version            the version
"""


def render_short_overview() -> str:
    """Returns what ``dowse`` alone prints."""
    return f"{USAGE}\n{render_commands()}\n`dowse --help` tells more.\n"


def render_overview() -> str:
    """Returns what ``dowse --help`` prints."""
    statuses = "".join(f"  {status:<4} {meaning}\n" for status, meaning in MEANINGS)
    return f"{USAGE}\n{render_commands()}\n{QUERIES}\n{OPTIONS}\nExit status:\n{statuses}"


def render_commands() -> str:
    """Returns the list of commands, one a line."""
    rows = "".join(f"  {command.name:<9} {command.summary}\n" for command in COMMANDS)
    return f"Commands:\n{rows}"
