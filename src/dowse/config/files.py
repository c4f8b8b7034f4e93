"""Finds configuration files and checks what they say, key by key."""

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from dowse.config.options import OPTIONS, TREE_OPTIONS, Option, Value, describe_legal
from dowse.config.toml_lines import TomlSyntaxError, find_key_lines, find_line, parse_toml
from dowse.config.values import IllegalValueError, check_value, hide_secrets
from dowse.errors import ConfigError
from dowse.remedy import Remedy

PROJECT_FILE = ".dowse.toml"
USER_FILE = "config.toml"
_MAX_BYTES = 1_000_000
_GROUPS = tuple(dict.fromkeys(option.name.split(".")[0] for option in OPTIONS if "." in option.name))
_TREE_NAMES = {option.name: option for option in TREE_OPTIONS}


class TreeEntry(NamedTuple):
    """A table ``[tree.NAME]``: its values, and the lines they stand on."""

    name: str
    values: dict[str, Value]
    lines: dict[str, int]
    line: int


class ConfigFile(NamedTuple):
    """A file whose keys and values are all legal.

    Attributes:
        path: Absolute.
        is_user: Whether it is the user's own, and not a project's.
        values: By option name; paths are absolute.
        lines: Line of each value, by option name.
        trees: In the order of the file.
    """

    path: Path
    is_user: bool
    values: dict[str, Value]
    lines: dict[str, int]
    trees: tuple[TreeEntry, ...]

    @property
    def folder(self) -> Path:
        """What its paths are relative to."""
        return self.path.parent


def find_user_file(environment: Mapping[str, str]) -> Path:
    """Returns where the user's file is or would be: ``$DOWSE_CONFIG``, or in the platform's folder."""
    given = environment.get("DOWSE_CONFIG")
    if given:
        return Path(given).expanduser().absolute()
    if sys.platform == "linux":
        # What platformdirs would say, without its import in front of every search.
        base = environment.get("XDG_CONFIG_HOME") or "~/.config"
        return Path(base).expanduser() / "dowse" / USER_FILE
    from platformdirs import user_config_path

    return user_config_path("dowse", appauthor=False) / USER_FILE


def iter_project_files(folder: Path) -> Iterator[Path]:
    """Yields every `.dowse.toml` from a folder up to the top, nearest first."""
    start = Path(os.path.realpath(folder))
    for place in (start, *start.parents):
        path = place / PROJECT_FILE
        if os.path.isfile(path):  # noqa: PTH113 - a third of the time of Path.is_file, before every search
            yield path


def read_config_file(path: Path, *, is_user: bool) -> ConfigFile:
    """Reads and checks one file.

    Raises:
        ConfigError: It cannot be read, is not TOML, or says something that no option is.
    """
    text = read_text(path)
    try:
        tables = parse_toml(text)
    except TomlSyntaxError as error:
        raise ConfigError(
            place=f"{path}:{error.line}", message=f"this is not TOML: {error}", hint=_SYNTAX_HINT
        ) from error
    return _Checker(path, find_key_lines(text), is_user).check(tables)


_SYNTAX_HINT = 'lines look like this: limit = 20, or: exclude = ["*.log", "drafts/"]'


def read_text(path: Path) -> str:
    """Returns the text of a configuration file.

    Raises:
        ConfigError: It cannot be read, is too large or is not UTF-8.
    """
    try:
        with path.open("rb") as file:
            data = file.read(_MAX_BYTES + 1)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ConfigError(place=path, message=f"it cannot be read: {reason}", hint="") from error
    if len(data) > _MAX_BYTES:
        raise ConfigError(place=path, message="it is too large for a configuration", hint="")
    try:
        return data.removeprefix(b"\xef\xbb\xbf").decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        place = f"{path}:{line}"
        raise ConfigError(place=place, message="it is not UTF-8", hint="save it as UTF-8") from error


def find_nearest(word: str, known: Iterable[str]) -> str:
    """Returns the known name that is most like a word; empty when none is like it."""
    import difflib  # late: only mistakes need it

    close = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return close[0] if close else ""


class _Checker:
    def __init__(self, path: Path, lines: dict[tuple[str, ...], int], is_user: bool) -> None:
        self._path, self._lines, self._is_user = path, lines, is_user
        self._values: dict[str, Value] = {}
        self._value_lines: dict[str, int] = {}
        self._options = {option.name: option for option in OPTIONS}

    def check(self, tables: dict[str, object]) -> ConfigFile:
        trees: tuple[TreeEntry, ...] = ()
        for key, value in tables.items():
            if key == "tree":
                trees = self._check_trees(value)
            elif key in _GROUPS:
                for name, inner in self._as_table((key,), value).items():
                    self._take(f"{key}.{name}", (key, name), inner)
            else:
                self._take(key, (key,), value)
        return ConfigFile(self._path, self._is_user, self._values, self._value_lines, trees)

    def _take(self, name: str, path: tuple[str, ...], value: object) -> None:
        option = self._options.get(name)
        if option is None:
            known = [*self._options, *_GROUPS, "tree"]
            raise self._unknown(path, name, known, Remedy.LIST_OPTIONS)
        if self._is_user and option.scope == "project":
            raise self._error(path, f"“{name}” belongs into a project's file, {PROJECT_FILE}", "remove it")
        self._values[name] = self._checked(option, path, value)
        self._value_lines[name] = find_line(self._lines, path)

    def _check_trees(self, value: object) -> tuple[TreeEntry, ...]:
        trees = []
        for name, table in self._as_table(("tree",), value).items():
            entry = TreeEntry(name, {}, {}, find_line(self._lines, ("tree", name)))
            if not name.strip() or not name.isprintable():
                raise self._error(("tree", name), "a tree must have a name that can be shown", "")
            for key, inner in self._as_table(("tree", name), table).items():
                path = ("tree", name, key)
                if key not in _TREE_NAMES:
                    raise self._unknown(path, key, _TREE_NAMES, f"a tree has: {', '.join(_TREE_NAMES)}")
                entry.values[key] = self._checked(_TREE_NAMES[key], path, inner)
                entry.lines[key] = find_line(self._lines, path)
            if "path" not in entry.values:
                raise self._error(("tree", name), f"tree “{name}” has no path", 'add: path = "."')
            trees.append(entry)
        return tuple(trees)

    def _as_table(self, path: tuple[str, ...], value: object) -> dict[str, object]:
        if isinstance(value, dict):
            return value
        example = "[tree.NAME]" if path[0] == "tree" else f"[{path[0]}]"
        hint = f"write {example} on a line of its own"
        raise self._error(path, f"“{'.'.join(path)}” must be a table", hint)

    def _checked(self, option: Option, path: tuple[str, ...], value: object) -> Value:
        try:
            checked = check_value(option, value)
        except IllegalValueError as error:
            shown = ".".join(path)
            given = hide_secrets(option, _show(value))
            raise self._error(path, f"“{shown}” cannot be {given}", str(error)) from None
        if option.kind == "path":
            return self._absolute(path, str(checked))
        if option.kind == "paths" and isinstance(checked, tuple):
            return tuple(self._absolute(path, item) for item in checked)
        return checked

    def _absolute(self, path: tuple[str, ...], text: str) -> str:
        try:
            return os.path.normpath(self._path.parent / Path(text).expanduser())
        except RuntimeError as error:
            raise self._error(path, f"“{text}” names a user that is not there", "") from error

    def _unknown(self, path: tuple[str, ...], name: str, known: Iterable[str], hint: str) -> ConfigError:
        nearest = _nearest_key(name, known)
        if nearest:
            hint = f"did you mean “{nearest}”?"
            option = self._options.get(nearest)
            hint += f" It is {describe_legal(option)}" if option else ""
        return self._error(path, f"there is no option “{name}”", hint)

    def _error(self, path: tuple[str, ...], message: str, hint: str) -> ConfigError:
        return ConfigError(place=f"{self._path}:{find_line(self._lines, path)}", message=message, hint=hint)


def _nearest_key(name: str, known: Iterable[str]) -> str:
    """Looks for a key like this one, in its own table first, then for the same key in another table."""
    names = list(known)
    last = name.rpartition(".")[2]
    same = [candidate for candidate in names if candidate.rpartition(".")[2] == last]
    return same[0] if same else find_nearest(name, names) or next(
        (candidate for candidate in names if find_nearest(last, [candidate.rpartition(".")[2]])), ""
    )


def _show(value: object) -> str:
    text = repr(value) if not isinstance(value, bool) else str(value).lower()
    return text if len(text) <= 60 else text[:59] + "…"
