"""All fusions, and how one is built from what a user says."""

from collections.abc import Mapping
from difflib import get_close_matches

from dowse.errors import InvalidParameterError, UnknownModelError
from dowse.fusion.calibrated import Calibrated
from dowse.fusion.fusion import Fusion
from dowse.fusion.linear import Linear, LinearZ
from dowse.fusion.query_type import QueryType
from dowse.fusion.rrf import RRF
from dowse.fusion.score_variance import ScoreVariance
from dowse.fusion.strong_signal import StrongSignal
from dowse.fusion.two_lists import TwoLists

FUSIONS: tuple[type[Fusion], ...] = (
    Calibrated,
    Linear,
    LinearZ,
    RRF,
    ScoreVariance,
    QueryType,
    StrongSignal,
    TwoLists,
)
DEFAULT_FUSION = Calibrated.name


def get_fusion_kind(name: str) -> type[Fusion]:
    """Returns a fusion's class by name.

    Raises:
        UnknownModelError: Nobody has that name; the hint has the nearest.
    """
    for kind in FUSIONS:
        if kind.name == name:
            return kind
    names = [kind.name for kind in FUSIONS]
    (nearest,) = get_close_matches(name.lower(), names, n=1, cutoff=0.0)
    raise UnknownModelError(kind="fusion", name=name, known=f"{', '.join(names)}; nearest: {nearest}")


def build_fusion(name: str = DEFAULT_FUSION, numbers: Mapping[str, float] | None = None) -> Fusion:
    """Returns a fusion by name, with what a user wants different.

    Raises:
        UnknownModelError: Nobody has that name.
        InvalidParameterError: It has no such number, or not with that value.
    """
    kind = get_fusion_kind(name)
    known = {parameter.name for parameter in kind.parameters}
    for number, value in (numbers or {}).items():
        if number not in known:
            ranges = [f"{one.name} ({one.low:g} to {one.high:g})" for one in kind.parameters]
            legal = f"{name} has {', '.join(ranges) or 'no numbers'}"
            raise InvalidParameterError(name=number, value=value, legal=legal)
    return kind(**(numbers or {}))
