"""How much is a match worth?

Scoring models turn statistics into scores: which chunks match is somebody else's question. Every model
gives its numbers as tables over (term frequency, length bucket), so that one compiled loop serves all of
them, and explains any score with the very numbers of its tables.

May import: `schema`, `kernels`, `errors`. Statistics come in as arguments, so they may come
from anywhere: one segment, many, or another machine.

Main types: `ScoringModel` (the protocol) · `TermStatistics` · `FieldWeights` (boost and b of each field) ·
`MODELS` (the registry: BM25F, five BM25s, LM-Dirichlet, 32 DFRs) · `PRESETS` (named settings, the default
one chosen by measurement) · `build_model` (from a name and what a user wants different).

Reading order: `model` · `idf` · `bm25` · `bm25f` · `bm25_variants` · `lm_dirichlet` · `dfr_parts` · `dfr` ·
`registry`.

Invariants, held by `tests/conformance/test_scoring_models.py` for every row of the registry:
1. Scores of matches are finite and above zero (0 would be no match); never above the upper bound.
2. They do not fall with the term frequency, nor rise with the length, nor rise as more chunks have the term.
3. The explanation's value is the score, exactly.
4. Statistics that a model does not declare as needed change nothing.

Not for: combining legs (`fusion`), or deciding what is scored (`search`).
"""

from dowse.scoring.model import FieldMatch, FieldWeights, ScoringModel, TermStatistics
from dowse.scoring.registry import ALIASES, MODELS, PRESETS, build_model, get_model_row, get_preset

__all__ = [
    "ALIASES",
    "MODELS",
    "PRESETS",
    "FieldMatch",
    "FieldWeights",
    "ScoringModel",
    "TermStatistics",
    "build_model",
    "get_model_row",
    "get_preset",
]
