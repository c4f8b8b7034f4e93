"""What a project's file may not say unless the user trusts its folder.

A folder that was downloaded brings its `.dowse.toml` along. It may describe itself; it may not have other
folders of this machine indexed, put an index elsewhere, or loosen limits.
"""

import os
from pathlib import Path

from dowse.config.files import ConfigFile, TreeEntry
from dowse.config.options import BY_NAME, Value
from dowse.errors import ConfigError
from dowse.remedy import Remedy


def is_trusted(folder: Path, trusted: frozenset[str]) -> bool:
    """Says whether the user's own file lists a folder, links resolved on both sides."""
    real = os.path.realpath(folder)
    return any(os.path.realpath(entry) == real for entry in trusted)


def is_inside(path: str, folder: Path) -> bool:
    """Says whether a path is a folder or lies below it, links resolved on both sides."""
    real, around = os.path.realpath(path), os.path.realpath(folder)
    return real == around or real.startswith(around.rstrip(os.sep) + os.sep)


def check_scope(file: ConfigFile, name: str, line: int, trusted: frozenset[str]) -> None:
    """Refuses options of the user in the file of a project.

    Raises:
        ConfigError: The project is not trusted, or the option is the list of whom to trust.
    """
    if file.is_user or BY_NAME[name].scope != "user":
        return
    if name == "trusted":
        message, hint = "only your own configuration can say whom to trust", "remove this line"
    elif is_trusted(file.folder, trusted):
        return
    else:
        is_reader = name.startswith("embedding.")
        does = "decides who reads your texts" if is_reader else "limits what a file may cost"
        message = f"“{name}” {does}, and is yours to set, not a project's"
        hint = Remedy.SET_OWN_OPTION.about(name)
    raise ConfigError(place=f"{file.path}:{line}", message=message, hint=hint)


def check_value_path(
    file: ConfigFile, name: str, value: Value, line: int, trusted: frozenset[str]
) -> None:
    """Refuses a path outside of the project."""
    if BY_NAME[name].kind == "path" and isinstance(value, str):
        _check_path(file, f"“{name}”", value, line, trusted)


def check_tree(file: ConfigFile, tree: TreeEntry, trusted: frozenset[str]) -> None:
    """Refuses a tree outside of the project."""
    _check_path(file, f"tree “{tree.name}”", str(tree.values["path"]), tree.lines["path"], trusted)


def _check_path(file: ConfigFile, what: str, path: str, line: int, trusted: frozenset[str]) -> None:
    if file.is_user or is_inside(path, file.folder) or is_trusted(file.folder, trusted):
        return
    raise ConfigError(
        place=f"{file.path}:{line}",
        message=f"{what} leads out of the project, to {path}",
        hint=Remedy.TRUST_PROJECT.about(str(file.folder)),
    )
