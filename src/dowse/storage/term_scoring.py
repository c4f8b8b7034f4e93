"""Scores a bag of terms over all segments; the best rows so far raise the bar for the next segment."""

from collections.abc import Sequence
from typing import Protocol

from dowse.kernels import FieldTables
from dowse.kernels.layout import U8
from dowse.storage.snapshot import Snapshot


class RowCollector(Protocol):
    """Keeps the best rows.

    Attributes:
        wanted: How many at most.
        floor: What a row must score above to be kept.
    """

    wanted: int
    floor: float

    def add(
        self, segment: int, rows: list[int], scores: list[float], matched: int, is_exact: bool
    ) -> None:
        """Takes the best rows of one segment, best first; ties by row.

        Args:
            matched: How many rows match, or at least so many.
            is_exact: Whether `matched` is all of them.
        """


def collect_terms(
    snapshot: Snapshot,
    ordinals: Sequence[Sequence[int]],
    weights: Sequence[float],
    tables: FieldTables,
    masks: Sequence[U8 | None],
    collector: RowCollector,
) -> None:
    """Gives a collector the best rows of every segment.

    Args:
        ordinals: Per segment, the terms' places in its dictionary; -1 where it does not have one.
        weights: Of the terms, heaviest first: sums depend on the order.
        tables: What a frequency and a length are worth in each field.
        masks: Per segment, one byte per row, 0 for rows that must not be found; None for all.
    """
    for number, segment in enumerate(snapshot.segments):
        collector.add(
            number,
            *segment.reader.postings.score_terms(
                ordinals[number],
                weights,
                tables,
                segment.allowed(masks[number]),
                collector.wanted,
                collector.floor,
            ),
        )
