"""Turns a plan into what the scoring kernel needs, and explains what comes out.

A kernel *group* is one scored thing in one segment. Groups are in the order of falling weight, the same
in every segment, because floating-point sums depend on the order: a chunk's score is then the same number
in whichever segment it lies, and the explanation can add it up again.
"""

from collections.abc import Sequence
from typing import NamedTuple

from dowse.explanation import Explanation
from dowse.kernels import FieldTables
from dowse.kernels.layout import F64
from dowse.matching.leaf import Leaf, ListSource, SegmentLists, count_live, freq_at, live_doc_freq
from dowse.planning import ScoredLeaf
from dowse.schema import FIELD_COUNT, Field
from dowse.scoring import FieldMatch, ScoringModel, TermStatistics
from dowse.storage.snapshot import Snapshot

Group = tuple[float, float, Sequence[tuple[ListSource, F64]]]


class Tables:
    """A model's tables for one snapshot, made when first needed."""

    def __init__(self, model: ScoringModel, avg_lengths: F64) -> None:
        self.model, self._avg_lengths = model, avg_lengths
        self._summed: list[F64 | None] = [None] * FIELD_COUNT
        self._finished: list[F64 | None] = [None] * FIELD_COUNT
        self.counted = frozenset(
            field for field in range(FIELD_COUNT) if model.fields.boosts[field] > 0
        )
        self._for_terms: FieldTables | None = None

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
                table = table / (table + self.model.saturation)
            self._finished[field] = table
        return table


class Weighed(NamedTuple):
    """A leaf with its weight.

    Attributes:
        statistics: What the weight was made from.
        query_weight: What the query multiplies it by.
    """

    leaf: Leaf
    weight: float
    statistics: TermStatistics
    query_weight: float


def weigh(scored: Sequence[ScoredLeaf], tables: Tables, snapshot: Snapshot) -> list[Weighed]:
    """Returns the leaves with their weights, heaviest first; a model of single fields gets one a field."""
    model, doc_count = tables.model, snapshot.doc_count
    weighed = []
    for item in scored:
        leaves = [item.leaf] if model.combines_fields else _split_fields(item.leaf, snapshot)
        for leaf in leaves:
            statistics = TermStatistics(leaf.doc_freq, doc_count)
            weight = item.query_weight * model.weight(statistics)
            weighed.append(Weighed(leaf, weight, statistics, item.query_weight))
    weighed.sort(key=lambda entry: -entry.weight)
    return weighed


class WeighedTerms(NamedTuple):
    """Plain terms in the order of falling weight.

    Attributes:
        ordinals: Per segment, the terms' places in its dictionary; -1 where it does not have one.
    """

    weights: list[float]
    ordinals: list[list[int]]


def weigh_terms(terms: Sequence[tuple[str, float]], tables: Tables, snapshot: Snapshot) -> WeighedTerms:
    """Weighs a bag of terms for a model that combines fields; what `weigh` does, without its leaves."""
    encoded = [term.encode("utf-8", "replace") for term, _ in terms]
    ordinals = [segment.reader.postings.find_terms(encoded) for segment in snapshot.segments]
    weigh_one, doc_count = tables.model.weight, snapshot.doc_count
    weights = []
    for place, (_, query_weight) in enumerate(terms):
        doc_freq = 0
        for segment, found in zip(snapshot.segments, ordinals, strict=True):
            doc_freq += live_doc_freq(segment, found[place])
        weights.append(query_weight * weigh_one(TermStatistics(doc_freq, doc_count)))
    order = sorted(range(len(weights)), key=weights.__getitem__, reverse=True)
    return WeighedTerms(
        [weights[place] for place in order],
        [[found[place] for place in order] for found in ordinals],
    )


def _split_fields(leaf: Leaf, snapshot: Snapshot) -> list[Leaf]:
    fields = sorted({field for lists in leaf.lists for _, field in lists})
    split = []
    for field in fields:
        lists = [[entry for entry in entries if entry[1] == field] for entries in leaf.lists]
        split.append(Leaf(leaf.label, lists, sum(map(count_live, snapshot.segments, lists))))
    return split


def segment_groups(weighed: Sequence[Weighed], segment: int, tables: Tables) -> list[Group]:
    """Returns the kernel's groups for one segment."""
    groups: list[Group] = []
    for entry in weighed:
        lists = _counted(entry.leaf.lists[segment], tables)
        if len(lists) == 1:
            source, field = lists[0]
            groups.append((entry.weight, 0.0, ((source, tables.finished(field)),)))
        elif lists:
            members = [(source, tables.summed(field)) for source, field in lists]
            groups.append((entry.weight, tables.model.saturation, members))
    return groups


def _counted(lists: SegmentLists, tables: Tables) -> SegmentLists:
    if len(tables.counted) == FIELD_COUNT:
        return lists
    return [entry for entry in lists if entry[1] in tables.counted]


def explain_row(
    weighed: Sequence[Weighed], snapshot: Snapshot, segment: int, row: int, tables: Tables
) -> Explanation:
    """Explains the score of one row; parts are added in the order the kernel added them."""
    reader = snapshot.segments[segment].reader
    parts, total = [], 0.0
    for entry in weighed:
        matches = []
        for source, field in _counted(entry.leaf.lists[segment], tables):
            freq = freq_at(reader, source, row)
            if freq:
                bucket = int(reader.buckets[field, row])
                average = float(snapshot.avg_lengths[field])
                matches.append(FieldMatch(Field(field), freq, bucket, average))
        if matches:
            part = tables.model.explain(
                entry.leaf.label, entry.statistics, matches, entry.query_weight
            )
            parts.append(part)
            total += part.value
    return Explanation(total, "score, the sum of what each term gives", tuple(parts))
