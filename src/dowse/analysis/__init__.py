"""Which terms does a text have?

Text goes in, terms with positions and places come out, by the same rules for documents and queries.
The hot path is compiled (`dowse.kernels.Tokenizer`); this package owns the rules, the character
table, stemming and stop words.

May import: `errors`, `kernels`.

Main types: `AnalysisSettings` · `Analyzer` · `Batch` (indexing) · `TokenArrays` · `QueryToken` ·
`Spans` · `StopWords`. Besides terms: `fold_text` and `sign_texts` (substrings) · `sound_codes`.

Reading order: `settings` · `analyzer` · `kernels/reference/tokenising` (the rules as code) · rest.

The rules:
1. *Fold.* Characters fold by NFKC, case and accents, one by one through a table. Latin and Greek
   lose their marks (é, ά), Arabic and Hebrew their points; й, Devanagari and all other scripts keep
   theirs. Digits of any script become 0-9. Invisible and control characters vanish without ending a
   word; NUL ends one.
2. *Words* are runs of letters, digits and marks. ``- _ .`` and an apostrophe between word
   characters, a comma between digits, and camelCase humps (HTTPServer, but not URLs) cut a word
   into PARTs, each of which takes one position; a WHOLE with the parts written as one
   (errorhandling) overlays the first. Letters and digits do not part (utf8). Numbers joined by dots
   keep them in the WHOLE (2026.4.10); a comma before three digits is dropped, any other becomes a
   dot.
3. *Apostrophes.* English contractions stay one word (don't, we'll); 's falls away; all else is cut
   (rule 2), which is right for l'homme, O'Brien and İstanbul'da alike.
4. *Names with signs.* ``c++``, ``c#`` and ``.net`` are WHOLEs over the plain PART.
5. *Scripts without spaces* (Han, kana, Hangul, Thai, Lao, Khmer, Myanmar) give overlapping pairs as
   PARTs; a run of one is a PART alone. Each Han character in a longer run is a UNIGRAM overlay too.
   Queries leave UNIGRAMs out. A pictograph is a PART.
6. *Caps.* Surfaces end after 64 code points; a WHOLE that would be longer, or has over 16 parts, is
   left out.
7. *Terms.* term = stem(surface) if the surface has only letters and marks of scripts with spaces,
   whatever its kind; otherwise the surface. So ``error-handling`` meets ``errorhandling``.
8. *Stop words* are indexed and only marked in queries; they are compared with the unstemmed
   surface.

Invariants:
1. The field length is the number of positions; overlays add none.
2. Tokens come in order of position; an overlay comes before the part it shares its start with, a
   UNIGRAM after its pair.
3. A text and its normal form C have the same terms.
4. The terms of a query are among the terms of the same text indexed.

Not for: query syntax (`query`), statistics and weights (`scoring`), cutting documents (`ingest`).
"""

from dowse.analysis.analyzer import (
    PART,
    UNIGRAM,
    WHOLE,
    Analyzer,
    Batch,
    QueryToken,
    Spans,
    TokenArrays,
)
from dowse.analysis.folding import fold_text, sign_texts
from dowse.analysis.settings import AnalysisSettings
from dowse.analysis.sounds import sound_codes
from dowse.analysis.stop_words import StopWords

__all__ = [
    "PART",
    "UNIGRAM",
    "WHOLE",
    "AnalysisSettings",
    "Analyzer",
    "Batch",
    "QueryToken",
    "Spans",
    "StopWords",
    "TokenArrays",
    "fold_text",
    "sign_texts",
    "sound_codes",
]
