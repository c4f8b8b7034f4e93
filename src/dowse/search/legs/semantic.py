"""The semantic leg: the chunks whose vectors are nearest to a query's."""

from collections.abc import Collection, Mapping, Sequence
from typing import ClassVar

import numpy as np

from dowse.fusion import ScoreDistribution, impute_semantic_scores
from dowse.kernels.layout import U8
from dowse.schema import Explanation
from dowse.search.legs.leg import LegScores, Scores
from dowse.storage.joined_vectors import ChunkVectors
from dowse.storage.live_vectors import Located, QueryVector, join_located
from dowse.storage.vectors import get_scan_mode

IMPUTED = "score, expected of a chunk without a vector: that of others whose words match as well"


class Semantic:
    """Finds chunks by vectors.

    Args:
        vectors: Of the collection.
        vector: Of the query.
        masks: Per segment, which rows may be found; None for all.
        pool: How many chunks it brings at most.
        scan: How closely vectors are looked at, by name.

    Attributes:
        question: Whose vector was compared, for explanations.
        located: The vectors of all chunks it has scored.
    """

    name: ClassVar[str] = "semantic"

    def __init__(
        self,
        vectors: ChunkVectors,
        vector: QueryVector,
        masks: Sequence[U8 | None],
        pool: int,
        scan: str,
    ) -> None:
        self.vectors, self.vector, self.pool = vectors, vector, pool
        self._masks, self._scan = masks, get_scan_mode(scan)
        self._imputed: frozenset[int] = frozenset()
        self.question = "the question's"
        self.located: Located = ()

    def retrieve(self) -> LegScores:
        """See `Leg`."""
        near = self.vectors.search(self.vector, self.pool, self._masks, self._scan)
        self.located = near.located
        return LegScores(dict(zip(near.keys, near.scores, strict=True)), len(near.keys) < self.pool)

    def score(self, keys: Collection[int]) -> dict[int, float]:
        """See `Leg`."""
        located = self.vectors.locate(np.fromiter(keys, np.int64))
        self.located = join_located(self.located, located) if self.located else located
        return self.vectors.score(self.vector, located)

    def refine(self, scores: dict[int, float], others: Mapping[str, Scores]) -> dict[int, float]:
        """See `Leg`: chunks that have no vector yet are expected to mean as much as others whose words match
        as well."""
        imputed = impute_semantic_scores(others.get("lexical", {}), scores)
        self._imputed = frozenset(imputed)
        return scores | imputed

    def distribution(self) -> ScoreDistribution | None:
        """See `Leg`."""
        spread = self.vectors.spread(self.vector)
        return None if spread is None else ScoreDistribution(*spread)

    def explain(self, key: int, score: float) -> Explanation:
        """See `Leg`."""
        cosine = f"score, the cosine of the chunk's vector and {self.question}"
        return Explanation(score, IMPUTED if key in self._imputed else cosine, (), "leg-score")
