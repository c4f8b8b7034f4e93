"""What else is like this?

Turns a text, a chunk or a document into a query of its most telling words, which `search` then answers like
any other.

May import: `analysis`, `query`, `matching`, `storage`, `schema`, `errors`.

Main names: `SimilarSettings` (which words count) · `choose_words` · `build_query`.

Not for: running the query (`engine` does), similar meaning without similar words (vectors).
"""

from dowse.similar.words import SimilarSettings, TellingWord, build_query, choose_words

__all__ = ["SimilarSettings", "TellingWord", "build_query", "choose_words"]
