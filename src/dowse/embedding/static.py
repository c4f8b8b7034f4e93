"""Embeds passages without running a model: a weighted sum of token vectors in the transformer's own space.

A question that the transformer embedded can be compared with these vectors at once, seconds after a file is
found; each is replaced when the transformer has read the passage itself.
"""

import hashlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import copy

import numpy as np
from numpy.typing import NDArray

from dowse.embedding.embedder import Vectors, normalise
from dowse.embedding.linear_map import LinearMap
from dowse.embedding.static_table import StaticTable
from dowse.embedding.word_pieces import WordPieces
from dowse.errors import InvalidParameterError

TEXTS_AT_ONCE = 64
SHARED_DIRECTIONS = 10
"""Directions that most token vectors share and that tell none apart; they are taken out of all (Mu &
Viswanath, 2018, ICLR: "All-but-the-Top"). On training queries, 10 lift the static tier's nDCG@10 from 0.480
to 0.524 (SciFact) and from 0.202 to 0.225 (NFCorpus); 3 to 20 are much alike."""


class TokenCounts:
    """In how many passages each token of a vocabulary occurs.

    Attributes:
        doc_freq: (vocabulary,) int64.
        doc_count: Passages counted.
    """

    def __init__(self, vocabulary_size: int) -> None:
        self.doc_freq = np.zeros(vocabulary_size, np.int64)
        self.doc_count = 0

    def add(self, tokens: Sequence[int] | NDArray[np.int32]) -> None:
        """Counts one passage, given as the numbers of its tokens."""
        self.doc_freq[np.unique(np.array(tokens, dtype=np.int64))] += 1
        self.doc_count += 1

    def idf(self) -> NDArray[np.float32]:
        """Returns ``ln(1 + (N - n + 0.5) / (n + 0.5))`` for each token, as BM25 has it; all above 0."""
        ratio = (self.doc_count - self.doc_freq + 0.5) / (self.doc_freq + 0.5)
        return np.log1p(ratio).astype(np.float32)


class StaticEmbedder:
    """Vectors of passages from a table of token vectors.

    The vector of a passage is the sum over its tokens of ``idf · token vector``, a token counted as often
    as it occurs, where token vectors are centred and without the directions that most of them share;
    brought to length 1 and, if there is a map, through it. A passage without tokens gets the mean of the
    table.

    Questions can be embedded the same way, but the transformer does it better and is there for them.
    """

    def __init__(
        self,
        name: str,
        table: StaticTable,
        pieces: WordPieces,
        idf: NDArray[np.float32],
        *,
        correction: LinearMap | None = None,
        threads: int = 1,
    ) -> None:
        """Prepares the weighted table, in addition to the plain one.

        Args:
            name: Of the model whose table it is.
            table: From `build_static_table` or `load_static_table`.
            pieces: Of the model's own tokenizer; it may be shared.
            idf: Weight of each token, as `TokenCounts.idf` gives it; (vocabulary,).
            correction: From `fit`; None for none.
            threads: Passages that are worked on at once.

        Raises:
            InvalidParameterError: `idf` does not fit the table.
        """
        if idf.shape != (len(table.vectors),) or not np.isfinite(idf).all():
            legal = f"give {len(table.vectors)} finite numbers, one per token"
            raise InvalidParameterError(name="idf", value=f"{idf.shape}", legal=legal)
        self._name, self._pieces, self._correction = name, pieces, correction
        self._threads = threads
        self._ones = np.ones(pieces.max_tokens, np.float32)
        self._weighted = _telling_parts(table.vectors) * idf[:, None]
        self._nothing = normalise(table.vectors.mean(axis=0))[0]
        self._parts = f"{table.fingerprint} {pieces.max_tokens} {hashlib.sha256(idf.tobytes()).hexdigest()}"

    @property
    def name(self) -> str:
        return self._name

    @property
    def fingerprint(self) -> str:
        correction = self._correction.fingerprint if self._correction else ""
        return hashlib.sha256(f"{self._parts} {correction}".encode()).hexdigest()

    @property
    def dimensions(self) -> int:
        return int(self._weighted.shape[1])

    @property
    def max_tokens(self) -> int:
        return self._pieces.max_tokens

    def with_correction(self, correction: LinearMap | None) -> "StaticEmbedder":
        """Returns the same embedder with another map; the table is shared."""
        other = copy(self)
        other._correction = correction
        return other

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Returns the vectors of questions, as if they were passages."""
        return self.embed_passages(texts)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Returns the vectors of passages, in their order."""
        vectors = self.embed_uncorrected(texts)
        return self._correction.apply(vectors) if self._correction and len(texts) else vectors

    def embed_uncorrected(self, texts: Sequence[str]) -> Vectors:
        """Returns the vectors before the map: what `fit` and `MapFitter` are to be given."""
        rows = np.empty((len(texts), self.dimensions), np.float32)
        starts = range(0, len(texts), TEXTS_AT_ONCE)
        if self._threads == 1 or len(starts) < 2:
            for start in starts:
                self._sum_into(rows, texts, start)
        else:
            with ThreadPoolExecutor(self._threads, "dowse-static") as pool:
                list(pool.map(lambda start: self._sum_into(rows, texts, start), starts))
        return normalise(rows) if len(texts) else rows

    def _sum_into(self, rows: Vectors, texts: Sequence[str], start: int) -> None:
        for at in range(start, min(start + TEXTS_AT_ONCE, len(texts))):
            tokens = self._pieces.split(texts[at])
            # A product with ones adds the gathered rows half again as fast as `sum` does.
            np.matmul(self._ones[: len(tokens)], self._weighted.take(tokens, axis=0), out=rows[at])
            if not rows[at].any():
                rows[at] = self._nothing


def _telling_parts(vectors: Vectors) -> Vectors:
    """Returns the vectors without their mean and their `SHARED_DIRECTIONS` largest principal components."""
    centred: Vectors = vectors - vectors.mean(axis=0)
    count = min(SHARED_DIRECTIONS, centred.shape[1] // 4)
    # Ascending by eigenvalue; a float64 sum, for the last digits of small ones would depend on the machine.
    directions = np.linalg.eigh(centred.T.astype(np.float64) @ centred)[1].astype(np.float32)
    shared = directions[:, len(directions) - count :]
    centred -= (centred @ shared) @ shared.T
    return centred
