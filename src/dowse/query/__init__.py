"""What did the user type?

Syntax only: text to a frozen tree, with every problem positioned. Meaning (fields, analysis, statistics)
enters later.

May import: `schema`, `errors`.

Main names: `Word`, `Phrase`, `Not`, `Query` (the tree) · `parse` · `unparse`.

Grammar::

    query  := clause*
    clause := '-' item | item          a minus counts only at the start of a word
    item   := '"' any* '"' | word
    word   := characters other than white space and '"'

Invariants:
1. `parse` accepts every string. In lenient mode (the default) it returns what it understood and the
   problems; in strict mode the first problem is a QuerySyntaxError with its position.
2. ``parse(unparse(tree)).tree`` is the tree, but for positions.

Not for: deciding what a word means in a field.
"""

from dowse.query.parser import Parsed, parse
from dowse.query.tree import Clause, Not, Phrase, Query, Word, unparse

__all__ = ["Clause", "Not", "Parsed", "Phrase", "Query", "Word", "parse", "unparse"]
