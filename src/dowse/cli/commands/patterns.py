"""``dowse include`` and ``dowse exclude``: the patterns that say what is indexed."""

import argparse
from pathlib import Path

from dowse.cli import exit_status
from dowse.cli.arguments import CommandLineError, find_nearest
from dowse.cli.terminal import say, without_controls, write
from dowse.engine.opening import find_current_folder

ACTIONS = ("list", "add", "remove")


class PatternCommand:
    """Lists, adds and removes patterns of one kind."""

    kind: str
    example: str

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Adds action, patterns, user and json."""
        parser.epilog = (
            "Patterns are those of .gitignore: *.log (a name), drafts/ (a folder), /docs/*.md (a path).\n"
            "They go into the nearest .dowse.toml, or into your own file when there is none.\n\n"
            f"examples:\n  dowse {self.kind} add {self.example}\n  dowse {self.kind} list\n"
        )
        parser.add_argument(
            "action", metavar="ACTION", nargs="?", choices=ACTIONS, default="list",
            help="list, add or remove (default: list)",
        )  # fmt: skip
        parser.add_argument("patterns", metavar="PATTERN", nargs="*", help="in quotes, as .gitignore has it")
        parser.add_argument("--user", action="store_true", help="in your own file, for all folders")
        parser.add_argument("--json", action="store_true", help="one JSON object on stdout")

    def run(self, arguments: argparse.Namespace) -> int:
        """Does what was asked."""
        if arguments.action == "list":
            if arguments.patterns:
                extra = f"“{arguments.patterns[0]}” is one word too many"
                raise CommandLineError(message=extra, hint=f"dowse {self.kind} add PATTERN")
            return list_patterns(self.kind, arguments)
        if not arguments.patterns:
            raise CommandLineError(
                message=f"say which pattern to {arguments.action}",
                hint=f"dowse {self.kind} {arguments.action} {self.example}",
            )
        return change_patterns(self.kind, arguments)


class IncludeCommand(PatternCommand):
    """Patterns of which a file must match one, when there are any."""

    kind = "include"
    example = "'*.md' docs/"


class ExcludeCommand(PatternCommand):
    """Patterns of which a file must match none."""

    kind = "exclude"
    example = "'*.log' drafts/"


def list_patterns(key: str, arguments: argparse.Namespace) -> int:
    """Writes the patterns that hold here, one a line, and says where they come from."""
    from dowse.cli.rendering.json_output import dump_json
    from dowse.engine.opening import get_values

    effective = get_values()
    patterns, origin = effective.values[key], effective.origins[key]
    assert isinstance(patterns, tuple)
    if arguments.json:
        write(dump_json({"patterns": list(patterns), "origin": origin.kind, "place": origin.place or None}))
        return exit_status.DONE
    write("".join(f"{without_controls(pattern)}\n" for pattern in patterns))
    say(without_controls(f"from {origin.place}" if origin.place else f"no {key} patterns"))
    say_own_patterns(key)
    return exit_status.DONE


def say_own_patterns(key: str) -> None:
    """Says which trees have patterns of their own, for which the general ones do not count."""
    from dowse.engine.opening import get_values

    for tree in get_values().trees:
        if getattr(tree, key) is not None:
            own = ", ".join(getattr(tree, key)) or "none"
            say(without_controls(f"tree {tree.name} has its own instead: {own}"))


def change_patterns(key: str, arguments: argparse.Namespace) -> int:
    """Adds or removes patterns in one file.

    Raises:
        CommandLineError: A pattern to remove is not there.
    """
    from dowse.config.files import read_config_file
    from dowse.config.writing import set_patterns

    path, is_user = choose_file(wants_user=arguments.user)
    before = read_config_file(path, is_user=is_user).values.get(key, ()) if path.is_file() else ()
    assert isinstance(before, tuple)
    wanted = [check_pattern(pattern) for pattern in arguments.patterns]
    if arguments.action == "add":
        after = tuple(dict.fromkeys((*before, *wanted)))
    else:
        for pattern in wanted:
            if pattern not in before:
                raise build_missing_error(key, pattern, before, path)
        after = tuple(pattern for pattern in before if pattern not in wanted)
    set_patterns(path, key, after, is_user=is_user)
    say(without_controls(f"{path}: {key} = {', '.join(after) or 'nothing'}"))
    say("it counts from the next search or dowse index on")
    say_own_patterns(key)
    return exit_status.DONE


def choose_file(*, wants_user: bool) -> tuple[Path, bool]:
    """Returns the file to change, and whether it is the user's."""
    import os

    from dowse.config.files import find_user_file, iter_project_files

    user = find_user_file(os.environ)
    nearest = None if wants_user else next(iter_project_files(Path(find_current_folder() or "/")), None)
    return (user, True) if nearest is None else (nearest, False)


def check_pattern(pattern: str) -> str:
    """Returns a pattern that means something.

    Raises:
        CommandLineError: It matches nothing at all.
    """
    from dowse.ingest.gitignore import IgnoreRules

    if not IgnoreRules([pattern]) or "\n" in pattern or "\0" in pattern:
        raise CommandLineError(
            message=f"“{pattern}” is no pattern", hint="such as *.log, drafts/ or /docs/old.md"
        )
    return pattern


def build_missing_error(key: str, pattern: str, known: tuple[str, ...], path: Path) -> CommandLineError:
    """Returns the error for a pattern that cannot be removed because it is not there."""
    nearest = find_nearest(pattern, known)
    hint = f"did you mean {nearest}?" if nearest else f"dowse {key} list shows them"
    return CommandLineError(message=f"{path} does not {key} “{pattern}”", hint=hint)
