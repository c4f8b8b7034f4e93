"""What is the answer?

One request goes through one pipeline and comes back as one response: legs retrieve candidates, a fusion makes
one ranking of them, stages change it, and the page is shown. Each step is named and timed.

May import: everything below `abilities`: `planning`, `fusion`, `results`, `indexing` (what models read of a
chunk), `matching`, `scoring`, `query`, `analysis`, `embedding` (its protocol), `storage`, and the ground.

Main types: `pipeline.answer` and `PIPELINE` (the only place where a response is assembled) ·
`context.SearchContext` (one generation, ready to answer) and `StageContext` · `batch.Batch` (what goes
through the stages) · `availability.Availability` (what vectors can do) · `modes.MODES` (all ways to search) ·
`legs.registry.LEGS` · `explain.explaining.explain_document` (which hit a document is, or why none).

Reading order: `modes` · `parameters` · `context` · `availability` · `deadline` · `batch` · `pipeline` ·
`hits` · `lexical` · `legs` · `stages` · `explain` · `question` · `more_like_this` · `similar_by_vector`.

Invariants:
1. Ranking happens before paging: page two continues page one.
2. A hit's explanation adds up to its score exactly.
3. The same request on the same generation gives the same response, timings apart, unless it has a budget.
4. Above lexical execution a chunk is a chunk key, never a segment and a row.

Not for: opening indexes (`engine`), rendering (`cli`).
"""
