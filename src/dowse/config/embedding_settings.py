"""Which embedder holds here: from the options to what `embedding` takes.

Apart from `settings`, because the embedders' own table costs more to import than a keyword search takes.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dowse.config.merging import Effective
from dowse.errors import ConfigError, InvalidParameterError
from dowse.remedy import Remedy

if TYPE_CHECKING:
    from dowse.embedding import EmbeddingSettings, HttpSettings


def build_embedding(
    effective: Effective, environment: Mapping[str, str], cache_folder: Path, *, threads: int
) -> "EmbeddingSettings":
    """Makes the settings of an embedder of effective values.

    A service that is not described, or not well, is the `error` of the settings and is not raised here: words
    can be searched without it.

    Args:
        effective: Every option's value.
        environment: Where the key of a service is looked up, by the name that the configuration gives.
        cache_folder: For what can be made again.
        threads: Texts that a model reads at once.
    """
    from dowse.embedding import EmbeddingSettings

    values = effective.values
    kind, model = str(values["embedding.kind"]), str(values["embedding.model"])
    http, error = None, None
    if kind == "http":
        try:
            http = _build_http(effective, environment)
        except ConfigError as wrong:
            error = wrong
    return EmbeddingSettings(
        kind=kind,
        model=model if kind == "http" else resolve_model(model, _folders(effective)),
        max_tokens=_number(effective, "max_tokens") or None,
        threads=threads,
        cache_folder=cache_folder,
        http=http,
        error=error,
    )


def resolve_model(model: str, folders: tuple[str, ...]) -> str:
    """Returns the folder of a user's own model that was added by this name; else what was given."""
    return next((folder for folder in folders if Path(folder).name == model), model)


def _build_http(effective: Effective, environment: Mapping[str, str]) -> "HttpSettings":
    from dowse.embedding import HttpSettings

    for name, example in (("url", "http://localhost:11434/v1"), ("dimensions", "768")):
        if not effective.values[f"embedding.{name}"]:
            raise ConfigError(
                place=effective.origins["embedding.kind"].place or "embedding.kind",
                message=f"vectors are to come from a service, but embedding.{name} is not set",
                hint=Remedy.SET_OPTION.about(f"embedding.{name}", example),
            )
    given: dict[str, Any] = {}
    max_tokens = _number(effective, "max_tokens")
    if max_tokens:
        given["max_tokens"] = max_tokens
    try:
        return HttpSettings(
            url=str(effective.values["embedding.url"]),
            model=str(effective.values["embedding.model"]),
            dimensions=_number(effective, "dimensions"),
            key=environment.get(str(effective.values["embedding.key_variable"]), ""),
            query_prefix=str(effective.values["embedding.query_prefix"]),
            passage_prefix=str(effective.values["embedding.passage_prefix"]),
            timeout_s=_seconds(effective, "timeout_seconds"),
            retries=_number(effective, "retries"),
            **given,
        )
    except InvalidParameterError as error:
        raise _told_by_place(effective, error) from error


def _told_by_place(effective: Effective, error: InvalidParameterError) -> ConfigError:
    """Returns the error with the place that said it: a line of a file, or a variable."""
    name, value, legal = (str(error.details[key]) for key in ("name", "value", "legal"))
    if name == "key":
        return ConfigError(
            place=f"${effective.values['embedding.key_variable']}",
            message=f"it holds a key that cannot be sent; {legal}",
            hint="embedding.key_variable names the variable that is read",
        )
    option = f"embedding.{name}"
    return ConfigError(
        place=effective.origins[option].place or option,
        message=f"“{option}” cannot be {value}",
        hint=legal,
    )


def _folders(effective: Effective) -> tuple[str, ...]:
    folders = effective.values["embedding.folders"]
    assert isinstance(folders, tuple)
    return folders


def find_question_timeout_s(effective: Effective) -> float:
    """Returns how many seconds a question may take; somebody waits for it, so it is not those of indexing."""
    return _seconds(effective, "question_timeout_seconds")


def _seconds(effective: Effective, name: str) -> float:
    value = effective.values[f"embedding.{name}"]
    assert isinstance(value, float)
    return value


def _number(effective: Effective, name: str) -> int:
    value = effective.values[f"embedding.{name}"]
    assert isinstance(value, int)
    return value
