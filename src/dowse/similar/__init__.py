"""What else is like this?

Turns a text, a chunk or a document into a query of its most telling words, which `search` then answers like
any other.

May import: `analysis`, `query`, `matching`, `storage`, `schema`, `errors`.

Main names: `SimilarSettings` (which words count) · `choose_terms` · `build_query`.

Not for: running the query (`engine` does), similar meaning without similar words (vectors).
"""

from dowse.similar.significant_terms import SignificantTerm, SimilarSettings, build_query, choose_terms

__all__ = ["SignificantTerm", "SimilarSettings", "build_query", "choose_terms"]
