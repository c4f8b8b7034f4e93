"""Answers queries by reading every text: slow, plain, and what every matcher must agree with."""

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cached_property
from itertools import pairwise, product
from typing import NamedTuple

from dowse.analysis import PART, WHOLE, Analyzer, fold_text
from dowse.analysis.sounds import sound_codes
from dowse.matching.spelling import edit_budget
from dowse.query import nodes
from dowse.schema import Field

ANALYZER = Analyzer()
ALL_FIELDS = frozenset(Field)


class Token(NamedTuple):
    """A token of a text."""

    surface: str
    term: str
    position: int


@dataclass(frozen=True)
class Text:
    """A document with one chunk, as the scan reads it."""

    key: str
    title: str
    body: str
    path: str = ""
    tags: tuple[str, ...] = ()

    @cached_property
    def tokens(self) -> dict[Field, list[Token]]:
        """All tokens by field."""
        texts = {
            Field.TITLE: self.title,
            Field.PATH: self.path.replace("/", " "),
            Field.TAGS: "\n".join(self.tags),
            Field.BODY: self.body,
        }
        return {name: list(_tokens(text)) for name, text in texts.items()}


def _tokens(text: str) -> Iterable[Token]:
    surfaces, positions, *_ = ANALYZER._tokenize(text)
    terms = ANALYZER.spans(text).terms
    return [Token(*entry) for entry in zip(surfaces, terms, positions, strict=True)]


def distance(left: str, right: str, first_letter_cost: int) -> int:
    """Edits from one word to another, swapped neighbours counting one; the plain table."""
    rows = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i, j in product(range(len(left) + 1), range(len(right) + 1)):
        if not i and not j:
            continue
        options = []
        if i:
            options.append(rows[i - 1][j] + (first_letter_cost if i == 1 and not j else 1))
        if j:
            options.append(rows[i][j - 1] + (first_letter_cost if j == 1 and not i else 1))
        if i and j:
            cost = first_letter_cost if i == 1 and j == 1 else 1
            options.append(rows[i - 1][j - 1] + cost * (left[i - 1] != right[j - 1]))
        if i > 1 and j > 1 and left[i - 1] == right[j - 2] and left[i - 2] == right[j - 1]:
            cost = first_letter_cost if i == 2 and j == 2 else 1
            options.append(rows[i - 2][j - 2] + cost)
        rows[i][j] = min(options)
    return rows[-1][-1]


@dataclass
class Scan:
    """All texts of an index, and what a query matches in them."""

    texts: Sequence[Text]
    keeps_stop_words: bool = field(default=False, init=False)

    @cached_property
    def words(self) -> set[tuple[str, str]]:
        """Every word as written, with its term."""
        return {
            (token.surface, token.term)
            for text in self.texts
            for tokens in text.tokens.values()
            for token in tokens
        }

    def keys(self, root: nodes.Node | None) -> set[str]:
        """Returns the keys of the documents that match a query."""
        if root is None:
            return set()
        self.keeps_stop_words = not self._asks_for_something(root)
        # A word alone is a bag of one: any part of a compound is enough.
        is_bag = isinstance(root, nodes.Word)
        test = self._word(root, ALL_FIELDS, in_bag=True) if is_bag else self._test(root, ALL_FIELDS)
        if test is None:
            return set()
        is_enabled = _role(root) != "excluded"
        return {text.key for text in self.texts if test(text) == is_enabled}

    def _asks_for_something(self, node: nodes.Node) -> bool:
        """Says whether anything but stop words, filters and exclusions is asked for."""
        if isinstance(node, (nodes.Not, nodes.Filter, nodes.RangeFilter, nodes.Everything)):
            return False
        if isinstance(node, nodes.Word):
            return any(not token.is_stop for token in ANALYZER.query_tokens(node.text))
        if isinstance(node, (nodes.Near, nodes.First)):
            return True
        inner = getattr(node, "items", ()) or (getattr(node, "item", None),)
        return any(self._asks_for_something(item) for item in inner) if inner != (None,) else True

    def _test(self, node: nodes.Node, fields: frozenset[Field]) -> Callable[[Text], bool] | None:
        """Returns a test for single texts; None when nothing is left of the node."""
        return getattr(self, f"_{type(node).__name__.lower()}")(node, fields)

    def _all_tests(self, items: Iterable[nodes.Node], fields: frozenset[Field]) -> list:
        tests = [(item, self._test(item, fields)) for item in items]
        return [(item, test) for item, test in tests if test is not None]

    # Words ---------------------------------------------------------------------------------------

    def _word(self, node, fields, in_bag: bool = False):
        tokens = ANALYZER.query_tokens(node.text)
        if in_bag:
            terms = {t.term for t in tokens if self.keeps_stop_words or not t.is_stop}
            return (lambda text: _has_any(text, terms, fields)) if terms else None
        if not tokens or (not self.keeps_stop_words and all(token.is_stop for token in tokens)):
            return None
        parts = [(token.term, token.position) for token in tokens if token.kind == PART]
        wholes = {token.term for token in tokens if token.kind == WHOLE}
        if len(parts) == 1 and not wholes:
            wholes = {parts[0][0]}
        return lambda text: (
            (len(parts) > 1 and _has_phrase(text, parts, 0, fields)) or _has_any(text, wholes, fields)
        )

    def _phrase(self, node, fields):
        tokens = ANALYZER.query_tokens(node.text)
        parts = [(token.term, token.position) for token in tokens if token.kind == PART]
        return (lambda text: _has_phrase(text, parts, node.slop, fields)) if parts else None

    def _exact(self, node, fields):
        wanted = fold_text(node.text)
        return lambda text: bool(wanted) and wanted in fold_text(text.body)

    def _forms(self, fits: Callable[[str], bool], fields):
        terms = {term for surface, term in self.words if fits(surface)}
        return lambda text: _has_any(text, terms, fields)

    def _prefix(self, node, fields):
        start = fold_text(node.text)
        return self._forms(lambda surface: surface.startswith(start), fields)

    def _wildcard(self, node, fields):
        pattern = fold_text(node.pattern).replace("[", "[[]")
        return self._forms(lambda surface: fnmatchcase(surface, pattern), fields)

    def _regex(self, node, fields):
        pattern = re.compile(node.pattern, re.DOTALL)
        return self._forms(lambda surface: pattern.fullmatch(surface) is not None, fields)

    def _fuzzy(self, node, fields):
        parts = [token.surface for token in ANALYZER.query_tokens(node.text) if token.kind == PART]
        if not parts:
            return None
        cost = 2 if node.edits is None else 1

        def fits(surface: str) -> bool:
            return any(
                distance(part, surface, cost) <= (edit_budget(part) if node.edits is None else node.edits)
                for part in parts
            )

        return self._forms(fits, fields)

    def _sounds(self, node, fields):
        parts = [token.surface for token in ANALYZER.query_tokens(node.text) if token.kind == PART]
        if not parts:
            return None
        wanted = {code for part in parts for code in sound_codes(part) if code}
        return self._forms(lambda surface: bool(wanted & set(sound_codes(surface))), fields)

    # Combinations --------------------------------------------------------------------------------

    def _bagofwords(self, node, fields):
        bag = " ".join(item.text for item in node.items if isinstance(item, nodes.Word))
        words = self._word(nodes.Word(bag), fields, in_bag=True)
        others = self._all_tests([i for i in node.items if not isinstance(i, nodes.Word)], fields)
        extensions = [t for i, t in others if isinstance(i, nodes.Filter) and i.name == "ext"]
        others = [(i, t) for i, t in others if t not in extensions]
        if extensions:
            any_extension = nodes.Filter("ext", ())
            others.append((any_extension, lambda text: any(test(text) for test in extensions)))
        if words is None and not others:
            return None
        excluded = [test for item, test in others if _role(item) == "excluded"]
        filters = [test for item, test in others if _role(item) == "filter"]
        binding = [test for item, test in others if _role(item) == "binding"]
        optional = [test for item, test in others if _role(item) == "optional"]
        optional += [words] if words else []
        if not binding and optional:
            binding = [lambda text: any(test(text) for test in optional)]
        return lambda text: (
            all(test(text) for test in binding + filters) and not any(test(text) for test in excluded)
        )

    def _and(self, node, fields):
        tests = self._all_tests(node.items, fields)
        if not tests:
            return None
        return lambda text: all(
            test(text) != (_role(item) == "excluded") for item, test in tests
        )

    def _or(self, node, fields):
        tests = self._all_tests(node.items, fields)
        if not tests:
            return None
        return lambda text: any(test(text) != (_role(item) == "excluded") for item, test in tests)

    def _quorum(self, node, fields):
        tests = self._all_tests(node.items, fields)
        if not tests:
            return None
        needed = node.needed if node.needed is not None else math.ceil(node.share * len(tests) - 1e-9)
        needed = max(1, min(needed, len(tests)))
        return lambda text: (
            sum(test(text) != (_role(item) == "excluded") for item, test in tests) >= needed
        )

    def _not(self, node, fields):
        before, self.keeps_stop_words = self.keeps_stop_words, True
        test = self._test(node.item, fields)
        self.keeps_stop_words = before
        if test is None or _role(node.item) != "excluded":
            return test
        return lambda text: not test(text)

    def _scoped(self, node, fields):
        return self._test(node.item, frozenset({Field[node.field.upper()]}))

    def _boosted(self, node, fields):
        return self._test(node.item, fields)

    def _everything(self, node, fields):
        return lambda text: True

    def _filter(self, node, fields):
        wanted = {value.casefold() for value in node.values}
        if node.name == "ext":
            return lambda text: text.path.rpartition(".")[2].casefold() in wanted and "." in text.path
        if node.name == "tag":
            return lambda text: bool({tag.casefold() for tag in text.tags} & wanted)
        assert node.name == "dir", node
        return lambda text: any(f"/{value.strip('/')}/" in f"/{text.path.casefold()}" for value in wanted)

    # Places --------------------------------------------------------------------------------------

    def _near(self, node, fields):
        return lambda text: any(self._spans(node, text, name) for name in fields & set(text.tokens))

    _first = _near

    def _spans(self, node, text: Text, name: Field) -> set[tuple[int, int]]:
        """All places of a node in one field, as half-open ranges; every way to choose, no shortcuts."""
        if isinstance(node, nodes.First):
            return {span for span in self._spans(node.item, text, name) if span[1] <= node.count}
        if isinstance(node, nodes.Or):
            return set().union(*(self._spans(item, text, name) for item in node.items))
        if isinstance(node, (nodes.Word, nodes.Phrase)):
            tokens = ANALYZER.query_tokens(node.text)
            parts = [(token.term, token.position) for token in tokens if token.kind == PART]
            places = {(token.term, token.position) for token in text.tokens[name]}
            return {
                (start, start + len(parts))
                for start in range(max((t.position for t in text.tokens[name]), default=-1) + 1)
                if all((term, start + offset) in places for term, offset in parts)
            }
        assert isinstance(node, nodes.Near)
        found = set()
        for choice in product(*(sorted(self._spans(item, text, name)) for item in node.items)):
            in_order = sorted(choice)
            if node.is_ordered and list(choice) != in_order:
                continue
            if any(left[1] > right[0] for left, right in pairwise(in_order)):
                continue
            start, end = in_order[0][0], in_order[-1][1]
            if end - start - sum(stop - begin for begin, stop in choice) <= node.distance:
                found.add((start, end))
        return found


def _role(node: nodes.Node) -> str:
    if isinstance(node, nodes.Boosted):
        return _role(node.item)
    if isinstance(node, nodes.Scoped):
        inner = _role(node.item)
        return inner if inner in ("filter", "excluded") else "binding"
    if isinstance(node, nodes.Not):
        return "excluded"
    if isinstance(node, (nodes.Filter, nodes.RangeFilter)):
        return "filter"
    if isinstance(node, (nodes.Phrase, nodes.Exact, nodes.Near, nodes.First, nodes.Quorum)):
        return "binding"
    is_group = isinstance(node, (nodes.And, nodes.BagOfWords))
    if is_group and all(_role(item) == "filter" for item in node.items):
        return "filter"
    return "optional"


def _has_any(text: Text, terms: set[str], fields: frozenset[Field]) -> bool:
    return any(
        token.term in terms for name in fields & set(text.tokens) for token in text.tokens[name]
    )


def _has_phrase(
    text: Text, words: Sequence[tuple[str, int]], slop: int, fields: frozenset[Field]
) -> bool:
    for name in fields & set(text.tokens):
        places = [
            [token.position for token in text.tokens[name] if token.term == term] for term, _ in words
        ]
        for choice in product(*places):
            shifts = [place - offset for place, (_, offset) in zip(choice, words, strict=True)]
            if max(shifts) - min(shifts) <= slop and len(set(choice)) == len(choice):
                return True
    return False
