"""The numbers a fusion takes: their names, defaults and legal ranges, in one place.

The shape of `scoring.model.Parameter`, written again: that module needs NumPy, and fusing does not.
"""

import math
from typing import NamedTuple

from dowse.errors import InvalidParameterError


class FusionParameter(NamedTuple):
    """A number a user may set: its name, default, legal range and effect."""

    name: str
    default: float
    low: float
    high: float
    effect: str

    def check(self, value: float) -> None:
        """Raises InvalidParameterError unless the value is a finite number in range."""
        is_number = isinstance(value, int | float) and math.isfinite(value)
        if not (is_number and self.low <= value <= self.high):
            legal = f"legal values are {self.low:g} to {self.high:g}"
            raise InvalidParameterError(name=self.name, value=value, legal=legal)


def check_parameters(fusion: object, parameters: tuple[FusionParameter, ...]) -> None:
    """Raises InvalidParameterError unless every number of a fusion is in its range."""
    for parameter in parameters:
        parameter.check(getattr(fusion, parameter.name))


# Chosen on CISI, CACM and NFCorpus's questions for development: docs/decisions/0006-fusion-weights.md.
LEXICAL_WEIGHT = FusionParameter("lexical_weight", 0.4, 0.0, 10.0, "how much the words count")
SEMANTIC_WEIGHT = FusionParameter("semantic_weight", 0.6, 0.0, 10.0, "how much the meaning counts")
WEIGHTS = (LEXICAL_WEIGHT, SEMANTIC_WEIGHT)

# Chosen on the same: docs/decisions/0008-feedback.md.
FEEDBACK = FusionParameter("feedback", 0.2, 0.0, 1.0, "how much the first hit adds to the question, at least")
