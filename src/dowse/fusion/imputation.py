"""Imputes the semantic scores of chunks that have no vector yet.

Nobody has looked at such a chunk; that does not make it unlike the question. To count it as the lowest, as
what a leg has looked at and not found, let hybrid answers fall far below those by words alone while a model
was still reading (docs/decisions/0012-chunks-without-vectors.md).
"""

import math
from collections.abc import Mapping

LEAST_PAIRS = 3


def impute_semantic_scores(lexical: Mapping[int, float], semantic: Mapping[int, float]) -> dict[int, float]:
    """Returns the likely semantic scores of the keys that only the words have.

    A chunk is expected to mean as much as others whose words match as well: the least-squares line through
    all keys that both legs have, level where it would fall. Where fewer than three have both, the mean of
    the semantic leg; where none has a vector, nothing.

    Args:
        lexical: Scores by words, by key.
        semantic: Scores by meaning, of every key that has a vector.
    """
    unknown = lexical.keys() - semantic.keys()
    if not unknown or not semantic:
        return {}
    pairs = [(lexical[key], semantic[key]) for key in sorted(lexical.keys() & semantic.keys())]
    if len(pairs) < LEAST_PAIRS:
        return dict.fromkeys(unknown, math.fsum(semantic.values()) / len(semantic))
    words = math.fsum(own for own, _ in pairs) / len(pairs)
    meaning = math.fsum(own for _, own in pairs) / len(pairs)
    spread = math.fsum((own - words) ** 2 for own, _ in pairs)
    slope = math.fsum((own - words) * (other - meaning) for own, other in pairs) / spread if spread else 0.0
    rise = max(0.0, slope)
    return {key: meaning + rise * (lexical[key] - words) for key in unknown}
