"""Plans the short queries that are most frequent after bare words, without binding part by part.

Words that must be there, ``a AND (b OR c^2) AND NOT d``, and a phrase alone: a tree of bound parts costs
several times what the kernel needs to answer. `Binder` gives the same query the same meaning.
"""

from collections.abc import Sequence

from dowse.kernels.layout import MAX_LOOSE_WORDS
from dowse.matching import match_phrase
from dowse.planning.plan import Plan
from dowse.planning.reading import WordReader
from dowse.query import nodes
from dowse.storage.snapshot import Snapshot

# Words of one clause; the kernel looks at each of them for every row.
_MANY = 4

Weighted = tuple[nodes.Word, float]


def plan_phrase(root: nodes.Node, words: WordReader, snapshot: Snapshot) -> Plan | None:
    """Plans a query that is one phrase; None for any other, and when it can be read in several ways."""
    if type(root) is not nodes.Phrase:
        return None
    readings = words.phrases(root.text)
    if len(readings) != 1 or not 1 < len(readings[0]) <= MAX_LOOSE_WORDS:
        return None
    leaf = match_phrase(snapshot, root.text, readings[0], root.slop)
    return Plan((), ((leaf, 1.0),), terms=frozenset([term for term, _ in readings[0]]))


def plan_required(root: nodes.Node, words: WordReader) -> Plan | None:
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
        if clause is None:
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
    return Plan(
        tuple(bag),
        terms=frozenset([term for term, _ in bag]),
        needed=tuple(needed),
        excluded=tuple([token.term for token in left]),
    )


def _weighted(items: Sequence[nodes.Node]) -> list[Weighted] | None:
    if len(items) > _MANY:
        return None
    found: list[Weighted] = []
    for item in items:
        word, weight = (item.item, item.factor) if isinstance(item, nodes.Boosted) else (item, 1.0)
        if type(word) is not nodes.Word or weight <= 0.0:
            return None
        found.append((word, weight))
    return found
