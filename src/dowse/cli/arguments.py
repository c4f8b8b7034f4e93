"""From the words on the command line to one command and its arguments.

argparse does the converting and the help; which word is the command, and which words that start
with a dash are flags, is decided here. argparse alone would read the query ``"-noise filter"`` as
``-n oise…`` and has no default command.
"""

import argparse
from collections.abc import Mapping, Sequence
from functools import partial
from typing import NoReturn

from dowse.cli.command import CommandRow
from dowse.errors import UsageError


class CommandLineError(UsageError):
    """The command line itself cannot be understood."""

    template = "{message}"
    hint_template = "{hint}"


class CommandParser(argparse.ArgumentParser):
    """An argparse parser that knows its flags and raises our errors instead of exiting."""

    def __init__(self, command_name: str, summary: str) -> None:
        super().__init__(
            prog=f"dowse {command_name}",
            description=summary,
            # argparse makes a formatter for every flag that is added, and each would measure the terminal:
            # 3 ms for shutil alone. Only help is shown, so only help is measured.
            formatter_class=partial(argparse.RawDescriptionHelpFormatter, width=80),
            allow_abbrev=False,
            add_help=False,
        )

    def format_help(self) -> str:
        """Returns the help, as wide as the terminal."""
        self.formatter_class = argparse.RawDescriptionHelpFormatter
        return super().format_help()

    @property
    def reads_query(self) -> bool:
        """Says whether the plain words are a question, which people forget to quote."""
        return self.prog == "dowse search"

    @property
    def flags(self) -> Mapping[str, argparse.Action]:
        """Every flag as written (``-n`` and ``--limit``) with what it does."""
        # argparse has no public view of this; groups share the same mapping.
        return self._option_string_actions

    def error(self, message: str) -> NoReturn:
        """Raises instead of printing and exiting.

        Raises:
            CommandLineError: Always.
        """
        raise CommandLineError(message=message, hint=f"see: {self.prog} --help")


def parse_lock_timeout(text: str) -> float:
    """Returns seconds to wait for a lock: 0 and up."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"“{text}” is not a number of seconds, 0 and up")
    return seconds


def add_common_flags(parser: argparse.ArgumentParser) -> None:
    """Adds the flags every command has."""
    group = parser.add_argument_group("common options")
    group.add_argument(
        "--home",
        metavar="PATH",
        help="where the index lives (default: $DOWSE_HOME or your data folder)",
    )
    group.add_argument(
        "--lock-timeout",
        metavar="SECONDS",
        type=parse_lock_timeout,
        help="how long to wait while another process writes",
    )
    group.add_argument(
        "--no-color",
        action="store_true",
        help="plain text: no colours, no links (also: NO_COLOR=1)",
    )
    group.add_argument(
        "-v",
        "--verbose",
        action="store_true",
        help="say on stderr what is being done: syncs, commits, merges, repairs",
    )
    group.add_argument("-h", "--help", action="help", help="show this help and stop")


def build_parser(command: CommandRow) -> CommandParser:
    """Returns the parser of one command."""
    parser = CommandParser(command.name, command.summary)
    command.configure(parser)
    add_common_flags(parser)
    return parser


def split_command(
    words: Sequence[str], command_names: Sequence[str], search_flags: Mapping[str, argparse.Action]
) -> tuple[str | None, list[str]]:
    """Finds the command among the words.

    Returns:
        Its name and the other words in order; ``None`` when the first plain word is no command,
        so that the words are a search.
    """
    position = 0
    while position < len(words):
        word = words[position]
        if word == "--" or is_plain(word):
            break
        position += 2 if takes_next_word(words[position:], search_flags) else 1
    if position < len(words) and words[position] in command_names:
        return words[position], [*words[:position], *words[position + 1 :]]
    return None, list(words)


def is_plain(word: str) -> bool:
    """Says whether a word is no flag: ``-`` alone and ``"-one two"`` in one argument are text."""
    return (
        not word.startswith("-")
        or word == "-"
        or any(letter.isspace() for letter in word.split("=")[0])
    )


def takes_next_word(words: Sequence[str], flags: Mapping[str, argparse.Action]) -> bool:
    """Says whether a flag is followed by its value as a word of its own.

    A flag that may stand alone (``--fuzzy``) takes the next word only if that is a value of it.
    """
    action = flags.get(words[0])
    if action is None or action.nargs == 0:
        return False
    return action.nargs != "?" or (len(words) > 1 and words[1] in (action.choices or ()))


def parse_arguments(parser: CommandParser, words: Sequence[str]) -> argparse.Namespace:
    """Returns the arguments of one command.

    Raises:
        CommandLineError: A flag nobody knows, a value that does not fit, a word too many or
        missing.
    """
    flags, plain = sort_words(parser, words)
    known, extra = parser.parse_known_args([*flags, "--", *plain] if plain else flags)
    extra = [word for word in extra if word != "--"]  # left over by the parser of a command without words
    if extra:
        raise build_extra_word_error(parser, plain, extra[0])
    return known


def sort_words(parser: CommandParser, words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Parts flags (with their values, as ``--flag=value``) from plain words."""
    flags: list[str] = []
    plain: list[str] = []
    remaining = list(words)
    while remaining:
        word = remaining.pop(0)
        if word == "--":
            return flags, plain + remaining
        if is_plain(word):
            plain.append(word)
        elif remaining and takes_next_word([word, *remaining], parser.flags):
            flags.append(f"{parser.flags[word].option_strings[-1]}={remaining.pop(0)}")
        elif is_known(word, parser.flags):
            flags.append(word)
        else:
            raise build_unknown_flag_error(parser, word)
    return flags, plain


def is_known(word: str, flags: Mapping[str, argparse.Action]) -> bool:
    """Says whether a word is a flag of ours, also with its value (``--limit=5``, ``-n5``)."""
    if word in flags or word.split("=")[0] in flags:
        return True
    return not word.startswith("--") and takes_next_word([word[:2]], flags) and word[2:3].isdigit()


def find_nearest(word: str, candidates: Sequence[str], likeness: float = 0.6) -> str | None:
    """Returns the candidate a tired person most likely meant, if any is as like it as that, of 1."""
    import difflib

    close = difflib.get_close_matches(word, candidates, n=1, cutoff=likeness)
    return close[0] if close else None


def build_unknown_flag_error(parser: CommandParser, word: str) -> CommandLineError:
    """Returns the error for a flag nobody knows, with the nearest one or how to exclude a word."""
    name = word.split("=")[0]
    nearest = find_nearest(
        "--" + name.lstrip("-"), [flag for flag in parser.flags if len(flag) > 2]
    )
    if nearest is not None:
        hint = f"did you mean {nearest}?"
    elif parser.reads_query and not word.startswith("--"):
        hint = f'to leave out a word, put all in quotes: dowse "words {word}", or: dowse -- {word}'
    else:
        hint = f"see: {parser.prog} --help"
    return CommandLineError(message=f"{parser.prog} has no flag {name}", hint=hint)


def build_extra_word_error(
    parser: CommandParser, plain: Sequence[str], extra: str
) -> CommandLineError:
    """Returns the error for a word too many; for a search, with the quotes that were forgotten."""
    hint = f"see: {parser.prog} --help"
    if parser.reads_query:
        hint = f'put the query in quotes: dowse "{" ".join(plain)}"'
    return CommandLineError(message=f"“{extra}” is one word too many", hint=hint)
