"""In which order people read the shapes on a slide: from the top down, side by side from the left.

The file lists them from the back to the front, which is the order in which they were drawn.
"""

from typing import NamedTuple, TypeVar

_Shape = TypeVar("_Shape")


class Place(NamedTuple):
    """Where a shape is, in any unit."""

    left: float
    top: float
    height: float


def reading_order(shapes: list[tuple[Place | None, _Shape]]) -> list[_Shape]:
    """Returns the shapes in reading order.

    Args:
        shapes: In the order of the file. One without a place stays with the one before it.
    """
    placed: list[tuple[Place, int, _Shape]] = []
    last = Place(0.0, 0.0, 0.0)
    for number, (place, shape) in enumerate(shapes):
        last = place or last
        placed.append((last, number, shape))
    placed.sort(key=lambda entry: (entry[0].top, entry[1]))
    ordered: list[_Shape] = []
    line: list[tuple[Place, int, _Shape]] = []
    for entry in placed:
        # Side by side: it begins above the middle of the first shape of the line.
        if line and entry[0].top > line[0][0].top + line[0][0].height / 2:
            ordered += _from_left(line)
            line = []
        line.append(entry)
    return ordered + _from_left(line)


def _from_left(line: list[tuple[Place, int, _Shape]]) -> list[_Shape]:
    return [shape for _, _, shape in sorted(line, key=lambda entry: (entry[0].left, entry[1]))]
