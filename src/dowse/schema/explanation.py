"""A score that says where it comes from.

An explanation is a tree. A leaf is a number with a name; an inner node says how its parts make its value.
The value at the root is the very number used for ranking: `scoring` builds it with the same operations in
the same order, so equality is exact and a test holds it.
"""

from collections.abc import Iterator

from msgspec import Struct

KINDS = ("", "terms", "sum", "leg", "leg-score", "raised", "stage")
"""What a number is, for programs: ``terms`` what the words of a query give, ``sum`` what all legs give,
``leg`` what one leg adds to it, ``leg-score`` the leg's own score, ``raised`` a score that a rule changed,
``stage`` what a stage made of it; empty for everything else."""


class Explanation(Struct, frozen=True):
    """One number, what it is, and the parts it was made from.

    Attributes:
        description: For people; programs go by the kind.
    """

    value: float
    description: str
    parts: tuple["Explanation", ...] = ()
    kind: str = ""

    def lines(self, indent: int = 0) -> Iterator[str]:
        """Yields the tree as indented text, one number a line."""
        yield f"{'  ' * indent}{self.value:.6g}  {self.description}"
        for part in self.parts:
            yield from part.lines(indent + 1)
