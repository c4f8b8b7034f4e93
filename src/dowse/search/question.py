"""What a query asks, apart from its words: the question to embed, and what its answers must be.

Words are soft: a chunk that means the same in other words is an answer too. Phrases, filters and exclusions
are hard, and so is whatever else somebody went out of their way to write: AND, a field, a pattern, NEAR. A
query with such parts is answered by what matches it, and meaning only orders the matches.

Quotation marks are also what people write in sentences: among many words a phrase is soft. Pasted paragraphs
and questions with a quotation would find next to nothing otherwise (nDCG@10 of CISI 0.435 instead of 0.455,
of CACM 0.547 instead of 0.578, where one question in eight or nine has one).
"""

from collections.abc import Iterator
from typing import NamedTuple

from dowse.query import nodes

_SOFT = (nodes.Word, nodes.Fuzzy)
_HARD = (nodes.Phrase, nodes.Filter, nodes.RangeFilter, nodes.Not)
FEW_WORDS = 4
"""Beside so many words at most, a phrase is meant as one."""


class Question(NamedTuple):
    """What is asked.

    Attributes:
        text: What the model is to embed; empty when there are no words to understand.
        constraint: What every answer must match; None when anything may answer.
        typed: The query without what was added to it.
    """

    text: str
    constraint: nodes.Node | None
    typed: nodes.Node | None = None


def read_widened(root: nodes.Node | None, typed: nodes.Node | None) -> Question:
    """Finds the question in a query to which synonyms were added, or similar words.

    What was added is part of the question, and does not make it stricter: a phrase among synonyms is nothing
    that somebody went out of their way to write.

    Args:
        root: The whole query.
        typed: The query without what was added.
    """
    own = read_question(typed)
    return Question(read_question(root).text, root if own.constraint is typed else own.constraint, typed)


def read_question(root: nodes.Node | None) -> Question:
    """Finds the question in a query."""
    if root is None:
        return Question("", None)
    text = " ".join(_iter_words(root))
    if _is_soft(root):
        return Question(text, None)
    if isinstance(root, nodes.BagOfWords):
        items = _without_quotations(root.items)
        hard = tuple(item for item in items if isinstance(item, _HARD))
        if all(_is_soft(item) or isinstance(item, _HARD) for item in items):
            return Question(text, nodes.And(hard) if len(hard) > 1 else hard[0] if hard else None)
    return Question(text, root)


def _without_quotations(items: tuple[nodes.Node, ...]) -> tuple[nodes.Node, ...]:
    if sum(isinstance(item, nodes.Word) for item in items) <= FEW_WORDS:
        return items
    return tuple(item for item in items if not isinstance(item, nodes.Phrase))


def _is_soft(node: nodes.Node) -> bool:
    if isinstance(node, nodes.Boosted):
        return _is_soft(node.item)
    if isinstance(node, nodes.BagOfWords | nodes.Or):
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
