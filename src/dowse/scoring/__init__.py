"""How much is a match worth?

Scoring models turn statistics into scores: which chunks match is somebody else's question. Every model
gives its numbers as tables over (term frequency, length bucket), so that one compiled loop serves all of
them, and explains any score with the very numbers of its tables.

May import: `schema`, `explanation`, `kernels`, `errors`. Statistics come in as arguments, so they may come
from anywhere: one segment, many, or another machine.

Main types: `ScoringModel` (the protocol) · `FieldWeights` (boost and b of each field) · `BM25`, `BM25F` ·
`MODELS` (the registry) · `PRESETS` (named settings, the default one chosen by measurement).

Reading order: `model` · `bm25` · `bm25f` · `registry`.

Invariants, held by `tests/conformance/test_scoring_models.py` for every row of the registry:
1. Scores are finite and not negative; never above the upper bound.
2. They do not fall with the term frequency, nor rise with the length, nor rise as a term gets commoner.
3. The explanation's value is the score, exactly.

Not for: combining legs (`fusion`), or deciding what is scored (`search`).
"""

from dowse.scoring.model import FieldMatch, FieldWeights, ScoringModel, TermStatistics
from dowse.scoring.registry import MODELS, PRESETS, get_preset

__all__ = [
    "MODELS",
    "PRESETS",
    "FieldMatch",
    "FieldWeights",
    "ScoringModel",
    "TermStatistics",
    "get_preset",
]
