"""Finds and loads the embedder that was configured; what is wrong with it is said by the option to change.

Two kinds of trouble must not be mixed up: a model that is not on this machine costs nothing but meaning
(ModelMissingError), while a configuration that cannot be is for its author to mend (ConfigError).
"""

from importlib.util import find_spec
from typing import TYPE_CHECKING

from dowse.embedding import EmbeddingSettings, Runtime
from dowse.embedding.model_card import INSTALLING
from dowse.errors import (
    ConfigError,
    DowseError,
    InvalidParameterError,
    ModelMissingError,
    UnknownModelError,
)
from dowse.remedy import Remedy

if TYPE_CHECKING:
    from dowse.embedding import Embedder

OPTIONS = frozenset({"model", "max_tokens", "threads"})
"""Parameters of an embedder that users set as ``embedding.NAME``."""


def load_embedder(settings: EmbeddingSettings, runtime: Runtime) -> "Embedder":
    """Returns the embedder that was configured; nobody asks for it when vectors are switched off.

    Raises:
        ConfigError: What was configured cannot be; the message names the option and what is legal.
        ModelMissingError: The model's files, or what runs them, are not there.
        ModelDamagedError: A file is not what it should be.
    """
    from dowse.embedding import build_embedder

    try:
        embedder = build_embedder(settings, runtime)
    except (InvalidParameterError, UnknownModelError) as error:
        raise _told_by_option(settings, error) from error
    assert embedder is not None, "nobody asks when vectors are switched off"
    return embedder


def find_fault(settings: EmbeddingSettings) -> DowseError | None:
    """Returns why nothing can be embedded; None when it can. Looks for files, and loads nothing.

    What a service or the content of a file will say is not known here.
    """
    from dowse.embedding import check_embedder, find_model

    if settings.error is not None or settings.kind != "onnx":
        return settings.error
    try:
        check_embedder(find_model(settings.model, settings.model_folders).card, settings.max_tokens)
    except ModelMissingError as error:
        return error
    except (InvalidParameterError, UnknownModelError) as error:
        return _told_by_option(settings, error)
    for name in ("onnxruntime", "tokenizers"):
        if find_spec(name) is None:
            reason = f"the package {name} is not installed"
            return ModelMissingError(name=settings.model, reason=reason, remedy=INSTALLING)
    return None


def _told_by_option(
    settings: EmbeddingSettings, error: InvalidParameterError | UnknownModelError
) -> DowseError:
    if isinstance(error, UnknownModelError):
        # Most often a folder that was moved or deleted: nothing was configured wrongly then.
        return ModelMissingError(name=settings.model, reason="there is no such model", remedy=error.hint)
    name, value, legal = (error.details[key] for key in ("name", "value", "legal"))
    if name not in OPTIONS:
        return error
    option = f"embedding.{name}"
    return ConfigError(
        place=option,
        message=f"it cannot be {value}; {legal}",
        hint=Remedy.CHANGE_OPTION.about(option),
    )
