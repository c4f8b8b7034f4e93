"""Who finds candidates, and in what unit do they score them?

A leg brings its best chunks and scores those that others brought. One fusion makes one ranking of all
legs.

May import: `search` (context, lexical execution), `fusion`, `planning`, `matching`, `scoring`, `query`,
`storage`, `kernels`, and the ground.

Reading order: `lexical` · `exact_matches` · `feedback` · `hybrid_ranking` · `explanations`.

Invariants:
1. Filters act inside every leg, before its best are taken.
2. What one leg found is scored by the others: nothing is ranked low because a leg had no room for it.
3. The ranking of a longer page begins as that of a shorter one does.

Not for: the order of hits after fusing (`stages`), fusing itself (`fusion`).
"""
