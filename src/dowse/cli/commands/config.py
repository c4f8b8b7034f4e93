"""``dowse config``: what holds here and who said so, where the files are, and how to change them."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from dowse.cli import exit_status
from dowse.cli.arguments import CommandLineError, find_nearest
from dowse.cli.opening import parse_folder
from dowse.cli.terminal import say, without_controls, write
from dowse.engine.opening import find_current_folder

if TYPE_CHECKING:
    from dowse.config.merging import Effective

ACTIONS = ("show", "path", "set", "trust")
EXAMPLES = """\
examples:
  dowse config                        every value, and where it comes from
  dowse config show search.limit
  dowse config set search.limit 20
  dowse config set exclude "*.log, drafts/" --project
  dowse config trust ~/work           its .dowse.toml may name folders outside of itself
"""


class ConfigCommand:
    """Shows and changes the configuration."""

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Adds action, key, value, project and json."""
        parser.epilog = EXAMPLES
        actions = "show values, path of the files, set a value, trust a folder (default: show)"
        parser.add_argument(
            "action", metavar="ACTION", nargs="?", choices=ACTIONS, default="show", help=actions
        )
        parser.add_argument("key", metavar="KEY", nargs="?", help="such as search.limit; for trust, a folder")
        parser.add_argument("value", metavar="VALUE", nargs="?", help="what to set it to; lists with commas")
        project = "set it in the nearest .dowse.toml instead of your own file"
        parser.add_argument("--project", action="store_true", help=project)
        parser.add_argument("--json", action="store_true", help="one JSON object on stdout")

    def run(self, arguments: argparse.Namespace) -> int:
        """Does what was asked."""
        if arguments.value is not None and arguments.action != "set":
            raise CommandLineError(message=f"“{arguments.value}” is one word too many", hint=_HELP)
        if arguments.action == "path":
            return show_paths(arguments)
        if arguments.action == "trust":
            return trust(arguments)
        if arguments.action == "set":
            return set_option(arguments)
        return show_values(arguments)


_HELP = "see: dowse config --help"


def show_values(arguments: argparse.Namespace) -> int:
    """Writes every value, or one, with its origin."""
    from dowse.cli.rendering.configuration import describe_effective, iter_value_lines
    from dowse.cli.rendering.json_output import dump_json
    from dowse.engine.opening import get_values

    effective = get_values()
    name = None if arguments.key is None else find_option(arguments.key, effective)
    if arguments.json:
        write(dump_json(describe_effective(effective, name)))
    else:
        write("".join(f"{without_controls(line)}\n" for line in iter_value_lines(effective, name)))
    return exit_status.DONE


def find_option(text: str, effective: "Effective | None" = None) -> str:
    """Returns the name of an option.

    Raises:
        CommandLineError: There is none; the hint has the nearest.
    """
    from dowse.config.options import BY_NAME

    if text in BY_NAME:
        return text
    same = [name for name in BY_NAME if name.rpartition(".")[2] == text]
    nearest = same[0] if same else find_nearest(text, list(BY_NAME))
    hint = f"did you mean {nearest}?" if nearest else "dowse config show lists all"
    raise CommandLineError(message=f"there is no option “{text}”", hint=hint)


def show_paths(arguments: argparse.Namespace) -> int:
    """Writes the files that count here, nearest first, then the user's, whether it is there or not."""
    import os

    from dowse.cli.rendering.json_output import dump_json
    from dowse.config.files import find_user_file, iter_project_files

    user = find_user_file(os.environ)
    projects = list(iter_project_files(Path(find_current_folder() or "/")))
    if arguments.json:
        paths = [str(path) for path in projects]
        write(dump_json({"projects": paths, "user": str(user), "user_exists": user.is_file()}))
        return exit_status.DONE
    write("".join(f"{without_controls(str(path))}\n" for path in (*projects, user)))
    if not user.is_file():
        say("the last is yours, and is not there yet: dowse config set KEY VALUE makes it")
    return exit_status.DONE


def find_file(*, wants_project: bool) -> Path:
    """Returns the file to change: the user's, or the nearest project's.

    Raises:
        CommandLineError: There is no project's file.
    """
    import os

    from dowse.config.files import find_user_file, iter_project_files

    if not wants_project:
        return find_user_file(os.environ)
    nearest = next(iter_project_files(Path(find_current_folder() or "/")), None)
    if nearest is None:
        raise CommandLineError(
            message="there is no .dowse.toml here or further up", hint="make one with: dowse init"
        )
    return nearest


def set_option(arguments: argparse.Namespace) -> int:
    """Sets one value, and says when something nearer wins over it."""
    from dowse.config.options import BY_NAME
    from dowse.config.values import IllegalValueError, hide_secrets, parse_value
    from dowse.config.writing import set_value, show_value

    if arguments.key is None or arguments.value is None:
        raise CommandLineError(message="say what to set, and to what", hint="dowse config set KEY VALUE")
    option = BY_NAME[find_option(arguments.key)]
    if option.scope == ("user" if arguments.project else "project"):
        whose = "your own file" if arguments.project else "a project's file"
        hint = "leave out --project" if arguments.project else "add --project"
        raise CommandLineError(message=f"“{option.name}” belongs into {whose}", hint=hint)
    try:
        value = parse_value(option, arguments.value)
    except IllegalValueError as error:
        message = f"“{option.name}” cannot be “{hide_secrets(option, arguments.value)}”"
        raise CommandLineError(message=message, hint=str(error)) from None
    if option.is_address and value:
        check_address(option.name, str(value))
    path = find_file(wants_project=arguments.project)
    set_value(path, option.name, value, is_user=not arguments.project)
    say(without_controls(f"{path}: {option.name} = {show_value(option.name, value)}"))
    say_what_wins(option.name, path)
    return exit_status.DONE


def check_address(name: str, url: str) -> None:
    """Refuses what is no address of a service, before it is in a file.

    Raises:
        CommandLineError: It is none, or holds a user or a password.
    """
    from dowse.embedding.address import parse_address
    from dowse.errors import InvalidParameterError

    try:
        parse_address(url)
    except InvalidParameterError as error:
        message = f"“{name}” cannot be {error.details['value']}"
        raise CommandLineError(message=message, hint=error.hint) from None


def say_what_wins(name: str, path: Path) -> None:
    """Says when a value just written does not hold here, because something nearer says otherwise."""
    from dowse.engine.opening import get_values

    origin = get_values().origins[name]
    if not origin.place.startswith(f"{path}:"):
        say(without_controls(f"here it is still what {origin.place or 'the default'} says"))


def trust(arguments: argparse.Namespace) -> int:
    """Adds a folder to those whose configuration may reach outside of itself."""
    from dowse.config.files import read_config_file
    from dowse.config.writing import set_value

    folder = str(parse_folder(arguments.key or "."))
    path = find_file(wants_project=False)
    before = read_config_file(path, is_user=True).values.get("trusted", ()) if path.is_file() else ()
    assert isinstance(before, tuple)
    if folder not in before:
        set_value(path, "trusted", (*before, folder), is_user=True)
    say(without_controls(f"trusted: {folder}; to take it back, edit {path}"))
    return exit_status.DONE
