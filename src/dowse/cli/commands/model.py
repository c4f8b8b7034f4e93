"""``dowse model``: which models make vectors, which one is used, and whether it is what it should be."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from dowse.cli import exit_status
from dowse.cli.arguments import CommandLineError
from dowse.cli.opening import parse_folder
from dowse.cli.terminal import detect_style, say, without_controls, write
from dowse.engine.opening import forget_configuration, get_embedding_settings, get_values

if TYPE_CHECKING:
    from dowse.embedding import EmbeddingSettings
    from dowse.engine.model_trial import Trial

ACTIONS = ("list", "use", "add", "check")
EXAMPLES = """\
examples:
  dowse model                          all models, and which are installed
  dowse model use all-minilm-l6-v2
  dowse model add ~/models/my-export   a folder with an ONNX export of sentence-transformers
  dowse model check                    are its files right, and does it work?
"""
_HELP = "see: dowse model --help"


class ModelCommand:
    """Shows, chooses, adds and checks models that make vectors."""

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Adds action, name and json."""
        parser.epilog = EXAMPLES
        actions = "list all, use one, add a folder, check one (default: list)"
        parser.add_argument(
            "action", metavar="ACTION", nargs="?", choices=ACTIONS, default="list", help=actions
        )
        parser.add_argument("model", metavar="NAME", nargs="?", help="of a model; for add, its folder")
        parser.add_argument("--json", action="store_true", help="list as one JSON object on stdout")

    def run(self, arguments: argparse.Namespace) -> int:
        """Does what was asked."""
        if arguments.action == "list":
            if arguments.model is not None:
                raise CommandLineError(message=f"“{arguments.model}” is one word too many", hint=_HELP)
            return show_models(arguments)
        if arguments.action == "check":
            return check(arguments)
        if arguments.model is None:
            what = "folder" if arguments.action == "add" else "model"
            raise CommandLineError(message=f"say which {what} to {arguments.action}", hint=_HELP)
        return use(arguments) if arguments.action == "use" else add(arguments)


def show_models(arguments: argparse.Namespace) -> int:
    """Writes the table of models to stdout."""
    from dowse.cli.rendering.embedding_models import describe_models, iter_model_lines, list_models

    settings = get_embedding_settings()
    folders = get_values().values["embedding.folders"]
    assert isinstance(folders, tuple)
    models = list_models(settings, folders)
    if arguments.json:
        from dowse.cli.rendering.json_output import dump_json

        write(dump_json(describe_models(settings, models)))
        return exit_status.DONE
    style = detect_style(sys.stdout, wants_color=not arguments.no_color)
    write("".join(f"{line}\n" for line in iter_model_lines(settings, models, style)))
    return exit_status.DONE


def use(arguments: argparse.Namespace) -> int:
    """Writes the choice into the user's configuration, after the model has worked once.

    Raises:
        UnknownModelError: Nobody has this name.
        ModelMissingError: It is not on this machine, or lacks a file.
        ModelDamagedError: It cannot be loaded.
        ConfigError: It does not go with ``embedding.max_tokens``.
    """
    from dowse.cli.commands.config import say_what_wins
    from dowse.embedding import find_model
    from dowse.engine.model_trial import try_model

    name = find_name(arguments.model)
    card = find_model(resolve(name)).card
    if card.kind != "embedder":
        hint = "choose one that makes vectors: dowse model list"
        raise CommandLineError(message=f"“{name}” judges hits and makes no vectors", hint=hint)
    trial = try_model(for_model(get_embedding_settings(), resolve(name)))
    path = find_user_file()
    kind_before = get_values().values["embedding.kind"]
    write_option(path, "embedding.model", name)
    if kind_before != "onnx":
        write_option(path, "embedding.kind", "onnx")
    forget_configuration()
    say_what_wins("embedding.model", path)
    say_doubts(trial)
    say("next: dowse index FOLDER, for every folder; vectors of other models are not used any more")
    return exit_status.DONE


def add(arguments: argparse.Namespace) -> int:
    """Adds a folder to the user's configuration, so that its model can be used by name.

    Raises:
        FolderNotFoundError: It is not a folder.
        ModelMissingError: It lacks a file.
        ModelDamagedError: It cannot be loaded.
    """
    from dataclasses import replace

    from dowse.embedding import MODELS, find_model
    from dowse.engine.model_trial import try_model

    folder = parse_folder(arguments.model)
    card = find_model(str(folder)).card
    before = get_values().values["embedding.folders"]
    assert isinstance(before, tuple)
    taken = [*(row.card.name for row in MODELS), *(Path(one).name for one in before if one != str(folder))]
    if card.name in taken:
        hint = "rename the folder; its name is that of the model"
        raise CommandLineError(message=f"there is a model “{card.name}” already", hint=hint)
    # It is not used yet: how many tokens count is a question for later.
    trial = try_model(replace(for_model(get_embedding_settings(), str(folder)), max_tokens=None))
    if str(folder) not in before:
        write_option(find_user_file(), "embedding.folders", (*before, str(folder)))
    if card.kind != "embedder":
        say(without_controls(f"added: {card.name}, which judges hits and makes no vectors"))
        return exit_status.DONE
    say(without_controls(f"added: {card.name}, {card.dimensions} dimensions"))
    say_doubts(trial)
    say(without_controls(f"next: dowse model use {card.name}"))
    return exit_status.DONE


def check(arguments: argparse.Namespace) -> int:
    """Compares a model's files with what they should be, and has it make a vector.

    Raises:
        ConfigError: What was configured cannot be.
        ModelDamagedError: A file is not what it should be.
        ModelMissingError: A file, or what runs it, is not there.
        EmbeddingServiceError: The service does not answer as it should.
    """
    from dowse.engine.model_trial import try_model

    settings = get_embedding_settings()
    if arguments.model is not None:
        settings = for_model(settings, resolve(find_name(arguments.model)))
    if settings.kind == "none":
        raise CommandLineError(
            message="vectors are switched off (embedding.kind is none)",
            hint="name a model to check, or: dowse model use NAME",
        )
    if settings.kind == "onnx":
        check_files(settings)
    trial = try_model(settings)
    write(without_controls(describe_trial(trial)) + "\n")
    say_doubts(trial)
    return exit_status.DONE


def for_model(settings: "EmbeddingSettings", model: str) -> "EmbeddingSettings":
    """Returns the settings with a model on this machine, whatever else was configured."""
    from dataclasses import replace

    return replace(settings, kind="onnx", model=model, http=None, error=None)


def check_files(settings: "EmbeddingSettings") -> None:
    """Reads all files of a model, and says where they are.

    Only the table knows what a file should be. Of a folder there is nothing to compare with: its files are
    read, and whether they make a model is for the trial to say.
    """
    from dowse.embedding import check_model, find_model

    files = find_model(settings.model)
    check_model(files)
    verdict = "right" if files.is_listed else "read"
    for path, digest in files.hashes:
        write(without_controls(f"{verdict:<10} {path} (sha256 {digest[:12]}…)") + "\n")


def describe_trial(trial: "Trial") -> str:
    """Returns how a model worked."""
    what = f"{trial.dimensions} dimensions" if trial.dimensions else "judges pairs"
    unit = "question" if trial.dimensions else "pair"
    times = f"{trial.question_ms:.1f} ms a {unit}, loaded in {trial.loaded_s:.1f} s"
    return f"works      {trial.name}: {what}, {times}"


def say_doubts(trial: "Trial") -> None:
    """Says what may be wrong with a model that works."""
    if trial.assumes_pooling:
        say(
            "warning: there is no 1_Pooling/config.json that says how the model makes one vector of many;"
            " the mean is taken, and ranks badly if it was trained otherwise"
        )
    if not trial.ranks:
        say("warning: a question was nearer to a text about something else; is this a model for search?")


def find_name(text: str) -> str:
    """Returns a model's name as it was meant: a folder by its path, everything else as typed."""
    if "/" not in text and "\\" not in text:
        return text.lower() if text.lower() in known_names() else text
    return str(parse_folder(text))


def known_names() -> list[str]:
    """Returns the names in the table of models."""
    from dowse.embedding import MODELS

    return [row.card.name for row in MODELS]


def resolve(name: str) -> str:
    """Returns the folder of a model that was added by this name; else the name."""
    from dowse.config.embedding_settings import resolve_model

    folders = get_values().values["embedding.folders"]
    assert isinstance(folders, tuple)
    return resolve_model(name, folders)


def find_user_file() -> Path:
    """Returns the user's own configuration file."""
    from dowse.cli.commands.config import find_file

    return find_file(wants_project=False)


def write_option(path: Path, name: str, value: "str | tuple[str, ...]") -> None:
    """Sets an option in the user's file and says so."""
    from dowse.config.writing import set_value, show_toml

    set_value(path, name, value, is_user=True)
    say(without_controls(f"{path}: {name} = {show_toml(value)}"))
