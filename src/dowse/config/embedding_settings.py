"""Which embedder holds here: from the options to what `embedding` takes.

Apart from `settings`, because the embedders' own table costs more to import than a keyword search takes.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dowse.config.merging import Effective
from dowse.errors import ConfigError, InvalidParameterError

if TYPE_CHECKING:
    from dowse.embedding import EmbeddingSettings, HttpSettings


def build_embedding(
    effective: Effective, environment: Mapping[str, str], cache_folder: Path, *, threads: int
) -> "EmbeddingSettings":
    """Makes the settings of an embedder of effective values.

    Args:
        effective: Every option's value.
        environment: Where the key of a service is looked up, by the name that the configuration gives.
        cache_folder: For what can be made again.
        threads: Texts that a model reads at once.

    Raises:
        ConfigError: A service is wanted and not described, or not well.
    """
    from dowse.embedding import EmbeddingSettings

    values = effective.values
    kind, model = str(values["embedding.kind"]), str(values["embedding.model"])
    return EmbeddingSettings(
        kind=kind,
        model=resolve_model(model, _folders(effective)),
        max_tokens=_number(effective, "max_tokens") or None,
        threads=threads,
        cache_folder=cache_folder,
        http=_build_http(effective, environment) if kind == "http" else None,
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
                hint=f"for example: dowse config set embedding.{name} {example}",
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
            **given,
        )
    except InvalidParameterError as error:
        place = effective.origins["embedding.url"].place or "embedding.url"
        raise ConfigError(place=place, message=error.message, hint=error.hint) from error


def _folders(effective: Effective) -> tuple[str, ...]:
    folders = effective.values["embedding.folders"]
    assert isinstance(folders, tuple)
    return folders


def _number(effective: Effective, name: str) -> int:
    value = effective.values[f"embedding.{name}"]
    assert isinstance(value, int)
    return value
