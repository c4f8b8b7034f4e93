"""No fusion at all: what the words found, and after it what only other legs found."""

from dataclasses import dataclass
from typing import ClassVar

from dowse.fusion.fusion import LEG_NAMES, Fused, Legs, Part
from dowse.fusion.parameters import FusionParameter
from dowse.fusion.scaling import scale_min_max
from dowse.fusion.summing import make_fused, order

FIRST_LIST = "in the first list"


@dataclass(frozen=True, slots=True)
class TwoLists:
    """Sagasu's two disjoint lists (seed 000), one after the other.

    The first list has what the words found, in their order, whether or not other legs found it too; the
    second has the rest. ::

        score = 1 + scaled lexical score      in the first list
        score = scaled score of its best leg  in the second

    Guarantees: 1 to 2 in the first list, 0 to 1 in the second; the first part of a score says so.
    """

    name: ClassVar[str] = "two_lists"
    purpose: ClassVar[str] = "what the words found, then what only the meaning found"
    parameters: ClassVar[tuple[FusionParameter, ...]] = ()

    def fuse(self, legs: Legs) -> list[Fused]:
        """Returns the first list and then the second."""
        scaled = {name: scale_min_max(scores) for name, scores in legs.scores.items()}
        fused: dict[int, Fused] = {}
        for name in LEG_NAMES:
            for key, score in legs.scores.get(name, {}).items():
                part = Part(name, scaled[name].values[key], scaled[name].label, ("score",), (score,))
                if name == "lexical":
                    fused[key] = make_fused(key, [Part(FIRST_LIST, 1.0, "1"), part])
                elif key not in fused or fused[key].score < part.value:  # never of the first list
                    fused[key] = make_fused(key, [part])
        return order(legs, fused.values())
