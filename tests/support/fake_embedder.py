"""An embedder without a model: texts that share words point in like directions, the same on every machine."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import dowse
from dowse.embedding import EmbeddingSettings, QueryCache, Runtime
from dowse.engine.embeddings import EmbeddingTier
from dowse.kernels.layout import F32

DIMENSIONS = 64
# Words that mean the same to it, whatever they look like.
SAME = {"automobile": "car", "vehicle": "car", "feline": "cat", "kitten": "cat"}


class FakeEmbedder:
    """Adds up one random direction a word.

    Attributes:
        embedded: How many passages it was asked for.
    """

    name = "fake"
    dimensions = DIMENSIONS
    max_tokens = 256

    def __init__(self, version: str = "1") -> None:
        self.fingerprint = f"fake {version}"
        self.embedded = 0

    def embed_queries(self, texts: Sequence[str]) -> F32:
        """Returns one unit vector a question."""
        return np.stack([_direction(text) for text in texts])

    def embed_passages(self, texts: Sequence[str]) -> F32:
        """Returns one unit vector a passage."""
        self.embedded += len(texts)
        return self.embed_queries(texts)


class FakeTier(EmbeddingTier):
    """Vectors of an index, made by a fake."""

    def __init__(self, embedder: FakeEmbedder) -> None:
        super().__init__(
            EmbeddingSettings(kind="http"), Runtime(lambda: 0.0, lambda _: None), Path("/nowhere")
        )
        self._fake = embedder

    @property
    def model_name(self) -> str:
        """What the catalogue calls the model."""
        return self._fake.name

    def get_embedder(self) -> FakeEmbedder:
        """Returns the fake."""
        return self._fake


class RememberingTier(FakeTier):
    """Keeps the vectors of questions, as an index does."""

    def get_embedder(self) -> QueryCache:  # type: ignore[override]
        """Returns the fake, its questions remembered."""
        if self._questions is None:
            self._questions = QueryCache(super().get_embedder())
        return self._questions


def give_meaning(index: dowse.Index, embedder: FakeEmbedder | None = None) -> FakeEmbedder:
    """Lets an index use a fake embedder."""
    fake = embedder or FakeEmbedder()
    index.__dict__["embeddings"] = FakeTier(fake)
    return fake


def _direction(text: str) -> F32:
    total = np.zeros(DIMENSIONS, np.float32)
    for word in text.lower().split():
        word = SAME.get(word.strip(".,"), word.strip(".,"))
        seed = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest(), "big")
        total += np.random.default_rng(seed).standard_normal(DIMENSIONS).astype(np.float32)
    length = float(np.linalg.norm(total))
    if not length:
        total[0] = length = 1.0
    return total / length
