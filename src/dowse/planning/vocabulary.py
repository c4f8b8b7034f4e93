"""Patterns of a query, met with the vocabulary: prefixes, wildcards, expressions, similar words, sounds."""

from collections.abc import Iterator
from typing import Any

from dowse.analysis import fold_text
from dowse.analysis.sounds import sound_codes
from dowse.matching import (
    Choose,
    Expansion,
    Fields,
    compile_expression,
    compile_wildcard,
    match_expansion,
)
from dowse.matching.patterns import fitting, similar_to, sounding_like, starting_with
from dowse.matching.spelling import edit_budget
from dowse.planning.reading import WordReader
from dowse.query import nodes, unparse_node
from dowse.schema import Problem
from dowse.storage.snapshot import Snapshot

PATTERNS = (nodes.Prefix, nodes.Wildcard, nodes.Regex, nodes.Fuzzy, nodes.Sounds)


def expand(
    node: Any, snapshot: Snapshot, words: WordReader, fields: Fields, label: str
) -> Iterator[Expansion]:
    """Yields the expansions of a pattern: one, or one for each part of a fuzzy or sounding word.

    Args:
        node: The pattern.
        snapshot: What is searched.
        words: Reads words.
        fields: Those that count.
        label: What explanations call it.

    Raises:
        InvalidPatternError: A regular expression is not one.
        PatternTooComplexError: A pattern would take too long.
    """
    for choose in _choices(node, words):
        yield match_expansion(snapshot, label, choose, fields)


def problems_of(node: Any, expansion: Expansion) -> list[Problem]:
    """Returns what people must know about an expansion: that there are more terms than are searched for."""
    if expansion.kept == expansion.found and expansion.is_complete:
        return []
    more = "" if expansion.is_complete else "at least "
    message = (
        f"{unparse_node(node)} fits {more}{expansion.found:,} terms;"
        f" the {expansion.kept:,} most frequent are searched"
    )
    return [Problem("expansion-cap", "query", message, "give more letters")]


def _choices(node: Any, words: WordReader) -> Iterator[Choose]:
    if isinstance(node, nodes.Prefix):
        yield starting_with(fold_text(node.text))
    elif isinstance(node, nodes.Wildcard):
        yield fitting(compile_wildcard(fold_text(node.pattern)))
    elif isinstance(node, nodes.Regex):
        yield fitting(compile_expression(fold_literals(node.pattern)))
    elif isinstance(node, nodes.Fuzzy):
        for surface in words.surfaces(node.text):
            if node.edits is None:
                yield similar_to(surface, edit_budget(surface), 2)
            else:
                yield similar_to(surface, node.edits, 1)
    else:
        for surface in words.surfaces(node.text):
            yield sounding_like(surface, sound_codes(surface))


def fold_literals(expression: str) -> str:
    """Folds the letters of a regular expression, but not those after a backslash, which are classes."""
    if expression.isascii() and expression.isprintable() and "\\" not in expression:
        return expression.lower()
    folded, at = [], 0
    while at < len(expression):
        size = 2 if expression[at] == "\\" else 1
        piece = expression[at : at + size]
        folded.append(piece if size == 2 else fold_text(piece) or piece)
        at += size
    return "".join(folded)
