"""The kinds of embedders a user can choose from, and how one is built from what was chosen."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from dowse.embedding.models import DEFAULT_MODEL, find_model
from dowse.errors import InvalidParameterError, UnknownModelError

if TYPE_CHECKING:
    from dowse.embedding.embedder import Embedder
    from dowse.embedding.http import HttpSettings
    from dowse.errors import ConfigError


@dataclass(frozen=True, slots=True)
class EmbeddingSettings:
    """Which embedder, and what it may use.

    Attributes:
        kind: A name of `EMBEDDERS`.
        model: For "onnx": a name of `MODELS`, or a folder.
        model_folders: Where users keep models of their own.
        max_tokens: Tokens of a text that count; None for 256, or the model's limit if that is less.
        threads: Texts that are run at once.
        cache_folder: Where optimised graphs are kept; None for nowhere.
        http: For "http": which service.
        error: What is wrong with what was configured: raised when the embedder is built, and not before, for
            everything but meaning works without it.
    """

    kind: str = "onnx"
    model: str = DEFAULT_MODEL
    model_folders: tuple[Path, ...] = ()
    max_tokens: int | None = None
    threads: int = 1
    cache_folder: Path | None = None
    http: "HttpSettings | None" = None
    error: "ConfigError | None" = None


class Runtime(Struct, frozen=True):
    """What embedders need from outside: a clock that only goes forward and a way to wait, in seconds."""

    clock: Callable[[], float]
    sleep: Callable[[float], object]


class EmbedderRow(Struct, frozen=True):
    """A kind of embedder as users see it."""

    name: str
    purpose: str
    build: Callable[[EmbeddingSettings, Runtime], "Embedder | None"]


def _build_onnx(settings: EmbeddingSettings, runtime: Runtime) -> "Embedder":
    from dowse.embedding.onnx import OnnxEmbedder

    return OnnxEmbedder(
        find_model(settings.model, settings.model_folders),
        max_tokens=settings.max_tokens,
        threads=settings.threads,
        cache_folder=settings.cache_folder,
    )


def _build_http(settings: EmbeddingSettings, runtime: Runtime) -> "Embedder":
    from dowse.embedding.http import HttpEmbedder

    if settings.http is None:
        raise InvalidParameterError(
            name="http", value="empty", legal="say which service: its address, model and dimensions"
        )
    return HttpEmbedder(settings.http, sleep=runtime.sleep, clock=runtime.clock)


def _build_none(settings: EmbeddingSettings, runtime: Runtime) -> None:
    return None


EMBEDDERS: tuple[EmbedderRow, ...] = (
    EmbedderRow("onnx", "a model on this machine", _build_onnx),
    EmbedderRow("http", "a service that speaks as OpenAI does: Ollama, TEI, LM Studio, …", _build_http),
    EmbedderRow("none", "no vectors: words alone", _build_none),
)


def build_embedder(settings: EmbeddingSettings, runtime: Runtime) -> "Embedder | None":
    """Returns the embedder that was chosen; None for "none". Loading a model takes 150 to 350 ms.

    Raises:
        ConfigError: The settings were made of what cannot be.
        InvalidParameterError: The model makes no vectors, or does not read so many tokens.
        UnknownModelError: There is no such kind, or no such model.
        ModelMissingError: The model is not on this machine.
        ModelDamagedError: A file of it is not what it should be.
    """
    if settings.error is not None:
        raise settings.error.with_traceback(None)  # it is kept, and would keep every caller with it
    for row in EMBEDDERS:
        if row.name == settings.kind:
            return row.build(settings, runtime)
    known = ", ".join(row.name for row in EMBEDDERS)
    raise UnknownModelError(kind="embedder", name=settings.kind, known=known)
