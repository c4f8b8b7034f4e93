"""The vocabulary of a transformer in its own space: every token run through the model once, and kept."""

import contextlib
import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from dowse.embedding.embedder import Vectors
from dowse.embedding.onnx import OnnxEmbedder

VERSION = 1
MAGIC = b"dowse static table\n"
ROWS_AT_ONCE = 16
"""Tokens in one run. More would be a little faster, but an int8 graph scales its activations by the largest
of a run, and rows would get blurred by their neighbours."""


class StaticTable(Struct, frozen=True):
    """The vectors of a model's tokens.

    Attributes:
        vectors: (vocabulary, dimensions) float32, each of length 1; what the model says of the token alone.
        model: Fingerprint of the files of the model that made it.
    """

    vectors: Vectors
    model: str

    @property
    def fingerprint(self) -> str:
        """Changes with the model, and with the way tables are made."""
        return hashlib.sha256(f"static {VERSION} {self.model}".encode()).hexdigest()

    def save(self, path: Path) -> None:
        """Writes the table, whole or not at all; half precision, 23 MB for 30,000 tokens of 384 numbers.

        Raises:
            OSError: It cannot be kept there.
        """
        content = self.vectors.astype("<f2").tobytes()
        head = {
            "version": VERSION,
            "model": self.model,
            "shape": self.vectors.shape,
            "sha256": hashlib.sha256(content).hexdigest(),
        }
        path.parent.mkdir(parents=True, exist_ok=True)
        made = path.with_suffix(".part")
        try:
            made.write_bytes(MAGIC + json.dumps(head).encode() + b"\n" + content)
            made.replace(path)
        except OSError:
            with contextlib.suppress(OSError):
                made.unlink(missing_ok=True)
            raise


def load_static_table(path: Path, model: str) -> StaticTable | None:
    """Returns the table in a file; None when there is none, it is another model's, or it is damaged.

    A table can always be made again, so damage is not an error here.
    """
    try:
        content = path.read_bytes()
        if not content.startswith(MAGIC):
            return None
        end = content.index(b"\n", len(MAGIC)) + 1
        head = json.loads(content[len(MAGIC) : end])
        rows, columns = head["shape"]
        body = memoryview(content)[end:]
        if (head["version"], head["model"]) != (VERSION, model):
            return None
        if hashlib.sha256(body).hexdigest() != head["sha256"]:
            return None
        vectors = np.frombuffer(body, "<f2").reshape(rows, columns).astype(np.float32)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return StaticTable(vectors, model)


def build_static_table(
    embedder: OnnxEmbedder, on_progress: Callable[[int, int], object] = lambda done, total: None
) -> StaticTable:
    """Runs every token of a model's vocabulary through it: about 45 CPU seconds for 30,000 tokens and 12
    layers.

    Args:
        embedder: The model.
        on_progress: Told how many tokens of how many are done, now and then; it may raise to stop.
    """
    before, after = embedder.special_tokens()
    count = embedder.tokenizer.get_vocab_size()
    parts = np.empty((count, embedder.dimensions), np.float32)

    def embed_into(start: int) -> None:
        numbers = np.arange(start, min(start + ROWS_AT_ONCE, count), dtype=np.int64)[:, None]
        parts[start : start + ROWS_AT_ONCE] = embedder.embed_tokens(_framed(before, numbers, after))

    starts = range(0, count, ROWS_AT_ONCE)
    for done in range(0, len(starts), 64):
        embedder.map(embed_into, starts[done : done + 64])
        on_progress(min(count, (done + 64) * ROWS_AT_ONCE), count)
    return StaticTable(parts, embedder.files.fingerprint)


def _framed(before: list[int], numbers: NDArray[np.int64], after: list[int]) -> NDArray[np.int64]:
    rows = len(numbers)
    return np.hstack([np.tile(before, (rows, 1)), numbers, np.tile(after, (rows, 1))]).astype(np.int64)
