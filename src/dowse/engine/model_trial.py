"""Has a model work once: whether files make a model is known when it has made a vector, and not before."""

import time
from typing import NamedTuple

from dowse.embedding import EmbeddingSettings, Runtime, find_model
from dowse.engine.embedders import load_embedder

PASSAGES = ("Water the plants every morning.", "The train leaves at noon.")
QUESTION = "when do plants need a drink?"
"""Nearer to the first passage than to the second, for every model that is made for search."""


class Trial(NamedTuple):
    """How it went.

    Attributes:
        name: Of the model.
        dimensions: Of its vectors; 0 for a judge of pairs.
        loaded_s: Seconds until it was ready for the first question.
        question_ms: What a question took then; for a judge, a pair.
        ranks: Whether the passage that answers the question came first.
        assumes_pooling: Whether nothing said how one vector is made of those of all tokens.
    """

    name: str
    dimensions: int
    loaded_s: float
    question_ms: float
    ranks: bool
    assumes_pooling: bool = False


def try_model(settings: EmbeddingSettings) -> Trial:
    """Loads a model or asks a service, and has it embed or judge two passages and a question.

    Raises:
        ConfigError: What was configured cannot be.
        ModelMissingError: A file, or what runs it, is not there.
        ModelDamagedError: A file is not what it should be.
        EmbeddingServiceError: The service does not answer as it should.
    """
    from dowse.embedding import OnnxEmbedder

    if settings.kind == "onnx" and find_model(settings.model, settings.model_folders).card.kind != "embedder":
        return _try_judge(settings)
    started = time.perf_counter()
    embedder = load_embedder(settings, Runtime(time.monotonic, time.sleep))
    near, far = embedder.embed_passages(PASSAGES)
    loaded = time.perf_counter()  # what only passages need is loaded with the first of them
    question = embedder.embed_queries([QUESTION])[0]
    ended = time.perf_counter()
    return Trial(
        embedder.name,
        embedder.dimensions,
        loaded - started,
        (ended - loaded) * 1e3,
        bool(near @ question > far @ question),
        isinstance(embedder, OnnxEmbedder) and embedder.assumes_pooling,
    )


def _try_judge(settings: EmbeddingSettings) -> Trial:
    from dowse.embedding import CrossEncoder

    started = time.perf_counter()
    judge = CrossEncoder(
        find_model(settings.model, settings.model_folders), cache_folder=settings.cache_folder
    )
    loaded = time.perf_counter()
    near, far = judge.score(QUESTION, PASSAGES)
    pair_ms = (time.perf_counter() - loaded) * 1e3 / len(PASSAGES)
    return Trial(judge.name, 0, loaded - started, pair_ms, bool(near > far))
