"""Every answer as JSON: the fields of the engine's own values, and what they derive."""

import json
import sys

from msgspec import to_builtins


def dump_json(value: object, **derived: object) -> str:
    """Returns one JSON object and a newline, readable as it is where the stream takes UTF-8.

    Args:
        value: A value of `schema`, or a mapping of them.
        derived: Facts that programs need and the value only computes, such as ``ms``.
    """
    built = to_builtins(value)
    takes_unicode = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    return json.dumps({**built, **derived}, ensure_ascii=not takes_unicode, indent=2, default=str) + "\n"
