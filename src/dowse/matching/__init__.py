"""Which chunks?

Matchers find rows and posting lists for a term or a phrase in every segment of a snapshot, and the masks
that say which rows may appear at all (deleted, of another tree, excluded by the query).

May import: `errors`, `schema`, `kernels`, `storage`.

Main types: `Leaf` (one scored thing with its lists per segment) · `match_term`, `match_phrase` ·
`row_mask`, `DocumentFilter` · `Pattern` with `compile_wildcard`, `compile_expression`.

Reading order: `leaf` · `terms` · `phrases` · `masks` · `characters` · `pattern_syntax` · `automaton`.

Invariants:
1. Rows ascend; a leaf's `doc_freq` counts live chunks over all segments, each once.
2. However rows are spread over segments, the same chunks match.

Not for: how much a match is worth (`scoring`).
"""

from dowse.matching.automaton import Pattern, compile_expression, compile_wildcard
from dowse.matching.leaf import Leaf
from dowse.matching.masks import DocumentFilter, row_mask
from dowse.matching.phrases import match_phrase
from dowse.matching.terms import match_term

__all__ = [
    "DocumentFilter",
    "Leaf",
    "Pattern",
    "compile_expression",
    "compile_wildcard",
    "match_phrase",
    "match_term",
    "row_mask",
]
