"""Which chunks have the words, and how well?

Lexical execution: a query that was read becomes a plan, the plan's terms get their weights, and the
kernels rank segment by segment. Only here a chunk is a segment and a row; whoever asks gets chunk keys.

May import: `search` (values, modes, parameters), `planning`, `matching`, `scoring`, `query`, `analysis`,
`storage`, `kernels`, and the ground.

Reading order: `weighting` · `ranking` · `searcher` · `corrections` · `expansion`.

Invariants:
1. A score is the sum over what the query scores, added in the order of falling weight, the same in every
   segment; the explanation adds up the same numbers in the same order.
2. How a query is read does not depend on which rows may be found.

Not for: vectors (`legs`), the order of hits after ranking (`stages`).
"""
