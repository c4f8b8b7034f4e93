"""What a query asks, apart from its words: the question to embed, and what its answers must be.

Words are soft: a chunk that means the same in other words is an answer too. Phrases, filters and exclusions
are hard, and so is whatever else somebody went out of their way to write: AND, a field, a pattern, NEAR. A
query with such parts is answered by what matches it, and meaning only orders the matches.
"""

from collections.abc import Iterator
from typing import NamedTuple

from dowse.query import nodes

_SOFT = (nodes.Word, nodes.Fuzzy)
_HARD = (nodes.Phrase, nodes.Filter, nodes.RangeFilter, nodes.Not)


class Question(NamedTuple):
    """What is asked.

    Attributes:
        text: What the model is to embed; empty when there are no words to understand.
        constraint: What every answer must match; None when anything may answer.
    """

    text: str
    constraint: nodes.Node | None


def read_question(root: nodes.Node | None) -> Question:
    """Finds the question in a query."""
    if root is None:
        return Question("", None)
    text = " ".join(_iter_words(root))
    if _is_soft(root):
        return Question(text, None)
    if isinstance(root, nodes.Most):
        hard = tuple(item for item in root.items if isinstance(item, _HARD))
        if all(_is_soft(item) or isinstance(item, _HARD) for item in root.items):
            return Question(text, hard[0] if len(hard) == 1 else nodes.And(hard))
    return Question(text, root)


def _is_soft(node: nodes.Node) -> bool:
    if isinstance(node, nodes.Boosted):
        return _is_soft(node.item)
    if isinstance(node, nodes.Most | nodes.Or):
        return all(map(_is_soft, node.items))
    return isinstance(node, _SOFT)


def _iter_words(node: nodes.Node) -> Iterator[str]:
    """Yields the words that are asked for, in order; what is excluded or filtered is not among them."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        if isinstance(node, nodes.Word | nodes.Phrase | nodes.Fuzzy | nodes.Exact | nodes.Named):
            yield node.text
        elif isinstance(node, nodes.Boosted | nodes.Scoped | nodes.First):
            waiting.append(node.item)
        elif isinstance(node, nodes.ItemsNode | nodes.Near | nodes.Quorum | nodes.WeakAnd):
            waiting.extend(reversed(node.items))
