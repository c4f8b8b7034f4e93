"""Completes what is being typed: its last word with words of the texts, all of it with titles."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import get_args

import numpy as np

from dowse.analysis import fold_text
from dowse.errors import InvalidParameterError
from dowse.matching import Choose
from dowse.matching.expansions import Found
from dowse.matching.spelling import edit_budget
from dowse.schema import Completion, SpellingCandidate
from dowse.schema.suggestions import CompletionKind
from dowse.storage.snapshot import Snapshot
from dowse.storage.word_dictionary import WordDictionary
from dowse.suggest.frequent_words import find_frequent, in_ranges
from dowse.suggest.titles import SEPARATORS, Titles

KINDS: tuple[CompletionKind, ...] = get_args(CompletionKind)
MAX_COMPLETIONS = 1_000
# Surfaces end after 64 code points, so what is further back is not part of a word that is known.
_MOST_CHARS = 200
_LAST_WORD = re.compile(rf"[^{SEPARATORS}'’]+(?:['’][^{SEPARATORS}'’]*)*$")
# What follows an apostrophe is a word of its own from here on: ’t, ’s and ’ll are not.
_WORD_AFTER_APOSTROPHE = 3
_FIRST_LETTER_COST = 2


def complete(
    snapshot: Snapshot, titles: Titles, text: str, limit: int, kinds: Sequence[CompletionKind] = KINDS
) -> tuple[Completion, ...]:
    """Returns how a text may go on, what fits as typed first.

    Among these come words, by how many chunks have them, then titles: those that start with the text, then
    those that have its words. Where there are plenty of both, each gets half of the places. Only when fewer
    than `limit` fit, typing errors in the last word are assumed; words then come by
    ``doc_freq / (distance + 1)``.

    Args:
        snapshot: Whose words.
        titles: Of the same generation.
        text: As typed. A text that ends between words is only completed to titles.
        limit: Most completions, 1 to 1,000.
        kinds: Only these.

    Raises:
        InvalidParameterError: The limit or a kind is none.
    """
    if not 1 <= limit <= MAX_COMPLETIONS:
        raise InvalidParameterError(
            name="limit", value=limit, legal=f"legal values are 1 to {MAX_COMPLETIONS}"
        )
    for kind in kinds:
        if kind not in KINDS:
            raise InvalidParameterError(
                name="kinds", value=kind, legal=f"legal values are {', '.join(KINDS)}"
            )
    ways: list[_Words | _Titles] = []
    if "word" in kinds:
        ways.append(_Words(snapshot, text))
    if "title" in kinds:
        ways.append(_Titles(titles, text))
    found = _share([way.exact(limit) for way in ways], limit)
    if len(found) < limit:
        found += _share([way.corrected(limit - len(found)) for way in ways], limit - len(found))
    return tuple(found)


def _share(groups: Sequence[Sequence[Completion]], limit: int) -> list[Completion]:
    """Gives each group the places the others leave, but at least its part of them."""
    shared: list[Completion] = []
    for number, group in enumerate(groups):
        others = [len(other) for other in groups[number + 1 :]]
        free = limit - len(shared)
        part = -(-free // (len(others) + 1))
        shared += group[: max(part, free - sum(others))]
    return shared


class _Words:
    """The words that complete the last one of a text."""

    def __init__(self, snapshot: Snapshot, text: str) -> None:
        self._snapshot = snapshot
        self._front, self._word, self._has_exact = text, "", False
        for front, word in _splits(text):
            self._front, self._word = front, fold_text(word)
            if any(_has_prefix(segment.reader.words, self._word) for segment in snapshot.segments):
                break

    def exact(self, count: int) -> list[Completion]:
        if not self._word:
            return []
        found = self._completions(_starting_with(self._word), count, is_corrected=False)
        self._has_exact = bool(found)
        return found

    def corrected(self, count: int) -> list[Completion]:
        found: list[Completion] = []
        for edits in _edits_to_try(self._word, has_exact=self._has_exact):
            found = self._completions(_nearly_starting_with(self._word, edits), count, is_corrected=True)
            if found:
                break
        return found

    def _completions(self, choose: Choose, count: int, *, is_corrected: bool) -> list[Completion]:
        found: list[SpellingCandidate] = find_frequent(self._snapshot, choose, count)
        return [
            Completion("word", self._front + entry.word, entry.doc_freq, is_corrected) for entry in found
        ]


class _Titles:
    """The titles that a text is the beginning of, or has words of."""

    def __init__(self, titles: Titles, text: str) -> None:
        self._titles, self._folded = titles, fold_text(text).lstrip()
        self._exact: list[int] = []

    def exact(self, count: int) -> list[Completion]:
        if not self._folded:
            return []
        self._exact = self._titles.starting_with(self._folded, count)
        self._add(lambda wanted: self._titles.having(self._folded, wanted), self._exact, count)
        return self._completions(self._exact, is_corrected=False)

    def corrected(self, count: int) -> list[Completion]:
        found: list[int] = []
        words = self._folded.split(" ")
        for edits in _edits_to_try(words[-1], has_exact=bool(self._exact)):
            near = self._titles.having(self._folded, count + len(self._exact), edits)
            found = [number for number in near if number not in self._exact][:count]
            if found:
                break
        return self._completions(found, is_corrected=True)

    def _add(self, find: Callable[[int], list[int]], found: list[int], count: int) -> None:
        if len(found) < count:
            known = set(found)
            found += [number for number in find(count + len(known)) if number not in known]
            del found[count:]

    def _completions(self, numbers: Sequence[int], *, is_corrected: bool) -> list[Completion]:
        return [Completion("title", *self._titles.title(number), is_corrected) for number in numbers]


def _splits(text: str) -> Iterator[tuple[str, str]]:
    """Yields what stands before the last word, and it: first whole, then from its last apostrophe on."""
    begin = max(0, len(text) - _MOST_CHARS)
    found = _LAST_WORD.search(text, begin)
    if found is None:
        return
    yield text[: found.start()], found[0]
    after = re.split("['’]", found[0])[-1]
    if after != found[0] and len(after) >= _WORD_AFTER_APOSTROPHE:
        yield text[: len(text) - len(after)], after


def _edits_to_try(word: str, *, has_exact: bool) -> range:
    """Returns how many typing errors to assume, few first.

    Two take ten times as long to look for as one, and long words rarely have many ends: where something fits
    as typed, one is enough.
    """
    budget = edit_budget(word)
    return range(1, (min(budget, 1) if has_exact else budget) + 1)


def _has_prefix(words: WordDictionary, prefix: str) -> bool:
    start, stop = words.vocabulary.prefix_range(prefix.encode("utf-8", "replace"))
    return start < stop


def _starting_with(word: str) -> Choose:
    """Chooses all words that start with a folded one."""
    encoded = word.encode("utf-8", "replace")

    def choose(words: WordDictionary) -> Found:
        ordinals = np.arange(*words.vocabulary.prefix_range(encoded), dtype=np.uint32)
        return Found(ordinals, np.zeros(len(ordinals), np.uint8))

    return choose


def _nearly_starting_with(word: str, max_edits: int) -> Choose:
    """Chooses words whose beginning is some edits away from a folded word; those that start so not."""

    def choose(words: WordDictionary) -> Found:
        ranges, distances = words.vocabulary.prefix_within_edits(word, max_edits, _FIRST_LETTER_COST)
        ranges, distances = ranges[distances > 0], distances[distances > 0]
        sizes = (ranges[:, 1] - ranges[:, 0]).astype(np.int64)
        return Found(in_ranges(ranges), np.repeat(distances, sizes))

    return choose
