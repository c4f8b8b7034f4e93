"""Which parts of a query keep a document from being a hit, found by asking each part by itself.

A part is asked in the very way the search asks it: bound to the index, then compared with the document's
chunks. So the answer holds for every mode, and for whatever the query language can say.
"""

import datetime
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from dowse.matching.document_filters import SegmentDocuments, Value, get_filter
from dowse.matching.fields import ALL_FIELDS
from dowse.planning import Binder, Role, Scope, join_filters
from dowse.query import nodes, unparse_node
from dowse.schema import Field
from dowse.schema.document_explanation import EXCLUDED, FILTERED, NOT_MATCHED
from dowse.storage.snapshot import Snapshot
from dowse.storage.stored_documents import NamedDocument

SLOPS = (1, 2, 5, 10, 100, 1000)

Chunks = frozenset[int]


class UnmetClause(NamedTuple):
    """Why a part of the query lets a document go.

    Attributes:
        code: `FILTERED`, `EXCLUDED` or `NOT_MATCHED`.
        sentence: What is in the way, for people.
        suggestion: What would bring the document back; empty when we do not know.
    """

    code: str
    sentence: str
    suggestion: str = ""


class Part(NamedTuple):
    """A part that must hold: the chunks it lets through, and why there are none.

    Attributes:
        excludes: Whether it says what must not be there.
    """

    chunks: Chunks
    explain: Callable[[], list[UnmetClause]]
    excludes: bool = False


class UnmetClauseFinder(Struct):
    """Asks the parts of one query about one document."""

    binder: Binder
    snapshot: Snapshot
    document: NamedDocument

    def find(self, node: nodes.Node, scope: Scope) -> list[UnmetClause]:
        """Returns why no chunk of the document matches a node; nothing when one does.

        Filters come first, then exclusions, then the rest.
        """
        unmet = self._find(node, scope)
        order = (FILTERED, EXCLUDED, NOT_MATCHED)
        return sorted(dict.fromkeys(unmet), key=lambda clause: order.index(clause.code))

    def _find(self, node: nodes.Node, scope: Scope) -> list[UnmetClause]:
        chunks = self._chunks_of(node, scope)
        if chunks is None or chunks:
            return []
        match node:
            case nodes.Boosted():
                return self._find(node.item, scope)
            case nodes.Scoped():
                return self._find(node.item, _in_field(node, scope))
            case nodes.Not():
                return [_explain_exclusion(node)]
            case nodes.And():
                return self._find_all(node.items, scope)
            case nodes.BagOfWords():
                return self._find_most(node, scope)
            case nodes.Or():
                return self._find_any(node.items, scope)
            case nodes.Quorum():
                return [self._explain_quorum(node, scope)]
            case nodes.WeakAnd():
                return self._find_any(node.items, scope) or [_explain_cut(node)]
            case nodes.Near() | nodes.First():
                return [self._explain_places(node, scope)]
            case nodes.Phrase():
                return [self._explain_phrase(node, scope)]
            case nodes.Filter() | nodes.RangeFilter():
                return [self._explain_filter(node)]
        return [self._explain_leaf(node, scope)]

    def _chunks_of(self, node: nodes.Node, scope: Scope) -> Chunks | None:
        """Returns the document's chunks that a node lets through; None when it means nothing here."""
        bound = self.binder.bind(node, scope)
        if bound is None:
            return None
        first_key, count = self.document.first_key, self.document.chunk_count
        found: set[int] = set()
        for number, segment in enumerate(self.snapshot.segments):
            keys = segment.reader.columns.chunk_keys
            first, stop = np.searchsorted(keys, (first_key, first_key + count)).tolist()
            if first < stop:
                rows = bound.matcher.rows_in(number)
                low, high = np.searchsorted(rows, (first, stop)).tolist()
                found.update(int(keys[row]) - first_key for row in rows[low:high])
        if bound.role is Role.EXCLUDED:
            return frozenset(range(count)) - found
        return frozenset(found)

    # Several parts -------------------------------------------------------------------------------

    def _part(self, node: nodes.Node, scope: Scope) -> Part | None:
        chunks = self._chunks_of(node, scope)
        if chunks is None:
            return None
        return Part(chunks, lambda: self._explain_empty(node, scope), _excludes(node))

    def _explain_empty(self, node: nodes.Node, scope: Scope) -> list[UnmetClause]:
        return [_explain_exclusion(node)] if _excludes(node) else self._find(node, scope)

    def _find_all(self, items: Iterable[nodes.Node], scope: Scope) -> list[UnmetClause]:
        parts = [part for item in items if (part := self._part(item, scope)) is not None]
        return self._meet(parts, items)

    def _find_most(self, node: nodes.BagOfWords, scope: Scope) -> list[UnmetClause]:
        """What binds must match; of the rest one part must, unless something binds."""
        optional, needed, beside = [], [], []
        for item in join_filters(node.items):
            bound = self.binder.bind(item, scope)
            if bound is None:
                continue
            if bound.role is Role.BINDING:
                needed.append(item)
            elif bound.role is Role.OPTIONAL:
                optional.append(item)
            else:
                beside.append(item)
        parts = [part for item in needed + beside if (part := self._part(item, scope)) is not None]
        if optional and not needed:
            union = frozenset[int]().union(*(self._chunks_of(item, scope) or () for item in optional))
            # A compound among bare words is found by its parts as well, so the whole is asked for.
            whole = self._chunks_of(nodes.BagOfWords(tuple(optional)), scope) if len(optional) > 1 else None
            parts.append(Part(whole or union, lambda: self._find_any(optional, scope)))
        return self._meet(parts, node.items)

    def _meet(self, parts: Sequence[Part], items: Iterable[nodes.Node]) -> list[UnmetClause]:
        unmet = [clause for part in parts if not part.chunks for clause in part.explain()]
        if unmet or not parts:
            return unmet
        wanted = frozenset(range(self._count)).intersection(
            *(part.chunks for part in parts if not part.excludes)
        )
        if wanted:
            guilty = [part for part in parts if part.excludes and not wanted <= part.chunks]
            return [clause for part in guilty for clause in part.explain()]
        text = ", ".join(_short(unparse_node(item)) for item in items)
        sentence = f"each of {text} lets some chunk of it through, but no chunk has all of them"
        suggestion = "ask for fewer of them at once, or for any of them with OR"
        return [UnmetClause(NOT_MATCHED, sentence, suggestion)]

    def _find_any(self, items: Sequence[nodes.Node], scope: Scope) -> list[UnmetClause]:
        unmet = [clause for item in items for clause in self._find(item, scope)]
        words = [item for item in items if isinstance(item, nodes.Word)]
        if len(words) < 2 or len(words) < len(items) or len(unmet) < len(words):
            return unmet
        none = f"it has none of the words {_quoted(word.text for word in words)}{_where(scope)}"
        suggestions = [clause.suggestion for clause in unmet if clause.suggestion]
        return [UnmetClause(NOT_MATCHED, none, suggestions[0] if suggestions else "")]

    def _explain_quorum(self, node: nodes.Quorum, scope: Scope) -> UnmetClause:
        found = [self._chunks_of(item, scope) for item in node.items]
        known = [chunks for chunks in found if chunks is not None]
        best = max((sum(at in chunks for chunks in known) for at in range(self._count)), default=0)
        has, lacks = self._split(node.items, scope)
        sentence = f"no chunk of it has more than {best} of {len(known)} parts{_listed(has, lacks)}"
        return UnmetClause(NOT_MATCHED, sentence, f"ask for {best} of them" if best else "")

    # Words and their places ----------------------------------------------------------------------

    def _explain_phrase(self, node: nodes.Phrase, scope: Scope) -> UnmetClause:
        text, words = unparse_node(node), [nodes.Word(word) for word in node.text.split()]
        has, lacks = self._split(words, scope)
        sentence = f"it does not have the phrase {text}{_where(scope)}{_listed(has, lacks)}"
        for slop in SLOPS:
            if slop > node.slop and self._chunks_of(replace(node, slop=slop), scope):
                return UnmetClause(NOT_MATCHED, sentence, f'ask for {unparse_node(replace(node, slop=slop))}')
        return UnmetClause(NOT_MATCHED, sentence, self._elsewhere(node, scope) or (
            "ask for the words without quotes" if has else ""
        ))  # fmt: skip

    def _explain_places(self, node: nodes.Near | nodes.First, scope: Scope) -> UnmetClause:
        has, lacks = self._split(list(_leaves(node)), scope)
        text = _short(unparse_node(node))
        if lacks:
            return UnmetClause(NOT_MATCHED, f"it does not match {text}{_listed(has, lacks)}")
        sentence = f"it has the words of {text}, but not where the query wants them"
        for size in SLOPS:
            wider = _widened(node, size)
            if wider is not None and self._chunks_of(wider, scope):
                return UnmetClause(NOT_MATCHED, sentence, f"ask for {unparse_node(wider)}")
        return UnmetClause(NOT_MATCHED, sentence, "ask for the words wherever they stand")

    def _explain_leaf(self, node: nodes.Node, scope: Scope) -> UnmetClause:
        where, text = _where(scope), _short(unparse_node(node))
        if isinstance(node, nodes.Exact):
            return UnmetClause(NOT_MATCHED, f"it does not have the text {text}", self._elsewhere(node, scope))
        if not isinstance(node, nodes.Word):
            sentence = f"no word of it fits {text}{where}"
            return UnmetClause(NOT_MATCHED, sentence, self._elsewhere(node, scope))
        suggestion = self._elsewhere(node, scope)
        if not suggestion and self._chunks_of(nodes.Fuzzy(node.text, None), scope):
            suggestion = f"{text}~ finds similar words, of which it has one"
        return UnmetClause(NOT_MATCHED, f"it does not have the word {text}{where}", suggestion)

    def _elsewhere(self, node: nodes.Node, scope: Scope) -> str:
        """Returns the advice to leave a field out, when that is all that is in the way."""
        if scope.fields == ALL_FIELDS or not self._chunks_of(node, scope._replace(fields=ALL_FIELDS)):
            return ""
        return f"it has {_short(unparse_node(node))} in another field; leave the field out"

    def _split(self, items: Sequence[nodes.Node], scope: Scope) -> tuple[list[str], list[str]]:
        """Returns which of some parts the document has, and which it lacks."""
        has: list[str] = []
        lacks: list[str] = []
        for item in items:
            chunks = self._chunks_of(item, scope._replace(keeps_stop_words=True))
            if chunks is not None:
                (has if chunks else lacks).append(_short(unparse_node(item)))
        return has, lacks

    @property
    def _count(self) -> int:
        return self.document.chunk_count

    # Filters -------------------------------------------------------------------------------------

    def _explain_filter(self, node: nodes.Filter | nodes.RangeFilter) -> UnmetClause:
        text, values = _short(unparse_node(node)), list(self._values_of(node.name))
        own = " and ".join(_show_value(node.name, value) for value in values[:3])
        sentence = f"the filter {text} leaves it out: its {node.name} is {own or 'not known'}"
        return UnmetClause(FILTERED, sentence, f"leave out {text}")

    def _values_of(self, name: str) -> Sequence[Value]:
        """Returns what the document has of what a filter asks for."""
        for segment in self.snapshot.segments:
            keys, columns = segment.reader.columns.chunk_keys, segment.reader.document_columns
            row = int(np.searchsorted(keys, self.document.first_key))
            if row < len(keys) and keys[row] == self.document.first_key:
                (doc,) = columns.docs_of([row]).tolist()
                return get_filter(name).values(SegmentDocuments(segment, self.snapshot.trees), name, doc)
        return ()


def _in_field(node: nodes.Scoped, scope: Scope) -> Scope:
    return scope._replace(fields=frozenset({Field[node.field.upper()].value}))


def _excludes(node: nodes.Node) -> bool:
    """Says whether a part, whatever stands around it, is an exclusion."""
    if isinstance(node, nodes.Boosted | nodes.Scoped):
        return _excludes(node.item)
    return isinstance(node, nodes.Not)


def _explain_exclusion(node: nodes.Node) -> UnmetClause:
    text = _short(unparse_node(node))
    found = _short(unparse_node(node.item)) if isinstance(node, nodes.Not) else text
    return UnmetClause(EXCLUDED, f"it has {found}, which the query excludes", f"leave out {text}")


def _explain_cut(node: nodes.WeakAnd) -> UnmetClause:
    sentence = f"it is not among the best {node.keep} that WEAKAND keeps"
    return UnmetClause(NOT_MATCHED, sentence, f"keep more than {node.keep}")


def _widened(node: nodes.Near | nodes.First, size: int) -> nodes.Node | None:
    if isinstance(node, nodes.First):
        return replace(node, count=size) if size > node.count else None
    return replace(node, distance=size, is_ordered=False) if size > node.distance else None


def _leaves(node: nodes.Node) -> Iterator[nodes.Node]:
    if isinstance(node, (nodes.Near, nodes.Or)):
        for item in node.items:
            yield from _leaves(item)
    elif isinstance(node, (nodes.First, nodes.Boosted)):
        yield from _leaves(node.item)
    else:
        yield node


def _where(scope: Scope) -> str:
    if scope.fields == ALL_FIELDS:
        return ""
    return f" in its {' or '.join(Field(field).label for field in sorted(scope.fields))}"


def _listed(has: Sequence[str], lacks: Sequence[str]) -> str:
    known = [f"it has {', '.join(has)}"] if has else []
    known += [f"it lacks {', '.join(lacks)}"] if lacks else []
    return f" ({'; '.join(known)})" if known else ""


def _quoted(texts: Iterable[str]) -> str:
    return ", ".join(f"“{_short(text)}”" for text in texts)


def _short(text: str, most_chars: int = 80) -> str:
    return text if len(text) <= most_chars else text[: most_chars - 1] + "…"


def _show_value(name: str, value: str | float) -> str:
    if isinstance(value, str):
        return f"“{_short(value)}”"
    if name == "date":
        return datetime.datetime.fromtimestamp(value, datetime.UTC).strftime("%Y-%m-%d")
    return f"{value:,.0f} bytes" if name == "size" else f"{value:g}"
