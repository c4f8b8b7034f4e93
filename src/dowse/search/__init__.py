"""What is the answer?

One request goes through named, timed stages and comes back as one response: parse, plan, match and score,
then fetch, snippets and explanations for the hits of the page.

May import: everything below `abilities`: `planning`, `fusion`, `rerank`, `results`, `matching`, `scoring`,
`query`, `analysis`, `storage`, and the ground.

Main types: `Searcher` (one generation, ready to answer) ·
`MODES` (all ways to search) · `explain_document` and `explain_by_meaning` (which hit a document is, or why
none).

Reading order: `modes` · `parameters` · `searcher` · `weighing` · `ranking` · `hits` ·
`corrections` · `nearest_keys` · `missing` · `losses` · `question` · `backing` · `expansion` · `reranking` ·
`exact_words` · `lexical_leg` · `feedback` · `meaning_ranking` · `meaning_explanations` · `hybrid` ·
`missing_by_meaning`.

Invariants:
1. Ranking happens before paging: page two continues page one.
2. A hit's explanation adds up to its score exactly.
3. The same request on the same generation gives the same response, timings apart.

Not for: opening indexes (`engine`), rendering (`cli`).
"""

from dowse.search.lexical.searcher import Searcher

__all__ = ["Searcher"]
