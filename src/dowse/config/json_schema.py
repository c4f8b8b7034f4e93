"""The options table as a JSON schema, for editors that complete and check TOML."""

from dowse.config.options import OPTIONS, TREE_OPTIONS, Option

_KINDS: dict[str, dict[str, object]] = {
    "text": {"type": "string"},
    "path": {"type": "string"},
    "whole number": {"type": "integer"},
    "number": {"type": "number"},
    "yes or no": {"type": "boolean"},
    "list": {"type": "array", "items": {"type": "string", "minLength": 1}},
    "paths": {"type": "array", "items": {"type": "string", "minLength": 1}},
}


def build_schema() -> dict[str, object]:
    """Returns the schema of `config.toml` and `.dowse.toml`."""
    properties: dict[str, object] = {}
    groups: dict[str, dict[str, object]] = {}
    for option in OPTIONS:
        group, dot, key = option.name.rpartition(".")
        if dot:
            groups.setdefault(group, {})[key] = _describe(option)
        else:
            properties[key] = _describe(option)
    for group, members in groups.items():
        properties[group] = {"type": "object", "additionalProperties": False, "properties": members}
    tree = {
        "type": "object",
        "additionalProperties": False,
        "required": ["path"],
        "properties": {option.name: _describe(option) for option in TREE_OPTIONS},
    }
    properties["tree"] = {
        "type": "object",
        "description": "one table for each tree: [tree.NAME]",
        "additionalProperties": tree,
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Dowse configuration",
        "type": "object",
        "additionalProperties": False,
        "properties": properties,
    }


def _describe(option: Option) -> dict[str, object]:
    described: dict[str, object] = {"description": option.help, **_KINDS[option.kind]}
    if option.default is not None:
        default = option.default
        described["default"] = list(default) if isinstance(default, tuple) else default
    if option.choices:
        described["enum"] = list(option.choices)
    if option.minimum is not None:
        described["minimum"] = option.minimum
    if option.maximum is not None:
        described["maximum"] = option.maximum
    return described
