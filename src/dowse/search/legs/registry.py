"""All legs, in the order in which they are asked: what costs least first."""

from dowse.search.legs.leg import Leg
from dowse.search.legs.lexical import Lexical
from dowse.search.legs.semantic import Semantic

LEGS: tuple[type[Leg], ...] = (Lexical, Semantic)
