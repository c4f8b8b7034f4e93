"""Changes configuration files and keeps what people wrote around the values: comments, order, spacing."""

import contextlib
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from dowse.config.files import read_config_file, read_text
from dowse.config.options import BY_NAME, OPTIONS, Value
from dowse.config.values import hide_secrets
from dowse.errors import ConfigError


def set_value(path: Path, name: str, value: Value, *, is_user: bool) -> None:
    """Sets one option in a file, which is made when it is not there.

    Args:
        path: The file.
        name: Of the option, such as ``search.limit``.
        value: A legal one.
        is_user: Whether it is the user's file.

    Raises:
        ConfigError: The file was wrong before, or cannot be written.
    """
    import tomlkit

    def change(document: Any) -> None:
        table = document
        *groups, key = name.split(".")
        for group in groups:
            if group not in table:
                table[group] = tomlkit.table()
            table = table[group]
        table[key] = _as_toml(value, table.get(key))

    _edit(path, change, is_user=is_user)


def set_patterns(path: Path, key: str, patterns: Sequence[str], *, is_user: bool) -> None:
    """Makes a list of patterns in a file equal to `patterns`; items that stay keep their comments."""
    set_value(path, key, tuple(patterns), is_user=is_user)


def _as_toml(value: Value, before: Any) -> Any:
    """Returns what to put; a list is changed where it is, so that its comments stay."""
    import tomlkit

    if not isinstance(value, tuple):
        return value
    if not isinstance(before, list):
        array = tomlkit.array()
        array.extend(value)
        return array.multiline(len(value) > 3)
    for number in range(len(before) - 1, -1, -1):
        if before[number] not in value:
            del before[number]
    for item in value:
        if item not in before:
            before.append(item)
    return before


def _edit(path: Path, change: Callable[[Any], None], *, is_user: bool) -> None:
    import tomlkit

    if path.exists():
        read_config_file(path, is_user=is_user)  # what is wrong is said before anything is changed
    text = read_text(path) if path.exists() else ""
    document = tomlkit.parse(text)
    change(document)
    write_text(path, tomlkit.dumps(document))


def write_text(path: Path, text: str) -> None:
    """Writes a file whole or not at all; a link is followed, so that kept dotfiles stay links.

    Raises:
        ConfigError: It cannot be written.
    """
    target = Path(os.path.realpath(path))
    waiting = target.with_name(f".{target.name}.{os.getpid()}.new")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        waiting.write_text(text, encoding="utf-8")
        if target.exists():
            waiting.chmod(target.stat().st_mode & 0o777)
        waiting.replace(target)
    except OSError as error:
        with contextlib.suppress(OSError):
            waiting.unlink()
        reason = (error.strerror or str(error)).lower()
        hint = "check the permissions of its folder"
        raise ConfigError(place=path, message=f"it cannot be written: {reason}", hint=hint) from error


def build_template(name: str, *, home: str | None = None) -> str:
    """Returns the text of a new project file: one tree, and every option that has a default, as a comment."""
    lines = [
        "# Dowse: what is searched here, and how. All keys: docs/reference/configuration.md",
        "# A line that starts with # is a comment: remove the # to set a value.",
        "",
    ]
    group = ""
    general = [option for option in OPTIONS if option.scope != "user" and "." not in option.name]
    # Nothing could be written after the equals sign of an option that has no default.
    grouped = [
        option
        for option in OPTIONS
        if option.scope != "user" and "." in option.name and option.default is not None
    ]
    for option in general:
        value = home if option.name == "home" and home else option.default
        mark = "" if option.name == "home" and home else "# "
        lines += [f"# {option.help}", f"{mark}{option.name} = {show_toml(value, option.kind)}"]
    lines += [
        "",
        f"[tree.{show_key(name)}]",
        'path = "."',
        '# include = ["*.md", "docs/"]',
        '# exclude = ["drafts/", "*.log"]',
        '# language = "english"',
        '# stop_words = "default"',
    ]
    for option in grouped:
        table, _, key = option.name.partition(".")
        if table != group:
            lines += ["", f"[{table}]"]
            group = table
        lines += [f"# {option.help}", f"# {key} = {show_toml(option.default, option.kind)}"]
    return "\n".join(lines) + "\n"


def show_value(name: str, value: Value) -> str:
    """Returns the value of an option as TOML has it; of an address, what may be secret is left out."""
    return show_toml(hide_secrets(BY_NAME[name], value) if isinstance(value, str) else value)


def show_toml(value: Value, kind: str = "text") -> str:
    """Returns a value as TOML has it."""
    if value is None:
        return '".dowse"' if kind == "path" else '""'
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return "[" + ", ".join(show_toml(item) for item in value) + "]"
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
        return f'"{escaped}"'
    return repr(value)


def show_key(name: str) -> str:
    """Returns a name as a TOML key, in quotes when it needs them."""
    plain = name.isascii() and name.replace("-", "").replace("_", "").isalnum()
    return name if plain else show_toml(name)
