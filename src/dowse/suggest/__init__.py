"""What could be meant by what was typed so far?

Completes the word that is being typed, finds titles, checks the spelling of a text and shows the
vocabulary: all that can be said from the dictionaries of the segments, without searching.

May import: `analysis`, `matching`, `storage`, `kernels`, `schema`, `errors`.

Main names: `complete` with `Titles` · `check_spelling` · `browse_terms`; their answers are values of
`schema.suggestions`.

Reading order: `frequent_words` · `titles` · `completions` · `spell_check` · `vocabulary`.

Rules:
1. Words are shown as texts have them, folded; titles as they are.
2. What fits as typed comes before what fits only if a typing error is assumed, and that is said. No more
   errors are assumed than are needed for one such fit, never more than `matching.spelling.edit_budget`,
   and only one where something fits as typed.
3. What only deleted chunks have is never shown. Where deleted chunks are still in a segment, the frequency
   of a word may count some of them; that of a term never does.

Not for: correcting queries (`search`), which keeps operators and fields apart from words.
"""

from dowse.suggest.completions import KINDS, MAX_COMPLETIONS, complete
from dowse.suggest.spell_check import check_spelling
from dowse.suggest.titles import Titles, build_titles
from dowse.suggest.vocabulary import ORDERS, Order, browse_terms

__all__ = [
    "KINDS",
    "MAX_COMPLETIONS",
    "ORDERS",
    "Order",
    "Titles",
    "browse_terms",
    "build_titles",
    "check_spelling",
    "complete",
]
