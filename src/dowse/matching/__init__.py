"""Which chunks?

Matchers find rows in every segment of a snapshot: for terms, phrases, patterns over the vocabulary, places
and exact texts, for what columns say of documents, and for combinations of all these. Most of them also keep
the posting lists they found, so that `scoring` can say how much a match is worth.

May import: `errors`, `schema`, `kernels`, `analysis`, `storage`.

Main types: `Matcher` (the protocol) · `ScoredTerm` (a scored thing with its lists per segment) · `Factored`
(a match that multiplies what its words are worth) · `match_term`, `match_phrase`, `match_expansion`,
`match_spans`, `match_exact`, `match_names` · `AllOf`, `AnyOf`, `Without`, `AtLeast`, `AllRows` · `Documents`,
`OfDocuments`, `FilteredRows`, `DOCUMENT_FILTERS` · `Pattern` with `compile_wildcard`, `compile_expression`.

Reading order: `matcher` · `scored_term` · `terms` · `phrases` · `expansions` · `spans` · `word_ngrams` ·
`exact` · `combinations` · `document_filters` · `path_filters` · `documents` · `masks` · `clauses` · `quorums`
· `characters` · `pattern_syntax` · `automaton`.

Invariants, held by `tests/conformance/test_matchers.py`:
1. Rows ascend, each once; a leaf's `doc_freq` counts live chunks over all segments, each once.
2. However rows are spread over segments, the same chunks match.
3. Every matcher equals a scan over the stored texts; where work is capped, the result says so.

Not for: how much a match is worth (`scoring`).
"""

from dowse.matching.automaton import Pattern, compile_expression, compile_wildcard
from dowse.matching.clauses import clauses_in
from dowse.matching.combinations import AllOf, AllRows, AnyOf, Without
from dowse.matching.document_filters import DOCUMENT_FILTERS, Condition
from dowse.matching.documents import Documents, FilteredRows, OfDocuments
from dowse.matching.exact import match_exact
from dowse.matching.expansions import Choose, Expansion, match_expansion, spell_terms
from dowse.matching.factored import Factored
from dowse.matching.fields import ALL_FIELDS, Fields
from dowse.matching.matcher import Matcher
from dowse.matching.names import Names, match_names
from dowse.matching.phrases import PhraseAlone, find_phrase, match_phrase
from dowse.matching.quorums import AtLeast
from dowse.matching.scored_term import ScoredTerm
from dowse.matching.spans import (
    SpanAny,
    SpanExpression,
    SpanFirst,
    SpanNear,
    SpanTerms,
    match_spans,
    phrase_expression,
)
from dowse.matching.terms import match_term

__all__ = [
    "ALL_FIELDS",
    "DOCUMENT_FILTERS",
    "AllOf",
    "AllRows",
    "AnyOf",
    "AtLeast",
    "Choose",
    "Condition",
    "Documents",
    "Expansion",
    "Factored",
    "Fields",
    "FilteredRows",
    "Matcher",
    "Names",
    "OfDocuments",
    "Pattern",
    "PhraseAlone",
    "ScoredTerm",
    "SpanAny",
    "SpanExpression",
    "SpanFirst",
    "SpanNear",
    "SpanTerms",
    "Without",
    "clauses_in",
    "compile_expression",
    "compile_wildcard",
    "find_phrase",
    "match_exact",
    "match_expansion",
    "match_names",
    "match_phrase",
    "match_spans",
    "match_term",
    "phrase_expression",
    "spell_terms",
]
