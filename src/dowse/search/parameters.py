"""Sorts out which of a request's numbers are the mode's and which the model's, and refuses the rest."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from dowse.errors import UnknownFieldError, UnknownParameterError
from dowse.schema import Field, Parameter, SearchRequest
from dowse.schema.request_options import REQUEST_OPTIONS_BY_NAME
from dowse.scoring import ScoringModel, build_model, get_model_row, get_preset
from dowse.scoring.model import B
from dowse.scoring.registry import ModelRow
from dowse.search.modes import MODES, Mode, get_mode

DEFAULT_FUSION = str(REQUEST_OPTIONS_BY_NAME["fusion"].default)
_NO_VALUES: Mapping[str, float] = {}


class Choice(NamedTuple):
    """What decides how matches are scored; equal choices give equal scores."""

    mode: str
    preset: str
    model: str | None
    parameters: tuple[tuple[str, float], ...]
    fusion: str = DEFAULT_FUSION

    @classmethod
    def of(cls, request: SearchRequest) -> "Choice":
        """Returns that of a request."""
        return cls(request.mode, request.preset, request.model, request.parameters, request.fusion)


def check_request(request: SearchRequest) -> None:
    """Refuses a request that no index could answer, before any work is done for it.

    Raises:
        UnknownModeError: Nobody has that name; so for models, presets, parameters and fields.
        InvalidParameterError: A value is out of range.
    """
    mode_values(get_mode(request.mode), request)
    if request.fusion != DEFAULT_FUSION:  # which exists, and is not loaded for a search that does not fuse
        from dowse.fusion import get_fusion_kind

        get_fusion_kind(request.fusion)
    choose_scoring(Choice.of(request))
    check_fields(request.fields)


def check_fields(names: Sequence[str]) -> None:
    """Refuses fields that there are not.

    Raises:
        UnknownFieldError: The hint has the nearest.
    """
    labels = [field.label for field in Field]
    for name in names:
        if name not in labels:
            from difflib import get_close_matches  # 1 ms that only mistakes pay for

            (nearest,) = get_close_matches(name.lower(), labels, 1, 0.0)
            raise UnknownFieldError(name=name, known=f"{', '.join(labels)}; nearest: {nearest}")


def mode_values(mode: Mode, request: SearchRequest) -> Mapping[str, float]:
    """Returns a mode's parameters, as asked for or by default.

    Raises:
        InvalidParameterError: A value is out of range.
    """
    if not mode.parameters:
        return _NO_VALUES
    values = {parameter.name: parameter.default for parameter in mode.parameters}
    known = {parameter.name: parameter for parameter in mode.parameters}
    for name, value in request.parameters:
        if name in known:
            known[name].check(value)
            values[name] = value
    return values


def choose_scoring(choice: Choice) -> ScoringModel:
    """Returns the scoring model of a request.

    The numbers of its fusion are checked and left out: words are scored without them.

    Raises:
        UnknownModelError: Nobody has that name.
        UnknownParameterError: Neither mode, model nor fusion has a parameter of that name.
        InvalidParameterError: A value is out of range.
    """
    mode, preset = get_mode(choice.mode), get_preset(choice.preset)
    own = {parameter.name for parameter in mode.parameters}
    numbers = {name: value for name, value in choice.parameters if name not in own}
    name = choice.model or mode.model
    if numbers:
        numbers = _numbers_of_model(choice, mode, name or preset.model.name, numbers)
    if name is None and not numbers:
        return preset.model
    return build_model(name or preset.model.name, numbers, preset.model.fields)


def _numbers_of_model(
    choice: Choice, mode: Mode, model: str, numbers: Mapping[str, float]
) -> dict[str, float]:
    """Returns the numbers that are the model's; the others must be the fusion's, where the mode fuses."""
    known = _names_of_model(get_model_row(model))
    others = {name: value for name, value in numbers.items() if name not in known}
    if others:
        from dowse.fusion import build_fusion  # 4 ms that only who sets its numbers pays for

        fused = {one.name for one in _fused(choice, mode)}
        for name in others:
            if name not in fused:
                raise _unknown(name, choice, mode, model)
        build_fusion(choice.fusion, others)
    return {name: value for name, value in numbers.items() if name in known}


def known_parameters(choice: Choice) -> frozenset[str]:
    """Returns the names of all parameters that a mode, its scoring model and its fusion take together.

    Raises:
        UnknownModeError: No mode has that name; likewise for models, presets and fusions.
    """
    mode = get_mode(choice.mode)
    row = get_model_row(choice.model or mode.model or get_preset(choice.preset).model.name)
    own = (*mode.parameters, *_fused(choice, mode))
    return frozenset((*(one.name for one in own), *_names_of_model(row)))


def _names_of_model(row: ModelRow) -> list[str]:
    """Returns what the numbers of a model are called, those of fields for each field."""
    fields = [f"{one.name}.{field.label}" for one in row.field_parameters for field in Field]
    return [*(one.name for one in _whole(row)), *fields]


def _whole(row: ModelRow) -> tuple[Parameter, ...]:
    """Returns the numbers of a model that are set without naming a field."""
    return (*row.parameters, *(one for one in row.field_parameters if one is B))


def _fused(choice: Choice, mode: Mode) -> tuple[Parameter, ...]:
    """Returns the numbers of the fusion, where the mode fuses."""
    from dowse.fusion import get_fusion_kind

    kind = get_fusion_kind(choice.fusion)
    return kind.parameters if mode.fuses else ()


def _unknown(name: str, choice: Choice, mode: Mode, model: str) -> UnknownParameterError:
    """Returns the error for a number that is nobody's here, with whose it is or the nearest that there is."""
    from difflib import get_close_matches  # 1 ms that only mistakes pay for

    from dowse.fusion import FUSIONS

    row, others = get_model_row(model), (*mode.parameters, *_fused(choice, mode))
    ranges = [f"{one.name} ({one.low:g} to {one.high:g})" for one in (*others, *_whole(row))]
    ranges += [f"{one.name}.FIELD ({one.low:g} to {one.high:g})" for one in row.field_parameters]
    known = [*_names_of_model(row), *(one.name for one in others)]
    near = get_close_matches(name, known, 1, 0.5)
    nearest = f"did you mean “{near[0]}”? " if near else ""
    owners = [kind.name for kind in FUSIONS if any(one.name == name for one in kind.parameters)]
    if owners:
        fusing = " and ".join(one.name for one in MODES if one.fuses)
        nearest = f"fusion {', '.join(owners)} has one, in modes {fusing}; "
    asked = [f"mode “{mode.name}”", f"scoring model “{model}”"]
    asked += [f"fusion “{choice.fusion}”"] if mode.fuses else []
    return UnknownParameterError(
        name=name, asked=" nor ".join(asked), nearest=nearest, known=", ".join(ranges)
    )
