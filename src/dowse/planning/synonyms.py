"""Words that mean the same: a query for one asks for the others as well.

Rules are read once, folded once, and applied to the tree of a query before it meets the index, so that they
work in every mode and the interpretation of a query shows them.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from msgspec.structs import replace

from dowse.analysis import fold_text
from dowse.query import nodes
from dowse.schema import Problem, SynonymRule

# The word that was typed is better evidence than one that means the same.
WEIGHT = 0.8


def parse_synonyms(text: str) -> tuple[tuple[SynonymRule, ...], tuple[Problem, ...]]:
    """Reads rules, one a line.

    ``tea, chai, green brew`` makes each of them stand for all; ``laptop => notebook, computer`` makes the
    left side ask for the right side as well, and not the other way round. A ``#`` starts a comment.

    Returns:
        The rules, and a problem for each line that is none.
    """
    meanings: dict[str, dict[str, None]] = {}
    problems = []
    for number, line in enumerate(text.splitlines(), 1):
        rule = line.partition("#")[0].strip()
        if not rule:
            continue
        left, arrow, right = rule.partition("=>")
        asked, found = _split(left), _split(right) if arrow else _split(left)
        if not asked or not found or (not arrow and len(found) < 2):
            message = "expected “a, b” or “a => b”"
            problems.append(Problem("synonym-syntax", f"line {number}", message))
            continue
        for words in asked:
            known = meanings.setdefault(words, {})
            known.update(dict.fromkeys(meaning for meaning in found if meaning != words))
    rules = tuple(SynonymRule(words, tuple(found)) for words, found in meanings.items() if found)
    return rules, tuple(problems)


def _split(side: str) -> list[str]:
    return [folded for part in side.split(",") if (folded := " ".join(fold_text(part).split()))]


def add_synonyms(root: nodes.Node, rules: tuple[SynonymRule, ...]) -> nodes.Node:
    """Returns a query that asks for what its words mean as well; phrases and exclusions stay as they are."""
    return _change(root, _by_first_word(rules))


@lru_cache(maxsize=8)
def _by_first_word(rules: tuple[SynonymRule, ...]) -> dict[str, list[tuple[tuple[str, ...], SynonymRule]]]:
    """Returns the rules by their first word, longest first."""
    found: dict[str, list[tuple[tuple[str, ...], SynonymRule]]] = {}
    for rule in rules:
        words = tuple(rule.words.split(" "))
        found.setdefault(words[0], []).append((words, rule))
    for entries in found.values():
        entries.sort(key=lambda entry: -len(entry[0]))
    return found


Rules = dict[str, list[tuple[tuple[str, ...], SynonymRule]]]


def _change(node: nodes.Node, rules: Rules) -> nodes.Node:
    if isinstance(node, nodes.Word):
        (changed,) = _change_run([node], rules)
        return changed
    if isinstance(node, (nodes.BagOfWords, nodes.And)):
        return replace(node, items=tuple(_change_items(node.items, rules)))
    if isinstance(node, (nodes.Or, nodes.Near, nodes.Quorum, nodes.WeakAnd)):
        return replace(node, items=tuple(_change(item, rules) for item in node.items))
    if isinstance(node, (nodes.Scoped, nodes.Boosted, nodes.First)):
        return replace(node, item=_change(node.item, rules))
    return node


def _change_items(items: Sequence[nodes.Node], rules: Rules) -> Iterator[nodes.Node]:
    """Changes items side by side; words that follow each other may be one rule's."""
    run: list[nodes.Word] = []
    for item in items:
        if isinstance(item, nodes.Word):
            run.append(item)
            continue
        yield from _change_run(run, rules)
        run = []
        yield _change(item, rules)
    yield from _change_run(run, rules)


def _change_run(run: Sequence[nodes.Word], rules: Rules) -> Iterator[nodes.Node]:
    folded = [fold_text(word.text) for word in run]
    at = 0
    while at < len(run):
        for words, rule in rules.get(folded[at], ()):
            if tuple(folded[at : at + len(words)]) == words:
                yield _with_synonyms(run[at : at + len(words)], rule.synonyms)
                at += len(words)
                break
        else:
            yield run[at]
            at += 1


def _with_synonyms(words: Sequence[nodes.Word], meanings: Iterable[str]) -> nodes.Node:
    asked: nodes.Node = words[0] if len(words) == 1 else nodes.And(tuple(words), words[0].position)
    others = (
        nodes.Boosted(nodes.Phrase(text) if " " in text else nodes.Word(text), WEIGHT)
        for text in meanings
    )
    return nodes.Or((asked, *others), words[0].position)
