"""Walks over a sorted dictionary that skip what cannot match; the plain twin."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

import numpy as np

from dowse.kernels.layout import U8, U32, U64, Automaton

MAX_EDITS = 3


class Vocabulary(Sequence[bytes]):
    """Strings in ascending byte order, as a segment's dictionary keeps them.

    Caller guarantees ascending, valid UTF-8; entries may repeat. Damage gives wrong answers or a
    ValueError.

    Args:
        offsets: Start of each entry in `spellings`, and the end; ``entries + 1`` values.
        spellings: The entries, one after the other.
    """

    def __init__(self, offsets: U64, spellings: U8) -> None:
        self.offsets, self.spellings = offsets, spellings

    def __len__(self) -> int:
        return max(0, len(self.offsets) - 1)

    def __getitem__(self, at: int) -> bytes:  # type: ignore[override]
        return self.spelling(at)

    def spelling(self, ordinal: int) -> bytes:
        """Returns the bytes of one entry."""
        if not 0 <= ordinal < len(self):
            raise IndexError(f"there is no entry {ordinal}")
        start, stop = int(self.offsets[ordinal]), int(self.offsets[ordinal + 1])
        if not start <= stop <= len(self.spellings):
            raise ValueError("an entry of the vocabulary points outside its spellings")
        return self.spellings[start:stop].tobytes()

    def prefix_range(self, prefix: bytes) -> tuple[int, int]:
        """Returns the first ordinal whose entry begins with `prefix`, and the first after them.

        Two binary searches. Where nothing begins with it, both are where it would stand.
        """
        start = bisect_left(self, prefix)
        return start, self._skip(start, prefix)

    def _skip(self, start: int, prefix: bytes) -> int:
        """Returns the first ordinal from `start` on whose entry does not begin with `prefix`."""
        return bisect_right(self, prefix, start, key=lambda entry: entry[: len(prefix)])

    def within_edits(
        self, word: str, max_edits: int, first_letter_cost: int = 1
    ) -> tuple[U32, U8]:
        """Returns the entries at most `max_edits` away from `word`, with their distances.

        The distance is *optimal string alignment*: the cheapest way to turn the word into the entry by
        inserting, deleting and substituting letters and by swapping two neighbours, where no letter is
        touched twice. Letters are code points. An edit costs 1; one that touches the first letter of the
        word or of the entry (deleting the word's first, inserting the entry's first, substituting or
        swapping either) costs `first_letter_cost`. The distance is symmetric.

        Args:
            word: May be empty.
            max_edits: 0 to 3.
            first_letter_cost: 1 or 2.

        Returns:
            Ordinals, ascending, and the distance of each. Visits few entries: O(answers + beginnings
            within `max_edits` of a beginning of the word). The compiled twin compares the letters of all
            entries, many at once, or of those with the first letter where that cannot be edited; it
            collects them when they are first asked for.
        """
        rows, before = [_first_row(word, max_edits, first_letter_cost)], ""
        ordinals, distances, at = [], [], 0
        while at < len(self):
            entry = self.spelling(at).decode("utf-8", "replace")
            del rows[_common_prefix(before, entry) + 1 :]
            while len(rows) <= len(entry) and min(rows[-1]) <= max_edits:
                rows.append(_next_row(rows, word, entry[: len(rows)], first_letter_cost))
            if min(rows[-1]) > max_edits:
                before = entry[: len(rows) - 2]
                at = self._skip(at + 1, entry[: len(rows) - 1].encode())
                continue
            before = entry
            if rows[-1][-1] <= max_edits:
                ordinals.append(at)
                distances.append(rows[-1][-1])
            at += 1
        return np.array(ordinals, np.uint32), np.array(distances, np.uint8)

    def prefix_within_edits(
        self, word: str, max_edits: int, first_letter_cost: int = 1
    ) -> tuple[U32, U8]:
        """Returns the entries that begin with something at most `max_edits` away from `word`.

        The distance of an entry is the smallest that any of its beginnings, the empty and the whole one
        included, has as `within_edits` counts.

        Args:
            word: May be empty; then every entry is at distance 0.
            max_edits: 0 to 3.
            first_letter_cost: 1 or 2.

        Returns:
            Ranges of ordinals, [ranges, 2], half-open, ascending; and the distance of all entries in each.
            Neighbouring ranges differ in distance. As soon as no longer beginning can be nearer, all entries
            that share one are taken unread.
        """
        rows, before = [_first_row(word, max_edits, first_letter_cost)], ""
        ranges: list[list[int]] = []
        distances: list[int] = []
        at = 0
        while at < len(self):
            entry = self.spelling(at).decode("utf-8", "replace")
            del rows[_common_prefix(before, entry) + 1 :]
            nearest = min(max_edits + 1, *(row[-1] for row in rows))
            while len(rows) <= len(entry) and min(rows[-1]) < nearest:
                rows.append(_next_row(rows, word, entry[: len(rows)], first_letter_cost))
                nearest = min(nearest, rows[-1][-1])
            next_at, before = at + 1, entry
            # Nothing that follows is nearer than the smallest cell of a row.
            if min(rows[-1]) >= nearest:
                before = entry[: len(rows) - 1]
                next_at = self._skip(next_at, before.encode())
            if nearest <= max_edits:
                if ranges and ranges[-1][1] == at and distances[-1] == nearest:
                    ranges[-1][1] = next_at
                else:
                    ranges.append([at, next_at])
                    distances.append(nearest)
            at = next_at
        return np.array(ranges, np.uint32).reshape(-1, 2), np.array(distances, np.uint8)

    def matching(
        self,
        automaton: Automaton,
        start: int,
        stop: int,
        limit: int,
        suffix: bytes = b"",
        inner: bytes = b"",
    ) -> tuple[U32, bool]:
        """Returns the entries that an automaton accepts.

        Args:
            automaton: Reads code points, begins in state 0.
            start: First ordinal to look at.
            stop: First ordinal not to look at.
            limit: Stops at the match after that many.
            suffix: Entries that do not end with it are passed over unread; where the automaton accepts
                none of them, that is several times as fast and changes nothing.
            inner: The same for entries that do not have it anywhere in them.

        Returns:
            Ordinals, ascending, at most `limit`; and whether these are all.
        """
        _check(automaton)
        transitions = automaton.transitions.tolist()
        ordinals: list[int] = []
        states, before = [0], ""
        at, stop = max(0, start), min(stop, len(self))
        while at < stop:
            if inner not in self.spelling(at) or not self.spelling(at).endswith(suffix):
                at += 1
                continue
            entry = self.spelling(at).decode("utf-8", "replace")
            del states[_common_prefix(before, entry) + 1 :]
            while len(states) <= len(entry) and states[-1] >= 0:
                letter = ord(entry[len(states) - 1])
                states.append(transitions[states[-1]][_class_of(automaton, letter)])
            if states[-1] < 0:
                before = entry[: len(states) - 2]
                at = self._skip(at + 1, entry[: len(states) - 1].encode())
                continue
            before = entry
            if automaton.accepting[states[-1]]:
                if len(ordinals) >= limit:
                    return np.array(ordinals, np.uint32), False
                ordinals.append(at)
            at += 1
        return np.array(ordinals, np.uint32), True


def _common_prefix(left: str, right: str) -> int:
    size = min(len(left), len(right))
    return next((at for at in range(size) if left[at] != right[at]), size)


def _first_row(word: str, max_edits: int, first_cost: int) -> list[int]:
    """Returns the distances of the empty beginning of an entry to every beginning of the word."""
    if not 0 <= max_edits <= MAX_EDITS:
        raise ValueError(f"max_edits cannot be {max_edits}")
    if first_cost not in (1, 2):
        raise ValueError(f"first_letter_cost cannot be {first_cost}")
    return [j + (first_cost - 1) * (j > 0) for j in range(len(word) + 1)]


def _next_row(rows: list[list[int]], word: str, entry: str, first_cost: int) -> list[int]:
    """Returns the distances of an entry's beginning to every beginning of the word.

    Args:
        rows: Those of all shorter beginnings, the empty one first.
        word: The word.
        entry: The beginning, at least one letter.
        first_cost: What an edit of a first letter costs.
    """
    i = len(entry)
    row = [rows[-1][0] + (first_cost if i == 1 else 1)]
    for j in range(1, len(word) + 1):
        substitution = 0 if entry[-1] == word[j - 1] else first_cost if i == 1 or j == 1 else 1
        best = min(
            rows[-1][j - 1] + substitution,
            rows[-1][j] + (first_cost if i == 1 else 1),
            row[j - 1] + (first_cost if j == 1 else 1),
        )
        if i > 1 and j > 1 and entry[-1] == word[j - 2] and entry[-2] == word[j - 1]:
            best = min(best, rows[-2][j - 2] + (first_cost if i == 2 or j == 2 else 1))
        row.append(best)
    return row


def _class_of(automaton: Automaton, letter: int) -> int:
    return int(automaton.classes[bisect_right(automaton.bounds, letter) - 1])


def _check(automaton: Automaton) -> None:
    states, classes = automaton.transitions.shape
    if not states or not classes or len(automaton.accepting) != states:
        raise ValueError("the automaton's arrays do not fit together")
    if not len(automaton.bounds) or automaton.bounds[0] or len(automaton.classes) != len(automaton.bounds):
        raise ValueError("the automaton's arrays do not fit together")
    if automaton.classes.max() >= classes:
        raise ValueError(f"the automaton has no class {automaton.classes.max()}")
    if automaton.transitions.min() < -1 or automaton.transitions.max() >= states:
        raise ValueError("the automaton has no such state")
