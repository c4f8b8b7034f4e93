"""Look up, score, and check positions in one segment; the plain twin of the compiled `Postings`."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from dowse.kernels.layout import (
    F64,
    I64,
    MAX_LOOSE_WORDS,
    MAX_TERM_FREQ,
    SKIP_EVERY,
    U8,
    U16,
    U32,
    Lists,
)
from dowse.kernels.reference.front_coding import expand_texts
from dowse.kernels.reference.inversion import split_positions
from dowse.kernels.reference.loose_phrases import count_matches
from dowse.kernels.reference.runs import run_shares
from dowse.kernels.reference.term_dictionary import Terms

# A list of the segment by number, or one made for this query: rows, term frequencies, field; or one that
# brings its own values: rows, what each row gets.
ListSource = int | tuple[U32, U8, int] | tuple[U32, F64]
# weight, saturation, and the lists with their tables [term_freq, length bucket]; None for own values.
Group = tuple[float, float, Sequence[tuple[ListSource, F64 | None]]]


class FieldTables:
    """A scoring model's tables for the fields of one snapshot.

    Args:
        summed: By field, the table whose values are added before saturation; None for a field that does
            not count.
        finished: By field, the table to use when the field stands alone.
        saturation: See `Postings.score_top_k`.
    """

    def __init__(
        self, summed: Sequence[F64 | None], finished: Sequence[F64 | None], saturation: float
    ) -> None:
        self.summed, self.finished, self.saturation = summed, finished, saturation


def _checked(k: int) -> int:
    if k < 1:
        raise ValueError(f"the best k rows are at least one, not {k}")
    return k


class FoundPhrase:
    """What `Postings.phrase_lists` found in one segment, to be counted first and then scored."""

    def __init__(self, postings: "Postings", lists: Sequence[tuple[U32, U8, int]]) -> None:
        self._postings, self._lists = postings, lists

    def count(self, live: U8 | None) -> int:
        """Returns in how many rows any field has it; `live` has 0 for rows that do not count."""
        rows = {row for found, _, _ in self._lists for row in found.tolist()}
        return len(rows) if live is None else sum(live[row] != 0 for row in rows)

    def score(
        self, weight: float, tables: FieldTables, allowed: U8 | None, k: int, floor: float
    ) -> tuple[list[int], list[float], int, bool]:
        """Does what `Postings.score_top_k` does for one group of its lists.

        Args:
            weight: That of the group.
            tables: Fields that have none do not count.
            allowed: As in `Postings.score_top_k`, as are the other arguments and what is returned.
        """
        counted = [entry for entry in self._lists if tables.summed[entry[2]] is not None]
        chosen = tables.finished if len(counted) == 1 else tables.summed
        members = [(entry, chosen[entry[2]]) for entry in counted]
        groups = [(weight, tables.saturation, members)] if members else []
        return self._postings.score_top_k(groups, allowed, k, floor)


class Postings:
    """One segment's dictionary, postings, positions and lengths, ready to be searched.

    Args:
        term_restarts: The terms in ascending byte order, front-coded (`front_coding`): where blocks begin.
        term_codes: The codes of all blocks.
        lists: The posting lists (`layout.Lists`).
        buckets: Length buckets, shape (fields, rows).
    """

    def __init__(self, term_restarts: U32, term_codes: U8, lists: Lists, buckets: U8) -> None:
        self.term_restarts, self.term_codes = term_restarts, term_codes
        self.lists, self.buckets = lists, buckets
        self.term_count, self.row_count = len(lists.term_lists) - 1, buckets.shape[1]
        self._terms = Terms(*expand_texts(term_restarts, term_codes, self.term_count))

    def find_term(self, term: bytes) -> int:
        """Returns the term's ordinal, or -1."""
        at = bisect_left(self._terms, term)
        return at if at < len(self._terms) and self._terms[at] == term else -1

    def find_terms(self, terms: Sequence[bytes]) -> list[int]:
        """Returns the ordinal of each term, -1 for those that are not here."""
        return [self.find_term(term) for term in terms]

    def find_terms_of(self, other: "Postings", terms: U32) -> I64:
        """Returns the ordinals here of another segment's terms, -1 for those that are not here.

        Args:
            other: Whose terms they are.
            terms: Their ordinals there; ascending is fastest.
        """
        return np.array(self.find_terms(other.spell(terms.tolist())), np.int64)

    def spell(self, terms: Iterable[int]) -> list[bytes]:
        """Returns the spelling of each term.

        Raises:
            ValueError: There is no such term.
        """
        ordinals = list(terms)
        if any(not 0 <= term < self.term_count for term in ordinals):
            raise ValueError(f"there are {self.term_count} terms, numbered from 0")
        return [self._terms[term] for term in ordinals]

    def lists_of(self, term: int) -> list[tuple[int, int]]:
        """Returns (list, field) pairs of a term, in field order."""
        first, stop = int(self.lists.term_lists[term]), int(self.lists.term_lists[term + 1])
        return [(index, int(self.lists.list_field[index])) for index in range(first, stop)]

    def rows_of(self, index: int) -> U32:
        """Returns a list's rows, ascending, as a read-only view."""
        size, start = int(self.lists.list_doc_freq[index]), int(self.lists.list_postings[index])
        return np.frombuffer(self.lists.postings, np.uint32, size, start)

    def _freqs_of(self, index: int) -> U8:
        size, start = int(self.lists.list_doc_freq[index]), int(self.lists.list_postings[index])
        return self.lists.postings[start + 4 * size : start + 5 * size]

    def freq_at(self, index: int, row: int) -> int:
        """Returns the term frequency of a list in one row, 0 when the row is not in the list."""
        at = self._posting_of(index, row)
        return 0 if at is None else int(self._freqs_of(index)[at])

    def _posting_of(self, index: int, row: int) -> int | None:
        rows = self.rows_of(index)
        at = int(np.searchsorted(rows, row))
        return at if at < len(rows) and rows[at] == row else None

    def score_top_k(
        self, groups: Sequence[Group], allowed: U8 | None, k: int, floor: float
    ) -> tuple[list[int], list[float], int, bool]:
        """Returns the best `k` rows that score above `floor`.

        A group is one scored thing, a term or a phrase. With one list its score in a row is
        ``weight * table[freq, bucket]``; with several (one per field) the tables' values are added first
        and saturate together: ``weight * (sum / (sum + saturation))``. A row's score is the sum over
        groups in the order given; heaviest first prunes best. A list with values of its own stands alone
        in its group and gives ``weight * value``. Weights and values must be positive. Tables must be
        positive from frequency 1 on, not fall with the frequency nor rise with the length bucket: a
        list's largest frequency and smallest bucket bound what it can give.

        Args:
            groups: See `Group`.
            allowed: One byte a row, 0 for rows that must not appear; None for all.
            k: At least 1.
            floor: Rows must score above it; what another segment's k-th best has.

        Returns:
            Rows and scores by descending score, ties by ascending row; how many rows matched; and
            whether that count is exact (the compiled twin stops counting when it prunes).
        """
        sums = self._sums(groups)
        matched = sums > 0
        if allowed is not None:
            matched &= allowed != 0
        candidates = np.flatnonzero(matched & (sums > floor))
        order = np.lexsort((candidates, -sums[candidates]))[: _checked(k)]
        best = candidates[order]
        return best.tolist(), sums[best].tolist(), int(matched.sum()), True

    def _sums(self, groups: Sequence[Group]) -> F64:
        sums = np.zeros(self.row_count)
        for weight, saturation, members in groups:
            parts = np.zeros(self.row_count)
            for source, table in members:
                if table is None:
                    rows, values = source  # type: ignore[misc]
                    parts[rows] += values
                    continue
                rows, freqs, field = self._resolve(source)
                freqs = np.minimum(freqs, len(table) - 1)
                parts[rows] += table[freqs, self.buckets[field, rows]]
            touched = np.flatnonzero(parts)
            if len(members) > 1:
                parts[touched] = parts[touched] / (parts[touched] + saturation)
            sums[touched] += weight * parts[touched]
        return sums

    def score_terms(
        self,
        terms: Sequence[int],
        weights: Sequence[float],
        tables: FieldTables,
        allowed: U8 | None,
        k: int,
        floor: float,
    ) -> tuple[list[int], list[float], int, bool]:
        """Scores whole terms, as `score_top_k` does for groups made of their lists.

        Args:
            terms: Their ordinals, heaviest first; -1 for a term this segment does not have.
            weights: One for each term.
            tables: Fields that have none do not count.
            allowed: As in `score_top_k`, as are the other arguments and what is returned.
        """
        return self.score_top_k(self._groups_of(terms, weights, tables), allowed, k, floor)

    def _groups_of(
        self, terms: Sequence[int], weights: Sequence[float], tables: FieldTables
    ) -> list[Group]:
        groups: list[Group] = []
        for term, weight in zip(terms, weights, strict=True):
            lists = self.lists_of(term) if term >= 0 else []
            counted = [entry for entry in lists if tables.summed[entry[1]] is not None]
            chosen = tables.finished if len(counted) == 1 else tables.summed
            members = [(index, chosen[field]) for index, field in counted]
            if members:
                groups.append((weight, tables.saturation, members))
        return groups

    def score_clauses(
        self,
        groups: Sequence[Group],
        needed: Sequence[Sequence[int | U32]],
        excluded: Sequence[int | U32],
        allowed: U8 | None,
        k: int,
        floor: float,
    ) -> tuple[list[int], list[float], int]:
        """Returns the best `k` rows that have at least one list of each clause and none that is excluded.

        Rows that no group touches are included, with a score of 0.

        Args:
            groups: As in `score_top_k`; what is scored need not be what is needed.
            needed: Clauses, at least one: each some lists by number, or ascending rows.
            excluded: Lists by number, or ascending rows.
            allowed: One byte a row, 0 for rows that must not appear; None for all.
            k: At least 1.
            floor: Rows must score above it; below 0, every row counts.

        Returns:
            Rows and scores by descending score, ties by ascending row; and how many rows matched.
        """
        matches = ~self._any_of(excluded)
        for sources in needed:
            matches &= self._any_of(sources)
        if allowed is not None:
            matches &= allowed != 0
        rows = np.flatnonzero(matches)
        scores = self._sums(groups)[rows]
        order = np.lexsort((rows, -scores))
        order = order[scores[order] > floor][: _checked(k)]
        return rows[order].tolist(), scores[order].tolist(), len(rows)

    def score_term_clauses(
        self,
        terms: Sequence[int],
        weights: Sequence[float],
        tables: FieldTables,
        needed: Sequence[Sequence[int]],
        excluded: Sequence[int],
        allowed: U8 | None,
        k: int,
        floor: float,
    ) -> tuple[list[int], list[float], int]:
        """Scores whole terms of rows that have one term of each clause and none that is excluded.

        Args:
            terms: As in `score_terms`, as are weights and tables.
            needed: Clauses, at least one: each some terms, of which a row must have one, in any field.
            excluded: Terms that a row must not have.
            allowed: As in `score_clauses`, as are the other arguments and what is returned.
        """
        return self.score_clauses(
            self._groups_of(terms, weights, tables),
            [self._lists_of_all(clause) for clause in needed],
            self._lists_of_all(excluded),
            allowed,
            k,
            floor,
        )

    def score_term_quorum(
        self,
        terms: Sequence[int],
        weights: Sequence[float],
        tables: FieldTables,
        least: int,
        allowed: U8 | None,
        k: int,
        floor: float,
    ) -> tuple[list[int], list[float], int]:
        """Scores whole terms of rows that have at least `least` of them, in any field.

        A row's score is the sum over its terms times the share of the terms that it has. Rows whose terms
        are worth nothing do not match.

        Args:
            terms: As in `score_terms`, up to 32,767, as are weights and tables; one that is given twice
                counts twice, one that this segment does not have counts as not there.
            least: From 1.
            allowed: As in `score_clauses`, as are the other arguments and what is returned.
        """
        clauses = [self._lists_of_all([term]) for term in terms]
        rows, counts = self.count_clauses(clauses, least)
        scores = counts / float(len(terms)) * self._sums(self._groups_of(terms, weights, tables))[rows]
        matches = scores > 0.0
        if allowed is not None:
            matches &= allowed[rows] != 0
        rows, scores = rows[matches], scores[matches]
        order = np.lexsort((rows, -scores))
        order = order[scores[order] > floor][: _checked(k)]
        return rows[order].tolist(), scores[order].tolist(), len(rows)

    def _lists_of_all(self, terms: Sequence[int]) -> list[int]:
        return [index for term in terms if term >= 0 for index, _ in self.lists_of(term)]

    def _any_of(self, sources: Sequence[int | U32]) -> npt.NDArray[np.bool_]:
        found = np.zeros(self.row_count, bool)
        for source in sources:
            found[self.rows_of(source) if isinstance(source, int) else source] = True
        return found

    def count_clauses(
        self, clauses: Sequence[Sequence[int | U32]], least: int
    ) -> tuple[U32, U32]:
        """Returns the rows that have a list of at least `least` clauses (from 1), ascending, and of how many.

        Args:
            clauses: As `needed` in `score_clauses`, up to 32,767; one with the same lists as another counts
                as well.
            least: From 1.
        """
        counts = np.zeros(self.row_count, np.uint32)
        for sources in clauses:
            counts += self._any_of(sources)
        rows = np.flatnonzero(counts >= max(least, 1)).astype(np.uint32)
        return rows, counts[rows]

    def sum_rows(self, groups: Sequence[Group], rows: U32) -> F64:
        """Returns the score of each of the given rows, ascending; 0 for those that no group touches."""
        scores: F64 = self._sums(groups)[rows]
        return scores

    def _resolve(self, source: ListSource) -> tuple[U32, U8, int]:
        if isinstance(source, tuple):
            return source  # type: ignore[return-value]
        return self.rows_of(source), self._freqs_of(source), int(self.lists.list_field[source])

    def phrase(self, list_indices: Sequence[int], offsets: Sequence[int]) -> tuple[U32, U8]:
        """Returns the rows where the lists' terms stand at the given relative positions, and how often.

        Args:
            list_indices: Lists of one field, one for each word of the phrase; at least one.
            offsets: Position of each word relative to the start of the phrase.
        """
        common = self.rows_of(list_indices[0])
        for index in list_indices[1:]:
            common = np.intersect1d(common, self.rows_of(index), assume_unique=True)
        rows, freqs = [], []
        for row in common.tolist():
            starts = set(range(1 << 16))
            for index, offset in zip(list_indices, offsets, strict=True):
                starts &= {at - offset for at in self.positions_at(index, row).tolist()}
            if starts:
                rows.append(row)
                freqs.append(min(len(starts), MAX_TERM_FREQ))
        return np.array(rows, np.uint32), np.array(freqs, np.uint8)

    def phrase_lists(
        self, terms: Sequence[int], offsets: Sequence[int], slop: int
    ) -> list[tuple[U32, U8, int]]:
        """Returns the rows and frequencies of a phrase in each field that has it, and the field, ascending.

        Args:
            terms: Their ordinals, one for each word; -1 for a term this segment does not have.
            offsets: As in `sloppy_phrase`, as is the slop.
        """
        if min(terms) < 0:
            return []
        lists = [{field: index for index, field in self.lists_of(term)} for term in terms]
        found = []
        for field in sorted(set(lists[0]).intersection(*lists[1:])):
            rows, freqs = self.sloppy_phrase([own[field] for own in lists], offsets, slop)
            if len(rows):
                found.append((rows, freqs, field))
        return found

    def find_phrase(self, terms: Sequence[int], offsets: Sequence[int], slop: int) -> "FoundPhrase":
        """Finds what `phrase_lists` does, to be counted and scored without becoming arrays."""
        return FoundPhrase(self, self.phrase_lists(terms, offsets, slop))

    def positions_at(self, index: int, row: int) -> U16:
        """Returns the positions of a list's term in one row, ascending; empty when it is not there."""
        at = self._posting_of(index, row)
        if at is None:
            return np.zeros(0, np.uint16)
        start = int(self.lists.list_positions[index])
        first = start + 4 * ((int(self.lists.list_doc_freq[index]) - 1) // SKIP_EVERY)
        block = at // SKIP_EVERY
        if block:
            first += int(np.frombuffer(self.lists.positions, "<u4", 1, start + 4 * (block - 1))[0])
        encoded = split_positions(self.lists.positions.tobytes(), first)
        for _ in range(at % SKIP_EVERY):
            next(encoded)
        return _decode_positions(next(encoded))

    def merge_lists(self, indices: Sequence[int] | U32) -> tuple[U32, U8]:
        """Returns the rows that any of the lists has, ascending, with the lists' frequencies added up.

        Frequencies saturate at 255. A list may be named twice and then counts twice.
        """
        sums = np.zeros(self.row_count, np.int64)
        for index in map(int, indices):
            sums[self.rows_of(index)] += self._freqs_of(index)
        rows = np.flatnonzero(sums)
        return rows.astype(np.uint32), np.minimum(sums[rows], MAX_TERM_FREQ).astype(np.uint8)

    def positions_in(self, index: int, rows: U32) -> tuple[U32, U16]:
        """Returns the positions of a list's term in several rows.

        Args:
            index: The list.
            rows: Ascending; the list need not have them.

        Returns:
            Offsets, one more than there are rows, and positions: those of row number ``i`` are
            ``positions[offsets[i]:offsets[i + 1]]``, ascending.
        """
        found = [self.positions_at(index, row) for row in rows.tolist()]
        offsets = np.cumsum([0, *map(len, found)], dtype=np.uint32)
        return offsets, np.concatenate([np.zeros(0, np.uint16), *found])

    def run_shares(
        self, terms: Sequence[int], offsets: Sequence[int], sums: F64, rarest: int, least: int, rows: U32
    ) -> F64:
        """Returns for each row the most that a run of the terms gives; see `runs`."""
        return run_shares(self, terms, offsets, sums, rarest, least, rows)

    def sloppy_phrase(
        self, list_indices: Sequence[int], offsets: Sequence[int], slop: int
    ) -> tuple[U32, U8]:
        """Returns the rows where the lists' terms stand near the given relative positions, and how often.

        With slop 0 that is `phrase`. Above it, `loose_phrases` says what a match is and how matches are
        counted.

        Args:
            list_indices: Lists of one field, one for each word of the phrase; 1 to 64.
            offsets: Position of each word relative to the start of the phrase; from 0.
            slop: How far apart the starts may lie that the words' positions imply; from 0.
        """
        if slop == 0:
            return self.phrase(list_indices, offsets)
        if slop < 0 or not 0 < len(list_indices) <= MAX_LOOSE_WORDS:
            raise ValueError(
                f"a loose phrase has 1 to {MAX_LOOSE_WORDS} words, not {len(list_indices)}, and slop from 0"
            )
        common = self.rows_of(list_indices[0])
        for index in list_indices[1:]:
            common = np.intersect1d(common, self.rows_of(index), assume_unique=True)
        rows, freqs = [], []
        for row in common.tolist():
            places = [self.positions_at(index, row).tolist() for index in list_indices]
            count = count_matches(places, offsets, slop)
            if count:
                rows.append(row)
                freqs.append(min(count, MAX_TERM_FREQ))
        return np.array(rows, np.uint32), np.array(freqs, np.uint8)


def _decode_positions(encoded: bytes) -> U16:
    positions, value, shift, position = [], 0, 0, 0
    for byte in encoded:
        value |= (byte & 127) << shift
        shift += 7
        if not byte & 128:
            position += value >> 1
            positions.append(position)
            value = shift = 0
    return np.array(positions, np.uint16)
