"""Linear fusion whose weights follow what kind of question was asked."""

import re
from enum import Enum
from typing import ClassVar

from msgspec import Struct

from dowse.fusion.fusion import Fused, Legs
from dowse.fusion.linear import weights_of
from dowse.fusion.parameters import (
    GRAPH_WEIGHT,
    LEXICAL_WEIGHT,
    SEMANTIC_WEIGHT,
    WEIGHTS,
    FusionParameter,
    check_parameters,
)
from dowse.fusion.scaling import scale_min_max
from dowse.fusion.summing import sum_legs

FACTUAL = FusionParameter("factual_factor", 1.5, 1.0, 10.0, "on the words, for names, versions, quotes")
NAVIGATIONAL = FusionParameter("navigational_factor", 1.5, 1.0, 10.0, "on links, for guides and pages")
OTHER = FusionParameter("other_factor", 1.3, 1.0, 10.0, "on the meaning, for all other questions")

_FACTUAL = re.compile(
    r"""[a-z0-9]+[A-Z]\w* | \b\w+_\w+ | `[^`]+` | \bv?\d+\.\d+(?:\.\d+)* | "[^"]+" | “[^”]+”""", re.VERBOSE
)
_NAVIGATIONAL = re.compile(
    r"\b(?:section|chapter|guide|tutorial|documentation|docs?|page|article|overview)\b|\bin the \w|\[\[", re.I
)


class QueryClass(Enum):
    """What kind of question a query is, and which leg knows most about it."""

    FACTUAL = "lexical"
    NAVIGATIONAL = "graph"
    OTHER = "semantic"


def classify_query(query: str) -> QueryClass:
    """Returns the class of a query: names, versions and quotes before words that ask for a place."""
    if _FACTUAL.search(query):
        return QueryClass.FACTUAL
    return QueryClass.NAVIGATIONAL if _NAVIGATIONAL.search(query) else QueryClass.OTHER


class QueryType(Struct, frozen=True):
    """Weighted sum of min-max scores in which the leg that fits the question counts more (seed 002).

    A query is *factual* when it has a name in camelCase or snake_case, backticks, a version or quotes: the
    words count more; *navigational* when it asks for a guide, a page, a section, “in the …” or has [[links]]:
    the links count more; and for all others the meaning does.

    Parameters: the weights of `Linear`; `factual_factor` 1.5, `navigational_factor` 1.5, `other_factor` 1.3,
    1 to 10.

    Guarantees: 0 to the sum of the weights it ends up with.
    """

    name: ClassVar[str] = "query_type"
    purpose: ClassVar[str] = "linear; names weigh the words, guides the links, others the meaning"
    parameters: ClassVar[tuple[FusionParameter, ...]] = (*WEIGHTS, FACTUAL, NAVIGATIONAL, OTHER)
    lexical_weight: float = LEXICAL_WEIGHT.default
    semantic_weight: float = SEMANTIC_WEIGHT.default
    graph_weight: float = GRAPH_WEIGHT.default
    factual_factor: float = FACTUAL.default
    navigational_factor: float = NAVIGATIONAL.default
    other_factor: float = OTHER.default

    def __post_init__(self) -> None:
        check_parameters(self, self.parameters)

    def fuse(self, legs: Legs) -> list[Fused]:
        """Returns the weighted sums, best first."""
        kind = classify_query(legs.query)
        factor = getattr(self, f"{kind.name.lower()}_factor")
        weights = weights_of(self)
        weights[kind.value] *= factor
        note = f", {kind.name.lower()} query * {factor:g}"
        return sum_legs(legs, weights, scale_min_max, {kind.value: note})
