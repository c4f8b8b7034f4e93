"""What becomes of a ranking before it is shown?

Stages take hits and give hits: fewer, in another order, or judged again. Each is asked for by name, says what
it did and why, and leaves a score that explains itself. What a stage has to look at, texts, vectors, a judge,
it is handed: nothing here knows an index or a model.

May import: `scoring` (its `Parameter`), `kernels`, `explanation`, `errors`, and its own package, `search`.

Main types: `RerankStage` (the protocol) · `Candidate` and `Change` (what goes through) · `Evidence` (what may
be looked at) · `Reranked` (what comes out, and the reason) · `RERANK_STAGES` (the registry, in the order in
which stages run) · `build_stage`.

Reading order: `candidate` · `stage` · `likeness` · `duplicates` · `diversify` · `cross_encoder` · `registry`.

Invariants, held by `tests/conformance/test_pipeline_stages.py` for every row of the registry:
1. What comes out went in, each key once; only a stage that says so leaves any out, and never the first.
2. Scores do not rise from one to the next, and an explanation's value is the score, exactly.
3. What is beyond the stage's depth keeps its order, comes after what is not, and decides nothing.
4. A stage that cannot work leaves everything as it was, says that it fell short, and the reason says why.

Not for: filtering, thresholds, paging, or mixing of rankings (`fusion`).
"""

from dowse.search.stages.candidate import Candidate, Change
from dowse.search.stages.cross_encoder import CrossEncoderStage
from dowse.search.stages.diversify import MmrStage
from dowse.search.stages.duplicates import DuplicatesStage
from dowse.search.stages.registry import RERANK_STAGES, build_stage, get_stage_kind
from dowse.search.stages.stage import Evidence, JudgeUnavailable, Reranked, RerankStage

__all__ = [
    "RERANK_STAGES",
    "Candidate",
    "Change",
    "CrossEncoderStage",
    "DuplicatesStage",
    "Evidence",
    "JudgeUnavailable",
    "MmrStage",
    "RerankStage",
    "Reranked",
    "build_stage",
    "get_stage_kind",
]
