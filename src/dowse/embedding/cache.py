"""Keeps the vectors of the last questions: people search again, page on, and change a filter."""

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

import numpy as np

from dowse.embedding.embedder import Embedder, Vectors
from dowse.errors import InvalidParameterError


class QueryCache:
    """An embedder that remembers the vectors of the questions asked last. Safe to share between threads."""

    def __init__(self, embedder: Embedder, capacity: int = 512) -> None:
        """Wraps an embedder.

        Args:
            embedder: Asked for whatever is not remembered.
            capacity: How many queries are kept; the least recently used one goes first.
        """
        if capacity < 1:
            raise InvalidParameterError(name="capacity", value=capacity, legal="legal values are 1 and up")
        self._embedder, self._capacity = embedder, capacity
        self._kept: OrderedDict[str, Vectors] = OrderedDict()
        self._lock = Lock()

    @property
    def name(self) -> str:
        return self._embedder.name

    @property
    def fingerprint(self) -> str:
        return self._embedder.fingerprint

    @property
    def dimensions(self) -> int:
        return self._embedder.dimensions

    @property
    def max_tokens(self) -> int:
        return self._embedder.max_tokens

    def __len__(self) -> int:
        """How many questions are remembered."""
        return len(self._kept)

    @property
    def nbytes(self) -> int:
        """Bytes of the vectors that are remembered."""
        with self._lock:
            return sum(vector.nbytes for vector in self._kept.values())

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Returns the vectors of questions, in their order; only new ones are computed, each once."""
        with self._lock:
            found = {text: self._kept[text] for text in texts if text in self._kept}
            for text in found:
                self._kept.move_to_end(text)
        missing = [text for text in dict.fromkeys(texts) if text not in found]
        if missing:
            for text, row in zip(missing, self._embedder.embed_queries(missing), strict=True):
                found[text] = row.copy()  # a view would keep the whole batch alive
            self._keep({text: found[text] for text in missing})
        if not texts:
            return np.empty((0, self.dimensions), np.float32)
        return np.stack([found[text] for text in texts])

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Returns the vectors of passages, which are not remembered."""
        return self._embedder.embed_passages(texts)

    def forget(self) -> None:
        """Clears the cache."""
        with self._lock:
            self._kept.clear()

    def _keep(self, vectors: dict[str, Vectors]) -> None:
        with self._lock:
            self._kept.update(vectors)
            while len(self._kept) > self._capacity:
                self._kept.popitem(last=False)
