"""How far the vectors of an index reach."""

from msgspec import Struct


class Coverage(Struct, frozen=True):
    """How many live chunks there are, and how many of them have a vector of each kind.

    Attributes:
        static: Chunks whose vector was made from a table of token vectors.
        model: Chunks whose vector was made by the model itself.
    """

    chunks: int
    static: int
    model: int
