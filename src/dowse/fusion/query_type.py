"""Linear fusion whose weights follow what kind of question was asked."""

import re
from enum import Enum
from typing import ClassVar

from dowse.fusion.fusion import Fused, FusionDefaults, Legs
from dowse.fusion.linear import weights_of
from dowse.fusion.parameters import LEXICAL_WEIGHT, SEMANTIC_WEIGHT, WEIGHTS, check_parameters
from dowse.fusion.scaling import scale_min_max
from dowse.fusion.summing import sum_legs
from dowse.schema import Parameter

FACTUAL = Parameter("factual_factor", 1.5, 1.0, 10.0, "on the words, for names, versions, quotes")
OTHER = Parameter("other_factor", 1.3, 1.0, 10.0, "on the meaning, for all other questions")

_FACTUAL = re.compile(
    r"""[a-z0-9]+[A-Z]\w* | \b\w+_\w+ | `[^`]+` | \bv?\d+\.\d+(?:\.\d+)* | "[^"]+" | “[^”]+”""", re.VERBOSE
)


class QueryClass(Enum):
    """What kind of question a query is, and which leg knows most about it."""

    FACTUAL = "lexical"
    OTHER = "semantic"


def classify_query(query: str) -> QueryClass:
    """Returns the class of a query: factual where it has a name, a version or a quote."""
    return QueryClass.FACTUAL if _FACTUAL.search(query) else QueryClass.OTHER


class QueryType(FusionDefaults, frozen=True):
    """Weighted sum of min-max scores in which the leg that fits the question counts more (seed 002).

    A query is *factual* when it has a name in camelCase or snake_case, backticks, a version or quotes: the
    words count more; for all others the meaning does.

    Parameters: the weights of `Linear`; `factual_factor` 1.5, `other_factor` 1.3, 1 to 10.

    Where we differ: the seed has questions that ask for a guide or a page weigh links. There is no leg of
    links here, so they are questions like others.

    Guarantees: 0 to the sum of the weights it ends up with.
    """

    name: ClassVar[str] = "query_type"
    purpose: ClassVar[str] = "linear; names, versions and quotes weigh the words, all else the meaning"
    parameters: ClassVar[tuple[Parameter, ...]] = (*WEIGHTS, FACTUAL, OTHER)
    lexical_weight: float = LEXICAL_WEIGHT.default
    semantic_weight: float = SEMANTIC_WEIGHT.default
    factual_factor: float = FACTUAL.default
    other_factor: float = OTHER.default

    def __post_init__(self) -> None:
        check_parameters(self, self.parameters)

    def fuse(self, legs: Legs) -> list[Fused]:
        """Returns the weighted sums, best first."""
        kind = classify_query(legs.query)
        factor = getattr(self, f"{kind.name.lower()}_factor")
        weights = weights_of(self, legs)
        weights[kind.value] = factor * weights.get(kind.value, 0.0)
        note = f", {kind.name.lower()} query * {factor:g}"
        return sum_legs(legs, weights, scale_min_max, {kind.value: note})
