"""What must be known about a model to use it as it was trained, and where its files are."""

import hashlib
from pathlib import Path
from typing import Literal

from msgspec import Struct

from dowse.errors import InvalidParameterError

Kind = Literal["embedder", "cross-encoder"]
Pooling = Literal["cls", "mean"]

DEFAULT_MAX_TOKENS = 256
"""Tokens of a text that are embedded unless asked otherwise: few chunks are longer, and cost grows."""

INSTALLING = "pip install onnxruntime tokenizers"
"""The command that installs what runs models."""
OTHER_HASH = "it has another SHA-256"
LEAST_TOKENS = 3
"""The special tokens before and after a text, and one of its own."""


class ModelCard(Struct, frozen=True):
    """How a model is to be used.

    Attributes:
        name: What users call it.
        kind: "embedder", or "cross-encoder" for a judge of pairs.
        dimensions: Length of its vectors; 0 for a cross-encoder.
        token_limit: Tokens that it was trained to read at most.
        pooling: How one vector is made of its tokens': the first one's, or the mean.
        query_prefix: What goes before a question.
        passage_prefix: What goes before a passage.
        purpose: One line for people who choose.
        assumes_pooling: Whether the model's files do not say how it pools, and the mean is only likely.
    """

    name: str
    kind: Kind
    dimensions: int
    token_limit: int = 512
    pooling: Pooling = "mean"
    query_prefix: str = ""
    passage_prefix: str = ""
    purpose: str = ""
    assumes_pooling: bool = False


class ModelFiles(Struct, frozen=True):
    """A model that is there.

    Attributes:
        card: How to use it.
        model: The ONNX graph.
        tokenizer: Its tokenizer.json.
        model_sha256: What the graph must hash to; it is checked when the graph is loaded.
        tokenizer_sha256: What the tokenizer must hash to; the same.
        remedy: How to get the files again when they are not what they should be.
        weights: The file beside the graph that holds its weights, None when they are in the graph.
        weights_sha256: What it hashed to when it was found; empty without one.
        is_listed: Whether the hashes are those of the table; else they were taken from the files when these
            were found, and say nothing about whether the files are right.
    """

    card: ModelCard
    model: Path
    tokenizer: Path
    model_sha256: str
    tokenizer_sha256: str
    remedy: str
    weights: Path | None = None
    weights_sha256: str = ""
    is_listed: bool = True

    @property
    def hashes(self) -> tuple[tuple[Path, str], ...]:
        """Each file, and what it must hash to."""
        weights = () if self.weights is None else ((self.weights, self.weights_sha256),)
        return (self.model, self.model_sha256), *weights, (self.tokenizer, self.tokenizer_sha256)

    @property
    def fingerprint(self) -> str:
        """Changes with the files and with how they are used."""
        hashes, card = (digest for _, digest in self.hashes), self.card
        parts = (*hashes, card.pooling, card.query_prefix, card.passage_prefix)
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def check_embedder(card: ModelCard, max_tokens: int | None) -> int:
    """Returns how many tokens of a text count when a model makes vectors: what was asked for, if it may be.

    Args:
        card: Of the model.
        max_tokens: None for 256, or the model's limit if that is less.

    Raises:
        InvalidParameterError: The model makes no vectors, or does not read so many tokens.
    """
    if card.kind != "embedder":
        legal = "choose a model that makes vectors; this one judges pairs"
        raise InvalidParameterError(name="model", value=f"“{card.name}”", legal=legal)
    asked = min(DEFAULT_MAX_TOKENS, card.token_limit) if max_tokens is None else max_tokens
    check_tokens(card, asked)
    return asked


def check_tokens(card: ModelCard, max_tokens: int) -> None:
    """Rejects a number of tokens that the model cannot read.

    Raises:
        InvalidParameterError: With the legal range of this model.
    """
    if not LEAST_TOKENS <= max_tokens <= card.token_limit:
        legal = f"legal values are {LEAST_TOKENS} to {card.token_limit} for the model “{card.name}”"
        raise InvalidParameterError(name="max_tokens", value=max_tokens, legal=legal)


def sha256_of(path: Path) -> str:
    """Returns the hash of a file in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
