"""All stages, in the order in which they run, and how one is built from what a user says."""

from collections.abc import Mapping
from difflib import get_close_matches

from dowse.errors import InvalidParameterError, UnknownModelError
from dowse.search.stages.cross_encoder import CrossEncoderStage
from dowse.search.stages.diversify import MmrStage
from dowse.search.stages.duplicates import DuplicatesStage
from dowse.search.stages.stage import RerankStage

RERANK_STAGES: tuple[type[RerankStage], ...] = (DuplicatesStage, MmrStage, CrossEncoderStage)


def get_stage_kind(name: str) -> type[RerankStage]:
    """Returns a stage's class by name.

    Raises:
        UnknownModelError: Nobody has that name; the hint has the nearest.
    """
    for kind in RERANK_STAGES:
        if kind.name == name:
            return kind
    names = [kind.name for kind in RERANK_STAGES]
    (nearest,) = get_close_matches(name.lower(), names, n=1, cutoff=0.0)
    raise UnknownModelError(kind="stage", name=name, known=f"{', '.join(names)}; nearest: {nearest}")


def build_stage(name: str, numbers: Mapping[str, float] | None = None) -> RerankStage:
    """Returns a stage by name, with what a user wants different.

    Raises:
        UnknownModelError: Nobody has that name.
        InvalidParameterError: It has no such number, or not with that value.
    """
    kind = get_stage_kind(name)
    known = {parameter.name for parameter in kind.parameters}
    for number, value in (numbers or {}).items():
        if number not in known:
            ranges = [f"{one.name} ({one.low:g} to {one.high:g})" for one in kind.parameters]
            raise InvalidParameterError(name=number, value=value, legal=f"{name} has {', '.join(ranges)}")
    return kind(**(numbers or {}))
