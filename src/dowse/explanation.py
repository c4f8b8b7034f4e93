"""A score that says where it comes from.

An explanation is a tree. A leaf is a number with a name; an inner node says how its parts make its value.
The value at the root is the very number used for ranking: `scoring` builds it with the same operations in
the same order, so equality is exact and a test holds it.
"""

from collections.abc import Iterator

from msgspec import Struct


class Explanation(Struct, frozen=True):
    """One number, what it is, and the parts it was made from."""

    value: float
    description: str
    parts: tuple["Explanation", ...] = ()

    def lines(self, indent: int = 0) -> Iterator[str]:
        """Yields the tree as indented text, one number a line."""
        yield f"{'  ' * indent}{self.value:.6g}  {self.description}"
        for part in self.parts:
            yield from part.lines(indent + 1)

    def as_json(self) -> dict[str, object]:
        """Returns the tree as JSON-serialisable values."""
        node: dict[str, object] = {"value": self.value, "description": self.description}
        if self.parts:
            node["parts"] = [part.as_json() for part in self.parts]
        return node
