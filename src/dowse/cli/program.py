"""``main``: runs one command and turns whatever happens into words and an exit status."""

import argparse
import os
import sys
from collections.abc import Sequence

from dowse.cli import exit_status, garbage_collection
from dowse.cli.arguments import build_parser, parse_arguments, split_command
from dowse.cli.commands import COMMANDS, DEFAULT_COMMAND, get_command
from dowse.cli.overview import render_overview, render_short_overview
from dowse.cli.terminal import detect_style, flush, say, write
from dowse.errors import DowseError, InternalError
from dowse.logs import show_records


def main(argv: Sequence[str] | None = None) -> int:
    """Runs ``dowse`` and returns its exit status.

    Args:
        argv: Words after ``dowse``; those of the process when ``None``.
    """
    prepare_streams()
    prepare_process()
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        status = run(words)
        flush()
    except BrokenPipeError:
        status = exit_status.FOUND
    except KeyboardInterrupt:
        say("interrupted; everything committed is kept")
        status = exit_status.INTERRUPTED
    except Exception as error:  # the last line of defence: people get words, never a traceback
        status = report_error(error, wants_color="--no-color" not in words)
    close_stdout()
    return status


def run(words: Sequence[str]) -> int:
    """Finds the command, parses its arguments and runs it."""
    if not words:
        write(render_short_overview())
        return exit_status.DONE
    if list(words) in (["-h"], ["--help"]):  # needs no parser, which costs as much as all the rest
        write(render_overview())
        return exit_status.DONE
    search_parser = build_parser(DEFAULT_COMMAND)
    names = [command.name for command in COMMANDS]
    name, rest = split_command(words, names, search_parser.flags)
    if name is None:
        status = run_without_command(rest)
        if status is not None:
            return status
    command = DEFAULT_COMMAND if name is None else get_command(name)
    parser = search_parser if command is DEFAULT_COMMAND else build_parser(command)
    try:
        arguments = parse_arguments(parser, rest)
    except SystemExit:  # argparse leaves this way after printing help
        return exit_status.DONE
    if arguments.verbose:
        show_records()
    arguments.is_command_named = name is not None
    return command.run(arguments)


def run_without_command(words: Sequence[str]) -> int | None:
    """Answers ``--help`` and ``--version`` without a command; ``None`` when it is a search."""
    flags = words[: words.index("--")] if "--" in words else words
    if "-h" in flags or "--help" in flags:
        write(render_overview())
        return exit_status.DONE
    if "-V" in flags or "--version" in flags:
        return get_command("version").run(argparse.Namespace(brief=True))
    return None


def report_error(error: Exception, *, wants_color: bool) -> int:
    """Says what went wrong and what to do, and returns the exit status that says the same."""
    if os.environ.get("DOWSE_DEBUG", "") not in ("", "0"):
        import traceback

        traceback.print_exception(error)
    from dowse.cli.remedies import word_hint  # loads the values, which help does without

    known = error if isinstance(error, DowseError) else build_bug_report(error)
    style = detect_style(sys.stderr, wants_color=wants_color)
    say(f"{style.paint('dowse:', 'error')} {known.message}")
    for hint in filter(None, word_hint(known.hint).split("\n")):
        say(f"{style.paint('hint:', 'bold')} {hint}")
    return known.exit_status


def build_bug_report(error: Exception) -> InternalError:
    """Returns our apology for an exception nobody foresaw."""
    return InternalError(message=f"{type(error).__name__}: {error}")


def prepare_streams() -> None:
    """Makes both streams able to take any text, even when the process was started without them."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115, PTH123 - lives as long as we do
        elif hasattr(stream, "reconfigure"):
            # A file name that is not UTF-8 must not end a run; it is shown with escapes.
            stream.reconfigure(errors="backslashreplace")


def prepare_process() -> None:
    """Makes the first answer come sooner; measured on two cores, a cold search took 330 ms."""
    # NumPy's BLAS would start a thread per core while it is imported (60 ms); we never call it.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    garbage_collection.pause()  # until `open_index`


def close_stdout() -> None:
    """Points stdout at nothing when it is broken, so that Python's own last flush stays silent."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
