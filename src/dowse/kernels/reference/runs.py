"""Runs: terms that stand one after the other as a query has them, the rarest among them; the plain twin."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from dowse.kernels.layout import F64, U16, U32


class Positions(Protocol):
    """What tells where terms stand."""

    def lists_of(self, term: int) -> list[tuple[int, int]]:
        """Returns the lists of a term, each with its field."""

    def positions_at(self, index: int, row: int) -> U16:
        """Returns the positions of a list's term in one row."""


def run_shares(
    postings: Positions,
    terms: Sequence[int],
    offsets: Sequence[int],
    sums: F64,
    rarest: int,
    least: int,
    rows: U32,
) -> F64:
    """Returns for each row the most that a run gives, 0 for rows that have none in any field.

    Args:
        postings: Of a segment.
        terms: Their ordinals; -1 for a term the segment does not have.
        offsets: Where each stands, relative to any point.
        sums: What the terms before each give together, and all of them.
        rarest: Which of the terms every run has.
        least: How many terms make a run.
        rows: Ascending.

    Raises:
        ValueError: There is no such term, or there are not as many sums.
    """
    if not 0 <= rarest < len(terms) or len(sums) != len(terms) + 1:
        raise ValueError("the rarest is one of the terms, and there is a sum before and behind each")
    lists = [{f: index for index, f in postings.lists_of(term)} if term >= 0 else {} for term in terms]
    shares = np.zeros(len(rows))
    for at, row in enumerate(rows.tolist()):
        for field in lists[rarest]:
            # Where the query would begin: the same for all words of a run.
            begins = [
                {int(p) - offset for p in postings.positions_at(own[field], row)} if field in own else set()
                for own, offset in zip(lists, offsets, strict=True)
            ]
            for begin in begins[rarest]:
                first = last = rarest
                while first and begin in begins[first - 1]:
                    first -= 1
                while last + 1 < len(terms) and begin in begins[last + 1]:
                    last += 1
                if last - first + 1 >= least:
                    shares[at] = max(shares[at], sums[last + 1] - sums[first])
    return shares
