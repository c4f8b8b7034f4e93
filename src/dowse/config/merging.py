"""Nearer wins: one value for each option, with the place it comes from.

From far to near: defaults, the user's file, project files from the top down, the environment, flags. Lists
are not joined and trees are replaced whole, so that what holds can be read in one place.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from dowse.config.files import ConfigFile
from dowse.config.options import OPTIONS, Value
from dowse.config.trust import check_scope, check_tree, check_value_path
from dowse.config.values import IllegalValueError, hide_secrets, parse_value
from dowse.errors import ConfigError


class Origin(Struct, frozen=True):
    """Who said it.

    Attributes:
        kind: ``default``, ``user``, ``project``, ``environment`` or ``flag``.
        place: The file with its line, the variable or the flag; empty for a default.
        folder: That of the file, which patterns are relative to; empty for all else.
    """

    kind: str
    place: str = ""
    folder: str = ""


DEFAULT = Origin("default")


class TreeConfig(Struct, frozen=True):
    """A configured tree; what is None was not said.

    Attributes:
        path: Absolute; links as written.
    """

    name: str
    path: str
    origin: Origin
    include: tuple[str, ...] | None = None
    exclude: tuple[str, ...] | None = None
    language: str | None = None
    stop_words: str | None = None


class Effective(Struct, frozen=True):
    """What holds, and who said so.

    Attributes:
        values: One for every option.
        origins: One for every option.
        trees: The user's first, then those of project files from the top down.
        files: Those that count, nearest first, the user's last.
    """

    values: Mapping[str, Value]
    origins: Mapping[str, Origin]
    trees: tuple[TreeConfig, ...]
    files: tuple[Path, ...]


def merge(
    user: ConfigFile | None,
    projects: Sequence[ConfigFile],
    environment: Mapping[str, str],
    flags: Mapping[str, Value],
) -> Effective:
    """Merges all layers.

    Args:
        user: The user's file, if there is one.
        projects: Nearest first, none above a root.
        environment: Only variables of the table are looked at.
        flags: Values by option name, checked by the face that read them.

    Raises:
        ConfigError: A project says what only a trusted one may, or a variable has an illegal value.
    """
    trusted = _trusted(user)
    files = list(reversed(projects))
    if user is not None and not (projects and projects[-1].values.get("root")):
        files.insert(0, user)
    values: dict[str, Value] = {option.name: option.default for option in OPTIONS}
    origins = dict.fromkeys(values, DEFAULT)
    trees: dict[str, TreeConfig] = {}
    for file in files:
        kind = "user" if file.is_user else "project"
        for name, value in file.values.items():
            line = file.lines[name]
            check_scope(file, name, line, trusted)
            check_value_path(file, name, value, line, trusted)
            values[name] = value
            origins[name] = Origin(kind, f"{file.path}:{line}", str(file.folder))
        for entry in file.trees:
            check_tree(file, entry, trusted)
            trees.pop(entry.name, None)
            origin = Origin(kind, f"{file.path}:{entry.line}", str(file.folder))
            trees[entry.name] = TreeConfig(name=entry.name, origin=origin, **entry.values)  # type: ignore[arg-type]
    _take_environment(values, origins, environment)
    for name, value in flags.items():
        values[name], origins[name] = value, Origin("flag", name)
    values["trusted"] = tuple(sorted(trusted))
    return Effective(values, origins, tuple(trees.values()), tuple(file.path for file in reversed(files)))


def _trusted(user: ConfigFile | None) -> frozenset[str]:
    """Returns whom the user trusts; a project cannot switch that on or off."""
    listed = () if user is None else user.values.get("trusted", ())
    return frozenset(listed) if isinstance(listed, tuple) else frozenset()


def _take_environment(
    values: dict[str, Value], origins: dict[str, Origin], environment: Mapping[str, str]
) -> None:
    for option in OPTIONS:
        text = environment.get(option.variable, "") if option.has_variable else ""
        if not text:
            continue
        try:
            value = parse_value(option, text)
        except IllegalValueError as error:
            place, shown = f"${option.variable}", hide_secrets(option, text)
            raise ConfigError(place=place, message=f"it cannot be “{shown}”", hint=str(error)) from None
        if option.kind == "path":
            value = str(Path(text).expanduser())
        values[option.name], origins[option.name] = value, Origin("environment", f"${option.variable}")
