"""The titles of an index, ready to be completed.

Titles are numbered by how likely they are wanted: those of most documents first, then short ones. So the
best of any set of them are its smallest numbers.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple

import numpy as np

from dowse.analysis import fold_text
from dowse.kernels import Vocabulary
from dowse.kernels.layout import U8, U32
from dowse.storage.snapshot import Snapshot
from dowse.storage.stored_documents import list_titles

# What is between words; all else, marks of every script included, is part of one.
SEPARATORS = r"\s!-&(-/:-@\[-`{-~\u00a0-\u00bf\u2000-\u2018\u201a-\u206f\u3000-\u303f\uff00-\uff0f"
_WORD = re.compile(rf"[^{SEPARATORS}'’]+")
_LAST = "\U0010ffff"


class _WordIndex(NamedTuple):
    """Which titles have a word.

    Attributes:
        words: Sorted.
        starts: Where the titles of each word start in `titles`, and the end.
        titles: Numbers.
    """

    words: Vocabulary
    starts: U32
    titles: U32


class Titles:
    """The different titles of one generation.

    Args:
        generation: That of the snapshot they are from.
        doc_freqs: In how many documents each title occurs.
        folded: Folded forms that are known already; the others are made.
    """

    def __init__(
        self, generation: int, doc_freqs: Mapping[str, int], folded: Mapping[str, str]
    ) -> None:
        self.generation, self._doc_freqs = generation, doc_freqs
        self.folded = {title: folded.get(title) or fold_text(title).strip() for title in doc_freqs}
        self._ranked = sorted(doc_freqs, key=lambda title: (-doc_freqs[title], len(title), title))

    def __len__(self) -> int:
        return len(self._ranked)

    def title(self, number: int) -> tuple[str, int]:
        """Returns a title, and how many documents have it."""
        title = self._ranked[number]
        return title, self._doc_freqs[title]

    @cached_property
    def _by_text(self) -> tuple[list[str], U32]:
        """The folded titles in order, and their numbers."""
        pairs = sorted((self.folded[title], number) for number, title in enumerate(self._ranked))
        return [text for text, _ in pairs], np.array([number for _, number in pairs], np.uint32)

    @cached_property
    def _by_word(self) -> _WordIndex:
        owners: dict[str, list[int]] = {}
        for number, title in enumerate(self._ranked):
            for word in set(_WORD.findall(self.folded[title])):
                owners.setdefault(word, []).append(number)
        spellings = sorted((word.encode("utf-8", "replace"), word) for word in owners)
        sizes = np.cumsum([0, *(len(spelling) for spelling, _ in spellings)], dtype=np.uint64)
        letters: U8 = np.frombuffer(b"".join(spelling for spelling, _ in spellings), np.uint8)
        lists = [owners[word] for _, word in spellings]
        starts = np.cumsum([0, *map(len, lists)], dtype=np.uint32)
        titles = np.array([number for numbers in lists for number in numbers], np.uint32)
        return _WordIndex(Vocabulary(sizes, letters), starts, titles)

    def starting_with(self, folded: str, count: int) -> list[int]:
        """Returns the best titles that start with a folded text, best first."""
        texts, numbers = self._by_text
        start, stop = bisect_left(texts, folded), bisect_left(texts, folded + _LAST)
        found = numbers[start:stop]
        if len(found) > count:
            found = np.partition(found, count)[:count]
        return sorted(found.tolist())

    def having(self, folded: str, count: int, max_edits: int = 0) -> list[int]:
        """Returns the best titles that have all words of a folded text, the last one begun, best first.

        Args:
            folded: The text.
            count: Most titles to return.
            max_edits: With typing errors in the last word, up to that many; those without come as well.
        """
        *words, last = _WORD.findall(folded) or [""]
        if not last or not self:
            return []
        index = self._by_word
        if max_edits:
            ranges, _ = index.words.prefix_within_edits(last, max_edits, 2)
        else:
            ranges = np.array([index.words.prefix_range(last.encode("utf-8", "replace"))], np.uint32)
        fitting = self._owners(ranges)
        for word in words:
            start, stop = index.words.prefix_range(word.encode("utf-8", "replace"))
            is_known = start < stop and index.words.spelling(start) == word.encode("utf-8", "replace")
            fitting &= self._owners(np.array([[start, start + is_known]], np.uint32))
        best: list[int] = np.flatnonzero(fitting)[:count].tolist()
        return best

    def _owners(self, ranges: U32) -> U8:
        """Marks the titles that have any of the words in ranges, [ranges, 2]."""
        _, starts, titles = self._by_word
        marks: U8 = np.zeros(len(self), np.uint8)
        for start, stop in ranges.tolist():
            marks[titles[starts[start] : starts[stop]]] = 1
        return marks


def build_titles(snapshot: Snapshot, before: Titles | None = None) -> Titles:
    """Returns the titles of a snapshot; what is known of those before is not made again."""
    if before is not None and before.generation == snapshot.generation:
        return before
    doc_freqs = Counter(title for title in list_titles(snapshot) if title)
    return Titles(snapshot.generation, doc_freqs, before.folded if before else {})
