"""``dowse model list``: what makes vectors, what is installed, and what is used."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import asdict

from dowse.cli.remedies import word_hint
from dowse.cli.terminal import Style, without_controls
from dowse.embedding.address import show_address

if TYPE_CHECKING:
    from dowse.embedding import EmbeddingSettings


class ListedModel(Struct, frozen=True):
    """A model as people choose it.

    Attributes:
        kind: ``embedder`` or ``cross-encoder``.
        problem: Why it cannot be used; empty when it can.
        remedy: What would change that.
        is_current: Whether it makes the vectors here.
    """

    name: str
    kind: str
    purpose: str
    dimensions: int
    licence: str
    problem: str
    remedy: str
    is_current: bool


def list_models(settings: "EmbeddingSettings", folders: Sequence[str]) -> list[ListedModel]:
    """Returns the models of the table, then the user's own."""
    from dowse.embedding import MODELS, find_model
    from dowse.errors import ModelMissingError, UnknownModelError

    current = settings.model if settings.kind == "onnx" else ""
    found = []
    for row in MODELS:
        problem = remedy = ""
        try:
            find_model(row.card.name)
        except ModelMissingError as error:
            problem, remedy = error.message, error.hint
        card = row.card
        found.append(
            ListedModel(
                card.name, card.kind, card.purpose, card.dimensions, row.licence, problem, remedy,
                card.name == current,
            )
        )  # fmt: skip
    own = [*folders, current] if Path(current).is_absolute() and current not in folders else folders
    for folder in own:
        name, is_current = Path(folder).name, folder == current
        try:
            card = find_model(folder).card
        except (ModelMissingError, UnknownModelError) as error:
            problem = error.message if isinstance(error, ModelMissingError) else f"{folder} is not there"
            found.append(ListedModel(name, "embedder", "", 0, "", problem, error.hint, is_current))
            continue
        found.append(
            ListedModel(card.name, card.kind, card.purpose, card.dimensions, "yours", "", "", is_current)
        )
    return found


def iter_model_lines(
    settings: "EmbeddingSettings", models: Sequence[ListedModel], style: Style
) -> Iterator[str]:
    """Yields each model in two lines or three, and what makes vectors at the end."""
    for model in models:
        mark = "*" if model.is_current else " "
        size = f"{model.dimensions} dimensions, " if model.dimensions else ""
        state = "not installed" if model.problem else "installed"
        facts = ", ".join(part for part in (f"{size}{state}", model.licence, model.kind) if part)
        yield f"{mark} {style.paint(without_controls(model.name), 'bold')}  ({facts})"
        if model.purpose:
            yield f"    {without_controls(model.purpose)}"
        if model.problem:
            yield f"    {without_controls(f'{model.problem}; {word_hint(model.remedy)}')}"
    yield ""
    yield without_controls(describe_choice(settings, models))


def describe_choice(settings: "EmbeddingSettings", models: Sequence[ListedModel]) -> str:
    """Returns what makes vectors here."""
    if settings.kind == "none":
        return "vectors are switched off (embedding.kind is none); switch on: dowse model use NAME"
    if settings.error is not None:
        return f"nothing makes vectors: {settings.error.message}; {word_hint(settings.error.hint)}"
    if settings.http is not None:
        where = show_address(settings.http.url)
        return f"vectors are made by the service at {where}, model {settings.http.model}"
    if any(model.is_current for model in models):
        return "* makes the vectors; change with: dowse model use NAME"
    return f"“{settings.model}” is chosen, and there is no such model; choose with: dowse model use NAME"


def describe_models(settings: "EmbeddingSettings", models: Sequence[ListedModel]) -> dict[str, object]:
    """Returns the same for programs."""
    return {
        "kind": settings.kind,
        "url": None if settings.http is None else show_address(settings.http.url),
        "models": [{**asdict(model), "is_installed": not model.problem} for model in models],
    }
