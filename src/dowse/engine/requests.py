"""From what a face was told to a request: the configuration answers for the options that nobody gave."""

import os
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from dowse.config.request_defaults import request_defaults
from dowse.engine.opening import forget_configuration, get_values
from dowse.errors import InvalidParameterError
from dowse.schema import Problem, SearchRequest, SynonymRule


def complete_options(
    given: Mapping[str, Any], offered: Collection[str], folder: str = ""
) -> dict[str, Any]:
    """Returns the options of a request: as given, else as configured.

    A configured parameter counts where the mode, the model or the fusion of the request has it; one that was
    given for this request must be theirs, and the engine refuses it otherwise.

    Args:
        given: Values by the names of `SearchRequest`.
        offered: The options that the face has; the configuration answers for no others.
        folder: Whose configuration counts; the current one when empty.

    Raises:
        ConfigError: The configuration is wrong.
    """
    effective = get_values(folder)
    values: dict[str, Any] = {**request_defaults(effective, offered), **given}
    configured = effective.values["search.parameters"] if "parameters" in offered else ()
    if configured:
        values["parameters"] = _join_parameters(values, given, request_defaults(effective, ("parameters",)))
    return values


def complete_request(
    given: Mapping[str, Any], offered: Collection[str], folder: str = ""
) -> SearchRequest:
    """Returns the request, checked before anything is opened: a mistake must not cost an indexing run.

    Args: as for `complete_options`.

    Raises:
        UsageError: An option says what cannot be.
    """
    from dowse.search.parameters import check_request

    request = SearchRequest(**complete_options(given, offered, folder))
    check_request(request)
    return request


def _join_parameters(
    values: Mapping[str, Any], given: Mapping[str, Any], configured: Mapping[str, Any]
) -> tuple[tuple[str, float], ...]:
    from dowse.search.parameters import Choice, known_parameters

    request = SearchRequest(**{"query": "", **values, "parameters": ()})
    known = known_parameters(Choice.of(request))
    kept = {name: value for name, value in configured["parameters"] if name in known}
    return tuple({**kept, **dict(given.get("parameters", ()))}.items())


def save_parameters(parameters: Iterable[tuple[str, float]], folder: str) -> Path:
    """Makes parameters permanent where they were tuned, beside those that are configured; returns the file.

    That is the nearest project's file, or the user's when there is none.

    Raises:
        ConfigError: The file is wrong, or cannot be written.
    """
    from dowse.config.files import find_user_file, iter_project_files
    from dowse.config.writing import set_value

    configured = request_defaults(get_values(folder), ("parameters",))["parameters"]
    assert isinstance(configured, tuple)
    values = {**dict(configured), **dict(parameters)}
    project = next(iter_project_files(Path(folder)), None)
    path = project or find_user_file(os.environ)
    texts = tuple(f"{name}={value:g}" for name, value in values.items())
    set_value(path, "search.parameters", texts, is_user=project is None)
    forget_configuration()
    return path


def read_synonyms(path: str) -> tuple[tuple[SynonymRule, ...], tuple[Problem, ...]]:
    """Returns the synonym rules in a file, and a problem for each malformed line.

    Raises:
        InvalidParameterError: The file cannot be read.
    """
    from dowse.planning.synonyms import parse_synonyms

    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        legal = f"it must be a text file in UTF-8 ({error})"
        raise InvalidParameterError(name="the file of synonyms", value=path, legal=legal) from error
    return parse_synonyms(text)
