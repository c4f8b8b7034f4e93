"""The configuration for people and for programs: each value with its origin."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dowse.config.merging import Effective, Origin
    from dowse.config.options import Value

TREE_KEYS = ("include", "exclude", "language", "stop_words")


def iter_value_lines(effective: "Effective", only: str | None) -> Iterator[str]:
    """Yields ``key = value   # origin`` for every option, or for one, then the trees as in TOML."""
    from dowse.config.writing import show_key, show_toml, show_value

    rows = [
        (f"{name} = {'(none)' if value is None else show_value(name, value)}", effective.origins[name])
        for name, value in effective.values.items()
        if only in (None, name)
    ]
    width = min(48, max(len(text) for text, _ in rows))
    for text, origin in rows:
        yield f"{text:<{width}}  # {describe_origin(origin)}"
    if only is not None:
        return
    for tree in effective.trees:
        yield ""
        yield f"[tree.{show_key(tree.name)}]  # {describe_origin(tree.origin)}"
        yield f"path = {show_toml(tree.path)}"
        for key in TREE_KEYS:
            if getattr(tree, key) is not None:
                yield f"{key} = {show_toml(getattr(tree, key))}"


def describe_origin(origin: "Origin") -> str:
    """Returns who said a value: a file with its line, a variable, or nobody."""
    return origin.place or origin.kind


def describe_effective(effective: "Effective", only: str | None) -> dict[str, object]:
    """Returns values with their origins, the trees and the files that count."""
    from dowse.config.options import BY_NAME
    from dowse.config.values import hide_secrets

    def shown(name: str, value: "Value") -> object:
        if isinstance(value, str):
            return hide_secrets(BY_NAME[name], value)
        return list(value) if isinstance(value, tuple) else value

    values = {
        name: {
            "value": shown(name, value),
            "origin": effective.origins[name].kind,
            "place": effective.origins[name].place or None,
        }
        for name, value in effective.values.items()
        if only in (None, name)
    }
    if only is not None:
        return {"values": values}
    return {
        "values": values,
        "trees": effective.trees,
        "files": [str(path) for path in effective.files],
    }
