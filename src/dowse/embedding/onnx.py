"""Embeds texts with a transformer on this machine: through onnxruntime, and questions faster where possible.

A user waits for each query, so Dowse's own kernel embeds it where it can (`bert_weights`: the default
model, on processors with AVX2); onnxruntime is then loaded only when there are passages. Both read the same
weights and round the values between layers, each in its own way: the mean cosine of their vectors of one text
is 0.995, that to the unrounded vector 0.998 (the kernel's) and 0.996 (onnxruntime's; 200 questions).
"""

import hashlib
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dowse.embedding.bert_weights import open_bert
from dowse.embedding.embedder import Vectors, cut_text, normalise
from dowse.embedding.model_card import ModelFiles, check_embedder
from dowse.embedding.session import TokenModel, unusable_file
from dowse.errors import InvalidParameterError, ModelDamagedError, ModelMissingError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

POOLED_OUTPUTS = ("sentence_embedding",)
"""Outputs that are one vector per text already; an export that has one knows its own pooling."""


class OnnxEmbedder:
    """A transformer whose graph is an ONNX file.

    Vectors do not depend on the texts they are computed with, nor on `threads`. The empty text has a vector
    like any other: that of the special tokens alone.
    """

    def __init__(
        self,
        files: ModelFiles,
        *,
        max_tokens: int | None = None,
        threads: int = 1,
        cache_folder: Path | None = None,
    ) -> None:
        """Loads what questions need, in about 150 ms; what only passages need, when the first one comes.

        Args:
            files: From `find_model`.
            max_tokens: Tokens of a text that count, prefix and special tokens included; 256, or what the
                model was trained for if that is less, unless given.
            threads: Texts that are embedded at once, one per core.
            cache_folder: Where the optimised graph is kept, to load faster the next time; None for nowhere.

        Raises:
            InvalidParameterError: A number is out of range, or the model is a cross-encoder.
            ModelMissingError: A file or a package is not there.
            ModelDamagedError: A file is not what it should be.
        """
        counted = check_embedder(files.card, max_tokens)
        self._model = TokenModel(files, counted, threads, cache_folder)
        self._card = files.card
        self._bert = open_bert(files)
        self._check_dimensions()

    @property
    def name(self) -> str:
        return self._card.name

    @property
    def fingerprint(self) -> str:
        return find_fingerprint(self._model.files, self._model.max_tokens)

    @property
    def dimensions(self) -> int:
        return self._card.dimensions

    @property
    def max_tokens(self) -> int:
        return self._model.max_tokens

    @property
    def assumes_pooling(self) -> bool:
        """Whether vectors are means of tokens only because no file says otherwise. Loads the graph."""
        return self._card.assumes_pooling and not self._output[1]

    @property
    def files(self) -> ModelFiles:
        """What it was loaded from."""
        return self._model.files

    @property
    def tokenizer(self) -> "Tokenizer":
        """Its tokenizer, which cuts at `max_tokens`."""
        return self._model.tokenizer

    def special_tokens(self) -> tuple[list[int], list[int]]:
        """Returns the tokens that the model wants before and after a text."""
        numbers = self._model.tokenizer.encode("").ids
        framed = self._model.tokenizer.encode("a")
        before = next((at for at, is_special in enumerate(framed.special_tokens_mask) if not is_special), 0)
        return numbers[:before], numbers[before:]

    def map(self, work: Callable[[int], object], parts: Sequence[int]) -> None:
        """Works on numbered parts, as many at once as it has threads."""
        self._model.map(work, parts)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Returns the vectors of questions, in their order.

        Raises:
            ModelDamagedError: Tokenizer and graph are not those of one model.
        """
        return self._embed(texts, self._embed_question)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Returns the vectors of passages, in their order.

        Raises:
            ModelMissingError, ModelDamagedError: The graph, which questions did without, cannot be loaded, or
                makes no vectors of these.
        """
        return self._embed(texts, lambda text: self._pool(self._split(self._card.passage_prefix + text))[0])

    def embed_tokens(self, tokens: NDArray[np.int64]) -> Vectors:
        """Returns the vectors of rows of token ids, special tokens included, all of one length.

        Unlike texts, the rows are run together: those of an int8 graph then differ a little with their
        neighbours.
        """
        return self._normalise(self._pool(tokens))

    def _embed(self, texts: Sequence[str], work: Callable[[str], NDArray[np.float32]]) -> Vectors:
        rows = self._model.map(work, texts)
        return self._normalise(np.stack(rows)) if rows else np.empty((0, self.dimensions), np.float32)

    def _normalise(self, rows: NDArray[np.float32]) -> Vectors:
        if not np.isfinite(rows).all():  # weights that are damaged, or too large for half precision
            files, reason = self.files, "it makes numbers that are not finite (NaN or infinity)"
            raise ModelDamagedError(
                name=files.card.name, path=files.model, reason=reason, remedy=files.remedy
            )
        return normalise(rows)

    def _embed_question(self, text: str) -> NDArray[np.float32]:
        tokens = self._split(self._card.query_prefix + text)
        try:
            return self._pool(tokens)[0] if self._bert is None else self._bert.cls_embedding(tokens[0])
        except InvalidParameterError as error:  # the tokenizer gives numbers that the graph does not know
            raise unusable_file(self.files, self.files.tokenizer, error) from error

    def _split(self, text: str) -> NDArray[np.int64]:
        """Returns a text's tokens as the only row."""
        encoding = self._model.tokenizer.encode(cut_text(text, self._model.max_tokens))
        return np.array([encoding.ids], dtype=np.int64)

    def _pool(self, tokens: NDArray[np.int64]) -> NDArray[np.float32]:
        output, is_pooled = self._output
        result = self._model.run(output, tokens)
        if is_pooled:
            return result
        # No padding, so the mean over tokens needs no mask.
        return result[:, 0] if self._card.pooling == "cls" else result.mean(axis=1)

    @cached_property
    def _output(self) -> tuple[str, bool]:
        """The output that vectors are made of, and whether it is one vector per text already."""
        outputs = self._model.outputs
        for name, shape in outputs:
            if name in POOLED_OUTPUTS and len(shape) == 2:
                return name, True
        for name, shape in outputs:
            if len(shape) == 3:
                return name, False
        files = self._model.files
        reason = f"{files.model} has no output with a vector for each token"
        raise ModelMissingError(name=files.card.name, reason=reason, remedy=files.remedy)

    def _check_dimensions(self) -> None:
        found = self.embed_queries([""]).shape[1]
        if found != self._card.dimensions:
            files = self._model.files
            reason = f"its vectors have {found} dimensions, its configuration says {self._card.dimensions}"
            raise ModelMissingError(name=files.card.name, reason=reason, remedy=files.remedy)


def find_fingerprint(files: ModelFiles, max_tokens: int | None = None) -> str:
    """Returns the fingerprint of an embedder of these files, without loading them.

    Raises:
        InvalidParameterError: The model makes no vectors, or does not read so many tokens.
    """
    parts = f"onnx {files.fingerprint} {check_embedder(files.card, max_tokens)}"
    return hashlib.sha256(parts.encode()).hexdigest()
