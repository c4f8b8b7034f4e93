"""Plans the short queries that are most frequent after bare words, without binding part by part.

Words that must be there, ``a AND (b OR c^2) AND NOT d``, some of several words, ``2 OF (a b c)``, and a
phrase or a pattern alone: a tree of bound parts costs several times what the kernel needs to answer. `Binder`
gives the same query the same meaning.
"""

from collections.abc import Sequence

from dowse.kernels.layout import MAX_LOOSE_WORDS
from dowse.matching import ALL_FIELDS, find_phrase
from dowse.planning.binding import quorum_size
from dowse.planning.plan import ClausePlan, Needed, PhrasePlan, TreePlan
from dowse.planning.reading import WordReader
from dowse.planning.vocabulary import PATTERNS, expand, problems_of
from dowse.query import nodes
from dowse.storage.snapshot import Snapshot

# Words of one clause; the kernel looks at each of them for every row.
_MANY = 4

Weighted = tuple[nodes.Word, float]


def plan_phrase(root: nodes.Node, words: WordReader, snapshot: Snapshot) -> PhrasePlan | None:
    """Plans a query that is one phrase; None for any other, and when it can be read in several ways."""
    if type(root) is not nodes.Phrase:
        return None
    readings = words.phrases(root.text)
    if len(readings) != 1 or not 1 < len(readings[0]) <= MAX_LOOSE_WORDS:
        return None
    phrase = find_phrase(snapshot, readings[0], root.slop)
    return PhrasePlan(phrase, terms=frozenset([term for term, _ in readings[0]]))


def plan_pattern(root: nodes.Node, words: WordReader, snapshot: Snapshot) -> TreePlan | None:
    """Plans a query that is one prefix, wildcard, expression, similar word or sound; None for any other."""
    if type(root) not in PATTERNS:
        return None
    # Without a name: what is explained is bound part by part.
    expansions = tuple(expand(root, snapshot, words, ALL_FIELDS, ""))
    if not expansions:
        return None  # no word to look for
    return TreePlan(
        tuple([leaf for expansion in expansions for leaf in expansion.leaves]),
        expansions=expansions,
        problems=tuple(dict.fromkeys(problem for one in expansions for problem in problems_of(root, one))),
    )


def plan_required(root: nodes.Node, words: WordReader) -> ClausePlan | None:
    """Plans a query of words that must or must not be there; None when there is anything else to it."""
    if type(root) is not nodes.And:
        return None
    clauses: list[list[Weighted]] = []
    excluded: list[nodes.Word] = []
    for item in root.items:
        if type(item) is nodes.Not:
            if type(item.item) is not nodes.Word:
                return None
            excluded.append(item.item)
            continue
        clause = _weighted(item.items if type(item) is nodes.Or else (item,))
        if clause is None or len(clause) > _MANY:
            return None
        clauses.append(clause)
    texts = [word.text for clause in clauses for word, _ in clause]
    tokens = words.single_tokens(texts + [word.text for word in excluded])
    if tokens is None:
        return None
    bag: list[tuple[str, float]] = []
    needed: list[range] = []
    left = iter(tokens)
    for clause in clauses:
        first = len(bag)
        # The clause comes first: it ends before a token is taken that belongs to the next one.
        for (_, weight), token in zip(clause, left, strict=False):
            if not words.is_stop(token):
                bag.append((token.term, weight))
        if len(bag) > first:
            needed.append(range(first, len(bag)))
    if not bag:
        return None  # stop words count after all
    return ClausePlan(
        tuple(bag),
        Needed(tuple(needed)),
        tuple([token.term for token in left]),
        terms=frozenset([term for term, _ in bag]),
    )


def plan_quorum(root: nodes.Node, words: WordReader) -> ClausePlan | None:
    """Plans a query of words of which some must be there; None when there is anything else to it."""
    if type(root) is not nodes.Quorum:
        return None
    weighted = _weighted(root.items)
    tokens = words.single_tokens([word.text for word, _ in weighted]) if weighted else None
    if tokens is None or weighted is None:
        return None
    bag = [
        (token.term, weight)
        for token, (_, weight) in zip(tokens, weighted, strict=True)
        if not words.is_stop(token)
    ]
    if not bag:
        return None  # stop words count after all
    needed = Needed(least=quorum_size(root, len(bag)))
    return ClausePlan(tuple(bag), needed, terms=frozenset([term for term, _ in bag]))


def _weighted(items: Sequence[nodes.Node]) -> list[Weighted] | None:
    """Returns words with their weights; None when anything else is among them."""
    found: list[Weighted] = []
    for item in items:
        word, weight = (item.item, item.factor) if isinstance(item, nodes.Boosted) else (item, 1.0)
        if type(word) is not nodes.Word or weight <= 0.0:
            return None
        found.append((word, weight))
    return found
