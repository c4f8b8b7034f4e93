"""What does the query mean here?

Meets a parsed query with analysis and with a snapshot, and decides what is scored and which chunks may
appear. It decides only; `search` runs the plan.

May import: `analysis`, `query`, `matching`, `storage`, `schema`, `kernels` (array types).

Main types: `Plan` (`BagPlan`, `ClausePlan`, `PhrasePlan` or `TreePlan`, each with its way to be ranked) ·
`build_plan` · `Binder` (what each node means) · `Bound` (a part that has met the index).

Reading order: `bound` · `reading` · `vocabulary` · `filters` · `binding` · `plan` ·
`required` · `filtered`.

Rules:
1. Words side by side: each term of each word is optional and scored, a compound by the whole and by its
   parts. A word that is part of something else (AND, OR, NOT, NEAR) is one thing: its parts together, or
   the whole.
2. Phrases, exact texts, places, quorums and parts with a field bind: every hit has them. Filters bind as
   well, but are not enough beside words, of which one must match. Filters side by side for different
   values of what a document has once (its tree, extension, kind or language) are alternatives.
3. ``-part`` excludes. A query of exclusions only means everything else.
4. Stop words count for nothing in bare words, unless the query has no other words; in phrases, places and
   exclusions they always count.
5. A chunk's score is the sum over everything positive that it matches, wherever in the query that stands.
   The same term typed twice weighs twice; boosts multiply.

Not for: syntax (`query`), weights (`scoring`).
"""

from dowse.planning.analyzers import Analyzers
from dowse.planning.binding import Binder
from dowse.planning.bound import Bound, Role, Scope, Scored
from dowse.planning.filtered import plan_filtered
from dowse.planning.filters import join_filters
from dowse.planning.plan import (
    BagPlan,
    ClausePlan,
    Needed,
    PhrasePlan,
    Plan,
    TreePlan,
    bind_query,
    build_plan,
    plan_words,
)
from dowse.planning.reading import WordReader
from dowse.planning.required import plan_pattern, plan_phrase, plan_quorum, plan_required

__all__ = [
    "Analyzers",
    "BagPlan",
    "Binder",
    "Bound",
    "ClausePlan",
    "Needed",
    "PhrasePlan",
    "Plan",
    "Role",
    "Scope",
    "Scored",
    "TreePlan",
    "WordReader",
    "bind_query",
    "build_plan",
    "join_filters",
    "plan_filtered",
    "plan_pattern",
    "plan_phrase",
    "plan_quorum",
    "plan_required",
    "plan_words",
]
