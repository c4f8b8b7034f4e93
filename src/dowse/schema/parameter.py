"""A number that a user may set, with its legal range: modes, scoring models and fusions declare theirs."""

import math

from msgspec import Struct

from dowse.errors import InvalidParameterError


class Parameter(Struct, frozen=True):
    """A number a user may set: its name as in the paper, default, legal range and effect."""

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
