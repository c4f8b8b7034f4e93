"""The words of a model's vocabulary that are nearest to a question."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from dowse.embedding.embedder import Vectors, normalise
from dowse.embedding.static_table import StaticTable

MIN_CHARS = 3


class NearestWords:
    """Whole words among a model's tokens, in its own space.

    Both sides are centred on the table's mean first: what all tokens share says nothing about any of them.
    """

    def __init__(self, table: StaticTable, vocabulary: Iterable[tuple[str, int]]) -> None:
        """Keeps the tokens that are words: alphabetic, of at least three characters.

        Args:
            table: The vectors of the tokens.
            vocabulary: Tokens with their numbers; parts of words ("##ing") and special ones are left out.
        """
        words = sorted(
            (number, token)
            for token, number in vocabulary
            if len(token) >= MIN_CHARS and token.isalpha() and number < len(table.vectors)
        )
        self._words = [token for _, token in words]
        self._mean: Vectors = table.vectors.mean(axis=0)
        numbers: NDArray[np.int64] = np.array([number for number, _ in words], dtype=np.int64)
        self._vectors = normalise(table.vectors[numbers] - self._mean)

    def find(self, vector: Vectors, count: int) -> list[tuple[str, float]]:
        """Returns the words nearest to a vector of the model, best first, with their cosines.

        Args:
            vector: (dimensions,), of length 1.
            count: How many at most.
        """
        if not self._words:
            return []
        centred = normalise((vector - self._mean)[None])[0]
        cosines = self._vectors @ centred
        best = np.argsort(-cosines, kind="stable")[:count]
        return [(self._words[place], float(cosines[place])) for place in best.tolist()]
