"""What the configuration says about requests: the value of every option that it makes permanent."""

from collections.abc import Collection
from pathlib import Path

from dowse.config.merging import Effective
from dowse.errors import ConfigError
from dowse.schema import SynonymRule
from dowse.schema.request_options import REQUEST_OPTIONS

PARAMETER = "write each parameter as NAME=NUMBER, such as k1=1.5"


def request_defaults(effective: Effective, names: Collection[str]) -> dict[str, object]:
    """Returns the configured values of request options by name, as a request takes them.

    Args:
        effective: What the configuration says where the search is.
        names: Only these options.

    Raises:
        ConfigError: A parameter is not a number with a name, or the file of synonyms cannot be read.
    """
    found: dict[str, object] = {}
    for option in REQUEST_OPTIONS:
        if option.name not in names or not option.is_configurable:
            continue
        value: object = effective.values[option.config_key]
        place = effective.origins[option.config_key].place or option.config_key
        if option.kind == "parameters":
            assert isinstance(value, tuple)
            value = tuple(_parse_parameter(text, place) for text in value)
        elif option.kind == "synonyms":
            value = () if value is None else _read_synonyms(str(value), place)
        found[option.name] = value
    return found


def _parse_parameter(text: str, place: str) -> tuple[str, float]:
    name, _, number = text.partition("=")
    try:
        return name.strip(), float(number)
    except ValueError:
        message = f"“{text}” is not a parameter"
        raise ConfigError(place=place, message=message, hint=PARAMETER) from None


def _read_synonyms(path: str, place: str) -> tuple[SynonymRule, ...]:
    from dowse.planning.synonyms import parse_synonyms

    try:
        rules, problems = parse_synonyms(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        hint = "name a text file in UTF-8"
        raise ConfigError(place=place, message=f"{path} cannot be read: {error}", hint=hint) from error
    if problems:
        message = f"{path}, {problems[0].location}: {problems[0].message}"
        raise ConfigError(place=place, message=message, hint="correct the line, or make it a comment with #")
    return rules
