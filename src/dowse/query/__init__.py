"""What did the user type?

Syntax only: text to a frozen tree, with every problem positioned. Meaning (fields, analysis, statistics)
enters later.

May import: `schema`, `errors`.

Main names: `parse_query` and `parse_queries` (text to tree) · `unparse_node` (tree to canonical text) ·
`show_tree` (tree to indented lines) · the nodes. Reading order: `nodes` · `names` · `groups` · `parsing` ·
`words` · `values` · `prefixes` · `lexing` · `lists` · `grammar` · `printing`.

Grammar, white space between items::

    query    = [ or ] ;
    or       = and { ( "OR" | "||" ) and } ;
    and      = sequence { ( "AND" | "&&" ) sequence } ;
    sequence = unary { unary } ;
    unary    = ( "-" | "!" | "NOT" ) unary | primary ;
    primary  = ( field | atom ) [ "^" number ] ;
    field    = ( "title" | "headings" | "hierarchy" | "tags" | "code" | "body" ) ":" atom ;
    atom     = "(" or ")" | near | first | quorum | weak | leaf ;
    near     = ( "NEAR" | "ONEAR" ) "(" unary "," unary { "," unary } [ "," digits ] ")" ;
    first    = "FIRST" "(" unary "," digits ")" ;
    quorum   = ( digits | number "%" ) "OF" "(" unary { [ "," ] unary } ")" ;
    weak     = "WEAKAND" "(" digits ":" unary { [ "," ] unary } ")" ;
    leaf     = word | phrase | prefix | wildcard | fuzzy | regex | reading | filter | range | "*" ;
    phrase   = quote text quote [ "~" digits ] ;
    prefix   = word "*" ;
    wildcard = word characters, "*" and "?" ;
    fuzzy    = word "~" [ digits ] ;
    regex    = "/" expression "/" ;
    reading  = ( "sounds" | "exact" | "named" ) ":" ( word | phrase ) ;
    filter   = ( "tree" | "path" | "dir" | "ext" | "lang" | "tag" | "author" | "type" | meta ) ":" values
             | "." extension ;
    meta     = "meta." key ;
    values   = value { "," value } | "(" value { "OR" value } ")" ;
    value    = characters | quote text quote ;
    range    = ( "date" | "size" | meta ) ":" ( span | [ sign ] point )
             | ( "date" | "size" | meta ) sign point ;
    span     = [ point ] ( ".." | "/" ) [ point ] ;
    sign     = "<" | "<=" | ">" | ">=" | "=" ;
    word     = characters other than white space, parentheses and quotes ;

Details: keywords count in capitals only. A name before a colon is a prefix only if the grammar names it, so
``12:30``, ``std::vector`` and ``http://x`` are words. A minus counts at the start of a word. A bare ``.pdf``
is a filter in lower case, up to five characters, unless it is the whole query. A question mark at the end of
a word is punctuation. A backslash takes the meaning from the sign after it, or from a keyword.

Invariants:
1. `parse_query` accepts every string. In lenient mode (the default) it returns what it understood and the
   problems; in strict mode the first problem is a QuerySyntaxError with its position. What is read without a
   problem is read alike in both. Only names nobody knows, far from any known one, are for strict mode alone.
2. ``parse_query(unparse_node(node)).root == node`` for every legal tree, but for positions.
3. Time is linear in the text; trees have at most `MAX_ITEMS` leaves and are at most `MAX_DEPTH` groups deep.

Not for: deciding what a word means in a field.
"""

from dowse.query.names import FIELDS, FILTERS, KNOWN_NAMES, RANGES
from dowse.query.nodes import (
    MAX_DEPTH,
    MAX_ITEMS,
    And,
    BagOfWords,
    Boosted,
    Everything,
    Exact,
    Filter,
    First,
    Fuzzy,
    Leaf,
    Named,
    Near,
    Node,
    Not,
    Or,
    Phrase,
    Prefix,
    Quorum,
    RangeFilter,
    Regex,
    Scoped,
    Sounds,
    WeakAnd,
    Wildcard,
    Word,
)
from dowse.query.parsing import (
    DEFAULT_OPERATORS,
    DefaultOperator,
    Parsed,
    join_queries,
    parse_queries,
    parse_query,
    plain_words,
)
from dowse.query.printing import unparse_node
from dowse.query.showing import show_tree

__all__ = [
    "DEFAULT_OPERATORS",
    "FIELDS",
    "FILTERS",
    "KNOWN_NAMES",
    "MAX_DEPTH",
    "MAX_ITEMS",
    "RANGES",
    "And",
    "BagOfWords",
    "Boosted",
    "DefaultOperator",
    "Everything",
    "Exact",
    "Filter",
    "First",
    "Fuzzy",
    "Leaf",
    "Named",
    "Near",
    "Node",
    "Not",
    "Or",
    "Parsed",
    "Phrase",
    "Prefix",
    "Quorum",
    "RangeFilter",
    "Regex",
    "Scoped",
    "Sounds",
    "WeakAnd",
    "Wildcard",
    "Word",
    "join_queries",
    "parse_queries",
    "parse_query",
    "plain_words",
    "show_tree",
    "unparse_node",
]
