"""Gives each node of a query its meaning in one snapshot."""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from dowse.analysis import Analyzer
from dowse.kernels.layout import MAX_LOOSE_WORDS, MAX_UNORDERED
from dowse.matching import (
    AllOf,
    AllRows,
    AnyOf,
    AtLeast,
    Condition,
    Documents,
    Expansion,
    Factored,
    Matcher,
    OfDocuments,
    SpanAny,
    SpanExpression,
    SpanFirst,
    SpanNear,
    Without,
    match_exact,
    match_names,
    match_phrase,
    match_spans,
    match_term,
    phrase_expression,
)
from dowse.planning.best import BestOf
from dowse.planning.bound import Bound, RankBest, Role, Scope, Scored
from dowse.planning.filters import join_filters
from dowse.planning.reading import WordReader, WordReading
from dowse.planning.vocabulary import PATTERNS, expand, problems_of
from dowse.query import nodes, unparse_node
from dowse.schema import Field, Problem
from dowse.storage.snapshot import Snapshot


class Binder:
    """Binds the nodes of one query.

    Args:
        snapshot: What is searched.
        analyzers: One for each language of the trees searched; a word means its terms in all of them.
        documents: Answers filters.
        rank_best: Finds the best chunks of part of a query, for ``WEAKAND``.

    Attributes:
        terms: What to highlight.
        expansions: What to highlight besides: the forms of patterns.
        problems: What could not be done as asked.
    """

    def __init__(
        self, snapshot: Snapshot, analyzers: Sequence[Analyzer], documents: Documents, rank_best: RankBest
    ) -> None:
        self.snapshot, self.analyzers = snapshot, analyzers
        self.documents, self.rank_best = documents, rank_best
        self.terms: set[str] = set()
        self.expansions: list[Expansion] = []
        self.problems: list[Problem] = []
        self._words = WordReader(analyzers, snapshot)

    def bind(self, node: nodes.Node, scope: Scope) -> Bound | None:
        """Returns what a node means; None when nothing is left of it, such as a word of punctuation."""
        return _BINDERS[type(node)](self, node, scope)

    # Single things -------------------------------------------------------------------------------

    def _word(self, node: nodes.Word, scope: Scope) -> Bound | None:
        """A word that is not just one of many: all its parts together, or the whole."""
        members: list[Scored] = []
        for reading in self._words.read(node.text, scope.keeps_stop_words):
            members += self._leaves_of(reading, node.text, scope)
        return self._any_of(members)

    def _leaves_of(self, reading: WordReading, label: str, scope: Scope) -> Iterable[Scored]:
        self.terms.update(term for term, _ in reading.parts)
        self.terms.update(reading.wholes)
        if len(reading.parts) > 1:
            yield match_phrase(self.snapshot, label, reading.parts, 0, scope.fields), scope.boost
        elif reading.parts and not reading.wholes:
            yield match_term(self.snapshot, reading.parts[0][0], scope.fields), scope.boost
        for term in reading.wholes:
            yield match_term(self.snapshot, term, scope.fields), scope.boost

    def _phrase(self, node: nodes.Phrase, scope: Scope) -> Bound | None:
        label = f'"{node.text}"' + (f"~{node.slop}" if node.slop else "")
        members: list[Scored] = []
        for words in self._words.phrases(node.text):
            self.terms.update(term for term, _ in words)
            if len(words) == 1:
                leaf = match_term(self.snapshot, words[0][0], scope.fields)
            else:
                slop = self._possible_slop(node, len(words))
                leaf = match_phrase(self.snapshot, label, words, slop, scope.fields)
            members.append((leaf, scope.boost))
        return self._any_of(members, Role.BINDING)

    def _possible_slop(self, node: nodes.Phrase, words: int) -> int:
        if not node.slop or words <= MAX_LOOSE_WORDS:
            return node.slop
        message = (
            f"a phrase of {words:,} words is searched for as it stands; slop is for {MAX_LOOSE_WORDS} at most"
        )
        self.problems.append(Problem("slop-cap", f"character {node.position}", message, "give fewer words"))
        return 0

    def _exact(self, node: nodes.Exact, scope: Scope) -> Bound | None:
        found = match_exact(self.snapshot, node.text)
        if found.checked < found.candidates:
            message = (
                f"“{node.text}” may stand in {found.candidates:,} chunks, more than are read for one"
                f" answer; the {found.checked:,} shortest were"
            )
            self.problems.append(Problem("exact-cap", "query", message, "give more of the text"))
        for words in self._words.phrases(node.text):
            self.terms.update(term for term, _ in words)
        return Bound(found.match, ((found.match, scope.boost),), is_union=True, role=Role.BINDING)

    def _named(self, node: nodes.Named, scope: Scope) -> Bound | None:
        match = match_names(self.snapshot, self.documents.names, node.text)
        return Bound(match, ((match, scope.boost),), is_union=True, role=Role.BINDING)

    def _pattern(self, node: Any, scope: Scope) -> Bound | None:
        members: list[Scored] = []
        for expansion in expand(node, self.snapshot, self._words, scope.fields, unparse_node(node)):
            self.expansions.append(expansion)
            members += [(leaf, scope.boost * penalty) for leaf, penalty in expansion.leaves]
            self.problems += problems_of(node, expansion)
        return self._any_of(members)

    def _any_of(self, members: Sequence[Scored], role: Role = Role.OPTIONAL) -> Bound | None:
        if not members:
            return None
        matchers = [matcher for matcher, _ in members]
        matcher: Matcher = (
            matchers[0] if len(matchers) == 1 else AnyOf(matchers, self.snapshot.segments)
        )
        return Bound(matcher, tuple(members), is_union=True, role=role)

    def _filter(self, node: nodes.Filter, scope: Scope) -> Bound | None:
        return self._of_documents(Condition(node.name, node.values))

    def _range(self, node: nodes.RangeFilter, scope: Scope) -> Bound | None:
        return self._of_documents(Condition(node.name, (), node.low, node.high))

    def _of_documents(self, condition: Condition) -> Bound:
        return Bound(OfDocuments(self.documents, condition), role=Role.FILTER)

    def _everything(self, node: nodes.Everything, scope: Scope) -> Bound | None:
        return Bound(self.all_rows())

    def all_rows(self) -> AllRows:
        """Returns what matches everything."""
        return AllRows(self.snapshot.segments)

    # Around one thing ----------------------------------------------------------------------------

    def _scoped(self, node: nodes.Scoped, scope: Scope) -> Bound | None:
        fields = frozenset({Field[node.field.upper()].value})
        found = self.bind(node.item, scope._replace(fields=fields))
        if found is None or found.role in (Role.FILTER, Role.EXCLUDED):
            return found
        return found._replace(role=Role.BINDING)

    def _boosted(self, node: nodes.Boosted, scope: Scope) -> Bound | None:
        return self.bind(node.item, scope._replace(boost=scope.boost * node.factor))

    def _not(self, node: nodes.Not, scope: Scope) -> Bound | None:
        terms, expansions = set(self.terms), list(self.expansions)
        found = self.bind(node.item, scope._replace(keeps_stop_words=True))
        self.terms, self.expansions = terms, expansions  # what must not be there is not highlighted
        return None if found is None else Bound(self._matcher_of(found), role=Role.EXCLUDED)

    def _matcher_of(self, found: Bound) -> Matcher:
        """Returns what a part matches, standing alone."""
        if found.role is Role.EXCLUDED:
            return Without(self.all_rows(), found.matcher)
        return found.matcher

    # Several things ------------------------------------------------------------------------------

    def _bind_all(self, items: Iterable[nodes.Node], scope: Scope) -> list[Bound]:
        return [found for item in items if (found := self.bind(item, scope)) is not None]

    def _and(self, node: nodes.And, scope: Scope) -> Bound | None:
        found = self._bind_all(node.items, scope)
        return self._combine(found, [part for part in found if part.role is not Role.EXCLUDED])

    def _or(self, node: nodes.Or, scope: Scope) -> Bound | None:
        found = self._bind_all(node.items, scope)
        if not found:
            return None
        matcher = AnyOf([self._matcher_of(part) for part in found], self.snapshot.segments)
        is_union = all(part.is_union for part in found)
        return Bound(matcher, _scored_of(found), is_union)

    def _most(self, node: nodes.BagOfWords, scope: Scope) -> Bound | None:
        """Bare words and other optional parts add to the score; the rest says what may appear at all."""
        words = [item for item in node.items if type(item) is nodes.Word]
        others = join_filters(item for item in node.items if type(item) is not nodes.Word)
        found = [
            part
            for part in (
                self.bind_bag(" ".join(word.text for word in words), scope),
                *self._bind_all(others, scope),
            )
            if part is not None
        ]
        needed = [part for part in found if part.role is Role.BINDING]
        if not needed:
            optional = [part for part in found if part.role is Role.OPTIONAL]
            if optional:
                is_union = all(part.is_union for part in optional)
                matcher = AnyOf([part.matcher for part in optional], self.snapshot.segments)
                needed = [Bound(matcher, (), is_union)]
        filters = [part for part in found if part.role is Role.FILTER]
        return self._combine(found, needed + filters)

    def _combine(self, found: Sequence[Bound], needed: Sequence[Bound]) -> Bound | None:
        """All of the needed parts, none of the excluded ones, and the scores of all of them."""
        if not found:
            return None
        excluded = [part.matcher for part in found if part.role is Role.EXCLUDED]
        matchers = [part.matcher for part in needed]
        matcher: Matcher = AllOf(matchers) if len(matchers) > 1 else (*matchers, self.all_rows())[0]
        if excluded:
            matcher = Without(matcher, AnyOf(excluded, self.snapshot.segments))
        # What binds decides alone; what else is scored then matches more than is wanted.
        is_union = (
            len(needed) == 1
            and needed[0].is_union
            and all(part.role is Role.OPTIONAL for part in found)
        )
        role = Role.FILTER if all(part.role is Role.FILTER for part in found) else Role.OPTIONAL
        return Bound(matcher, _scored_of(found), is_union, role)

    def bind_bag(self, text: str, scope: Scope) -> Bound | None:
        """Binds bare words: any of their terms matches, each typed twice weighs twice."""
        weights = self._words.bag(text, scope.keeps_stop_words)
        self.terms.update(weights)
        return self._any_of(
            [
                (match_term(self.snapshot, term, scope.fields), weight * scope.boost)
                for term, weight in weights.items()
            ]
        )

    def _quorum(self, node: nodes.Quorum, scope: Scope) -> Bound | None:
        found = self._bind_all(node.items, scope)
        if not found:
            return None
        needed = quorum_size(node, len(found))
        group = AtLeast([self._matcher_of(part) for part in found], needed, self.snapshot.segments)
        rows, factors = [], []
        for segment in range(len(self.snapshot.segments)):
            own, counts = group.counts_in(segment)
            rows.append(own)
            factors.append(counts / float(len(found)))
        reason = f"matched parts / {len(found)}"
        match = Factored(unparse_node(node), reason, rows, factors, _scored_of(found))
        is_union = all(part.is_union and are_scored(part.scored) for part in found)
        return Bound(match, ((match, 1.0),), is_union, Role.BINDING)

    def _weak_and(self, node: nodes.WeakAnd, scope: Scope) -> Bound | None:
        found = self._or(nodes.Or(node.items), scope)
        if found is None:
            return None
        return Bound(BestOf(found.scored, node.keep, self.rank_best), found.scored)

    # Places --------------------------------------------------------------------------------------

    def _places(self, node: Any, scope: Scope) -> Bound | None:
        members: list[Scored] = []
        expression = self._expression(node, scope, members)
        if expression is None:
            return None
        match = match_spans(
            self.snapshot, unparse_node(node), expression, tuple(members), scope.fields
        )
        return Bound(match, ((match, 1.0),), are_scored(members), Role.BINDING)

    def _expression(
        self, node: nodes.Node, scope: Scope, members: list[Scored]
    ) -> SpanExpression | None:
        """Returns where a node stands; adds the leaves of its words to `members`."""
        if isinstance(node, nodes.Near):
            parts = [self._expression(item, scope, members) for item in node.items]
            known = self._possible_members(node, [part for part in parts if part is not None])
            return SpanNear(known, node.distance, node.is_ordered) if len(known) > 1 else (*known, None)[0]
        if isinstance(node, nodes.First):
            inner = self._expression(node.item, scope, members)
            return None if inner is None else SpanFirst(inner, node.count)
        if isinstance(node, nodes.Or):
            parts = [self._expression(item, scope, members) for item in node.items]
            known = tuple(part for part in parts if part is not None)
            return SpanAny(known) if known else None
        if isinstance(node, nodes.Boosted):
            boost = scope.boost * node.factor
            return self._expression(node.item, scope._replace(boost=boost), members)
        return self._word_expression(node, scope, members)

    def _possible_members(
        self, node: nodes.Near, known: Sequence[SpanExpression]
    ) -> tuple[SpanExpression, ...]:
        if node.is_ordered or len(known) <= MAX_UNORDERED:
            return tuple(known)
        message = f"NEAR has {len(known):,} members; the places of the first {MAX_UNORDERED} are compared"
        self.problems.append(
            Problem("near-cap", f"character {node.position}", message, "give fewer, or their order: ONEAR")
        )
        return tuple(known[:MAX_UNORDERED])

    def _word_expression(
        self, node: nodes.Node, scope: Scope, members: list[Scored]
    ) -> SpanExpression | None:
        if isinstance(node, (nodes.Word, nodes.Phrase)):
            bound = self.bind(node, scope._replace(keeps_stop_words=True))
            if bound is None:
                return None
            members += bound.scored
            readings = self._words.phrases(node.text)
            known: list[SpanExpression] = [phrase_expression(words) for words in readings]
            return known[0] if len(known) == 1 else SpanAny(tuple(known)) if known else None
        if type(node) in PATTERNS:
            spans = []
            for expansion in expand(node, self.snapshot, self._words, scope.fields, unparse_node(node)):
                self.expansions.append(expansion)
                members += [(leaf, scope.boost * penalty) for leaf, penalty in expansion.leaves]
                spans.append(expansion.spans(self.snapshot))
            return SpanAny(tuple(spans)) if spans else None
        message = f"{unparse_node(node)} has no place in the text; it is left out of NEAR, ONEAR and FIRST"
        self.problems.append(Problem("query-meaning", f"character {node.position}", message))
        return None


def quorum_size(node: nodes.Quorum, count: int) -> int:
    """Returns how many of the parts of a quorum must match, of which `count` have a meaning."""
    share = math.ceil((node.share or 0.0) * count - 1e-9)
    return max(1, min(share if node.needed is None else node.needed, count))


def are_scored(scored: Iterable[Scored]) -> bool:
    """Says whether a match of any of them is worth something."""
    return all(weight > 0.0 for _, weight in scored)


def _scored_of(parts: Iterable[Bound]) -> tuple[Scored, ...]:
    return tuple(scored for part in parts for scored in part.scored)


_BINDERS: dict[type, Callable[[Binder, Any, Scope], Bound | None]] = {
    nodes.Word: Binder._word,
    nodes.Phrase: Binder._phrase,
    nodes.Exact: Binder._exact,
    nodes.Named: Binder._named,
    nodes.Filter: Binder._filter,
    nodes.RangeFilter: Binder._range,
    nodes.Everything: Binder._everything,
    nodes.Scoped: Binder._scoped,
    nodes.Boosted: Binder._boosted,
    nodes.Not: Binder._not,
    nodes.And: Binder._and,
    nodes.Or: Binder._or,
    nodes.BagOfWords: Binder._most,
    nodes.Quorum: Binder._quorum,
    nodes.WeakAnd: Binder._weak_and,
    nodes.Near: Binder._places,
    nodes.First: Binder._places,
    **dict.fromkeys(PATTERNS, Binder._pattern),
}
