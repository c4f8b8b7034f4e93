"""How do several rankings become one?

Each leg of a search (words, meaning) ranks what it found in its own unit: BM25 scores have no upper
end, cosines crowd together. A fusion makes one ranking of them, and says of every score what it was made of.
Pure functions on ranked lists: nothing here knows an index, a query plan or a vector.

May import: `schema`, `errors`.

Main types: `Fusion` (the protocol, with what a fusion asks of its legs) · `Legs` (what is fused, by the
name of the leg) · `Fused` and `Part` (what comes out) · `FUSIONS`
(the registry) · `build_fusion` (from a name and numbers) · `keep_exact_first` ·
`impute_semantic_scores` (of chunks without a vector).

Reading order: `fusion` · `parameters` · `scaling` · `summing` · `linear` · `calibrated` · `rrf` ·
`score_variance` · `query_type` · `strong_signal` · `two_lists` · `exact_matches` · `imputation` ·
`registry`.

Invariants, held by `tests/conformance/test_fusions.py` for every row of the registry:
1. Every key of every leg comes out once; scores are finite and do not rise from one to the next.
2. A leg alone comes out in its own order; equal scores go by key, however the input was ordered.
3. What is at least as good as another in every leg never comes after it; not to be in a leg is to be below
   all that are.
4. The values of the parts add up to the score, exactly; the explanation's value is the score.
5. Numbers out of range and scores that are no finite numbers are refused.

Not for: filtering (it happens inside each leg, before its best are taken), thresholds, paging.
"""

from dowse.fusion.exact_matches import keep_exact_first
from dowse.fusion.fusion import Fused, Fusion, Legs, Part, PartsOf, ScoreDistribution, TopHit, leg_score
from dowse.fusion.imputation import impute_semantic_scores
from dowse.fusion.query_type import QueryClass, classify_query
from dowse.fusion.registry import DEFAULT_FUSION, FUSIONS, build_fusion, get_fusion_kind

__all__ = [
    "DEFAULT_FUSION",
    "FUSIONS",
    "Fused",
    "Fusion",
    "Legs",
    "Part",
    "PartsOf",
    "QueryClass",
    "ScoreDistribution",
    "TopHit",
    "build_fusion",
    "classify_query",
    "get_fusion_kind",
    "impute_semantic_scores",
    "keep_exact_first",
    "leg_score",
]
