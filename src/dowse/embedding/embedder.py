"""What every embedder promises, and the small arithmetic that all of them share."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
"""Rows of float32, one per text, each of length 1."""

CHARS_PER_TOKEN = 32
"""Texts are cut at this many characters a token before they are split: a query of 50 KB costs no more than
one of 8 KB. A token of more than 32 characters is a blob that no vocabulary knows, so nothing is lost."""


class Embedder(Protocol):
    """Turns texts into unit vectors in one space.

    Attributes:
        name: What users call the model.
        fingerprint: Changes whenever the same passage would get another vector.
        dimensions: Length of a vector.
        max_tokens: Tokens of a text that count; what comes after is cut.
    """

    @property
    def name(self) -> str: ...
    @property
    def fingerprint(self) -> str: ...
    @property
    def dimensions(self) -> int: ...
    @property
    def max_tokens(self) -> int: ...

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Returns (n, dimensions) unit vectors in the order of the questions."""
        ...

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Returns (n, dimensions) unit vectors in the order of the texts."""
        ...


def cut_text(text: str, max_tokens: int) -> str:
    """Returns the start of a text, without the halves of surrogate pairs that no tokenizer accepts."""
    start = text[: max_tokens * CHARS_PER_TOKEN]
    return start if start.isascii() else start.encode("utf-8", "replace").decode("utf-8")


def normalise(rows: NDArray[np.floating]) -> Vectors:
    """Returns rows of length 1; a row of zeros, which has no direction, becomes the first unit vector."""
    vectors = np.array(rows, dtype=np.float32, ndmin=2)
    lengths = np.linalg.norm(vectors, axis=1)
    is_nothing = ~(lengths > np.finfo(np.float32).tiny)
    if is_nothing.any():
        vectors[is_nothing] = 0.0
        vectors[is_nothing, 0] = lengths[is_nothing] = 1.0
    vectors /= lengths[:, None]
    return vectors
