"""Turns a plan into what the scoring kernel needs, and explains what comes out.

A kernel *group* is one scored thing in one segment. Groups are in the order of falling weight, the same
in every segment, because floating-point sums depend on the order: a chunk's score is then the same number
in whichever segment it lies, and the explanation can add it up again.
"""

from collections.abc import Sequence
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from dowse.kernels import FieldTables
from dowse.kernels.layout import F64, U8, U32
from dowse.matching import Factored, PhraseAlone, ScoredTerm
from dowse.matching.scored_term import ListSource, SegmentLists, count_live, freq_at
from dowse.planning import Needed, Scored
from dowse.schema import FIELD_COUNT, Explanation, Field
from dowse.scoring import FieldMatch, ScoringModel, TermStatistics
from dowse.storage.segment_reader import SegmentReader
from dowse.storage.snapshot import LiveSegment, Snapshot
from dowse.storage.term_lookup import find_terms

Source = ListSource | tuple[U32, F64]
Group = tuple[float, float, Sequence[tuple[Source, F64 | None]]]
NO_STATISTICS = TermStatistics(0, 0)


class ScoreTables:
    """A model's tables for one snapshot, made when first needed."""

    def __init__(self, model: ScoringModel, avg_lengths: F64) -> None:
        self.model, self._avg_lengths = model, avg_lengths
        self._summed: list[F64 | None] = [None] * FIELD_COUNT
        self._finished: list[F64 | None] = [None] * FIELD_COUNT
        self.counted = frozenset(
            field for field in range(FIELD_COUNT) if model.fields.boosts[field] > 0
        )
        self._for_terms: FieldTables | None = None
        self._weights: dict[int, float] = {}

    def weight(self, doc_freq: int, doc_count: int) -> float:
        """What a term of so many of the snapshot's chunks weighs, for a model that needs to know no more."""
        found = self._weights.get(doc_freq)
        if found is None:
            found = self._weights[doc_freq] = self.model.weight(TermStatistics(doc_freq, doc_count))
        return found

    @property
    def nbytes(self) -> int:
        """Bytes of the tables made so far; one that serves twice counts once."""
        tables = {id(table): table.nbytes for table in (*self._summed, *self._finished) if table is not None}
        return sum(tables.values())

    def for_terms(self) -> FieldTables:
        """All tables as the kernel takes them for whole terms."""
        if self._for_terms is None:
            fields = range(FIELD_COUNT)
            self._for_terms = FieldTables(
                [self.summed(field) if field in self.counted else None for field in fields],
                [self.finished(field) if field in self.counted else None for field in fields],
                self.model.saturation,
            )
        return self._for_terms

    def summed(self, field: int) -> F64:
        """A field's share, to be added to other fields' before saturation."""
        table = self._summed[field]
        if table is None:
            average = float(self._avg_lengths[field])
            table = self._summed[field] = self.model.field_table(Field(field), average)
        return table

    def finished(self, field: int) -> F64:
        """A field's value when it is the only one: saturated already."""
        table = self._finished[field]
        if table is None:
            table = self.summed(field)
            if self.model.combines_fields:
                whole = table + self.model.saturation
                table = np.divide(table, whole, out=whole)  # half a megabyte less to ask the system for
            self._finished[field] = table
        return table


class WeightedTerm(NamedTuple):
    """Something scored, with its weight.

    Attributes:
        weight: What the kernel multiplies by.
        query_weight: The part of it that the query asks for.
        statistics: What the rest of the weight was made from.
        table: The leaf's own table, for models whose values differ from term to term.
        members: What a factored match is worth, before its factor.
        values: Per segment, what a factored match gives each of its rows.
    """

    item: ScoredTerm | Factored
    weight: float
    query_weight: float
    statistics: TermStatistics = NO_STATISTICS
    table: F64 | None = None
    members: "tuple[WeightedTerm, ...]" = ()
    values: Sequence[F64] = ()

    @property
    def bound(self) -> float:
        """The most it can give a chunk, roughly; what the order of groups goes by."""
        return self.weight * max((float(values.max()) for values in self.values if len(values)), default=1.0)


def weight_terms(scored: Sequence[Scored], tables: ScoreTables, snapshot: Snapshot) -> list[WeightedTerm]:
    """Returns what is scored with its weights, heaviest first; a model of single fields gets one a field."""
    weighted: list[WeightedTerm] = []
    for item, query_weight in scored:
        if isinstance(item, Factored):
            weighted.append(_weight_factored(item, query_weight, tables, snapshot))
        elif tables.model.combines_fields:
            statistics = TermStatistics(item.doc_freq, snapshot.doc_count)
            weight = query_weight * tables.model.weight(statistics)
            weighted.append(WeightedTerm(item, weight, query_weight, statistics))
        else:
            weighted += _weight_fields(item, query_weight, tables, snapshot)
    if len(weighted) > 1:
        weighted.sort(key=lambda entry: -entry.bound)
    return weighted


def weight_phrase(phrase: PhraseAlone, tables: ScoreTables, snapshot: Snapshot) -> float:
    """Returns the weight of a phrase that is the whole query, for a model that combines fields."""
    return tables.weight(phrase.doc_freq, snapshot.doc_count)


def _weight_fields(
    leaf: ScoredTerm, query_weight: float, tables: ScoreTables, snapshot: Snapshot
) -> list[WeightedTerm]:
    """Weights each field of a leaf as a term of its own."""
    model, weighted = tables.model, []
    for field in sorted({field for lists in leaf.lists for _, field in lists} & tables.counted):
        lists = [_of_field(entries, field) for entries in leaf.lists]
        family = [_of_field(entries, field) for entries in leaf.family or leaf.lists]
        doc_freq = sum(map(count_live, leaf.segments, family))
        own = ScoredTerm(leaf.label, leaf.segments, lists, doc_freq, family)
        total = 0
        if "total_term_freq" in model.needs:
            total = sum(map(_total_freq, leaf.segments, family))
        length = int(snapshot.total_lengths[field])
        statistics = TermStatistics(own.doc_freq, snapshot.doc_count, total, length)
        table = None
        if model.needs_term_table:
            average = float(snapshot.avg_lengths[field])
            table = model.term_table(Field(field), average, statistics, _max_freq(own))
        weight = query_weight * model.weight(statistics)
        weighted.append(WeightedTerm(own, weight, query_weight, statistics, table))
    return weighted


def _of_field(lists: SegmentLists, field: int) -> SegmentLists:
    return [entry for entry in lists if entry[1] == field]


def _total_freq(segment: LiveSegment, lists: SegmentLists) -> int:
    total = 0
    for source, _ in lists:
        rows, freqs = _postings_of(segment.reader, source)
        total += int(freqs.sum() if segment.live is None else freqs[segment.live[rows] != 0].sum())
    return total


def _max_freq(leaf: ScoredTerm) -> int:
    return max(
        (
            _max_freq_of(segment.reader, source)
            for segment, lists in zip(leaf.segments, leaf.lists, strict=True)
            for source, _ in lists
        ),
        default=1,
    )


def _max_freq_of(reader: SegmentReader, source: ListSource) -> int:
    if isinstance(source, tuple):
        return int(source[1].max(initial=1))
    return int(reader.postings.lists.list_max_freq[source])


def _postings_of(reader: SegmentReader, source: ListSource) -> tuple[U32, U8]:
    if isinstance(source, tuple):
        return source[0], source[1]
    # Frequencies follow the rows, a byte each.
    lists = reader.postings.lists
    start, size = int(lists.list_postings[source]), int(lists.list_doc_freq[source])
    freqs: U8 = lists.postings[start + 4 * size : start + 5 * size]
    return reader.postings.rows_of(source), freqs


def _weight_factored(
    item: Factored, query_weight: float, tables: ScoreTables, snapshot: Snapshot
) -> WeightedTerm:
    if not item.members:
        return WeightedTerm(item, query_weight, query_weight, values=item.factors)
    members = tuple(weight_terms(item.members, tables, snapshot))
    values = []
    for number, segment in enumerate(snapshot.segments):
        rows, factors = item.rows[number], item.factors[number]
        groups = segment_groups(members, number, tables)
        values.append(factors * segment.reader.postings.sum_rows(groups, rows))
    return WeightedTerm(item, query_weight, query_weight, members=members, values=values)


class WeightedBag(NamedTuple):
    """Plain terms in the order of falling weight.

    Attributes:
        ordinals: Per segment, the terms' places in its dictionary; -1 where it does not have one.
        as_given: The same in the order of the bag.
    """

    weights: Sequence[float]
    ordinals: Sequence[Sequence[int]]
    as_given: Sequence[Sequence[int]]


class TermClauses(NamedTuple):
    """Which terms of a bag a hit must have, and which others not; per segment, by their places there.

    Attributes:
        least: How many terms of the bag it must have, whichever they are; 0 when it is those of clauses.
    """

    needed: list[list[Sequence[int]]]
    excluded: list[list[int]]
    least: int


def find_clauses(
    needed: Needed, excluded: Sequence[str], terms: WeightedBag, snapshot: Snapshot
) -> TermClauses:
    """Returns the clauses of a bag that was weighted; `needed` and `excluded` are those of its plan."""
    found = TermClauses([], [], needed.least)
    unwanted = [term.encode("utf-8", "replace") for term in excluded]
    for segment, ordinals in zip(snapshot.segments, terms.as_given, strict=True):
        found.needed.append([ordinals[clause.start : clause.stop] for clause in needed.clauses])
        found.excluded.append(segment.reader.postings.find_terms(unwanted) if unwanted else [])
    return found


def weight_bag(terms: Sequence[tuple[str, float]], tables: ScoreTables, snapshot: Snapshot) -> WeightedBag:
    """Weights a bag of terms for a model that combines fields; what `weight_terms` does, without its
    leaves."""
    encoded = [term.encode("utf-8", "replace") for term, _ in terms]
    doc_freqs, ordinals = find_terms(snapshot, encoded)
    weight_one, doc_count = tables.weight, snapshot.doc_count
    weights = [
        query_weight * weight_one(doc_freq, doc_count)
        for (_, query_weight), doc_freq in zip(terms, doc_freqs, strict=True)
    ]
    if len(weights) > 1:
        in_order = itemgetter(*sorted(range(len(weights)), key=weights.__getitem__, reverse=True))
        return WeightedBag(in_order(weights), list(map(in_order, ordinals)), ordinals)
    return WeightedBag(weights, ordinals, ordinals)


def segment_groups(weighted: Sequence[WeightedTerm], segment: int, tables: ScoreTables) -> list[Group]:
    """Returns the kernel's groups for one segment."""
    groups: list[Group] = []
    for entry in weighted:
        if isinstance(entry.item, Factored):
            rows, values = entry.item.rows[segment], entry.values[segment]
            # A factor may meet words that count for nothing; the kernel takes only what is above 0.
            worth = values > 0.0
            groups.append((entry.weight, 0.0, [((rows[worth], values[worth]), None)]))
            continue
        lists = _counted(entry.item.lists[segment], tables)
        if len(lists) == 1:
            source, field = lists[0]
            table = entry.table if entry.table is not None else tables.finished(field)
            groups.append((entry.weight, 0.0, ((source, table),)))
        elif lists:
            members = [(source, tables.summed(field)) for source, field in lists]
            groups.append((entry.weight, tables.model.saturation, members))
    return groups


def _counted(lists: SegmentLists, tables: ScoreTables) -> SegmentLists:
    if len(tables.counted) == FIELD_COUNT:
        return lists
    return [entry for entry in lists if entry[1] in tables.counted]


def explain_row(
    weighted: Sequence[WeightedTerm], snapshot: Snapshot, segment: int, row: int, tables: ScoreTables
) -> Explanation:
    """Explains the score of one row; parts are added in the order the kernel added them."""
    parts, total = [], 0.0
    for entry in weighted:
        part = (
            _explain_factored(entry, entry.item, snapshot, segment, row, tables)
            if isinstance(entry.item, Factored)
            else _explain_leaf(entry, entry.item, snapshot, segment, row, tables)
        )
        if part is not None:
            parts.append(part)
            total += part.value
    return Explanation(total, "score, the sum of what each term gives", tuple(parts), "terms")


def _explain_leaf(
    entry: WeightedTerm, leaf: ScoredTerm, snapshot: Snapshot, segment: int, row: int, tables: ScoreTables
) -> Explanation | None:
    reader, matches = snapshot.segments[segment].reader, []
    for source, field in _counted(leaf.lists[segment], tables):
        freq = freq_at(reader, source, row)
        if freq:
            bucket = int(reader.buckets[field, row])
            matches.append(FieldMatch(Field(field), freq, bucket, float(snapshot.avg_lengths[field])))
    if not matches:
        return None
    return tables.model.explain(leaf.label, entry.statistics, matches, entry.query_weight)


def _explain_factored(
    entry: WeightedTerm, item: Factored, snapshot: Snapshot, segment: int, row: int, tables: ScoreTables
) -> Explanation | None:
    at = int(np.searchsorted(item.rows[segment], row))
    if at >= len(item.rows[segment]) or item.rows[segment][at] != row:
        return None
    factor = float(item.factors[segment][at])
    parts = [Explanation(entry.query_weight, "query_weight"), Explanation(factor, f"factor: {item.reason}")]
    value = factor
    if item.members:
        inner = explain_row(entry.members, snapshot, segment, row, tables)
        parts.append(inner)
        value = factor * inner.value
    if not value:
        return None
    return Explanation(
        entry.weight * value, f"{item.label} = query_weight * factor * score of its words", tuple(parts)
    )
