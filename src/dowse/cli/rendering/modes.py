"""The tables of modes, scoring models and fusions, for people and for programs."""

from collections.abc import Iterator, Sequence
from shlex import quote

from msgspec import Struct
from msgspec.structs import replace

from dowse.cli.terminal import Style
from dowse.fusion import DEFAULT_FUSION, FUSIONS
from dowse.schema import Parameter
from dowse.scoring.dfr import DFR
from dowse.scoring.registry import ALIASES, DFR_NAMES, MODELS, ModelRow
from dowse.search.modes import MODES, Mode

FUSION_NUMBERS = "the numbers of its fusion: dowse modes --fusions"


class ModelEntry(Struct, frozen=True):
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
    return [*entries, replace(build_entry(DFR_NAMES, rows[0]), parameters=parameters)]


class FusionEntry(Struct, frozen=True):
    """A fusion with its parameters, and whether it holds when nobody names one."""

    name: str
    purpose: str
    parameters: tuple[Parameter, ...]
    is_default: bool


class ModeEntry(Struct, frozen=True):
    """A mode as users see it; the attributes are those of `search.modes.Mode`."""

    name: str
    purpose: str
    model: str | None
    parameters: tuple[Parameter, ...]
    fuses: bool
    example: str
    needs: str


def list_fusions() -> list[FusionEntry]:
    """Returns all fusions, the default first."""
    return [
        FusionEntry(kind.name, kind.purpose, kind.parameters, kind.name == DEFAULT_FUSION)
        for kind in FUSIONS
    ]


def list_aliases() -> dict[str, str]:
    """Returns other names of scoring models, with the names they stand for."""
    return dict(ALIASES)


def list_modes() -> list[ModeEntry]:
    """Returns all modes, the default first."""
    return [
        ModeEntry(
            mode.name, mode.purpose, mode.model, mode.parameters, mode.fuses, mode.example, mode.needs
        )
        for mode in MODES
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
