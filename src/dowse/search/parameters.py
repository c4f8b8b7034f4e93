"""Sorts out which of a request's numbers are the mode's and which the model's."""

from collections.abc import Mapping
from typing import NamedTuple

from dowse.scoring import ScoringModel, build_model, get_preset
from dowse.search.modes import Mode, get_mode
from dowse.search.request import SearchRequest


class Choice(NamedTuple):
    """What decides how matches are scored; equal choices give equal scores."""

    mode: str
    preset: str
    model: str | None
    parameters: tuple[tuple[str, float], ...]


def mode_values(mode: Mode, request: SearchRequest) -> Mapping[str, float]:
    """Returns a mode's parameters, as asked for or by default.

    Raises:
        InvalidParameterError: A value is out of range.
    """
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
        InvalidParameterError: A parameter is unknown, or its value is out of range.
    """
    mode, preset = get_mode(choice.mode), get_preset(choice.preset)
    own = {parameter.name for parameter in mode.parameters}
    numbers = {name: value for name, value in choice.parameters if name not in own}
    name = choice.model or mode.model
    if name is None and not numbers:
        return preset.model
    return build_model(name or preset.model.name, numbers, preset.model.fields)
