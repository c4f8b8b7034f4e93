"""The protocol every stage follows, what it may look at and what it gives back."""

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, NamedTuple, Protocol

from msgspec import Struct

from dowse.kernels.layout import F32
from dowse.schema import Parameter
from dowse.search.stages.candidate import Candidate

Judge = Callable[[str, Sequence[str], Callable[[], bool]], Sequence[float]]
"""From a question, passages and whether there is time for one more, to how well each answers; NaN for those
at the end that there was no time for. More is better; the unit does not matter."""


class JudgeUnavailable(Exception):  # noqa: N818 - not an error: the answer goes on without
    """There is no judge; the text says why."""


def _no_vectors(keys: Sequence[int]) -> Mapping[int, F32]:
    return {}


def _no_judge() -> Judge:
    raise JudgeUnavailable("there is no model that judges")


def _no_time_passes() -> float:
    return 0.0


class Evidence(Struct, frozen=True):
    """What stages may look at; each part is fetched only when a stage asks for it.

    Attributes:
        texts: From keys to their passages; keys without one are left out.
        query: The question, in plain words.
        vectors: From keys to unit vectors; keys without one are left out.
        judge: Returns what judges a question and passages together; raises JudgeUnavailable.
        clock: Seconds, only going forward.
    """

    texts: Callable[[Sequence[int]], Mapping[int, str]]
    query: str = ""
    vectors: Callable[[Sequence[int]], Mapping[int, F32]] = _no_vectors
    judge: Callable[[], Judge] = _no_judge
    clock: Callable[[], float] = _no_time_passes


class Reranked(NamedTuple):
    """What a stage gives back.

    Attributes:
        candidates: The hits, best first.
        reason: One line about what it did.
        is_short: Whether that is less than it was asked to do.
        remedy: What would let it do all of it; empty when nobody knows, or nothing is missing.
    """

    candidates: list[Candidate]
    reason: str
    is_short: bool = False
    remedy: str = ""


class RerankStage(Protocol):
    """One thing that can be done to a ranking. Members are frozen values of their numbers."""

    name: ClassVar[str]
    purpose: ClassVar[str]
    parameters: ClassVar[tuple[Parameter, ...]]
    leaves_out: ClassVar[bool]
    """Whether hits may be missing afterwards."""

    @property
    def depth(self) -> int:
        """How many of the first hits are looked at."""
        ...

    def rerank(self, candidates: Sequence[Candidate], evidence: Evidence) -> Reranked:
        """Returns what becomes of a ranking, given best first."""
        ...


def check_parameters(stage: object, parameters: Sequence[Parameter]) -> None:
    """Raises InvalidParameterError unless every number of a stage is in its range."""
    for parameter in parameters:
        parameter.check(getattr(stage, parameter.name))
