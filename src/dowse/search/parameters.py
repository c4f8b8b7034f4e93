"""Sorts out which of a request's numbers are the mode's and which the model's, and refuses the rest."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from dowse.errors import UnknownFieldError, UnknownParameterError
from dowse.schema import Field
from dowse.scoring import ScoringModel, build_model, get_model_row, get_preset
from dowse.scoring.model import B
from dowse.search.modes import Mode, get_mode
from dowse.search.request import DEFAULT_FUSION, SearchRequest

_NO_VALUES: Mapping[str, float] = {}


class Choice(NamedTuple):
    """What decides how matches are scored; equal choices give equal scores."""

    mode: str
    preset: str
    model: str | None
    parameters: tuple[tuple[str, float], ...]


def check_request(request: SearchRequest) -> None:
    """Refuses a request that no index could answer, before any work is done for it.

    Raises:
        UnknownModeError: Nobody has that name; so for models, presets, parameters and fields.
        InvalidParameterError: A value is out of range.
    """
    mode_values(get_mode(request.mode), request)
    choose_scoring(Choice(request.mode, request.preset, request.model, request.parameters))
    check_fields(request.fields)
    if request.fusion != DEFAULT_FUSION:  # which exists, and is not loaded for a search that does not fuse
        from dowse.fusion import get_fusion_kind

        get_fusion_kind(request.fusion)


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

    Raises:
        UnknownModelError: Nobody has that name.
        UnknownParameterError: Neither mode nor model has a parameter of that name.
        InvalidParameterError: A value is out of range.
    """
    mode, preset = get_mode(choice.mode), get_preset(choice.preset)
    own = {parameter.name for parameter in mode.parameters}
    numbers = {name: value for name, value in choice.parameters if name not in own}
    name = choice.model or mode.model
    if name is None and not numbers:
        return preset.model
    name = name or preset.model.name
    for parameter in numbers:
        _check_name(parameter, mode, name)
    return build_model(name, numbers, preset.model.fields)


def _check_name(name: str, mode: Mode, model: str) -> None:
    row = get_model_row(model)
    whole = [*mode.parameters, *row.parameters, *(one for one in row.field_parameters if one is B)]
    ranges = [f"{one.name} ({one.low:g} to {one.high:g})" for one in whole]
    ranges += [f"{one.name}.FIELD ({one.low:g} to {one.high:g})" for one in row.field_parameters]
    known = [one.name for one in whole]
    known += [f"{one.name}.{field.label}" for one in row.field_parameters for field in Field]
    if name not in known:
        from difflib import get_close_matches  # 1 ms that only mistakes pay for

        near = get_close_matches(name, known, 1, 0.5)
        raise UnknownParameterError(
            name=name,
            mode=mode.name,
            model=model,
            nearest=f"did you mean “{near[0]}”? " if near else "",
            known=", ".join(ranges),
        )
