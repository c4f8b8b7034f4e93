"""The tables of modes, scoring models and fusions, for people and for programs."""

from collections.abc import Iterator, Sequence
from shlex import quote
from typing import NamedTuple

from dowse.cli.rendering.json_values import Json
from dowse.cli.terminal import Style
from dowse.fusion import DEFAULT_FUSION, FUSIONS
from dowse.schema import Parameter
from dowse.scoring.dfr import DFR
from dowse.scoring.registry import ALIASES, DFR_NAMES, MODELS, ModelRow
from dowse.search.modes import MODES, Mode

FUSION_NUMBERS = "the numbers of its fusion: dowse modes --fusions"


class ModelEntry(NamedTuple):
    """A scoring model, or all that differ in their parts only.

    Attributes:
        parameters: Numbers for the whole model.
        field_parameters: Numbers for each field.
    """

    name: str
    purpose: str
    parameters: tuple[Parameter, ...]
    field_parameters: tuple[Parameter, ...]


def list_models() -> list[ModelEntry]:
    """Returns all scoring models; the 32 DFRs are one entry."""
    entries = [build_entry(row.name, row) for row in MODELS if row.kind is not DFR]
    rows = [row for row in MODELS if row.kind is DFR]
    parameters = tuple(dict.fromkeys(parameter for row in rows for parameter in row.parameters))
    return [*entries, build_entry(DFR_NAMES, rows[0])._replace(parameters=parameters)]


class FusionEntry(NamedTuple):
    """A fusion, with its numbers."""

    name: str
    purpose: str
    parameters: tuple[Parameter, ...]

    @property
    def is_default(self) -> bool:
        """Whether it is taken when nobody names one."""
        return self.name == DEFAULT_FUSION


def list_fusions() -> list[FusionEntry]:
    """Returns all fusions, the default first."""
    return [
        FusionEntry(kind.name, kind.purpose, kind.parameters)
        for kind in FUSIONS
    ]


def build_entry(name: str, row: ModelRow) -> ModelEntry:
    """Returns a model with the first sentence of its page."""
    page = (row.kind.__doc__ or "").strip().split("\n\n")[0]
    return ModelEntry(name, " ".join(page.split()), row.parameters, row.field_parameters)


def build_command(mode: Mode) -> str:
    """Returns the command line that shows a mode at work."""
    chosen = "" if mode is MODES[0] else f" --mode {mode.name}"
    return f"dowse {quote(mode.example)}{chosen}"


def describe_range(parameter: Parameter) -> str:
    """Returns ``k1 (0 to 20, default 1.2)``."""
    return f"{parameter.name} ({parameter.low:g} to {parameter.high:g}, default {parameter.default:g})"


def iter_mode_lines(style: Style) -> Iterator[str]:
    """Yields each mode: name and purpose, parameters, example, what it needs."""
    for mode in MODES:
        yield f"{style.paint(f'{mode.name:<13}', 'path')} {mode.purpose}"
        yield from iter_parameter_lines(mode.parameters)
        if mode.fuses:
            yield f"{'':<13} {FUSION_NUMBERS}"
        if mode.model is not None:
            yield f"{'':<13} scoring model {mode.model}"
        if mode.needs:
            yield f"{'':<13} needs {mode.needs}"
        yield f"{'':<13} {style.paint(build_command(mode), 'dim')}"


def iter_model_lines(style: Style) -> Iterator[str]:
    """Yields each scoring model: name, what it is, parameters; then the other names."""
    for entry in list_models():
        yield style.paint(entry.name, "path")
        yield f"{'':<13} {entry.purpose}"
        yield from iter_parameter_lines(entry.parameters)
        yield from iter_parameter_lines(entry.field_parameters, ".FIELD")
    for alias, name in ALIASES.items():
        yield f"{style.paint(alias, 'path')} is {name}"


def iter_fusion_lines(style: Style) -> Iterator[str]:
    """Yields each fusion: name, what it does, numbers."""
    for entry in list_fusions():
        yield style.paint(entry.name, "path") + (" (default)" if entry.is_default else "")
        yield f"{'':<13} {entry.purpose}"
        yield from iter_parameter_lines(entry.parameters)


def iter_parameter_lines(parameters: Sequence[Parameter], suffix: str = "") -> Iterator[str]:
    """Yields each parameter as ``--param`` takes it, with range and effect."""
    for parameter in parameters:
        text = describe_range(parameter).replace(" (", f"{suffix} (", 1)
        yield f"{'':<13} --param {text}: {parameter.effect}"


def modes_as_json() -> Json:
    """Returns all modes."""
    return {
        "modes": [
            {
                "name": mode.name,
                "purpose": mode.purpose,
                "model": mode.model,
                "parameters": [parameter_as_json(parameter) for parameter in mode.parameters],
                "fuses": mode.fuses,
                "example": mode.example,
                "needs": mode.needs,
            }
            for mode in MODES
        ]
    }


def models_as_json() -> Json:
    """Returns all scoring models by name, those of one pattern once."""
    return {
        "models": [
            {
                "name": entry.name,
                "purpose": entry.purpose,
                "parameters": [parameter_as_json(one) for one in entry.parameters],
                "field_parameters": [parameter_as_json(one) for one in entry.field_parameters],
            }
            for entry in list_models()
        ],
        "aliases": dict(ALIASES),
    }


def fusions_as_json() -> Json:
    """Returns all fusions."""
    return {
        "fusions": [
            {
                "name": entry.name,
                "purpose": entry.purpose,
                "parameters": [parameter_as_json(one) for one in entry.parameters],
                "is_default": entry.is_default,
            }
            for entry in list_fusions()
        ]
    }


def parameter_as_json(parameter: Parameter) -> Json:
    """Returns a number a user may set."""
    return {
        "name": parameter.name,
        "default": parameter.default,
        "low": parameter.low,
        "high": parameter.high,
        "effect": parameter.effect,
    }
