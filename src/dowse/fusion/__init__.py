"""How do several rankings become one?

Each leg of a search (words, meaning) ranks what it found in its own unit: BM25 scores have no upper
end, cosines crowd together. A fusion makes one ranking of them, and says of every score what it was made of.
Pure functions on ranked lists: nothing here knows an index, a query plan or a vector.

May import: `schema`, `explanation`, `errors`.

Main types: `Fusion` (the protocol) · `Legs` (what is fused) · `Fused` and `Part` (what comes out) · `FUSIONS`
(the registry) · `build_fusion` (from a name and numbers) · `keep_exact_first` · `expect_meaning` (of chunks
without a vector).

Reading order: `fusion` · `parameters` · `scaling` · `summing` · `linear` · `calibrated` · `rrf` ·
`score_variance` · `query_type` · `strong_signal` · `two_lists` · `exact_matches` · `expectation` ·
`registry`.

Invariants, held by `tests/conformance/test_fusions.py` for every row of the registry:
1. Every key of every leg comes out once; scores are finite and do not rise from one to the next.
2. A leg alone comes out in its own order; equal scores go by key, however the input was ordered.
3. What is at least as good as another in every leg never comes after it; not to be in a leg is to be below
   all that are.
4. The values of the parts add up to the score, exactly; the explanation's value is the score.
5. Numbers out of range, scores that are none, and a key that is twice in a leg are refused.

Not for: filtering (it happens inside each leg, before its best are taken), thresholds, paging.
"""

from dowse.fusion.calibrated import Calibrated
from dowse.fusion.exact_matches import keep_exact_first
from dowse.fusion.expectation import expect_meaning
from dowse.fusion.fusion import LEG_NAMES, Fused, Fusion, Legs, Part, PartsOf, RankedList, Spread
from dowse.fusion.linear import Linear
from dowse.fusion.parameters import FusionParameter
from dowse.fusion.query_type import QueryClass, classify_query
from dowse.fusion.registry import DEFAULT_FUSION, FUSIONS, build_fusion, get_fusion_kind
from dowse.fusion.strong_signal import StrongSignal
from dowse.fusion.summing import Lead

__all__ = [
    "DEFAULT_FUSION",
    "FUSIONS",
    "LEG_NAMES",
    "Calibrated",
    "Fused",
    "Fusion",
    "FusionParameter",
    "Lead",
    "Legs",
    "Linear",
    "Part",
    "PartsOf",
    "QueryClass",
    "RankedList",
    "Spread",
    "StrongSignal",
    "build_fusion",
    "classify_query",
    "expect_meaning",
    "get_fusion_kind",
    "keep_exact_first",
]
