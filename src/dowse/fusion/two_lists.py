"""No fusion at all: what the words found, and after it what only other legs found."""

from typing import ClassVar

from dowse.fusion.fusion import Fused, FusionDefaults, Legs, Part, leg_score
from dowse.fusion.scaling import scale_min_max
from dowse.fusion.summing import order
from dowse.schema import Parameter

FIRST_LIST = "in the first list"


class TwoLists(FusionDefaults, frozen=True):
    """Sagasu's two disjoint lists (seed 000), one after the other.

    The first list has what the words found, in their order, whether or not other legs found it too; the
    second has the rest. ::

        score = 1 + scaled lexical score      in the first list
        score = scaled score of its best leg  in the second

    Guarantees: 1 to 2 in the first list, 0 to 1 in the second; the first part of a score says so.
    """

    name: ClassVar[str] = "two_lists"
    purpose: ClassVar[str] = "what the words found, then what only the meaning found"
    parameters: ClassVar[tuple[Parameter, ...]] = ()

    def fuse(self, legs: Legs) -> list[Fused]:
        """Returns the first list and then the second."""
        scaled = {name: scale_min_max(scores) for name, scores in legs.scores.items()}
        totals: dict[int, float] = {}
        best_legs: dict[int, str] = {}
        for name, own in scaled.items():
            for key, value in own.values.items():
                total = 1.0 + value if name == "lexical" else value
                if key not in totals or totals[key] < total:  # never of the first list
                    totals[key], best_legs[key] = total, name

        def parts_of(key: int) -> tuple[Part, ...]:
            name = best_legs[key]
            own, score = scaled[name], legs.scores[name][key]
            part = Part(name, own.values[key], own.label, (leg_score(score),))
            return (Part(FIRST_LIST, 1.0, "1"), part) if name == "lexical" else (part,)

        return order(legs, totals, parts_of)
