"""How does a person at a terminal ask Dowse?

The command line face: arguments in, one call of the engine, words and colours out. It decides
nothing about search; every answer is a `SearchResponse` that any other face would render as well.

May import: everything below `cli`. At import time it loads the standard library only — neither
numpy, rich nor the engine — so that ``dowse --help`` stays instant; commands import what they
need when run.

Main types: `Command` (protocol) · `CommandRow` and `COMMANDS` (the registry) · `CommandParser` ·
`Style` · `SyncProgress`.

Reading order: `command` · `commands/__init__` (the registry) · `arguments` (which command, which
flags) · `program` (run it, turn errors into words and exit statuses) · `terminal` · `rendering/`
· `progress` · `freshness` (indexing before a search) · `request_flags` (from flags to a request) ·
`answers` · `commands/search`.

Invariants:
1. Data goes to stdout, words to stderr.
2. Exit statuses are those of `exit_status`; a broken pipe is success.
3. Nothing from a file reaches a terminal with its control characters (`terminal.without_controls`).
4. Without colour no escape sequence is written at all, links included.
5. No exception leaves `main` as a traceback, unless ``DOWSE_DEBUG=1``.

Not for: wording of errors (`dowse.errors` has the table), ranking, storage.
"""

from dowse.cli.program import main

__all__ = ["main"]
