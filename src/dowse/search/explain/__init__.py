"""Why is a document a hit, or why is it none?

The document is looked for in the answer that the search itself gives; the first step that lost it is
named, with what would bring it back.

May import: `search`, `planning`, `matching`, `query`, `storage`, and the ground.

Reading order: `unmet_clauses` · `explain_miss` · `explain_miss_semantic`.

Invariants:
1. Rank, score and explanation are those of the search.
2. Every reason is a code of `REASONS`; sentences are for people.

Not for: explaining a score (`scoring`, `fusion`), showing it (the faces).
"""
