"""Judges a question and a passage together: exact, and as costly as embedding the passage anew."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dowse.embedding.embedder import cut_text
from dowse.embedding.model_card import ModelFiles
from dowse.embedding.session import TokenModel
from dowse.errors import InvalidParameterError, ModelMissingError

DEFAULT_PAIR_TOKENS = 256


class CrossEncoder:
    """A transformer that reads question and passage at once and says how well they fit.

    Attributes:
        name: What users call the model.
    """

    def __init__(
        self,
        files: ModelFiles,
        *,
        max_tokens: int = DEFAULT_PAIR_TOKENS,
        threads: int = 1,
        cache_folder: Path | None = None,
    ) -> None:
        """Loads the model; arguments and errors are those of `OnnxEmbedder`.

        `max_tokens` counts question and passage together; of the longer one the end is cut first.
        """
        if files.card.kind != "cross-encoder":
            legal = "choose a model that judges pairs; this one makes vectors"
            raise InvalidParameterError(name="cross-encoder", value=files.card.name, legal=legal)
        self.name = files.card.name
        self._model = TokenModel(files, max_tokens, threads, cache_folder)
        self._output = self._choose_output()

    @property
    def fingerprint(self) -> str:
        """Changes whenever the same pair would get another score."""
        return f"{self._model.files.fingerprint}-{self._model.max_tokens}"

    def score(
        self, query: str, passages: Sequence[str], has_time: Callable[[], bool] = lambda: True
    ) -> NDArray[np.float32]:
        """Returns how well each passage answers the question, as logits: any number, more is better.

        Args:
            query: The question.
            passages: Most promising first: they are judged in this order.
            has_time: Asked before each passage; once it says no, the rest is not judged.

        Returns:
            (n,) float32, NaN for passages that were not judged; those come last.
        """
        start = cut_text(query, self._model.max_tokens)
        is_late = False

        def judge(passage: str) -> float:
            nonlocal is_late
            if is_late or not has_time():
                is_late = True
                return float("nan")
            return self._judge(start, passage)

        scores = np.array(self._model.map(judge, passages), dtype=np.float32)
        # With several threads one that began in time may end behind one that did not; keep a plain prefix.
        late = np.flatnonzero(np.isnan(scores))
        if late.size:
            scores[late[0] :] = np.nan
        return scores

    def _judge(self, query: str, passage: str) -> float:
        encoding = self._model.tokenizer.encode(query, cut_text(passage, self._model.max_tokens))
        tokens = np.array([encoding.ids], dtype=np.int64)
        types = np.array([encoding.type_ids], dtype=np.int64)
        # Models with several classes are no judges of relevance; those with two put "relevant" last.
        return float(self._model.run(self._output, tokens, types)[0].reshape(-1)[-1])

    def _choose_output(self) -> str:
        name: str
        for name, shape in self._model.outputs:
            if len(shape) in (1, 2) and shape[-1] in (1, 2, "batch_size"):
                return name
        files = self._model.files
        reason = f"{files.model} has no output with one score for each pair"
        raise ModelMissingError(name=files.card.name, reason=reason, remedy=files.remedy)
