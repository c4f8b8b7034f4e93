"""Is this a legal value of that option? From TOML values and from words on a command line."""

import math
from collections.abc import Sequence

from dowse.config.options import Option, Value, describe_legal
from dowse.config.toml_lines import TomlSyntaxError, parse_toml

_YES = ("true", "yes", "on", "1")
_NO = ("false", "no", "off", "0")


class IllegalValueError(Exception):
    """A value does not fit its option; the text says what would."""


def check_value(option: Option, value: object) -> Value:
    """Returns a TOML value as the option's own type.

    Raises:
        IllegalValueError: It does not fit.
    """
    if option.kind in ("list", "paths"):
        return _check_list(option, value)
    if option.kind == "yes or no":
        if isinstance(value, bool):
            return value
    elif option.kind in ("text", "path"):
        if isinstance(value, str) and _is_choice(option, value) and _is_clean(value, option.is_verbatim):
            return value
    elif _is_number(value, whole=option.kind == "whole number") and _in_range(option, value):
        assert isinstance(value, int | float)
        return float(value) if option.kind == "number" else value
    raise IllegalValueError(f"it must be {describe_legal(option)}")


def parse_value(option: Option, text: str) -> Value:
    """Returns the value a person typed: ``yes``, ``25``, ``*.md, *.txt`` or the same as TOML.

    Raises:
        IllegalValueError: It does not fit.
    """
    stripped = text if option.is_verbatim else text.strip()
    if option.kind in ("list", "paths"):
        return _check_list(option, _parse_list(stripped))
    if option.kind == "yes or no":
        lowered = stripped.lower()
        if lowered in _YES or lowered in _NO:
            return lowered in _YES
        raise IllegalValueError(f"it must be {describe_legal(option)}")
    if option.kind in ("text", "path"):
        return check_value(option, stripped)
    try:
        number = int(stripped.replace("_", "").replace(",", ""))
    except ValueError:
        try:
            return check_value(option, float(stripped))
        except ValueError:
            raise IllegalValueError(f"it must be {describe_legal(option)}") from None
    return check_value(option, number)


def hide_secrets(option: Option, text: str) -> str:
    """Returns the text of a value as it may be shown; of an address, what may be secret is left out."""
    if not option.is_address:
        return text
    from dowse.embedding.address import show_address

    return show_address(text)


def _parse_list(text: str) -> Sequence[object]:
    if text.startswith("["):
        try:
            values = parse_toml(f"x = {text}")["x"]
        except TomlSyntaxError:
            raise IllegalValueError('it must be a list such as ["*.md", "*.txt"]') from None
        return values if isinstance(values, list) else (values,)
    return [part.strip() for part in text.split(",") if part.strip()]


def _check_list(option: Option, value: object) -> tuple[str, ...]:
    if not isinstance(value, list | tuple):
        raise IllegalValueError(f"it must be {describe_legal(option)}, in brackets")
    for item in value:
        if not isinstance(item, str) or not item or not _is_clean(item):
            raise IllegalValueError(f"it must be {describe_legal(option)}, and {item!r} is none")
    return tuple(value)


def _is_choice(option: Option, value: str) -> bool:
    return not option.choices or value in option.choices


def _is_clean(value: str, may_have_lines: bool = False) -> bool:
    # No path and no pattern has these, and the operating system refuses them in its own words.
    return "\0" not in value and (may_have_lines or "\n" not in value)


def _is_number(value: object, *, whole: bool) -> bool:
    if isinstance(value, bool):
        return False
    return isinstance(value, int) or (not whole and isinstance(value, float) and math.isfinite(value))


def _in_range(option: Option, value: object) -> bool:
    assert isinstance(value, int | float)
    return (option.minimum is None or value >= option.minimum) and (
        option.maximum is None or value <= option.maximum
    )
