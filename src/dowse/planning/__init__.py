"""What does the query mean here?

Meets a parsed query with analysis and with a snapshot, and decides what is scored, what is required and
what is excluded. It decides only; `search` runs the plan.

May import: `analysis`, `query`, `matching`, `storage`, `schema`.

Main types: `Plan` · `build_plan`.

Rules:
1. A bare word is optional and scored by each of its terms: a compound by the whole and by its parts.
2. A quoted phrase is required, and scored as a term of its own by how often it occurs.
3. ``-word`` and ``-"phrase"`` exclude; a compound is excluded where its parts stand together or where the
   whole stands alone. A query of exclusions only means everything else.
4. Stop words count for nothing in bare words, unless the query has no other words; inside phrases they
   always count.
5. The same term typed twice weighs twice.

Not for: syntax (`query`), weights (`scoring`).
"""

from dowse.planning.analyzers import Analyzers
from dowse.planning.plan import Plan, ScoredLeaf, build_plan, match_bag

__all__ = ["Analyzers", "Plan", "ScoredLeaf", "build_plan", "match_bag"]
